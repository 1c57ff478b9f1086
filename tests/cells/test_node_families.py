"""Single nodes of a lattice, checked from the top down, against the sweep over all of them."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import SINGLE_CRITERIA, SmallTable, small_tables

import biombo as bb
from biombo._cells import LatticeCounts, NodeState
from biombo._search import question_of

COUNTED = (
    *("suppressed", "groups", "unique", "picked", "squares", "volume", "density", "tops"),
    *("suppressed_share", "suppressed_entropy"),
)
criteria = st.lists(st.sampled_from(SINGLE_CRITERIA), min_size=1, max_size=2, unique_by=str)


def same(ones: LatticeCounts, others: LatticeCounts, nodes: np.ndarray) -> None:
    for name in COUNTED:
        np.testing.assert_allclose(getattr(ones, name)[nodes], getattr(others, name)[nodes], atol=1e-9)


@settings(max_examples=60)
@given(small_tables(), criteria, st.data())
def test_a_node_has_what_the_sweep_finds_whatever_it_is_checked_from(
    table: SmallTable, asked: list[bb.Criterion], more: st.DataObject
) -> None:
    question = question_of(table.data, asked, **table.options)
    lattice, requirements = question.lattice, question.requirements([question.k, 3])
    told = {"tops": True, "volumes": True}
    swept = lattice.sweep(requirements, question.records, **told)
    heads = np.maximum(lattice.nodes, more.draw(st.sampled_from(lattice.nodes.tolist())))
    in_families = np.lexsort(heads.T)

    alone = lattice.check(lattice.nodes, requirements, question.records, **told)
    together = lattice.check(
        lattice.nodes[in_families], requirements, question.records, below=heads[in_families], **told
    )

    assert (alone.state == NodeState.CHECKED).all()
    everything = np.arange(lattice.size)
    same(alone, swept, everything)
    same(together, replace(swept, **{name: getattr(swept, name)[in_families] for name in COUNTED}), everything)


@settings(max_examples=60)
@given(small_tables(rows=40), criteria, st.sampled_from([0, 1, 5]))
def test_what_is_called_hopeless_suppresses_more_than_the_limit_and_so_does_all_below(
    table: SmallTable, asked: list[bb.Criterion], limit: int
) -> None:
    question = question_of(table.data, asked, **table.options)
    lattice, requirements = question.lattice, question.requirements([question.k])
    truly = lattice.check(lattice.nodes, requirements, question.records).suppressed[:, 0]
    found = lattice.check(lattice.nodes, requirements, limit)
    for node in lattice.nodes[found.state == NodeState.HOPELESS]:
        assert (truly[(lattice.nodes <= node).all(axis=1)] > limit).all()


@settings(max_examples=40)
@given(small_tables(rows=40, columns=4), st.sampled_from([0, 3]), st.integers(2, 4))
def test_which_nodes_were_checked_does_not_depend_on_threads(table: SmallTable, limit: int, k: int) -> None:
    question = question_of(table.data, bb.KAnonymity(1), **table.options)
    kernel = question.lattice._counted
    requirement = [bb._kernel.Requirement(k)]
    states = [kernel.sweep(requirement, [], limit, threads=threads)["state"].ravel().tolist() for threads in (1, 4, 4)]
    assert states[0] == states[1] == states[2]


def test_what_was_not_reached_in_time_is_unknown() -> None:
    question = question_of(bb.read(bb.samples.clinic()), bb.KAnonymity(2), quasi=["age"], hierarchies={"age": "age"})
    nodes = question.lattice.nodes
    found = question.lattice.check(nodes, question.requirements([2]), 0, seconds=1e-9)
    assert (found.state == NodeState.UNKNOWN).all()
