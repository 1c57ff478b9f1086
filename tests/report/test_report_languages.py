"""The report speaks the language in use, and only that one."""

import re
from pathlib import Path

import pytest
from report_rules import english_in, english_pieces

from biombo._i18n import LANGUAGES, _catalogue, set_language

ROOM = Path(__file__).parents[2] / "src" / "biombo" / "_report"
LABELS = {"idade": "Idade", "doenca": "Doença"}


@pytest.mark.parametrize("found", ["one", "parts"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_report_is_written_in_each_language(found, code, request, html):
    set_language(code)
    text = html(request.getfixturevalue(found), labels=LABELS)

    assert '<html lang="pt-BR">' in text if code == "pt" else '<html lang="en">' in text
    assert not re.search(r"report\.[a-z]", text), "a key instead of its text"


@pytest.mark.parametrize("found", ["one", "parts"])
def test_nothing_in_english_is_left_in_the_portuguese_report(found, request, page):
    set_language("pt")
    seen = page(request.getfixturevalue(found), labels=LABELS)

    assert len(english_pieces()) > 100
    assert english_in(seen.text) == []


def test_numbers_follow_the_language_in_tables_and_charts(states, page):
    set_language("pt")
    portuguese = page(states)
    set_language("en")
    english = page(states)

    assert "Todos os 12.000 registros foram usados." in portuguese.text
    assert "All 12,000 records were used." in english.text
    labels = [label for svg in portuguese.svgs for label in svg["text"]]
    assert any(re.fullmatch(r"\d+,\d%", label) for label in labels)
    assert not any(re.fullmatch(r"\d+\.\d+%?", label) for label in labels)


def test_the_time_of_the_run_is_written_out(one, page):
    assert "March 5, 2024, 14:30 (UTC)" in page(one).text
    set_language("pt")
    assert "5 de março de 2024, 14:30 (UTC)" in page(one).text


def test_no_text_of_the_report_is_left_unused():
    sources = "\n".join(path.read_text("utf-8") for path in ROOM.rglob("*") if path.suffix in (".py", ".j2"))
    chosen = (
        r"report\.(month\.m\d+|head\.|role\.|limit\.|summary\.(guess|pick)-most|without\.description"
        r"|search\.minimal\.|headline\.|.+\.(one|many)$)"
    )

    keys = [key for key in _catalogue("en") if key.startswith("report.")]
    assert [
        key for key in keys if f'"{key}"' not in sources and f"'{key}'" not in sources and not re.match(chosen, key)
    ] == []
    heads = [key.removeprefix("report.head.") for key in keys if key.startswith("report.head.")]
    assert [head for head in heads if f'"{head}"' not in sources and f"report.head.{head}" not in sources] == []
