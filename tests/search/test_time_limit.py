"""What is claimed of a search that could not finish: never more than is proved."""

import time
from dataclasses import replace
from itertools import chain, count, repeat

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from small_tables import SmallTable, criteria_lists, policies, shares, small_tables

import biombo as bb
from biombo._cells import NodeState
from biombo._search import POLICIES, Explored, Policy, explore_all, question_of


def as_if_cut_off(found: Explored, left_out: list[bool]) -> Explored:
    """What would be known if the nodes marked had not been reached."""
    state = np.where(left_out, NodeState.UNKNOWN, found.counts.state).astype(np.uint8)
    return replace(found, counts=replace(found.counts, state=state))


@examples(100)
@given(small_tables(), criteria_lists, shares, policies, st.data())
def test_whatever_is_left_out_nothing_false_is_claimed(
    table: SmallTable, criteria: list[bb.Criterion], share: float, policy: str, more: st.DataObject
) -> None:
    plainly = table.plainly(criteria, share)
    expected = plainly.ranking(policy)
    question = question_of(table.data, criteria, **table.options).serving(Policy.named(policy))
    whole = explore_all(question, (question.k,), plainly.limit)
    size = len(plainly.nodes)
    left_out = more.draw(st.lists(st.booleans(), min_size=size, max_size=size))

    found = bb.SearchResult.of(as_if_cut_off(whole, left_out), Policy.named(policy), share, 10)

    if found.optimal:
        assert (tuple(found[0].levels.values()) if found else None) == (expected[0][1] if expected else None)
    if expected:
        assert found.bound is not None
        assert found.bound <= expected[0][0] or found.bound == pytest.approx(expected[0][0])
    for plan in found:
        node = tuple(plan.levels.values())
        assert node in plainly.satisfying
        assert plan.minimal in (None, node in plainly.minimal)
    assert {tuple(minimal.values()) for minimal in found.minimal} == set(plainly.minimal)
    assert found.optimal or any(left_out)


@examples(60)
@given(table=small_tables(), share=shares, policy=policies, step=st.sampled_from([0.01, 0.1, 0.5, 2.0]))
def test_where_there_was_no_time_to_fit_a_model_nothing_false_is_claimed(
    table: SmallTable, share: float, policy: str, step: float
) -> None:
    """Each look at the clock takes a while, so that the time is over after some nodes."""
    criteria = [bb.PopulationUniqueness(0.2, population=5 * len(table.rows))]
    expected = table.plainly(criteria, share).ranking(policy)
    moments = count(step=step)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.known_nodes._TABLES_AT_ONCE", 1)
        patch.setattr(time, "monotonic", lambda: next(moments))
        found = bb.search(table.data, criteria, max_suppression=share, prefer=policy, seconds=5, **table.options)

    if found.optimal:
        assert (tuple(found[0].levels.values()) if found else None) == (expected[0][1] if expected else None)
    if expected:
        assert found.bound is not None
        assert found.bound <= expected[0][0] or found.bound == pytest.approx(expected[0][0])
    assert {tuple(plan.levels.values()) for plan in found} <= {*table.plainly(criteria, share).satisfying}


@pytest.mark.parametrize("policy", POLICIES)
def test_without_time_nothing_is_claimed(clinic: bb.Dataset, policy: str) -> None:
    found = bb.search(clinic, bb.KAnonymity(3), prefer=policy, seconds=1e-9)
    assert (len(found), found.checked, found.optimal) == (0, 0, False)
    best = bb.search(clinic, bb.KAnonymity(3), prefer=policy)
    assert best.optimal
    assert found.bound is not None
    assert found.bound <= best[0].score


def test_a_frontier_says_whether_all_of_it_is_proved(clinic: bb.Dataset) -> None:
    assert bb.frontier(clinic).optimal
    cut_off = bb.frontier(clinic, seconds=1e-9)
    assert not cut_off.optimal
    assert all(point.best is None for point in cut_off.points)


@pytest.fixture(scope="module")
def large() -> bb.Dataset:
    """Many columns and many different records: all nodes together take minutes."""
    random = np.random.default_rng(5)
    columns = {f"c{i}": random.zipf(1.4, 20_000) % 256 for i in range(7)}
    return bb.read(pl.DataFrame({name: values.astype(str) for name, values in columns.items()}))


BY_COLUMN = {f"c{i}": bb.Hierarchy.by_interval(2, [4, 16, 64]) for i in range(7)}


@pytest.mark.parametrize("policy", ["loss", "absolute-distance"])
def test_a_search_ends_about_when_it_is_told_to(large: bb.Dataset, policy: str) -> None:
    asked = {"quasi": list(BY_COLUMN), "hierarchies": BY_COLUMN, "max_suppression": 0.9, "prefer": policy}
    started = time.process_time()  # not by the clock: other programs may keep this one waiting
    found = bb.search(large, bb.KAnonymity(2), seconds=0.5, **asked)
    assert time.process_time() - started < 5
    assert found.checked < found.lattice
    assert found.bound is not None
    if found:
        assert found.bound == found[0].score if found.optimal else found.bound <= found[0].score
    else:
        assert not found.optimal


@pytest.mark.parametrize("population", [10_000, 100_000_000])
def test_a_model_that_is_fitted_to_each_node_keeps_to_the_time(large: bb.Dataset, population: int) -> None:
    """Counting takes little; fitting takes long, whichever model the share that was sampled asks for."""
    some = bb.read(large.decoded().head(2_000), columns=list(BY_COLUMN)[:5])
    asked = {"quasi": list(some.columns), "hierarchies": {name: BY_COLUMN[name] for name in some.columns}}
    criteria = [bb.KAnonymity(1), bb.PopulationUniqueness(1e-6, population=population)]
    started = time.process_time()
    found = bb.search(some, criteria, seconds=0.5, max_suppression=0.5, **asked)
    assert time.process_time() - started < 2  # of several processors
    assert found
    assert found.bound is not None
    assert found.bound <= found[0].score


def test_what_a_first_look_found_is_kept_when_time_runs_out(clinic: bb.Dataset) -> None:
    whole = bb.search(clinic, bb.KAnonymity(2), max_suppression=1.0, prefer="absolute-distance")
    moments = chain([0.0, 0.0], repeat(1e6))  # when it begins, when the first look does, and ever after
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.exploration.CHEAP", 0)
        patch.setattr("biombo._search.exploration.FIRST_LOOK", 2)
        patch.setattr(time, "monotonic", lambda: next(moments))
        cut_off = bb.search(clinic, bb.KAnonymity(2), max_suppression=1.0, prefer="absolute-distance", seconds=60)
    found, expected = cut_off.explored, whole.explored
    nodes = np.flatnonzero(found.satisfying(len(clinic)))

    assert (cut_off.checked, len(nodes)) == (2, 2)
    for of_nodes in ("loss", "entropy", "discernibility", "class_size"):
        assert getattr(found.costs(nodes), of_nodes).tolist() == getattr(expected.costs(nodes), of_nodes).tolist()
