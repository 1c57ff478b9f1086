"""The same message speaks of options to whoever types commands, and of arguments to whoever writes Python."""

import inspect
import re
from dataclasses import fields, is_dataclass

import polars as pl
import pytest

import biombo as bb
from biombo._cli import main
from biombo._i18n import (
    _MESSAGES,
    _WRITTEN,
    LANGUAGES,
    _catalogue,
    option,
    set_language,
    speaking_of_fields,
    speaking_of_options,
    text,
)

TABLE = pl.DataFrame({"age": [31, 32], "sex": ["F", "M"]})

FOR_COMMANDS_ONLY = {"json", "csv", "yes"}


def arguments() -> set[str]:
    """The names of all arguments that functions and requests take."""
    offered = [getattr(bb, name) for name in bb.__all__]
    functions = [each for each in offered if inspect.isfunction(each)]
    documents = [each for each in offered if is_dataclass(each)]
    named = {name for function in functions for name in inspect.signature(function).parameters}
    return named | {field.name for each in documents for field in fields(each)}


def messages() -> list[str]:
    said = [key for key in _catalogue("en") if key.partition(".")[0] in _MESSAGES]
    return [key for key in said if not key.startswith(_WRITTEN)]


def filled(key: str) -> str:
    """A message with something in the place of what it quotes."""
    named = re.findall(r"\{(\w+)(?:!r)?(?::[^}]*)?\}", _catalogue("en")[key])
    return text(key, **dict.fromkeys(named, 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_to_python_names_an_option(language):
    set_language(language)

    assert [key for key in messages() if "--" in filled(key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_argument_that_a_message_names_exists(language):
    set_language(language)
    said = {key: re.findall(r"\b([a-z_]+)=[.\"T{]", filled(key)) for key in messages()}
    known = arguments() | FOR_COMMANDS_ONLY

    assert {key: names for key, names in said.items() if not known.issuperset(names)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_names_the_same_by_its_options(language):
    set_language(language)
    with speaking_of_options():
        typed = [key for key in messages() if re.search(r"--[a-z]", filled(key))]
        assert "(--max-size 1" in filled("errors.attack.too-many-subsets")

    assert len(typed) > 50
    assert "(max_size=1" in filled("errors.attack.too-many-subsets")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_names_its_fields_and_neither_options_nor_arguments(language):
    set_language(language)
    with speaking_of_fields():
        said = {key: filled(key) for key in messages() if "=..." not in _catalogue(language)[key]}  # Python's alone

    typed = re.compile(r"--[a-z]|\b[a-z_]+=\.\.\.|\bbiombo[. ](apply|inspect|publish|risk|search)\b")
    assert {key: message for key, message in said.items() if typed.search(message)} == {}
    assert [key for key, message in said.items() if re.search(r"\(\s*\)", message)] == []


def test_each_is_told_the_same_in_its_own_words():
    told = {"column": "cnes", "detail": "It tells."}
    with speaking_of_fields():
        page = text("errors.release.columns-tell", **told)
        assert "or accept it (“Release all the same”, “Reason”)." in page
        assert text("errors.release.small-k", k=1, fewest=2).endswith("(“People in the smallest group (k)”).")
        assert "release" in text("errors.request.no-out")
        assert "out" not in text("errors.request.no-out").partition(";")[2].replace("without", "")
        assert option("max_suppression") == "“Records that may be suppressed, at most (%)”"
        with speaking_of_options():
            assert "--accept-column cnes" in text("errors.release.columns-tell", **told)
        assert text("errors.release.columns-tell", **told) == page
    assert "accept={'cnes'" in text("errors.release.columns-tell", **told)


def test_values_are_given_as_each_of_them_does():
    assert 'engine="spark:local[*]".' in text("errors.input.only-spark", address="s3://x")
    assert "accept={'cnes': \"…\"}" in text("errors.release.columns-tell", column="cnes", detail="")
    assert "biombo.inspect" in text("errors.usage.risk-no-quasi")
    assert (option("keep_order"), option("release_model")) == ("keep_order=True", "release_model=...")
    with speaking_of_options():
        assert "--engine=spark:local[*]." in text("errors.input.only-spark", address="s3://x")
        assert "--accept-column cnes --reason …" in text("errors.release.columns-tell", column="cnes", detail="")
        assert option("keep_order") == "--keep-order"


def test_what_is_quoted_stays_as_it_is():
    said = str(bb.InputError("input.missing-file", path="--quasi biombo apply"))

    assert "--quasi biombo apply" in said


def test_the_same_mistake_in_python_and_as_a_command(tmp_path, capsys):
    with pytest.raises(bb.UsageError, match=r"quasi=\.\.\."):
        bb.risk(TABLE)

    TABLE.write_csv(tmp_path / "table.csv")
    assert main(["risk", str(tmp_path / "table.csv")]) == 2
    assert "--quasi" in capsys.readouterr().err
    with pytest.raises(bb.UsageError, match=r"quasi=\.\.\."):
        bb.risk(TABLE)
