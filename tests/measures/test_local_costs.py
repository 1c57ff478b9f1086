"""What it costs that groups are each at levels of their own; where all are at the same, it is what the node costs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from counting import counted
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_local import PlainLocal
from small_tables import SmallTable, small_tables

import biombo as bb
from biombo._cells import LevelledColumn
from biombo._measures import ArxQuality, LocalCosts, group_shares, held_at_levels, local_entropy
from biombo._search import explore_all, question_of

MEASURES = ("completeness", "imprecision", "loss", "granularity", "entropy", "discernibility", "class_size")

tables = small_tables().map(lambda table: replace(table, with_people=False))


def columns_of(table: SmallTable) -> list[LevelledColumn]:
    question = question_of(table.data, bb.KAnonymity(1), missing="own-branch", **table.options)
    return [column.all_levels for column in question.columns]


def local_costs(columns: list[LevelledColumn], levels: list[tuple[int, ...] | None], **asked: object) -> LocalCosts:
    """The costs where each row is at its levels, or suppressed where it has none."""
    shown = [
        None
        if at is None
        else (at, *(each.levels[level, each.codes[row]] for each, level in zip(columns, at, strict=True)))
        for row, at in enumerate(levels)
    ]
    groups = {each: place for place, each in enumerate(dict.fromkeys(each for each in shown if each is not None))}
    group = np.array([-1 if each is None else groups[each] for each in shown])
    of_group = np.array([each[0] for each in groups], np.uint8).reshape(-1, len(columns))
    return LocalCosts.of(columns, of_group, group, **asked)


@st.composite
def recodings(draw: st.DrawFn, table: SmallTable) -> list[tuple[int, ...] | None]:
    """A few levels, one of which each record is at; some are suppressed."""
    each = st.tuples(*(st.integers(0, column.height) for column in table.columns))
    some = draw(st.lists(each, min_size=1, max_size=4))
    size = len(table.rows)
    return draw(st.lists(st.sampled_from([*some, None]), min_size=size, max_size=size))


@settings(max_examples=60)
@given(tables, st.integers(1, 3))
def test_where_all_groups_are_at_the_same_levels_it_costs_what_the_node_costs(table: SmallTable, k: int) -> None:
    k = min(k, len(table.rows))
    question = question_of(table.data, bb.KAnonymity(k), **table.options)
    columns = [column.all_levels for column in question.columns]
    found = explore_all(question, (k,), len(table.rows))
    costs = found.costs(np.arange(len(question.nodes)))
    for place, levels in enumerate(question.nodes.tolist()):
        by_name = dict(zip(question.quasi, levels, strict=True))
        gone = question.suppressed_rows(by_name, question.criteria)
        local = local_costs(columns, [None if row else tuple(levels) for row in gone])

        node = replace(costs.only(place), weights=np.ones(len(columns)))
        assert (local.suppressed[0], local.groups[0]) == (node.suppressed[0], node.groups[0])
        assert local.column_loss == pytest.approx(node.column_loss, abs=1e-12)
        assert local.column_entropy == pytest.approx(node.column_entropy, abs=1e-9)
        for measure in MEASURES:
            assert getattr(local, measure) == pytest.approx(getattr(node, measure), abs=1e-9), measure


@settings(max_examples=100)
@given(tables, st.data())
def test_measures_agree_with_the_definitions(table: SmallTable, more: st.DataObject) -> None:
    levels = more.draw(recodings(table))
    plainly = PlainLocal(table.columns, levels)

    costs = local_costs(columns_of(table), levels)

    assert costs.suppressed.tolist() == [plainly.suppressed]
    assert costs.completeness == pytest.approx([1 - plainly.suppressed / len(levels)])
    assert costs.column_loss[0] == pytest.approx(plainly.column_loss, abs=1e-9)
    assert costs.column_entropy[0] == pytest.approx(plainly.column_entropy, abs=1e-9)
    for measure in MEASURES[1:]:
        assert getattr(costs, measure) == pytest.approx([getattr(plainly, measure)], abs=1e-9), measure


@settings(max_examples=40)
@given(tables, st.data())
def test_counted_tuples_cost_the_same(table: SmallTable, more: st.DataObject) -> None:
    levels = more.draw(recodings(table))
    by_tuple = dict(zip(table.rows, levels, strict=True))
    tuples = counted(table.data)
    rows = list(zip(*(written(tuples, name) for name in (*table.quasi, "disease", "income", "person")), strict=True))
    columns = [replace(column, codes=tuples[column.name].codes) for column in columns_of(table)]

    whole = local_costs(columns_of(table), [by_tuple[row] for row in table.rows])
    few = local_costs(columns, [by_tuple[row] for row in rows], counts=tuples.counts)

    for measure in MEASURES:
        assert getattr(few, measure) == pytest.approx(getattr(whole, measure), abs=1e-9), measure
    assert ArxQuality.of(few, tuples.counts) == ArxQuality.of(whole)


def written(data: bb.Dataset, name: str) -> list[str | None]:
    return [data[name].values[int(code)] for code in data[name].codes]


@settings(max_examples=40)
@given(tables, st.data())
def test_a_column_never_loses_more_bits_than_there_are(table: SmallTable, more: st.DataObject) -> None:
    costs = local_costs(columns_of(table), more.draw(recodings(table)))
    for column, held, lost in zip(costs.columns, costs.held, costs.column_entropy[0], strict=True):
        nothing_left = np.zeros_like(held)
        nothing_left[-1] = held.sum(axis=0)
        assert 0 <= lost <= local_entropy(column, nothing_left) + 1e-9


@settings(max_examples=40)
@given(tables, st.data())
def test_arx_tells_the_same_between_nothing_lost_and_nothing_left(table: SmallTable, more: st.DataObject) -> None:
    columns, rows = columns_of(table), len(table.rows)
    costs = local_costs(columns, more.draw(recodings(table)))
    quality = ArxQuality.of(costs)
    telling = [column.domain > 1 for column in columns]

    if all(telling):
        assert quality.column_granularity == pytest.approx(costs.granularity[0])
    as_it_was, nothing = (ArxQuality.of(local_costs(columns, [at] * rows)) for at in ((0,) * len(columns), None))
    assert set(vars(as_it_was).values()) == {1.0}
    if any(telling) and len(set(table.rows)) > 1:
        assert (nothing.granularity, nothing.column_granularity) == (0, 0)
        assert 0 <= quality.granularity <= 1


# Six people: two are told to the year, three by decade, and one is suppressed.
AGES = bb.Hierarchy.by_hand({"*": {"twenties": ["21", "22", "23"], "thirties": ["31", "32"]}})
PEOPLE = ["21", "21", "21", "22", "23", "31"]
AT = [(0,), (0,), (1,), (1,), (1,), None]


def worked_example(loss_domain: str = "hierarchy") -> LocalCosts:
    data = bb.read(pl.DataFrame({"age": PEOPLE}))
    asked = {"quasi": ["age"], "hierarchies": {"age": AGES}, "loss_domain": loss_domain}
    (column,) = question_of(data, bb.KAnonymity(1), **asked).columns
    return local_costs([column.all_levels], AT)


def test_worked_example() -> None:
    costs = worked_example()

    assert costs.groups.tolist() == [2]
    # Of five ages: two cells stand for one, three for three, one for all.
    assert costs.granularity == pytest.approx([(2 * 1 + 3 * (1 - 2 / 4) + 0) / 6])
    assert costs.imprecision == pytest.approx([(2 * 0 + 3 * 1 / 2 + 1) / 6])
    assert costs.discernibility.tolist() == [2**2 + 3**2 + 6]
    assert costs.class_size.tolist() == [6 / 3]
    # To the year nothing is lost. Of the four that rise, three share a decade and had 1, 1 and 1 of each age; the
    # fourth is alone in its own, and in being suppressed.
    assert costs.entropy == pytest.approx([3 * np.log2(3)])


def test_what_a_group_stands_for_is_read_off_any_of_its_members() -> None:
    costs = worked_example()

    assert group_shares(costs.columns, costs.levels, costs.codes).tolist() == [[1 / 5], [3 / 5]]
    (column,), level = costs.columns, np.array([0, 0, 1, 1, 1, 3], np.uint8)
    assert held_at_levels(column, level).sum(axis=1).tolist() == [2, 3, 0, 1]


def test_worked_example_in_arx_terms() -> None:
    quality = ArxQuality.of(worked_example())

    assert quality.granularity == quality.column_granularity == pytest.approx(3.5 / 6)
    whole = 3 * np.log2(6 / 3) + 3 * np.log2(6)
    assert quality.entropy == pytest.approx(1 - 3 * np.log2(3) / whole)
    # Before, groups were of 3, 1, 1 and 1.
    assert quality.discernibility == pytest.approx(1 - (19 - 12) / (36 - 12))
    assert quality.class_size == pytest.approx(1 - (2 - 1.5) / (6 - 1.5))


def test_arx_counts_a_group_at_the_top_of_all_hierarchies_as_suppressed() -> None:
    data = bb.read(pl.DataFrame({"age": PEOPLE}))
    (column,) = question_of(data, bb.KAnonymity(1), quasi=["age"], hierarchies={"age": AGES}).columns
    costs = local_costs([column.all_levels], [(0,)] * 3 + [(2,)] * 3)

    assert costs.discernibility.tolist() == [3**2 + 3**2]
    assert ArxQuality.of(costs).discernibility == pytest.approx(1 - (9 + 6 * 3 - 12) / (36 - 12))


def test_a_domain_of_one_value_is_lost_with_suppressed_records_and_does_not_count_for_arx() -> None:
    data = bb.read(pl.DataFrame({"country": ["BR", "BR"], "age": ["21", "31"]}))
    by_column = {"country": bb.Hierarchy.by_hand({"*": ["BR"]}), "age": AGES}
    question = question_of(data, bb.KAnonymity(1), quasi=["country", "age"], hierarchies=by_column)
    costs = local_costs([column.all_levels for column in question.columns], [(0, 0), None])

    assert costs.column_loss.tolist() == [[0.5, 0.5]]
    assert ArxQuality.of(costs).column_granularity == 0.5
    assert ArxQuality.of(local_costs(list(costs.columns), [(1, 0), (1, 2)])).column_granularity == 0.5


@pytest.mark.parametrize(("k", "granularity"), [(2, 0.806), (5, 0.698), (10, 0.648)])
def test_granularity_on_adult_is_what_arx_shows(shared_data: Path, k: int, granularity: float) -> None:
    data = bb.read(shared_data / "adult" / "adult.csv")
    asked = {"quasi": data.columns, "hierarchies": shared_data / "adult", "loss_domain": "hierarchy"}
    found = bb.search(data, bb.KAnonymity(k), max_suppression=0.05, plans=1, **asked)
    levels = tuple(found[0].levels.values())
    gone = found.question.suppressed_rows(found[0].levels, found.question.criteria)

    columns = [column.all_levels for column in found.question.columns]
    costs = local_costs(columns, [None if row else levels for row in gone], counts=found.question.data.counts)

    assert round(ArxQuality.of(costs, found.question.data.counts).granularity, 3) == granularity
    assert ArxQuality.of(costs, found.question.data.counts).column_granularity == pytest.approx(found[0].granularity)
