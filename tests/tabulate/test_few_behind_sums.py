"""A sum in which few people differ from most tells of these few, and is left out as a count of so few is."""

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import polars as pl
import pytest
from count_tables import classifications
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from plain_patterns import PlainPatterns

import biombo as bb
from biombo._tabulate import Contributions, Cube, Patterns, Rules, counted

ILL = pl.DataFrame(
    {
        "town": ["A"] * 20 + ["B"] * 30 + ["C"] * 20,
        "ill": [1] * 3 + [0] * 17 + [1] * 12 + [0] * 18 + [1] * 17 + [0] * 3,
    }
)


def test_a_sum_of_ones_and_noughts_is_a_count() -> None:
    """By hand: 3 of 20 are ill in A, and 3 are not in C. As far as the table tells, 5 may be."""
    made = bb.tabulate(ILL, ["town"], sums=["ill"], k=5)
    found = made.suppression.evidence["ill"]

    assert made.to_frame()["ill"].to_list() == [None, 12, None, 32]
    assert (found.low[0], found.high[0]) == (0, 20)
    assert found.high[0] >= 5
    assert found.low[2] <= 15


def test_nobody_has_more_than_one() -> None:
    """By hand: 17 of 20 have 1 in A, 20 of 20 in B, 25 of 50 in C. With A and B left out there would be three without
    it in both, so that C goes with A.
    """
    ones = {"A": [1] * 17 + [0] * 3, "B": [1] * 20, "C": [1, 0] * 25}
    rows = [(town, one) for town, some in ones.items() for one in some]
    made = bb.tabulate(pl.DataFrame(rows, ["town", "ill"], orient="row"), ["town"], sums=["ill"], k=5)

    assert made.to_frame()["ill"].to_list() == [None, 20, None, 62]


def test_means_are_left_out_likewise() -> None:
    few, enough = (bb.tabulate(ILL, ["town"], means=["ill"], k=k).to_frame()["ill: mean"].to_list() for k in (5, 3))
    assert few == [None, 0.4, None, 32 / 70]
    assert enough == [0.15, 0.4, 0.85, 32 / 70]


@pytest.mark.parametrize(("zeros", "left_out"), [("shown", 0), ("protected", 3)])
def test_that_nobody_has_another_amount_is_like_a_zero(zeros, left_out: int) -> None:
    alike = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20, "doses": [2] * 40})
    assert bb.tabulate(alike, ["town"], sums=["doses"], zeros=zeros).to_frame()["doses"].null_count() == left_out


def test_whoever_keeps_the_numbers_reads_why_each_is_left_out(tmp_path) -> None:
    people = pl.concat([ILL, pl.DataFrame({"town": ["D"] * 2, "ill": [0, 0]})])
    lists = {"town": ["A", "B", "C", "D"]}
    release = bb.publish_table(bb.tabulate(people, ["town"], sums=["ill"], k=5, categories=lists), tmp_path / "table")
    why = pl.read_csv(release.private / "all-cells.csv").select("town", "left out").rows()

    assert {"A": "alike", "C": "alike", "D": "small"}.items() <= dict(why).items()
    assert "alike" not in "".join(path.read_text() for path in release.out.iterdir())


def test_a_cell_whose_parts_can_spare_enough_together_alone_is_left_out_with_these() -> None:
    """Three of four in the second town have 1. With k = 2, two must be able to have none, which no pattern shows."""
    ones = {"ax": "00", "ay": "111", "bx": "1", "by": "11", "bz": "0", "cz": "111"}
    rows = [(*place, int(one)) for place, some in ones.items() for one in some]
    lists = {"town": [*"abc"], "year": [*"xyz"]}
    frame = pl.DataFrame(rows, ["town", "year", "ill"], orient="row")
    made = bb.tabulate(frame, ["town", "year"], sums=["ill"], k=2, categories=lists)
    town = made.cube.classifications[0].labels.index("b")

    assert made.suppression.hidden[town, -1]
    assert made.suppression.evidence["ill"].low[town, -1] <= 2


@st.composite
def cubes_of_ones(draw: st.DrawFn) -> Cube:
    """Cells of tables whose sums are of ones and noughts, mostly of the same."""
    trees = draw(classifications(columns=3, most=3))
    cells = st.tuples(*(st.integers(0, tree.leaves - 1) for tree in trees), st.sampled_from([0, 0, 0, 1]))
    *leaves, ones = np.array(draw(st.lists(cells, min_size=1, max_size=40)), np.int64).T
    turned = 1.0 - ones if draw(st.booleans()) else ones.astype(np.float64)
    return counted(trees, Contributions(leaves, np.ones(len(ones), np.int64), None, {"ill": turned}), 2)


@examples(40)
@given(cube=cubes_of_ones(), k=st.integers(2, 6), zeros=st.sampled_from(["shown", "shown", "protected"]))
def test_patterns_of_sums_are_those_that_cost_least(cube: Cube, k: int, zeros) -> None:
    """Against every pattern, weighed one by one."""
    rules = Rules(k, zeros=zeros)
    patterns = Patterns(cube, rules.measures(cube), rules.sensitive(cube), np.zeros(cube.shape, bool))
    patterns.protect()
    patterns.tidy()
    assert np.array_equal(patterns.suppressed, PlainPatterns(cube, rules).found())


PEOPLE = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=40)


