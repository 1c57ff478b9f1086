"""The lattice from the top down."""

import numpy as np
from hypothesis import given
from small_tables import SmallTable, small_tables

import biombo as bb
from biombo._search import from_the_top, question_of


@given(small_tables(columns=4))
def test_every_node_is_in_one_slice_and_none_above_it_in_a_later_one(table: SmallTable) -> None:
    lattice = question_of(table.data, bb.KAnonymity(2), **table.options).lattice
    slices = np.array(from_the_top(lattice))
    assert (slices.sum(axis=0) == 1).all()
    assert slices.any(axis=1).all()
    place = slices.argmax(axis=0)
    nodes = lattice.nodes
    for node, levels in enumerate(nodes):
        assert (place[(nodes >= levels).all(axis=1)] <= place[node]).all()
