"""``biombo negotiation``: a chain shown, and checked."""

import json

import pytest
from negotiations import led_to


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return led_to(tmp_path_factory.mktemp("negotiations"), "applying").folder


@pytest.mark.parametrize(("code", "said"), [("en", "Accepted manipulations"), ("pt", "Aceitou")])
def test_what_happened_is_told_line_by_line(biombo, folder, code, said) -> None:
    lines = biombo("negotiation", "show", folder, "--lang", code).out.splitlines()

    assert len(lines) == len((folder / "events.jsonl").read_text().splitlines())
    assert any(said in line and "Rita Lima" in line for line in lines)


def test_a_whole_chain_and_one_that_was_changed(biombo, folder, tmp_path) -> None:
    whole = biombo("negotiation", "verify", folder)
    assert whole.code == 0
    changed = tmp_path / "changed.jsonl"
    changed.write_text((folder / "events.jsonl").read_text().replace("Rita Lima", "Rita Lins", 1))

    ended = biombo("negotiation", "verify", changed, "--json")
    assert ended.code == 1
    assert json.loads(ended.out)["faults"][0]["number"] == 1


def test_a_file_that_is_none_or_empty_is_one_sentence(biombo, tmp_path) -> None:
    (tmp_path / "events.jsonl").write_text("")

    for place in (tmp_path, tmp_path / "nothing"):
        for command in ("show", "verify"):
            ended = biombo("negotiation", command, place)
            assert ended.code == (2 if command == "verify" or place.name == "nothing" else 0)
            assert "Traceback" not in ended.err
