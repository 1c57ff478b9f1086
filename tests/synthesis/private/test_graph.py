"""In which order columns can be drawn that were counted together."""

from itertools import product
from math import prod

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from biombo._engine import Randomness
from biombo._synthesis import Link, TreeModel
from biombo._synthesis.private import drawing_order, model_cells

NAMES = "abcde"
GRAPHS = st.lists(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True).map(tuple), min_size=1, max_size=6
)


@settings(max_examples=60)
@given(GRAPHS, st.lists(st.integers(2, 4), min_size=5, max_size=5))
def test_whatever_is_counted_together_is_drawn_by_each_other(together, sizes) -> None:
    """Of the columns of each count, the one that is drawn last is drawn by all others; none by a later one."""
    size = dict(zip(NAMES, sizes, strict=True))
    order = drawing_order(size, together)
    place = {name: number for number, (name, _) in enumerate(order)}
    parents = dict(order)

    assert sorted(place) == list(NAMES)
    assert all(place[parent] < place[name] for name in NAMES for parent in parents[name])
    for columns in together:
        last = max(columns, key=place.__getitem__)
        assert {*columns} - {last} <= {*parents[last]}
    assert model_cells(size, together) == sum(prod(size[each] for each in (n, *p)) for n, p in order)


def test_a_column_is_drawn_by_several_as_by_one_with_all_their_values() -> None:
    """Three coins of which the third shows whether the others are alike."""
    even = np.array([[0.5, 0.5]])
    alike = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    model = TreeModel((Link("a", {}, even), Link("b", {}, even), Link("c", {"a": 2, "b": 2}, alike)))
    drawn = model.drawn(4000, Randomness.seeded(1), {})

    assert (drawn["c"] == (drawn["a"] != drawn["b"])).all()
    counts = [((drawn["a"] == a) & (drawn["b"] == b)).sum() for a, b in product((0, 1), repeat=2)]
    assert counts == pytest.approx([1000] * 4, abs=150)
    assert model.links[2].edge == ("c", "a, b")
