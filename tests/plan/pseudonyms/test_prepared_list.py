"""Pseudonyms from a list that was prepared (PDPC 2018, 9.5): drawn without replacement, and never used up unnoticed."""

from itertools import pairwise

import hypothesis.strategies as st
import polars as pl
import pytest
from goodness_of_fit import assert_follows
from hypothesis import given
from refusal import refused

import biombo as bb
from biombo._engine import Randomness
from biombo._plan.pseudonyms import FromList

NAMES = ["Ana", "Bia", "Caio", "Davi"]
CODES = ["416765", "562396", "964825", "873892", "239976", "943145"]
"""The pseudonyms of the guide's example 9.12."""


def listed(codes=CODES, **entries) -> bb.Plan:
    return bb.Plan([bb.Pseudonymise("name", "listed", list=codes, **{"once": False} | entries)], identifiers=["name"])


def given_by(plan: bb.Plan, names=NAMES, **options) -> list[str]:
    applied = bb.apply(pl.DataFrame({"name": names}), plan, keep_order=True, **options)
    return applied.data["name"].to_list()


def test_the_people_of_the_guide_get_six_different_codes_of_the_list() -> None:
    people = ["Joe Phang", "Zack Lim", "Eu Cheng San", "Linnie Mok", "Jeslyn Tan", "Chan Siew Lee"]

    assert sorted(given_by(listed(), people)) == sorted(CODES)


@given(
    st.lists(st.text("abc", min_size=1), unique=True, max_size=8),
    st.lists(st.text("xyz", min_size=1), unique=True, min_size=8, max_size=12),
    st.sets(st.integers(0, 7)),
)
def test_each_value_keeps_its_own_from_batch_to_batch_and_none_is_given_twice(values, codes, cuts) -> None:
    giving = FromList(Randomness(), codes, set(), "name")
    bounds = [0, *sorted(cut for cut in cuts if cut < len(values)), len(values)]
    batches = [values[start:end] for start, end in pairwise(bounds)]
    by_batch = [code for batch in batches for code in giving.of(batch)]

    assert giving.of(values) == by_batch
    assert len(set(by_batch)) == len(values)
    assert set(by_batch) <= set(codes)


def test_every_pseudonym_has_the_same_chance() -> None:
    drawn = [FromList(Randomness.seeded(seed), CODES, set(), "name").of(["Ana"])[0] for seed in range(3000)]

    assert_follows(drawn, dict.fromkeys(CODES, 1 / len(CODES)))


def test_a_list_that_is_too_short_is_told() -> None:
    with refused("pseudonyms.list-short", "'name'", "3"):
        given_by(listed(CODES[:3]))


def test_a_list_with_something_twice_is_told() -> None:
    with refused("pseudonyms.list-twice", "'name'", "'416765'"):
        listed([*CODES, "416765"])


@pytest.mark.parametrize(("codes", "key"), [([], "list-empty"), (["a", " "], "list-blank"), (["a\nb"], "list-blank")])
def test_a_list_of_nothing_is_told(codes, key) -> None:
    with refused(f"pseudonyms.{key}", "'name'"):
        listed(codes)


@pytest.mark.parametrize(
    ("entries", "key"),
    [
        ({"kind": "listed", "once": False}, "no-list"),
        ({"kind": "listed", "list": CODES}, "no-key-for-record"),
        ({"kind": "listed", "list": CODES, "once": False, "length": 6}, "list-alone"),
        ({"kind": "random", "list": CODES}, "list-unused"),
        ({"kind": "keyed", "key": "key-1", "dataset": "a", "once": True}, "once-unused"),
        ({"kind": "random", "once": True}, "no-key-for-record"),
    ],
)
def test_entries_that_contradict_each_other_are_told(entries, key) -> None:
    with refused(f"pseudonyms.{key}", "'name'"):
        bb.Pseudonymise("name", **entries)


def test_the_list_is_a_file_beside_the_plan_or_stands_in_it(tmp_path) -> None:
    (tmp_path / "codes.txt").write_text("\ufeff" + "\n".join(CODES) + "\n\n", "utf-8")
    (tmp_path / "plan.yaml").write_text(
        "biombo-plan: 1\nidentifiers: [name]\noperations:\n"
        "  - pseudonymise: {column: name, kind: listed, list: codes.txt, once: false}\n"
    )
    loaded = bb.Plan.load(tmp_path / "plan.yaml")

    assert loaded.hash == listed().hash
    (tmp_path / "again.yaml").write_text(loaded.to_yaml())
    assert bb.Plan.load(tmp_path / "again.yaml") == loaded


def test_a_list_that_is_no_text_is_told(tmp_path) -> None:
    (tmp_path / "codes.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "plan.yaml").write_text(
        "biombo-plan: 1\noperations:\n  - pseudonymise: {column: name, kind: listed, list: codes.txt, once: false}\n"
    )

    with pytest.raises(bb.InputError, match="UTF-8"):
        bb.Plan.load(tmp_path / "plan.yaml")
