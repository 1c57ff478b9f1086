import re

import pytest


def test_a_key_is_made_and_its_id_told(biombo, tmp_path) -> None:
    made = biombo("key", "new", tmp_path / "a.key")

    assert made.code == 0
    assert re.fullmatch(r"key-[0-9a-f]{16}\n", made.out)
    assert made.out.strip() in made.err
    assert biombo("key", "id", tmp_path / "a.key").out == made.out


def test_the_key_itself_is_never_shown(biombo, tmp_path) -> None:
    made = biombo("key", "new", tmp_path / "a.key")
    secret = (tmp_path / "a.key").read_text().split()[-1]

    assert secret not in made.out + made.err


@pytest.mark.parametrize(("code", "word"), [("en", "choose another name"), ("pt", "escolha outro nome")])
def test_a_key_is_not_overwritten(biombo, tmp_path, code, word) -> None:
    biombo("key", "new", tmp_path / "a.key")
    before = (tmp_path / "a.key").read_bytes()
    ending = biombo("key", "new", tmp_path / "a.key", "--lang", code)

    assert ending.code == 2
    assert word in ending.err
    assert (tmp_path / "a.key").read_bytes() == before


def test_there_is_nothing_else_to_do_with_keys(biombo, tmp_path) -> None:
    ending = biombo("key", "eat", tmp_path / "a.key")

    assert ending.code == 2
    assert "new, id" in ending.err