@examples(60)
@given(
    rows=PEOPLE,
    k=st.integers(1, 6),
    zeros=st.sampled_from(["shown", "protected"]),
    person=st.sampled_from([None, "who"]),
    unit=st.sampled_from([1, 0.1]),
)
def test_what_few_have_stays_in_doubt(rows, k: int, zeros, person, unit: float) -> None:
    """Against amounts that are looked at one by one."""
    table = pl.DataFrame(rows, ["town", "who", "had"], orient="row").with_columns(pl.col("had") * unit)
    lists = {"town": ["a", "b", "c"]}
    how = {"k": k, "percent": 0, "zeros": zeros, "person": person, "categories": lists}
    made = bb.tabulate(table, ["town"], sums=["had"], **how)
    (_, measure, *_), reasons = made.rules.measures(made.cube), made.rules.reasons(made.cube)
    smallest = min((Fraction(row[2]) for row in rows if row[2]), default=1 / Fraction(unit))
    for place, label in enumerate(made.cube.classifications[0].labels):
        mine = amounts_in(label, rows, person)
        towns = {row[0] for row in rows} if label != "Total" else {"Total"}
        everywhere = [had for town in towns for had in amounts_in(town, rows, person).values()]
        fails, more, less = doubt(list(mine.values()), everywhere, k, zeros, smallest)
        assert reasons["alike"][place] == fails
        assert made.suppression.hidden[place] >= fails
        least = max(mine.values(), default=Fraction(0)) / 1000  # by which every sum left out is in doubt
        assert measure.up[place] == pytest.approx(float(max(more, least)) * unit)
        assert measure.down[place] == pytest.approx(float(min(max(less, least), sum(mine.values()))) * unit)


def amounts_in(label: str, rows: list[tuple], person: str | None) -> dict[int, Fraction]:
    """What each person of a cell has; each record, where nobody tells people apart."""
    mine = Counter()
    for number, (town, who, had) in enumerate(rows):
        if label in (town, "Total"):
            mine[who if person else number] += Fraction(had)
    return mine


def doubt(amounts, everywhere, k: int, zeros: str, smallest: Fraction) -> tuple[bool, Fraction, Fraction]:
    """Does a sum tell too much of few, and how much more and less must it be able to be?"""
    here, all_cells = Counter(amounts), Counter(everywhere)
    usual = min(here, key=lambda amount: (-here[amount], -all_cells[amount], amount), default=Fraction(0))
    others = [amount - usual for amount in amounts if amount != usual]
    rare = not amounts or (len(all_cells) > 2 and all_cells[usual] < k) or len(everywhere) < k
    if rare or len(others) >= k or 2 * len(others) > len(amounts) or (not others and zeros == "shown"):
        return False, Fraction(0), Fraction(0)
    if not others:
        return True, *((Fraction(0), k * smallest) if usual else (k * smallest, Fraction(0)))
    further = (Fraction(k, len(others)) - 1) * sum(map(abs, others))
    return True, *((further, Fraction(0)) if sum(others) >= 0 else (Fraction(0), further))


@cache
def tables(leaves: int) -> np.ndarray:
    """All that a table without totals can be, as far as it matters: by cell, how many are there and how many have 1."""
    most = {3: 8, 4: 5}[leaves]
    cells = np.array([(number, ones) for number in range(most + 1) for ones in range(number + 1)], np.int8)
    return cells[np.indices((len(cells),) * leaves, np.int8).reshape(leaves, -1).T]


@examples(40)
@given(
    cells=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=3)
    | st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=4, max_size=4),
    k=st.integers(2, 3),
)
def test_of_all_tables_that_there_could_be_k_may_differ_in_one(cells, k: int) -> None:
    """All tables of ones and noughts that agree with what is shown are gone through: three towns, or two by sex."""
    cells = [(number, min(ones, number)) for number, ones in cells]
    places = ["a", "b", "c"] if len(cells) == 3 else ["ax", "ay", "bx", "by"]
    rows = [
        (*place, int(turn < ones))
        for place, (number, ones) in zip(places, cells, strict=True)
        for turn in range(number)
    ]
    if not rows:
        return
    columns = ["town", "sex"][: len(places[0])]
    lists = {column: sorted({place[n] for place in places}) for n, column in enumerate(columns)}
    frame = pl.DataFrame(rows, [*columns, "ill"], orient="row")
    made = bb.tabulate(frame, columns, sums=["ill"], k=k, categories=lists)
    agree, groups = agreeing(made, tables(len(cells)), places)
    for cell, group in groups.items():
        number, ones = np.sum([cells[n] for n in group], axis=0) if group else (0, 0)
        few = min(ones, number - ones)
        if 0 < few < k:
            people, ill = (agree[:, group, n].sum(axis=1) for n in (0, 1))
            unlike = {ones: ill.max(), number - ones: (people - ill).max()}
            assert made.suppression.hidden[cell]
            assert unlike[few] >= k or (2 * few == number and ill.max() >= k)


def agreeing(made: bb.Tabulation, all_tables: np.ndarray, places: list[str]):
    """The tables that agree with one that is shown, and of which of its parts each cell consists."""
    trees = made.cube.classifications
    groups = {}
    agree = np.ones(len(all_tables), bool)
    for cell in np.ndindex(made.cube.shape):
        labels = [tree.labels[at] for tree, at in zip(trees, cell, strict=True)]
        said = [{label} if label != "Total" else {*"abcxy"} for label in labels]
        group = [n for n, place in enumerate(places) if all(map(set.__contains__, said, place))]
        groups[cell] = group
        has = all_tables[:, group].sum(axis=1)
        if made.suppression.hidden[cell]:
            agree &= has[:, 0] >= 1
        else:
            agree &= (has == [made.cube.records[cell], made.cube.sums["ill"].totals[cell]]).all(axis=1)
    return all_tables[agree], groups
