"""How far cells left out can be known."""

from fractions import Fraction

import numpy as np
from count_tables import cube_of, cubes, flat, grouped
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from biombo._tabulate import Cube, Equations, intervals


@examples(25)
@given(
    base=st.lists(st.integers(0, 2), min_size=6, max_size=6).filter(lambda base: sum(base) <= 6),
    hidden=st.lists(st.booleans(), min_size=12, max_size=12),
    floor=st.sampled_from([0, 1]),
    known=st.lists(st.booleans(), min_size=5, max_size=5),
)
def test_they_are_those_of_all_tables_that_could_be(
    base: list[int], hidden: list[bool], floor: int, known: list[bool]
) -> None:
    """Against every table that anybody could think of who knows that some rows and columns have two at least."""
    cube = cube_of([flat("a", 2), flat("b", 3)], np.reshape(base, (2, 3)))
    least = np.full((3, 4), floor)
    least[:2, 3], least[2, :3] = np.where(known[:2], 2, floor), np.where(known[2:], 2, floor)
    marks = np.reshape(hidden, (3, 4)) & (cube.records >= least)
    marks[2, 3] = False  # or tables would have no end
    found = intervals(cube.classifications, cube.records.astype(float), marks, least.astype(float), whole=True)
    total = int(cube.records[2, 3])
    tables = np.zeros(((total + 1) ** 6, 3, 4), int)
    tables[:, :2, :3] = np.indices((total + 1,) * 6).reshape(6, -1).T.reshape(-1, 2, 3)
    tables[:, 2, :3] = tables[:, :2, :3].sum(axis=1)
    tables[:, :, 3] = tables.sum(axis=2)
    agree = (tables == cube.records)[:, ~marks].all(axis=1) & (tables >= least)[:, marks].all(axis=1)

    assert np.array_equal(found.low, tables[agree].min(axis=0))
    assert np.array_equal(found.high, tables[agree].max(axis=0))


@examples(30)
@given(cube=cubes(columns=2, most=3), seed=st.integers(0, 99))
def test_what_equations_give_away_is_what_algebra_says(cube: Cube, seed: int) -> None:
    hidden = np.random.default_rng(seed).random(cube.shape) < 0.5
    if not hidden.any():
        return
    found = Equations.of(cube.classifications, cube.records.astype(float), hidden)
    matrix = [[Fraction(0)] * len(found.cells) for _ in range(len(found))]
    for row, column, sign in zip(found.rows, found.columns, found.signs, strict=True):
        matrix[row][column] += int(sign)
    rank = _rank(matrix)
    for cell, given_away in enumerate(found.determined()):
        unit = [Fraction(int(place == cell)) for place in range(len(found.cells))]
        assert given_away == (_rank([*matrix, unit]) == rank)


def _rank(matrix: list[list[Fraction]]) -> int:
    rows, rank = [list(row) for row in matrix], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((n for n in range(rank, len(rows)) if rows[n][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for n in range(rank + 1, len(rows)):
            factor = rows[n][column] / rows[rank][column]
            rows[n] = [a - factor * b for a, b in zip(rows[n], rows[rank], strict=True)]
        rank += 1
    return rank


def test_blocks_have_no_cell_in_common() -> None:
    trees = [grouped("a", [0, 0, 1, 1])]
    cube = cube_of(trees, np.array([2, 3, 4, 5]))
    hidden = np.array([True, True, True, True, False, False, False])
    blocks = [set(block.cells) for block in Equations.of(trees, cube.records.astype(float), hidden).blocks()]

    assert blocks == [{0, 1}, {2, 3}]
