import ast
import re
import string
from pathlib import Path

import pytest

from biombo._i18n import LANGUAGES, _catalogue, _Localised, integer, language, number, percent, set_language, text

PACKAGE = Path(__file__).parents[1] / "src" / "biombo"
KEYS = sorted({key for code in LANGUAGES for key in _catalogue(code)})


def placeholders(message: str) -> set[tuple[str, str]]:
    """What is filled in and how numbers are written, whatever the words are that fit a number."""
    parts = [(field, spec or "") for _, field, spec, _ in string.Formatter().parse(message) if field is not None]
    return {(field, spec.partition("|")[0]) for field, spec in parts if not spec.startswith("|")}


def asked_for() -> set[str]:
    """The keys that the code names in full: in ``text("…")``, ``said("…")``, and in an error or its classmethod."""
    keys = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
                continue
            called, first = ast.unparse(node.func), node.args[0].value
            if called in ("text", "said"):
                keys.add(first)
            elif called.endswith("Error") and isinstance(first, str) and "." in first and " " not in first:
                keys.add(f"errors.{first}")
    return keys


def test_every_text_exists_in_both_languages_with_the_same_placeholders():
    texts = {key: [_catalogue(code).get(key, "") for code in LANGUAGES] for key in KEYS}

    assert [key for key, each in texts.items() if not all(map(str.strip, each))] == [], "missing or empty in a language"
    assert [key for key, each in texts.items() if placeholders(each[0]) != placeholders(each[1])] == []


def test_the_texts_that_the_code_asks_for_exist():
    assert asked_for() - set(KEYS) == set()


def test_sources_are_named_by_authors_and_year_wherever_a_user_reads():
    """docs/sources.md says which works these are; numbers of documents say nothing to anybody."""
    repository = PACKAGE.parents[1]
    pages = [*repository.glob("*.md"), *(repository / "docs").rglob("*.*"), *PACKAGE.rglob("*.*")]
    read = [page for page in pages if page.suffix in (".md", ".py", ".toml", ".yaml", ".json", ".j2")]
    numbered = re.compile(r"document(o|os|s)?\s+00\d", re.IGNORECASE)

    assert len(read) > 400
    assert [page.name for page in read if numbered.search(page.read_text("utf-8"))] == []


def test_portuguese_has_one_word_for_each_thing():
    odd = re.compile(r"quasi-|\(s\)|ficar em casa|cumpre o exigido|: vale\b|motor Spark|Ninguém disse")

    typed = "sheet.role-also."  # what people may write, and not what is written to them
    told = {key: message for key, message in _catalogue("pt").items() if not key.startswith(typed)}
    assert [key for key, message in told.items() if odd.search(message)] == []


def test_texts_are_translated_and_not_copied():
    english, portuguese = (_catalogue(code) for code in LANGUAGES)
    sentences = [key for key in KEYS if english[key].count(" ") >= 4]

    assert [key for key in sentences if english[key] == portuguese[key]] == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["1,234,567", "1,234.50", "-0.5", "97.3%", "0%"]),
        ("pt", ["1.234.567", "1.234,50", "-0,5", "97,3%", "0%"]),
    ],
)
def test_numbers_are_written_as_the_language_does(code, expected):
    set_language(code)

    assert [integer(1234567), number(1234.5), number(-0.5, 1), percent(0.9734), percent(0, 0)] == expected


def test_placeholders_format_numbers_in_the_language():
    set_language("pt")
    assert "1.500" in text("inspect.bound.rows", rows=1500)
    set_language("en")
    assert "1,500" in text("inspect.bound.rows", rows=1500)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["0 rows are", "1 row is", "2 rows are", "1,000,000 rows are"]),
        ("pt", ["0 linhas estão", "1 linha está", "2 linhas estão", "1.000.000 de linhas estão"]),
    ],
)
def test_words_fit_the_number_before_them(code, expected):
    message = {"en": "{n:int|row|rows} {n:|is|are}", "pt": "{n:int|linha|linhas} {n:|está|estão}"}[code]
    set_language(code)

    assert [_Localised().format(message, n=n) for n in (0, 1, 2, 1_000_000)] == expected
    assert _Localised().format("{n:int|row|rows}", n=1_200_000) in ("1,200,000 rows", "1.200.000 rows")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "BIOMBO_LANG": "pt"}, "pt"),
        ({"BIOMBO_LANG": "", "LANG": "pt"}, "pt"),
    ],
)
def test_the_environment_chooses_the_language(environment, expected, monkeypatch):
    for name in ("BIOMBO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert language() == expected


def test_the_language_set_wins_over_the_environment(monkeypatch):
    monkeypatch.setenv("BIOMBO_LANG", "pt")
    set_language("en")

    assert language() == "en"


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="one of en, pt"):
        set_language("fr")


def test_what_is_rounded_to_zero_has_no_sign() -> None:
    assert [number(-0.0004, 3), number(-0.0005001, 3)] == ["0.000", "-0.001"]
