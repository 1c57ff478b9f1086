"""A new key in the place of an old one: pseudonyms change, and only both keys together link them."""

import polars as pl
import pytest
from refusal import refused

import biombo as bb
from biombo._plan.pseudonyms import record_of, recorded
from biombo._secrets import load_key

CPFS = ["123.456.789-09", "111.444.777-35", "52998224725"]
TABLE = pl.DataFrame({"cpf": CPFS})
KINDS = {
    "keyed": {"kind": "keyed", "scope_": "everywhere"},
    "in-table": {"kind": "keyed", "dataset": "clinic", "reversible_": True},
    "cpf": {"kind": "format-preserving", "dataset": "clinic", "format": "cpf"},
}


@pytest.fixture
def old(tmp_path):
    bb.new_key(tmp_path / "old.key")
    return tmp_path / "old.key"


def plan(key, **entries) -> bb.Plan:
    return bb.Plan([bb.Pseudonymise("cpf", key=bb.key_id(key), **entries)], identifiers=["cpf"])


def given_by(asked: bb.Plan, key, private) -> list[str]:
    return bb.apply(TABLE, asked, key=key, private=private, keep_order=True).data["cpf"].to_list()


@pytest.mark.parametrize("entries", KINDS.values(), ids=KINDS)
def test_both_keys_lead_from_each_old_pseudonym_to_the_new_one(old, tmp_path, entries) -> None:
    new, private = tmp_path / "new.key", tmp_path / "private"
    before = given_by(plan(old, **entries), old, private)
    rotated = bb.rotate_key(old, new, plan(old, **entries), private=private, source=TABLE)
    after = given_by(rotated.plan, new, private)

    assert set(before).isdisjoint(after)
    assert rotated.key == bb.key_id(new) != bb.key_id(old)
    linked = bb.relink([*before, "nobody"], "cpf", key=[old, new], private=private)
    assert linked == {**dict(zip(before, after, strict=True)), "nobody": None}


def test_neither_key_alone_opens_the_table(old, tmp_path) -> None:
    new, private = tmp_path / "new.key", tmp_path / "private"
    rotated = bb.rotate_key(old, new, plan(old, **KINDS["keyed"]), private=private, source=TABLE)
    content = rotated.tables[0].read_bytes()
    bb.new_key(tmp_path / "other.key")

    assert not any(each.encode() in content for each in given_by(rotated.plan, new, private))
    for keys in ([old], [new], [new, tmp_path / "other.key"]):
        with refused("rotation.both-keys", bb.key_id(old), bb.key_id(new)):
            bb.relink(["x"], "cpf", key=keys, private=private)
    rotated.tables[0].write_bytes(content.replace(b'"cpf"', b'"fpc"', 1))
    with refused("rotation.damaged"):
        bb.relink(["x"], "fpc", key=[old, new], private=private)


def test_a_table_of_identities_tells_the_values_and_is_sealed_anew(old, tmp_path) -> None:
    new, private, why = tmp_path / "new.key", tmp_path / "private", {"who": "the DPO", "reason": "request 17"}
    before = given_by(plan(old, **KINDS["in-table"]), old, private)
    rotated = bb.rotate_key(old, new, plan(old, **KINDS["in-table"]), private=private)
    after = list(bb.relink(before, "cpf", key=[old, new], private=private).values())

    assert list(bb.reveal(after, "cpf", plan=rotated.plan, key=new, private=private, **why).values()) == CPFS


def test_random_pseudonyms_stay_and_are_undone_with_the_new_key(old, tmp_path) -> None:
    new, private, why = tmp_path / "new.key", tmp_path / "private", {"who": "the DPO", "reason": "request 17"}
    asked = plan(old, kind="random", reversible_=True, once=True)
    before = given_by(asked, old, private)
    rotated = bb.rotate_key(old, new, asked, private=private)

    assert rotated.tables == ()
    assert list(bb.reveal(before, "cpf", plan=rotated.plan, key=new, private=private, **why).values()) == CPFS
    assert recorded(new, load_key(new)) == recorded(old, load_key(old)) == set(before)
    assert record_of(new).read_bytes() != record_of(old).read_bytes()


def test_what_another_plan_gave_once_is_not_given_again(old, tmp_path) -> None:
    """Of four on a list three were given under the old key; the plan that is rotated has none of them."""
    new, codes = tmp_path / "new.key", [f"code{number}" for number in range(4)]
    before = given_by(plan(old, kind="listed", list=codes), old, None)
    bb.rotate_key(old, new, plan(old, **KINDS["keyed"]), private=tmp_path / "private", source=TABLE)

    assert recorded(new, load_key(new)) == set(before)
    with refused("pseudonyms.list-short", "1"):
        given_by(plan(new, kind="listed", list=codes), new, None)


def test_what_was_given_once_is_not_left_behind_for_a_key_in_no_file(old, tmp_path) -> None:
    given_by(plan(old, kind="random", once=True), old, None)
    with refused("keys.not-in-file"):
        bb.rotate_key(old, "keyring:new", plan(old, **KINDS["keyed"]), private=tmp_path / "private", source=TABLE)


def test_without_the_values_nothing_is_made(old, tmp_path) -> None:
    with refused("rotation.no-source", "'cpf'"):
        bb.rotate_key(old, tmp_path / "new.key", plan(old, **KINDS["cpf"]), private=tmp_path / "private")
    assert not (tmp_path / "new.key").exists()


def test_what_cannot_be_rotated_is_told(old, tmp_path) -> None:
    bb.new_key(tmp_path / "third.key")
    double = plan(old, kind="double", third_party=bb.key_id(tmp_path / "third.key"), dataset="a")
    into = {"private": tmp_path / "private", "source": TABLE}

    with refused("rotation.double", "'cpf'"):
        bb.rotate_key(old, tmp_path / "new.key", double, **into)
    with refused("rotation.unused", bb.key_id(tmp_path / "third.key")):
        bb.rotate_key(tmp_path / "third.key", tmp_path / "new.key", plan(old, **KINDS["keyed"]), **into)
    with refused("keys.exists", "third.key"):
        bb.rotate_key(old, tmp_path / "third.key", plan(old, **KINDS["keyed"]), **into)
    with refused("rotation.no-table", "'cpf'"):
        bb.relink(["x"], "cpf", key=[old], private=tmp_path)
