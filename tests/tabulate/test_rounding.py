"""Counts become multiples of a base beside them, totals add up, and every count stays what it is on average."""

import numpy as np
import polars as pl
import pytest
from count_tables import cube_of, cubes, flat, grouped
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st

import biombo as bb
from biombo._engine import Randomness
from biombo._tabulate import Cube, rounded

ALWAYS, NEVER = 0, 2**64 - 1


class Nth(Randomness):
    """Takes the rounding that is found in a certain turn; they are looked for by the same aims each time."""

    def __init__(self, turn: int) -> None:
        self._turn, self._past, self._aims = turn, 0, np.random.default_rng(7)

    def uniform(self, n: int) -> np.ndarray:
        return self._aims.random(n)

    def words(self, _n: int) -> np.ndarray:
        taken = self._past == self._turn
        self._past = 0 if taken else self._past + 1
        return np.array([ALWAYS if taken else NEVER], np.uint64)


def added(cube: Cube, values: np.ndarray) -> bool:
    """Is every total the sum of its parts?"""
    for axis, tree in enumerate(cube.classifications):
        wholes = np.flatnonzero(tree.levels > 0)
        if (np.take(values - tree.added_up(values, axis), wholes, axis) != 0).any():
            return False
    return True


def test_a_table_by_hand() -> None:
    """3 1 | 4 over 4 8 | 12 over 7 9 | 16 by fives: 16 becomes 15 or 20, 7 becomes 5 or 10, and so on."""
    cube = cube_of([flat("a", 2), flat("b", 2)], np.array([[3, 1], [4, 8]]))
    neighbours = [[(0, 5), (0, 5), (0, 5)], [(0, 5), (5, 10), (10, 15)], [(5, 10), (5, 10), (15, 20)]]
    seen = set()
    for seed in range(40):
        values, distance = rounded(cube.classifications, cube.records, 5, Randomness.seeded(seed))
        assert distance == 1
        assert added(cube, values)
        assert all(values[i, j] in neighbours[i][j] for i in range(3) for j in range(3))
        seen.add(tuple(values.ravel().tolist()))
    assert len(seen) > 4


@examples(25)
@given(cube=cubes(columns=3, most=3), base=st.integers(2, 10), seed=st.integers(0, 99))
def test_all_are_multiples_near_to_what_they_were(cube: Cube, base: int, seed: int) -> None:
    try:
        values, distance = rounded(cube.classifications, cube.records, base, Randomness.seeded(seed))
    except bb.UsageError:
        assume(False)
    assert (values % base == 0).all()
    assert (values >= 0).all()
    assert (np.abs(values - cube.records) < distance * base).all()
    assert added(cube, values)
    assert not values[cube.records == 0].any()
    if distance == 1:
        multiple = cube.records % base == 0
        assert (values[multiple] == cube.records[multiple]).all()


@examples(12)
@given(
    base=st.integers(2, 6),
    cells=st.lists(st.integers(0, 20), min_size=6, max_size=6),
    above=st.sampled_from([None, [0, 0, 1]]),
)
def test_every_count_is_the_mean_of_the_roundings_of_which_one_is_drawn(base: int, cells: list[int], above) -> None:
    """Exactly, in tables of two columns: each of the roundings has the chance 1 / base."""
    tree = flat("b", 3) if above is None else grouped("b", above)
    cube = cube_of([flat("a", 2), tree], np.reshape(cells, (2, 3)))
    drawn = [rounded(cube.classifications, cube.records, base, Nth(turn))[0] for turn in range(base)]

    assert (sum(drawn) == base * cube.records).all()


def test_no_cell_is_known_better_than_by_its_interval() -> None:
    """As far as anybody can tell, a cell has base - 1 more or less, and so have the totals that it is in: that table is
    as near to the one that is shown, and adds up.
    """
    cube = cube_of([flat("a", 3), grouped("b", [0, 0, 1])], np.arange(9).reshape(3, 3) * 2)
    values, _ = rounded(cube.classifications, cube.records, 5, Randomness.seeded(3))
    for leaf in np.ndindex(3, 3):
        for sign in (1, -1):
            other = values.copy()
            up = [tree.ancestors[at] for tree, at in zip(cube.classifications, leaf, strict=True)]
            other[np.ix_(*up)] += sign * 4
            if values[leaf] > 0 or sign > 0:
                assert (other >= 0).all()
                assert added(cube, other)
                assert (np.abs(other - values) < 5).all()
                assert tuple(bb.Rounding(5).interval(int(values[leaf])))[sign > 0] == other[leaf]


def test_a_row_that_is_there_because_k_people_have_it_has_as_many() -> None:
    """Six people are shown as 0 or 20, and it is known all the same that there are five at least, and so it is said."""
    table = pl.DataFrame({"town": ["A"] * 6 + ["B"] * 7})
    made = bb.tabulate(table, ["town"], k=5, protection=bb.Rounding(20))
    listed = bb.tabulate(table, ["town"], k=5, protection=bb.Rounding(20), categories={"town": ["A", "B"]})

    assert [tree.frequent for tree in made.shown.classifications] == [(0, 1)]
    assert [tree.frequent for tree in listed.shown.classifications] == [()]
    assert bb.Rounding(20).interval(0, least=5) == (5, 19)
    assert bb.Rounding(20).interval(20, least=5) == (5, 39)
    assert bb.Rounding(5).interval(10, least=5) == (6, 14)
    assert "at least 5 people are in it" in " ".join(made.verdict())


def test_where_neighbours_do_not_add_up_counts_move_further_and_it_is_said() -> None:
    """Three columns: not every table has a rounding to neighbours (Causey, Cox and Ernst 1985)."""
    base = np.random.default_rng(231).integers(0, 2, (3, 3, 3))
    cube = cube_of([flat("a", 3), flat("b", 3), flat("c", 3)], base)
    values, distance = rounded(cube.classifications, cube.records, 2, Randomness())

    assert distance == 2
    assert added(cube, values)
    assert "up to 2 bases off" in " ".join(bb.Rounding(2, 2).sentences(2))
    assert bb.Rounding(2, 2).interval(2) == (0, 5)


@pytest.mark.parametrize(
    ("base", "how", "said"),
    [
        (1, {}, "multiples of 1"),
        (0, {}, "multiples of 0"),
        (-5, {}, "multiples of -5"),
        (4, {"k": 5}, "k is 5"),
        (5, {"k": 3, "person": "who"}, "has 9 records"),
        (5, {"k": 3, "sums": ["paid"]}, "added up"),
        (5, {"k": 3, "zeros": "protected"}, "--zeros|zeros="),
    ],
)
def test_what_would_not_protect_is_refused(base, how, said) -> None:
    table = pl.DataFrame({"x": ["a"] * 9 + ["b"] * 9, "who": [1] * 9 + [*range(2, 11)], "paid": range(18)})
    with pytest.raises(bb.BiomboError, match=said):
        bb.tabulate(table, ["x"], protection=bb.Rounding(base), **how, categories={"x": ["a", "b"]})
