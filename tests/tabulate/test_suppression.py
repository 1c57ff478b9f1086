"""Nothing that is left out of a table of counts can be told from what is shown."""

from dataclasses import replace
from itertools import combinations

import numpy as np
from count_tables import cube_of, cubes, flat
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from plain_patterns import PlainPatterns

from biombo._tabulate import Cube, Intervals, Rules, intervals, suppressed

RULES = st.builds(Rules, k=st.integers(1, 12), zeros=st.sampled_from(["shown", "shown", "protected"]))


def audited(cube: Cube, hidden: np.ndarray, rules: Rules, known: np.ndarray | None = None) -> Intervals:
    """What can be known by somebody who also knows some cells."""
    unknown = hidden if known is None else hidden & ~known
    floor = np.full(cube.shape, 1.0 if rules.zeros == "shown" else 0.0)
    for place in np.ndindex(cube.shape):
        parts = [(tree, at) for tree, at in zip(cube.classifications, place, strict=True) if at != tree.root]
        if len(parts) == 1 and parts[0][1] in parts[0][0].frequent:
            floor[place] = rules.k
    return intervals(cube.classifications, cube.records.astype(float), unknown, floor, whole=True)


def listed_by_data(cube: Cube, k: int, which: list[bool]) -> Cube:
    """The cube in which some of the categories that k people have are there for that reason alone."""
    trees = []
    for axis, tree in enumerate(cube.classifications):
        at = tuple(slice(None) if n == axis else each.root for n, each in enumerate(cube.classifications))
        many = np.flatnonzero(cube.records[at][:-1] >= k)
        chosen = tuple(int(place) for place in many if which[place % len(which)])
        trees.append(replace(tree, frequent=chosen))
    return replace(cube, classifications=tuple(trees))


WHICH = st.lists(st.booleans(), min_size=1, max_size=3)


def in_doubt(cube: Cube, rules: Rules, found: Intervals, cells: np.ndarray) -> bool:
    """May each of the cells have k records, or more than it has, as far as anybody can tell?"""
    most = np.maximum(cube.records + 1, rules.k)
    return bool((found.high >= most)[cells].all() and (found.low <= cube.records)[cells].all())


@examples(60)
@given(cube=cubes(columns=4, most=3) | cubes(columns=2, most=6), rules=RULES, which=WHICH)
def test_every_small_cell_may_have_k_records_as_far_as_anybody_can_tell(
    cube: Cube, rules: Rules, which: list[bool]
) -> None:
    """Also by whoever knows that rows are there because k people have them."""
    cube = listed_by_data(cube, rules.k, which)
    found = suppressed(cube, rules)

    assert (found.sensitive <= found.hidden).all()
    assert ((cube.records < rules.k) & ((cube.records > 0) | (rules.zeros == "protected")) <= found.hidden).all()
    assert in_doubt(cube, rules, audited(cube, found.hidden, rules), found.sensitive)
    assert rules.zeros == "protected" or not found.hidden[cube.records == 0].any()


@examples(25)
@given(cube=cubes(columns=3, most=3), k=st.integers(2, 8), which=WHICH)
def test_whoever_is_alone_in_a_cell_learns_no_more_of_others(cube: Cube, k: int, which: list[bool]) -> None:
    cube, rules = listed_by_data(cube, k, which), Rules(k)
    found = suppressed(cube, rules)
    alone = found.hidden & (cube.people == 1)
    for cell in np.argwhere(alone)[:6]:
        known = np.zeros(cube.shape, bool)
        known[tuple(cell)] = True
        others = found.sensitive & ~_same_person(cube, tuple(cell))
        assert in_doubt(cube, rules, audited(cube, found.hidden, rules, known), others)


def _same_person(cube: Cube, cell: tuple[int, ...]) -> np.ndarray:
    """The cells that have nobody but the one in a cell: those of which it is part, or which are part of it."""
    related = np.ones(cube.shape, bool)
    for axis, tree in enumerate(cube.classifications):
        mine = set(tree.leaves_under(cell[axis]))
        over = [bool(mine & set(tree.leaves_under(category))) for category in range(len(tree))]
        shape = [1] * cube.records.ndim
        shape[axis] = len(tree)
        related &= np.array(over).reshape(shape)
    return related & (cube.people == 1)


@examples(20)
@given(base=st.lists(st.sampled_from([2, 3, 4, 8, 9, 12, 20]), min_size=9, max_size=12))
def test_little_more_is_left_out_than_the_least_that_protects(base: list[int]) -> None:
    trees = [flat("a", 3), flat("b", len(base) // 3)]
    cube = cube_of(trees, np.resize(base, (3, len(base) // 3)))
    rules = Rules(5)
    found = suppressed(cube, rules)
    besides = int(found.hidden.sum() - found.sensitive.sum())
    assume(0 < found.sensitive.sum() < 6 and besides <= 4)
    candidates = np.flatnonzero(~found.sensitive)

    def protects(extra: tuple[int, ...]) -> bool:
        hidden = found.sensitive.copy()
        hidden.ravel()[list(extra)] = True
        return in_doubt(cube, rules, audited(cube, hidden, rules), found.sensitive)

    least = next(n for n in range(besides + 1) if any(map(protects, combinations(candidates, n))))
    assert besides <= least + 2


@examples(40)
@given(cube=cubes(columns=3, most=3) | cubes(columns=2, most=5), rules=RULES, which=WHICH)
def test_patterns_are_those_that_cost_least(cube: Cube, rules: Rules, which: list[bool]) -> None:
    """Against every pattern, weighed one by one."""
    cube = listed_by_data(cube, rules.k, which)
    assert np.array_equal(suppressed(cube, rules).hidden, PlainPatterns(cube, rules).found())
