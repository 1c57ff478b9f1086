"""What was added to a sum since an earlier table of a source that grows is not told by subtraction."""

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._tabulate import Program, System

MARCH = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20, "paid": [10] * 40})


def later(**paid: list[int]) -> pl.DataFrame:
    """March, and who came since, with what each paid."""
    came = [(town, each) for town, amounts in paid.items() for each in amounts]
    return pl.concat([MARCH, pl.DataFrame(came, ["town", "paid"], orient="row")])


def april(source: pl.DataFrame, k: int = 5, **how) -> dict[str, float | None]:
    """What the table of April shows beside that of March."""
    first = bb.tabulate(MARCH, ["town"], sums=["paid"], k=k, earlier=[], **how)
    second = bb.tabulate(source, ["town"], sums=["paid"], k=k, earlier=[first.on_record("march")], **how)
    return dict(second.to_frame().select("town", "paid").iter_rows())


def test_what_nearly_one_person_brought_is_not_told() -> None:
    """By hand: five came to A, of whom one paid 1000. April alone would be shown, and tells 1004 with March."""
    source = later(A=[1000, 1, 1, 1, 1])
    assert None not in bb.tabulate(source, ["town"], sums=["paid"], k=5, percent=0.01).to_frame()["paid"].to_list()
    assert april(source, percent=0.01) == {"A": None, "B": 200, "Total": None}


def test_what_many_brought_may_be_told() -> None:
    """By hand: nobody has more than 10, so that 50 are no two people's and more."""
    assert april(later(A=[10] * 5)) == {"A": 250, "B": 200, "Total": 450}


@pytest.mark.parametrize(("zeros", "shown"), [("shown", 200), ("protected", None)])
def test_that_nothing_was_brought_is_like_a_zero(zeros, shown) -> None:
    rest = {"zeros": zeros, "percent": 0.1}
    source = pl.concat([later(B=[0] * 5), pl.DataFrame({"town": ["A"] * 9, "paid": [*range(1, 10)]})])
    march = MARCH.with_columns(paid=pl.Series([*range(10, 20)] * 4))
    first = bb.tabulate(march, ["town"], sums=["paid"], k=5, earlier=[], **rest)
    grown = pl.concat([march, source.tail(14)])
    second = bb.tabulate(grown, ["town"], sums=["paid"], k=5, earlier=[first.on_record("march")], **rest)
    assert second.to_frame()["paid"].to_list()[1] == (None if shown is None else 290)


def test_a_sum_that_became_less_is_of_another_source() -> None:
    with refused("tabulate.sum-not-grown", "'paid'", "march"):
        april(
            later(A=[10] * 5).with_columns(paid=pl.when(pl.int_range(pl.len()) < 8).then(1).otherwise(pl.col("paid")))
        )


def test_a_sum_of_an_earlier_state_is_not_added_later() -> None:
    grown = bb.tabulate(later(A=[10] * 5), ["town"], sums=["paid"], k=5, earlier=[]).on_record("april")
    counts = bb.tabulate(MARCH, ["town"], k=5, earlier=[]).on_record("march")
    with refused("tabulate.sum-late", "'paid'", "april"):
        bb.tabulate(MARCH, ["town"], sums=["paid"], k=5, earlier=[counts, grown])


VALUES = {"a": "01", "b": "01"}
BASE = [*product(range(3), *([*values, "(others)"] for values in VALUES.values()))]
KINDS = st.tuples(*map(st.sampled_from, VALUES.values()), st.sampled_from([0, 1, 1, 4, 30]), st.sampled_from([1, 3, 6]))
PARTS = st.lists(st.lists(KINDS, max_size=5), min_size=2, max_size=3)
PUBLISHED = st.tuples(st.sampled_from([["a"], ["b"], ["a", "b"]]), st.sampled_from([0.0, 0.1, 0.1, 0.4]))


