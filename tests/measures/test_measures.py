"""Every measure against its definition, record by record."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_generalising import PlainCosts, groups_of
from small_tables import PREFERENCES, SmallTable, small_tables, weights_of

import biombo as bb
from biombo._measures import Costs, Marginals, lost_with
from biombo._search import Explored, Policy, explore_all, lower_bounds, question_of

ALL = [Policy.named(name) for name in PREFERENCES if name != "prediction:income"]


def explored(table: SmallTable, k: int, **options: object) -> Explored:
    question = question_of(table.data, bb.KAnonymity(k), **table.options, **options)
    return explore_all(replace(question, predicts="disease", by_volume=True), (k,), len(table.rows))


def without_people(table: SmallTable) -> SmallTable:
    return replace(table, with_people=False)


tables = small_tables().map(without_people)
ks = st.integers(1, 2)


def plain_costs(table: SmallTable, levels: list[int], k: int, weights: list[float] = ()) -> PlainCosts:
    kept = [group for group in groups_of(table.columns, tuple(levels)) if len(group) >= k]
    others = {"disease": [row[-3] for row in table.rows], "income": [row[-2] for row in table.rows]}
    return PlainCosts(table.columns, tuple(levels), kept, weights, others)


@settings(max_examples=60)
@given(tables, ks, st.data())
def test_measures_agree_with_the_definitions_at_every_node(table: SmallTable, k: int, more: st.DataObject) -> None:
    weights = more.draw(weights_of(table))
    found = explored(table, k, weights=dict(zip(table.quasi, weights, strict=True)))
    nodes = found.question.nodes
    costs = found.costs(np.arange(found.checked))
    assert len(costs.nodes) == len(nodes)
    for place, levels in enumerate(nodes.tolist()):
        plainly = plain_costs(table, levels, k, weights)
        assert costs.suppressed[place] == len(plainly.suppressed)
        assert costs.completeness[place] == pytest.approx(plainly.completeness)
        assert costs.imprecision[place] == pytest.approx(plainly.imprecision)
        assert costs.column_loss[place] == pytest.approx(plainly.column_loss, abs=1e-9)
        assert costs.loss[place] == pytest.approx(plainly.loss, abs=1e-9)
        assert costs.granularity[place] == pytest.approx(plainly.granularity, abs=1e-9)
        assert costs.entropy[place] == pytest.approx(plainly.entropy, abs=1e-9)
        assert costs.discernibility[place] == plainly.discernibility
        assert costs.class_size[place] == pytest.approx(plainly.class_size)
        for policy in ALL:
            assert policy.score(costs)[place] == pytest.approx(plainly.score(str(policy)), abs=1e-9), policy


@settings(max_examples=60)
@given(tables, ks)
def test_what_is_lost_with_rows_is_what_the_kernel_counts_at_every_node(table: SmallTable, k: int) -> None:
    found = explored(table, k)
    columns = [column.all_levels for column in found.question.columns]
    costs = found.costs(np.arange(found.checked))
    for place, levels in enumerate(costs.nodes.tolist()):
        suppressed = np.isin(np.arange(len(table.rows)), list(plain_costs(table, levels, k).suppressed))
        lost = [lost_with(column, level, suppressed) for column, level in zip(columns, levels, strict=True)]
        assert costs.suppressed_share[place] == pytest.approx([share for share, _ in lost])
        assert costs.suppressed_entropy[place] == pytest.approx([entropy for _, entropy in lost], abs=1e-9)


@settings(max_examples=60)
@given(tables, ks, st.data())
def test_no_node_costs_less_than_its_bound(table: SmallTable, k: int, more: st.DataObject) -> None:
    weights = more.draw(weights_of(table))
    found = explored(table, k, weights=dict(zip(table.quasi, weights, strict=True)))
    costs = found.costs(np.arange(found.checked))
    for policy in ALL:
        assert (lower_bounds(found.question, policy) <= policy.score(costs) + 1e-9).all(), policy


@settings(max_examples=60)
@given(tables)
def test_neither_bounds_nor_costs_fall_on_the_way_up_while_nothing_is_suppressed(table: SmallTable) -> None:
    found = explored(table, 1)
    lattice = found.question.lattice
    costs = found.costs(found.satisfying(0).nonzero()[0])
    for policy in ALL:
        for per_node in (lower_bounds(found.question, policy), policy.score(costs)):
            on_grid = lattice.on_grid(per_node)
            for axis in range(on_grid.ndim):
                moved = on_grid.swapaxes(0, axis)
                assert (moved[1:] >= moved[:-1] - 1e-9).all(), policy


@settings(max_examples=60)
@given(tables, ks)
def test_plans_report_the_measures_without_weights(table: SmallTable, k: int) -> None:
    heavy = {table.quasi[0]: 7.0}
    found = bb.search(
        table.data, bb.KAnonymity(k), max_suppression=1.0, weights=heavy, prefer="entropy", plans=500, **table.options
    )
    nodes = [plain_costs(table, levels, k) for levels in found.question.nodes.tolist()]
    assert sum(1 + plan.merged for plan in found) == sum(bool(node.kept) for node in nodes)
    for plan in found:
        plainly = plain_costs(table, list(plan.levels.values()), k)
        assert plan.precision == pytest.approx(1 - plainly.imprecision)
        assert plan.completeness == pytest.approx(plainly.completeness)
        assert plan.loss == pytest.approx(plainly.loss, abs=1e-9)
        assert plan.granularity == pytest.approx(plainly.granularity, abs=1e-9)
        assert plan.entropy == pytest.approx(plainly.entropy, abs=1e-9)
        assert plan.discernibility == plainly.discernibility
        assert plan.class_size == pytest.approx(plainly.class_size)
        assert list(plan.column_loss.values()) == pytest.approx(plainly.column_loss, abs=1e-9)


# Four people aged 21, 22, 23 and 31 of a hierarchy that lists five ages; k = 2 at level 1 suppresses the last.
AGES = bb.Hierarchy.by_hand({"*": {"twenties": ["21", "22", "23"], "thirties": ["31", "32"]}})


# Over the four ages that occur three stand for 3 of 4, one for all; over the five of the hierarchy three for 3 of 5.
LOSS = {"data": (3 * 3 / 4 + 1 - 4 / 4) / (4 - 4 / 4), "hierarchy": (3 * 3 / 5 + 1 - 4 / 5) / (4 - 4 / 5)}


@pytest.mark.parametrize("domain", ["data", "hierarchy"])
def test_worked_example(domain: str) -> None:
    data = bb.read(pl.DataFrame({"age": ["21", "22", "23", "31"]}))
    options = {"quasi": ["age"], "hierarchies": {"age": AGES}, "max_suppression": 0.25, "loss_domain": domain}
    decades, nothing = bb.search(data, bb.KAnonymity(2), **options)

    assert (decades.levels, decades.suppressed, decades.groups) == ({"age": 1}, 1, 1)
    assert decades.completeness == 3 / 4
    assert decades.precision == pytest.approx(1 - (3 * 1 / 2 + 1) / 4)
    assert decades.loss == pytest.approx(LOSS[domain])
    assert decades.column_loss == {"age": pytest.approx(LOSS[domain])}
    assert decades.granularity == pytest.approx(1 - LOSS[domain])
    # Each of the three is one of three; the only suppressed value is sure.
    assert decades.entropy == pytest.approx(3 * 1.584962500721156)
    assert decades.discernibility == 3 * 3 + 4
    assert decades.class_size == 4 / 2

    assert (nothing.levels, nothing.suppressed, nothing.loss) == ({"age": 2}, 0, 1)
    assert nothing.entropy == pytest.approx(4 * 2)


def test_a_column_of_one_possible_value_loses_nothing() -> None:
    data = bb.read(pl.DataFrame({"country": ["BR", "BR"]}))
    found = bb.search(
        data, bb.KAnonymity(2), quasi=["country"], hierarchies={"country": bb.Hierarchy.by_hand({"*": ["BR"]})}
    )
    assert [(plan.loss, plan.merged) for plan in found] == [(0, 1)]


def test_marginals_leave_out_the_rows_that_do_not_count() -> None:
    question = question_of(
        bb.read(pl.DataFrame({"age": ["21", "22", "23", "31"]})),
        bb.KAnonymity(1),
        quasi=["age"],
        hierarchies={"age": AGES},
    )
    columns = [column.all_levels for column in question.columns]
    some = Marginals.of(columns, 4, keep=(question.data["age"].codes < 2))
    assert some.records == 2
    assert some.columns[0].distinct.tolist() == [2, 1, 1]
    assert some.columns[0].entropy.tolist() == [0, 2, 2]
    whole = Costs.at_least(question.marginals, question.nodes, question.weights)
    assert whole.class_size.tolist() == [1, 2, 4]
