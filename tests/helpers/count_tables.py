"""Made-up tables of counts, with and without totals within totals."""

import hypothesis.strategies as st
import numpy as np

from biombo._tabulate import Classification, Contributions, Cube, counted


def flat(column: str, size: int) -> Classification:
    return Classification.of_levels(column, [[f"{column}{n}" for n in range(size)]], [])


def grouped(column: str, above: list[int]) -> Classification:
    """Categories in groups, by the group of each."""
    names = sorted(set(above))
    lists = [[f"{column}{n}" for n in range(len(above))], [f"{column}-{n}" for n in names]]
    return Classification.of_levels(column, lists, [[names.index(n) for n in above]])


def nested(column: str, above: list[int]) -> Classification:
    """Categories in groups, and the groups in two."""
    tree = grouped(column, above)
    leaves, groups = tree.labels[: tree.leaves], tree.labels[tree.leaves : -1]
    parts = [groups.index(f"{column}-{n}") for n in above]
    lists = [leaves, groups, [f"{column}--{n}" for n in range(min(2, len(groups)))]]
    return Classification.of_levels(column, lists, [parts, [n % 2 for n in range(len(groups))]])


@st.composite
def classifications(draw: st.DrawFn, columns: int = 3, most: int = 4) -> list[Classification]:
    found = []
    for column in "abcd"[: draw(st.integers(1, columns))]:
        size = draw(st.integers(1, most))
        kind = draw(st.sampled_from([None, None, grouped, nested]))
        if kind is None:
            found.append(flat(column, size))
        else:
            found.append(kind(column, draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))))
    return found


@st.composite
def cubes(draw: st.DrawFn, columns: int = 3, most: int = 4) -> Cube:
    """The cells of a random table, of which many are small."""
    trees = draw(classifications(columns, most))
    shape = tuple(tree.leaves for tree in trees)
    cells = draw(st.lists(st.integers(0, 9) | st.sampled_from([0, 1, 2, 30]), min_size=1, max_size=int(np.prod(shape))))
    base = np.resize(cells, shape)
    return cube_of(trees, base)


def cube_of(trees: list[Classification], base: np.ndarray) -> Cube:
    """All cells of a table whose cells without parts have so many records."""
    leaves = [places.astype(np.int64) for places in np.nonzero(base)]
    return counted(trees, Contributions(leaves, base[base > 0].astype(np.int64), None, {}), 2)