@examples(60)
@given(
    parts=PARTS,
    ways=st.lists(PUBLISHED, min_size=3, max_size=3),
    k=st.integers(1, 2),
    zeros=st.sampled_from(["shown", "shown", "protected"]),
)
def test_no_sum_and_nothing_added_to_one_is_known_that_is_nearly_one_persons(parts, ways, k: int, zeros) -> None:
    """Against whoever subtracts all that is shown, and knows that nobody has less than nothing."""
    came = [[row[:3] for row in part for _ in range(row[3])] for part in parts]
    assume(came[0])
    found: list[bb.Tabulation] = []
    for number, (way, percent) in zip(range(len(parts)), ways, strict=False):
        earlier = [each.on_record(str(place)) for place, each in enumerate(found)]
        how = {"k": k, "percent": percent, "zeros": zeros, "categories": {column: [*VALUES[column]] for column in way}}
        frame = pl.DataFrame([row for part in came[: number + 1] for row in part], ["a", "b", "had"], orient="row")
        try:
            found.append(bb.tabulate(frame, way, sums=["had"], earlier=earlier, **how))
        except bb.UsageError as error:
            assume(error.key != "tabulate.zeros-tell")
            raise
        if len({each.basis.state for each in found}) < len(found):
            return  # nobody came
        assert_in_doubt(came[: number + 1], found)


def assert_in_doubt(came: Sequence[list[tuple]], tables: Sequence[bb.Tabulation]) -> None:
    """Is every sum of a cell in doubt, and what came to it from one state to another, that is nearly one person's? And
    is what earlier tables left open still as open, or by enough?
    """
    before, attacker = knowing(tables[:-1]), knowing(tables)
    percents, now = [table.rules.percent for table in tables], len(tables) - 1
    for number, table in enumerate(tables):
        for cell, group in cells_of(table):
            for first, last in combinations(range(now + 2), 2):
                percent = max(percents[:last]) if first else percents[number]
                places = [n for n, each in enumerate(BASE) if first <= each[0] < last and is_in(each[1:], group)]
                low, high = attacker.least(places), attacker.most(places)
                added, x1, x2 = largest(came[first:last], group)
                if number + 1 in (first, last) and added and added - x1 - x2 < percent * x1:
                    assert max(high - added, added - low) >= percent * x1 - 1e-3
                if last <= now and (table.suppression.hidden[cell] if (first, last) == (0, number + 1) else first):
                    width = before.most(places) - before.least(places)
                    assert high - low >= min(width, 2 * max(percents) * largest(came, group)[1]) - 1e-3


def largest(came: Sequence[list[tuple]], group: dict[str, str]) -> tuple[float, float, float]:
    """What people of a group have together, and what the first two have."""
    each = sorted((row[2] for part in came for row in part if is_in(row, group)), reverse=True)
    return sum(each), *(*each, 0, 0)[:2]


def knowing(tables: Sequence[bb.Tabulation]) -> Program:
    """What follows from all that is shown of all tables, each of a state."""
    sums, shown = [], []
    for state, table in enumerate(tables):
        for cell, group in cells_of(table):
            if not table.suppression.hidden[cell]:
                sums.append(np.array([n for n, each in enumerate(BASE) if each[0] <= state and is_in(each[1:], group)]))
                shown.append(float(table.cube.sums["had"].totals[cell]))
    ends = np.array(shown)
    return Program(System.of_sums(sums, ends, ends, np.zeros(len(BASE)), np.full(len(BASE), 1e4)))


def cells_of(table: bb.Tabulation):
    """The cells, with the values that they are of."""
    trees = table.cube.classifications
    for cell in np.ndindex(*table.cube.shape):
        yield cell, {tree.column: tree.labels[at] for tree, at in zip(trees, cell, strict=True) if at != tree.root}


def is_in(values: Sequence, group: dict[str, str]) -> bool:
    return all(dict(zip(VALUES, values, strict=False))[column] == value for column, value in group.items())
