"""The search against brute force over whole small lattices."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import (
    SINGLE_CRITERIA,
    SmallTable,
    bounds_of,
    criteria_lists,
    policies,
    shares,
    small_tables,
    weights_of,
)

import biombo as bb
from biombo._cells import NodeState

ALL = 10_000
DIGITS = ["0000", "1111", "2222", "3333"]
DISEASES, INCOMES = ["flu", "asthma", "colic", "ulcer"], ["9", "10", "200", None]


def levels(found: bb.SearchResult) -> list[tuple[int, ...]]:
    return [tuple(plan.levels.values()) for plan in found]


@given(small_tables(), criteria_lists, shares)
def test_the_nodes_that_satisfy_suppress_what_the_definition_says(
    table: SmallTable, criteria: list[bb.Criterion], share: float
) -> None:
    plainly = table.plainly(criteria, share)

    found = bb.search(table.data, criteria, max_suppression=share, plans=ALL, **table.options)

    assert set(levels(found)) == {node for _, node in plainly.ranking("loss")}
    assert sum(1 + plan.merged for plan in found) == len(plainly.satisfying)
    assert {tuple(minimal.values()) for minimal in found.minimal} == set(plainly.minimal)
    for plan in found:
        node = tuple(plan.levels.values())
        assert plan.suppressed == plainly.suppressed(node)
        assert plan.groups == len(plainly.costs[node].kept)
        assert plan.minimal is (node in plainly.minimal)
    assert found.lattice == len(plainly.nodes)
    explored = found.explored
    for node, state, suppressed in zip(
        explored.question.nodes, explored.counts.state, explored.counts.suppressed[:, 0], strict=True
    ):
        truly = plainly.suppressed(tuple(node.tolist()))
        assert suppressed == truly if state == NodeState.CHECKED else truly > plainly.limit


@settings(max_examples=150)
@given(policy=policies, table=small_tables(), criteria=criteria_lists, share=shares, more=st.data())
def test_plans_are_ranked_as_the_definition_says(
    policy: str, table: SmallTable, criteria: list[bb.Criterion], share: float, more: st.DataObject
) -> None:
    bounds, weights = more.draw(bounds_of(table)), more.draw(weights_of(table))
    expected = table.plainly(criteria, share, bounds=bounds, weights=weights).ranking(policy)

    found = bb.search(
        table.data,
        criteria,
        max_suppression=share,
        prefer=policy,
        bounds=dict(zip(table.quasi, bounds, strict=True)),
        weights=dict(zip(table.quasi, weights, strict=True)),
        plans=ALL,
        **table.options,
    )

    assert levels(found) == [node for _, node in expected]
    assert [plan.score for plan in found] == pytest.approx([score for score, _ in expected])
    assert found.optimal
    assert found.bound == (found[0].score if found else None)


@settings(max_examples=150)
@given(
    policy=policies,
    table=small_tables(),
    criteria=criteria_lists,
    share=shares,
    plans=st.integers(1, 3),
    look=st.sampled_from([1, 5, 20]),
    more=st.data(),
)
def test_a_large_lattice_gives_the_same_plans_with_most_nodes_left_out(
    policy: str,
    table: SmallTable,
    criteria: list[bb.Criterion],
    share: float,
    plans: int,
    look: int,
    more: st.DataObject,
) -> None:
    bounds, weights = more.draw(bounds_of(table)), more.draw(weights_of(table))
    plainly = table.plainly(criteria, share, bounds=bounds, weights=weights)
    expected = plainly.ranking(policy)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.exploration.CHEAP", 0)
        patch.setattr("biombo._search.exploration.FIRST_LOOK", look)
        patch.setattr("biombo._search.distance_vectors.PAIRS_AT_ONCE", 50)
        found = bb.search(
            table.data,
            criteria,
            max_suppression=share,
            prefer=policy,
            bounds=dict(zip(table.quasi, bounds, strict=True)),
            weights=dict(zip(table.quasi, weights, strict=True)),
            plans=plans,
            **table.options,
        )
        minimal = {tuple(each.values()) for each in found.minimal}

    assert levels(found) == [node for _, node in expected[:plans]]
    assert [plan.score for plan in found] == pytest.approx([score for score, _ in expected[:plans]])
    assert found.optimal
    assert minimal == set(plainly.minimal)
    for plan in found:
        assert plan.minimal in (None, tuple(plan.levels.values()) in plainly.minimal)


@settings(max_examples=60)
@given(
    policy=policies,
    table=small_tables(),
    criteria=criteria_lists,
    ks=st.sets(st.integers(1, 5), min_size=1, max_size=3),
    limits=st.sets(shares, min_size=1, max_size=3),
    cheap=st.booleans(),
)
def test_every_point_of_the_frontier_is_the_best_there_is(
    policy: str, table: SmallTable, criteria: list[bb.Criterion], ks: set[int], limits: set[float], cheap: bool
) -> None:
    others = [criterion for criterion in criteria if not isinstance(criterion, bb.KAnonymity)]
    ks = {k for k in ks if k <= len(table.rows)} | {1}

    with pytest.MonkeyPatch.context() as patch:
        if not cheap:
            patch.setattr("biombo._search.exploration.CHEAP", 0)
        found = bb.frontier(table.data, others, ks=sorted(ks), limits=sorted(limits), prefer=policy, **table.options)

    assert [(point.k, point.max_suppression) for point in found.points] == [
        (k, limit) for k in sorted(ks) for limit in sorted(limits)
    ]
    for point in found.points:
        expected = table.plainly([bb.KAnonymity(point.k), *others], point.max_suppression).ranking(policy)
        best = None if point.best is None else (pytest.approx(point.best.score), tuple(point.best.levels.values()))
        assert best == (expected[0] if expected else None)


@pytest.mark.parametrize("criterion", [c for c in SINGLE_CRITERIA if c.scope == "group"], ids=str)
def test_fewer_nodes_are_checked_where_nothing_may_be_suppressed(criterion: bb.Criterion) -> None:
    rows = list(zip(DIGITS, DISEASES, INCOMES, strict=True))
    data = bb.read(pl.DataFrame(rows, schema=["digits", "disease", "income"], orient="row"))
    hierarchy = bb.Hierarchy.by_prefix([3, 2, 1])
    asked = {"quasi": ["digits"], "sensitive": "disease", "hierarchies": {"digits": hierarchy}}
    found = bb.search(data, criterion, **asked)
    assert [dict(levels) for levels in found.minimal] == [{"digits": 4}]
    assert (found.lattice, found.checked) == (5, 2)


@given(small_tables(), st.sampled_from([c for c in SINGLE_CRITERIA if c.scope == "table"]))
def test_bounds_over_the_table_never_drive_suppression(table: SmallTable, criterion: bb.Criterion) -> None:
    none, all_of_them = (
        bb.search(table.data, criterion, max_suppression=share, plans=ALL, **table.options) for share in (0, 1)
    )
    assert levels(none) == levels(all_of_them)
    assert {plan.suppressed for plan in all_of_them} <= {0}
