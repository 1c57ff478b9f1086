import json
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
    assert "There is no command 'eat'" in ending.err


def test_a_key_shows_by_when_its_ciphers_are_to_be_reviewed(biombo, tmp_path) -> None:
    biombo("key", "new", tmp_path / "a.key", "--review", "2999-12-31")
    shown = biombo("key", "show", tmp_path / "a.key")

    assert "2999-12-31" in shown.out
    assert "AES-256" in shown.out
    assert shown.err == ""


@pytest.mark.parametrize(("code", "word"), [("en", "to be reviewed by 2020-01-31"), ("pt", "revistas até 2020-01-31")])
def test_a_review_that_is_overdue_is_warned_of_until_a_new_day_is_set(biombo, tmp_path, code, word) -> None:
    biombo("key", "new", tmp_path / "a.key", "--review", "2020-01-31")

    assert word in biombo("key", "show", tmp_path / "a.key", "--lang", code).err
    assert json.loads(biombo("key", "show", tmp_path / "a.key", "--json").out)["overdue"]
    before = biombo("key", "id", tmp_path / "a.key").out
    assert biombo("key", "review", tmp_path / "a.key", "2999-12-31").code == 0
    after = biombo("key", "id", tmp_path / "a.key")
    assert (after.out, after.err) == (before, "")


def test_a_key_is_changed_and_both_keys_link_old_and_new_pseudonyms(biombo, tmp_path) -> None:
    people, plan, private = tmp_path / "people.csv", tmp_path / "plan.yaml", tmp_path / "private"
    people.write_text("name\nAna\nBia\n")
    made = biombo("key", "new", tmp_path / "old.key").out.strip()
    plan.write_text(
        "biombo-plan: 1\nidentifiers: [name]\noperations:\n"
        f"  - pseudonymise: {{column: name, kind: keyed, key: {made}, dataset: clinic}}\n"
    )
    keys = (tmp_path / "old.key", tmp_path / "new.key")
    into = ("--out", tmp_path / "new.yaml", "--private", private)
    rotated = biombo("key", "rotate", *keys, "--plan", plan, *into, "--table", people)
    for key, used, out in zip(keys, (plan, tmp_path / "new.yaml"), ("before.csv", "after.csv"), strict=True):
        biombo("apply", people, "--plan", used, "--key", key, "--out", tmp_path / out, "--keep-order")
    before, after = ((tmp_path / name).read_text().split()[1:] for name in ("before.csv", "after.csv"))
    linking = ("key", "relink", tmp_path / "before.csv", "--column", "name", "--private", private)
    linked = biombo(*linking, "--key", keys[0], "--key", keys[1])

    assert rotated.code == 0
    assert linked.out.splitlines() == [f"{old} {new}" for old, new in zip(before, after, strict=True)]
    alone = biombo(*linking, "--key", keys[0])
    assert (alone.code, alone.out) == (2, "")
    assert "opens with two keys" in alone.err
