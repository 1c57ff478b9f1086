"""Tables whose protection others have published (docs/sources.md, Statistics Norway): how much is left out of them, and
how well that protects them.
"""

import numpy as np
import pytest
from count_tables import cube_of, flat, grouped

from biombo._tabulate import Classification, Cube, Intervals, Rules, intervals, suppressed

MUNICIPALITIES = [
    [11, 11, 55, 36], [7, 1, 29, 18], [5, 8, 35, 25], [13, 2, 17, 13], [9, 14, 63, 52], [12, 9, 24, 22],
    [6, 4, 22, 8], [9, 3, 38, 15], [3, 0, 9, 2], [9, 0, 32, 20], [4, 2, 18, 11],
]  # fmt: skip
"""People on social benefits by municipality, A to K, and source of income: made up by Statistics Norway (z2)."""
COUNTY = [0, 1, 2, 2, 3, 3, 4, 4, 0, 5, 5]
REGION = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]
SMALL = [(1, 1), (3, 1), (7, 1), (8, 0), (8, 1), (8, 3), (9, 1), (10, 1)]
BY_ELIMINATION = [*SMALL, (1, 0), (3, 0), (6, 1), (6, 3), (7, 0), (9, 0), (10, 0)]
BY_HEURISTIC = [*SMALL, (1, 0), (3, 3), (7, 0), (9, 0), (10, 0)]


def table(above: list[int] | None = None) -> Cube:
    rows = flat("municipality", 11) if above is None else grouped("municipality", above)
    return cube_of([rows, flat("income", 4)], np.array(MUNICIPALITIES))


@pytest.mark.parametrize(
    ("above", "most", "zeros", "published", "ours"),
    [
        (None, 3, "protected", 15, 18),
        (COUNTY, 2, "shown", 16, 20),
        (COUNTY, 10, "shown", 35, 45),
        (COUNTY, 2, "protected", 18, 23),
        (COUNTY, 10, "protected", 36, 49),
        (REGION, 3, "protected", 17, 22),
    ],
)
def test_no_more_is_left_out_than_the_docs_say(above, most: int, zeros: str, published: int, ours: int) -> None:
    """By elimination cells are left out until none can be computed; here until each may have k, for whoever is in one
    of them as well, and that takes more.
    """
    found = suppressed(table(above), Rules(most + 1, zeros=zeros))

    assert found.hidden.sum() <= ours
    assert found.sensitive.sum() <= published


@pytest.mark.parametrize("cells", [BY_ELIMINATION, BY_HEURISTIC])
def test_what_was_published_holds_when_it_is_looked_at_as_here(cells: list[tuple[int, int]]) -> None:
    cube = table()
    hidden = np.zeros(cube.shape, bool)
    hidden[tuple(np.transpose(cells))] = True
    found = of(cube, hidden)

    assert (found.low < found.high)[hidden].all()
    assert (found.high[hidden] >= 4).all()


def of(cube: Cube, hidden: np.ndarray) -> Intervals:
    return intervals(cube.classifications, cube.records.astype(float), hidden, 0.0, whole=True)


def test_intervals_are_those_that_were_published() -> None:
    """The table example1 by age and country: before and after the cells of Spain are left out as well."""
    cube = cube_of([age(), flat("country", 3)], np.array([[3, 1, 17], [10, 11, 17]]))
    hidden = np.zeros(cube.shape, bool)
    hidden[:2, :2] = True
    before = of(cube, hidden)
    hidden[:2, 2] = True
    after = of(cube, hidden)

    assert [(before.low[0, n], before.high[0, n]) for n in (0, 1)] == [(0, 4), (0, 4)]
    assert [(after.low[0, n], after.high[0, n]) for n in (0, 1)] == [(0, 13), (0, 12)]


def age() -> Classification:
    return Classification.of_levels("age", [["young", "old"]], [])
