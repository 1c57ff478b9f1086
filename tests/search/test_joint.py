"""Several sets of quasi columns at once, against a definition that looks at every record."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._cells import LatticeCounts, NodeState

HIERARCHIES = {
    "a": bb.Hierarchy.by_hand({"*": {"x": ["1", "2"], "y": ["3", "4"]}}),
    "b": bb.Hierarchy.by_hand({"*": ["1", "2", "3"]}),
    "c": bb.Hierarchy.by_hand({"*": ["1", "2", "3"]}),
}
HEIGHTS = {"a": 2, "b": 1, "c": 1}

rows_of_values = st.lists(
    st.tuples(st.sampled_from("1234"), st.sampled_from("123"), st.sampled_from("123")), min_size=4, max_size=25
)
Rows = list[tuple[str, ...]]


def table(rows: Rows) -> bb.Dataset:
    return bb.read(pl.DataFrame(rows, schema=["a", "b", "c"], orient="row"))


def generalised(row: tuple[str, ...], levels: dict[str, int]) -> dict[str, str]:
    values = dict(zip("abc", row, strict=True))
    return {name: HIERARCHIES[name].generalised(value, levels[name]) for name, value in values.items()}


def kept(rows: Rows, levels: dict[str, int], sets: list[str], k: int) -> int:
    """Drop records of small groups, for any set, until nobody has to go."""
    left = [generalised(row, levels) for row in rows]
    while True:
        sizes = [Counter(tuple(row[name] for name in columns) for row in left) for columns in sets]
        groups = list(zip(sets, sizes, strict=True))
        stay = [row for row in left if all(size[tuple(row[n] for n in columns)] >= k for columns, size in groups)]
        if len(stay) == len(left):
            return len(stay)
        left = stay


def all_levels() -> list[dict[str, int]]:
    return [dict(zip("abc", levels, strict=True)) for levels in product(range(3), range(2), range(2))]


def told_apart(rows: Rows, satisfying: list[dict[str, int]]) -> list[dict[str, int]]:
    """Of levels that differ only in columns that are constant anyway, the lowest."""
    first: dict[tuple[object, ...], dict[str, int]] = {}
    for levels in sorted(satisfying, key=lambda each: sum(each.values())):
        shown = [generalised(row, levels) for row in rows]
        key = tuple("*" if len({row[name] for row in shown}) == 1 else levels[name] for name in "abc")
        first.setdefault(key, levels)
    return list(first.values())


@settings(max_examples=60)
@given(rows_of_values, st.integers(2, 4))
def test_sets_that_share_columns_hold_together(rows: Rows, k: int) -> None:
    sets = ["ab", "bc"]
    criteria = [bb.KAnonymity(k, quasi=list(columns)) for columns in sets]
    found = bb.search(table(rows), criteria, quasi=list("abc"), hierarchies=HIERARCHIES, plans=100)
    satisfying = [levels for levels in all_levels() if kept(rows, levels, sets, k) == len(rows)]
    assert sorted(map(str, told_apart(rows, satisfying))) == sorted(str(plan.levels) for plan in found)
    assert found.optimal
    assert [plan.score for plan in found] == sorted(plan.score for plan in found)


@settings(max_examples=60)
@given(rows_of_values, st.integers(2, 4), st.sampled_from([0.0, 0.2, 0.5]))
def test_disjoint_sets_are_put_together_with_what_must_go_for_all(rows: Rows, k: int, share: float) -> None:
    sets = ["ab", "c"]
    criteria = [bb.KAnonymity(k, quasi=list(columns)) for columns in sets]
    found = bb.search(
        table(rows), criteria, quasi=list("abc"), hierarchies=HIERARCHIES, max_suppression=share, plans=100
    )
    for plan in found:
        assert plan.suppressed == len(rows) - kept(rows, dict(plan.levels), sets, k) <= share * len(rows)
    satisfying = [levels for levels in all_levels() if len(rows) - kept(rows, levels, sets, k) <= share * len(rows)]
    assert sorted(map(str, told_apart(rows, satisfying))) == sorted(str(plan.levels) for plan in found)


def test_the_plan_of_several_sets_does_what_was_counted() -> None:
    rows = [("1", "1", "1"), ("1", "1", "2"), ("2", "1", "1"), ("3", "2", "2"), ("3", "2", "1"), ("4", "3", "3")]
    criteria = [bb.KAnonymity(2, quasi=["a", "b"]), bb.KAnonymity(2, quasi=["c"])]
    found = bb.search(table(rows), criteria, quasi=list("abc"), hierarchies=HIERARCHIES, max_suppression=0.5)
    frame = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    for plan in found:
        applied = bb.apply(frame, plan.plan)
        assert (applied.suppressed, applied.holds) == (plan.suppressed, True)


def test_columns_in_no_set_stay_as_they_are() -> None:
    rows = [("1", "1", "1"), ("2", "2", "2"), ("1", "3", "3")]
    found = bb.search(table(rows), bb.KAnonymity(3, quasi=["a"]), quasi=list("abc"), hierarchies=HIERARCHIES)
    assert found[0].levels == {"a": 1, "b": 0, "c": 0}


def test_what_cannot_be_searched_is_refused() -> None:
    data = table([("1", "1", "1")] * 4)
    overlapping = [bb.KAnonymity(2, quasi=["a", "b"]), bb.KAnonymity(2, quasi=["b", "c"])]
    options = {"quasi": list("abc"), "hierarchies": HIERARCHIES}
    with refused("search.overlap", "'b'"):
        bb.search(data, overlapping, max_suppression=0.5, **options)
    with refused("search.overlap-policies", "'b'"):
        bb.search(data, overlapping, prefer=["loss", "precision"], **options)
    with refused("search.policies", "3", "2"):
        bb.search(data, overlapping, prefer=["loss"] * 3, **options)


@pytest.mark.parametrize("prefer", ["loss", ["suppression", "precision"]])
def test_each_set_may_have_a_policy_of_its_own(prefer) -> None:
    rows = [(a, b, c) for a, b, c in product("1234", "12", "12")] + [("1", "3", "3")]
    criteria = [bb.KAnonymity(2, quasi=["a", "b"]), bb.KAnonymity(2, quasi=["c"])]
    found = bb.search(
        table(rows), criteria, quasi=list("abc"), hierarchies=HIERARCHIES, max_suppression=0.1, prefer=prefer
    )
    names = [prefer] * 2 if isinstance(prefer, str) else prefer
    assert [part.policy.name for part in found.parts] == names
    assert found.optimal
    assert found[0].levels == {"a": 0, "b": 0, "c": 0}


@settings(max_examples=60)
@given(rows_of_values, st.integers(2, 4), st.randoms(use_true_random=False))
def test_sets_that_share_columns_claim_nothing_false_when_cut_off(rows: Rows, k: int, random: Random) -> None:
    criteria = [bb.KAnonymity(k, quasi=list(quasi)) for quasi in ("ab", "bc")]
    whole = bb.search(table(rows), criteria, quasi=list("abc"), hierarchies=HIERARCHIES)
    explored = whole.explored

    def cut_off(counts: LatticeCounts) -> LatticeCounts:
        left_out = [random.random() < 0.1 for _ in counts.state]
        return replace(counts, state=np.where(left_out, NodeState.UNKNOWN, counts.state).astype(np.uint8))

    parts = tuple(replace(part, counts=cut_off(part.counts)) for part in explored.parts)
    part_of_it = replace(explored, parts=parts, counts=cut_off(explored.counts))
    found = bb.SearchResult.of(part_of_it, whole.policy, 0.0, 10_000)

    assert all(kept(rows, dict(plan.levels), ["ab", "bc"], k) == len(rows) for plan in found)
    if found.optimal:
        assert [dict(plan.levels) for plan in found[:1]] == [dict(plan.levels) for plan in whole[:1]]
    assert found.minimal == whole.minimal


@pytest.mark.parametrize("sets", [("ab", "bc"), ("a", "bc")])
def test_without_time_nothing_is_claimed(sets: tuple[str, str]) -> None:
    rows = [("1", "1", "1")] * 3 + [("2", "2", "2")]
    criteria = [bb.KAnonymity(2, quasi=list(quasi)) for quasi in sets]
    found = bb.search(table(rows), criteria, quasi=list("abc"), hierarchies=HIERARCHIES, seconds=1e-9)
    assert (len(found), found.checked, found.optimal) == (0, 0, False)
