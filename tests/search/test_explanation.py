"""What stands in the way, against a definition (Moraes et al. 2025, process 4)."""

from collections import Counter

import polars as pl
from hypothesis import assume, given
from hypothesis import strategies as st
from small_tables import SmallTable, bounds_of, criteria_lists, shares, small_tables

import biombo as bb
from biombo._search import MustChange, explain, explanations

HIERARCHIES = {
    "age": bb.Hierarchy.by_interval(10, [2]),
    "city": bb.Hierarchy.by_hand({"*": ["north", "south", "east"]}),
}
people = st.lists(
    st.tuples(st.sampled_from(["31", "35", "42", "57"]), st.sampled_from(["north", "south", "east"])),
    min_size=5,
    max_size=40,
)


def failing(rows: list[tuple[str, ...]], k: int) -> tuple[int, int, int]:
    sizes = Counter(rows).values()
    below = [size for size in sizes if size < k]
    return len(below), sum(below), sum(size == 1 for size in sizes)


@given(people, st.integers(2, 5))
def test_obstacles_and_steps_agree_with_the_definition(rows: list[tuple[str, str]], k: int) -> None:
    data = bb.read(pl.DataFrame(rows, schema=["age", "city"], orient="row"))
    found = bb.search(data, bb.KAnonymity(k), quasi=["age", "city"], hierarchies=HIERARCHIES)
    explained = explain(found.explored)
    together = explained.together
    assert (together.groups, together.records, together.unique) == failing(rows, k)
    for place, obstacle in enumerate(explained.alone):
        alone = [(row[place],) for row in rows]
        assert (obstacle.groups, obstacle.records, obstacle.unique) == failing(alone, k)
    for step in explained.steps:
        place = ("age", "city").index(step.column)
        raised = [
            tuple(HIERARCHIES[step.column].generalised(v, step.level) if i == place else v for i, v in enumerate(row))
            for row in rows
        ]
        assert step.helped == together.records - failing(raised, k)[1] > 0
    assert explained.least_suppressed == 0


def test_bounds_may_make_suppression_necessary() -> None:
    rows = [("31", "north")] * 3 + [("42", "south")]
    data = bb.read(pl.DataFrame(rows, schema=["age", "city"], orient="row"))
    found = bb.search(data, bb.KAnonymity(2), quasi=["age", "city"], hierarchies=HIERARCHIES, bounds={"city": 0})
    assert not found
    assert found.optimal
    explained = explain(found.explored)
    assert explained.least_suppressed == 1
    assert explained.cheapest is None


@given(small_tables(rows=12), criteria_lists, shares, st.data())
def test_no_node_suppresses_less_than_is_said(
    table: SmallTable, criteria: list[bb.Criterion], share: float, more: st.DataObject
) -> None:
    bounds = more.draw(bounds_of(table))
    plainly = table.plainly(criteria, share, bounds=bounds)
    by_column = dict(zip(table.quasi, bounds, strict=True))
    found = bb.search(table.data, criteria, max_suppression=share, bounds=by_column, **table.options)
    assert explain(found.explored).least_suppressed == min(map(plainly.suppressed, plainly.nodes))


def test_sets_that_share_columns_are_explained_one_by_one() -> None:
    rows = [("31", "north")] * 3 + [("42", "north")] * 3 + [("42", "south")]
    data = bb.read(pl.DataFrame(rows, schema=["age", "city"], orient="row"))
    criteria = [bb.KAnonymity(3, quasi=["age"]), bb.KAnonymity(2, quasi=["age", "city"])]
    found = bb.search(data, criteria, quasi=["age", "city"], hierarchies=HIERARCHIES)
    by_age, by_both = explanations(found)
    assert (by_age.together.columns, by_age.together.records) == (("age",), 0)
    assert (by_both.together.columns, by_both.together.records) == (("age", "city"), 1)


@given(small_tables(rows=12), st.integers(2, 4), shares, st.data())
def test_no_satisfying_combination_changes_fewer_columns_than_must(
    table: SmallTable, k: int, share: float, more: st.DataObject
) -> None:
    bounds = more.draw(bounds_of(table))
    plainly = table.plainly([bb.KAnonymity(k)], share, bounds=bounds)
    by_column = dict(zip(table.quasi, bounds, strict=True))
    assume(k <= table.data.records)
    found = bb.search(table.data, bb.KAnonymity(k), max_suppression=share, bounds=by_column, **table.options)
    explained = explain(found.explored, share)

    limit, lowest = found.question.limit(share), min(plainly.nodes)
    changed = [
        sum(level > low for level, low in zip(node, lowest, strict=True))
        for node in plainly.nodes
        if plainly.suppressed(node) <= limit
    ]
    assert (0 if explained.must_change is None else len(explained.must_change.columns)) == min(changed, default=0)
    assert explained.must_change is None or explained.must_change.proved


def test_where_no_column_is_enough_those_are_named_that_are_together() -> None:
    rows = [(age, city) for age in ("31", "42") for city in ("north", "south")]
    data = bb.read(pl.DataFrame(rows, schema=["age", "city"], orient="row"))
    found = bb.search(data, bb.KAnonymity(4), quasi=["age", "city"], hierarchies=HIERARCHIES)
    (explained,) = explanations(found)

    assert explained.cheapest is None, "a step of one column helps nobody"
    assert explained.must_change == MustChange(("age", "city"), 0, proved=True)
