"""What the order and the hierarchy of a sensitive column are taken to be."""

from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from refusal import refused

import biombo as bb
from biombo._criteria import demand


def read(values: list[Any], **column: Any) -> bb.Dataset:
    return bb.read(pl.DataFrame({"s": values}), bb.Schema({"s": bb.ColumnSchema(role="sensitive", **column)}))


def order_of(values: list[Any], **column: Any) -> list[Any]:
    data = read(values, **column)
    target = demand(data, bb.TCloseness(0.5, kind="ordered")).targets[0]
    assert target.order is not None
    return data["s"].values.gather(target.order).to_list()


@pytest.mark.parametrize(
    "values",
    [
        [1, 5, 10, 200],
        [0.5, 1.5, None],
        [Decimal("0.5"), Decimal("1.25"), Decimal(10)],
        [False, True],
        [date(1999, 12, 31), date(2000, 1, 1), date(2000, 1, 2), None],
        ["9", "10", "200", None],
        ["0,5", "9,25", "10"],
        ["-1", "0", "00", "2"],  # two spellings of a number are neighbours, always in this order
        ["1999-12-31", "2000-01-01", "2000-01-02"],
        ["19991231", "20000101"],
    ],
)
def test_numbers_and_dates_go_by_value_and_a_missing_one_comes_last(values: list[Any]) -> None:
    assert order_of(values[::-1]) == values
    assert order_of(values) == values


def test_other_text_goes_by_the_domain_of_the_schema() -> None:
    levels = ("none", "primary", "secondary", "higher")
    assert order_of(["higher", None, "none", "secondary"], domain=levels) == ["none", "secondary", "higher", None]


def test_a_domain_wins_over_numbers_in_text_but_not_over_numbers() -> None:
    assert order_of(["1", "2", "3"], domain=("3", "1", "2")) == ["3", "1", "2"]
    assert order_of([1, 2, 3], domain=("3", "1", "2")) == [1, 2, 3]


def test_invalid_values_come_after_the_valid_ones() -> None:
    invalid = frozenset({"999", "unknown"})
    assert order_of([None, "999", "8", "unknown", "1000"], invalid=invalid) == ["8", "1000", "999", "unknown", None]
    assert order_of(["?", "b", "a"], invalid=frozenset({"?"}), domain=("a", "b")) == ["a", "b", "?"]


def test_text_without_an_order_is_refused() -> None:
    with refused("criteria.no-order", "'s'", "domain"):
        order_of(["flu", "asthma", "12"])
    with refused("criteria.not-in-domain", "'s'", "'flu'"):
        order_of(["flu", "low"], domain=("low", "high"))


def test_the_same_column_is_counted_once_unless_a_hierarchy_needs_it_apart() -> None:
    data = read(["1", "2", "3"])
    hierarchy = bb.Hierarchy.by_hand({"few": ["1", "2"], "many": ["3"]})
    criteria = [
        bb.LDiversity(2),
        bb.TCloseness(0.5, kind="ordered"),
        bb.Vulnerability(0.5),
        bb.Leakage(0.25, over="table"),
        bb.TCloseness(0.5, kind="hierarchical", hierarchy=hierarchy),
    ]
    asked = demand(data, criteria)
    assert [(target.levels is not None, target.order is not None) for target in asked.targets] == [
        (False, True),
        (True, False),
    ]
    assert [(rule.target, rule.kind) for rule in asked.rules] == [
        (0, "distinct"),
        (0, "ordered-distance"),
        (0, "top-share"),
        (1, "distance"),
    ]
    assert [(bound.target, bound.highest) for bound in asked.table] == [(0, pytest.approx(1 / 3 + 0.25))]


FRUIT = {"apple": ["red", "green"], "plum": ["blue"]}


def levels_of(hierarchy: bb.Hierarchy, values: list[Any], **column: Any) -> list[list[int]]:
    criterion = bb.TCloseness(0.5, kind="hierarchical", hierarchy=hierarchy)
    levels = demand(read(values, **column), criterion).targets[0].levels
    assert levels is not None
    return levels.tolist()


@pytest.mark.parametrize(
    "hierarchy",
    [
        bb.Hierarchy.by_hand(FRUIT),
        bb.Hierarchy.by_hand(FRUIT).with_top(),
        bb.Hierarchy.by_hand({"fruit": FRUIT}),
    ],
    ids=["meets above", "ends in *", "ends in one group"],
)
def test_the_level_at_which_everything_is_one_is_left_out(hierarchy: bb.Hierarchy) -> None:
    assert levels_of(hierarchy, ["red", "green", "blue"]) == [[0, 1, 2], [0, 0, 1]]
    # Whether all groups occur makes no difference: red and green meet halfway up.
    assert levels_of(hierarchy, ["red", "green"]) == [[0, 1], [0, 0]]
    # Missing and invalid values meet the others at the top only. (A missing one has the last code.)
    assert levels_of(hierarchy, ["red", "?", "green", None], invalid=frozenset({"?"})) == [[0, 1, 2, 3], [0, 1, 0, 2]]


def test_a_hierarchy_by_rule_ends_above_its_highest_level() -> None:
    assert levels_of(bb.Hierarchy.by_prefix([2]), ["0301", "0302", "0401"]) == [[0, 1, 2], [0, 0, 1]]


def test_values_that_the_hierarchy_lacks_are_listed() -> None:
    with refused("hierarchy.unknown-in-column", "'s'", "'white' × 2"):
        levels_of(bb.Hierarchy.by_hand(FRUIT), ["red", "white", "white"])


def test_a_hierarchy_is_for_one_column() -> None:
    data = bb.read(pl.DataFrame({"q": ["x"], "s": ["red"], "t": ["blue"]}))
    criterion = bb.TCloseness(0.5, kind="hierarchical", hierarchy=bb.Hierarchy.by_hand(FRUIT))
    with refused("criteria.which-column", "s, t"):
        bb.judge(data, criterion, quasi=["q"], sensitive=["s", "t"])
    assert bb.judge(data, criterion, quasi=["q"], sensitive=["t"]).holds


def test_a_column_with_one_value_is_no_distance_from_itself() -> None:
    data = bb.read(pl.DataFrame({"q": ["x", "y"], "s": [1, 1]}))
    judged = bb.judge(data, bb.TCloseness(0, kind="ordered"), quasi=["q"], sensitive="s")
    assert judged.verdicts[0].achieved == 0
