"""Lattices whose nodes cannot be listed: plans that are true, bounds that are true, and the time that was given."""

import time
from collections.abc import Callable
from itertools import count

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused
from small_tables import SmallTable, criteria_lists, policies, shares, small_tables, weights_of

import biombo as bb
from biombo._cells import Lattice
from biombo._search import POLICIES, explanations, proof, why_none

WIDE = 24


@pytest.fixture(scope="module")
def wide() -> bb.Dataset:
    """Many columns of few records: 3²⁴ nodes."""
    random = np.random.default_rng(3)
    return bb.read(pl.DataFrame({f"c{i}": random.integers(0, 4, 300).astype(str) for i in range(WIDE)}))


ASKED = {
    "quasi": [f"c{i}" for i in range(WIDE)],
    "hierarchies": {f"c{i}": bb.Hierarchy.by_hand({"*": {"low": ["0", "1"], "high": ["2", "3"]}}) for i in range(WIDE)},
}


@examples(80)
@given(small_tables(), criteria_lists, shares, policies, st.sampled_from([(1,), (1, 2), (1, 8, 64)]), st.data())
def test_nothing_false_is_said_and_something_is_found(
    table: SmallTable,
    criteria: list[bb.Criterion],
    share: float,
    policy: str,
    widths: tuple[int, ...],
    more: st.DataObject,
) -> None:
    weights = more.draw(weights_of(table))
    plainly = table.plainly(criteria, share, weights=weights)
    expected = plainly.ranking(policy)
    by_column = dict(zip(table.quasi, weights, strict=True))
    asked = {"max_suppression": share, "prefer": policy, "weights": by_column, **table.options}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.large_lattice.LEVELS_AT_MOST", 0)
        patch.setattr("biombo._search.large_lattice.WIDTHS", widths)
        patch.setattr("biombo._search.large_lattice.PART_NODES", {1: 4, 8: 8})
        found, again = (bb.search(table.data, criteria, **asked) for _ in range(2))

    monotone = all(each.scope == "group" and each.monotonic(suppression=share > 0) for each in criteria)
    assert [plan.levels for plan in found] == [plan.levels for plan in again]
    assert found.checked == again.checked <= found.lattice == len(plainly.nodes)
    assert bool(found) == bool(expected) or not monotone
    for plan in found:
        node = tuple(plan.levels.values())
        assert node in plainly.satisfying
        assert plan.suppressed == plainly.suppressed(node) < len(table.rows)
        assert plan.minimal in (None, node in plainly.minimal)
    if expected:
        assert found.bound is not None
        assert found.bound <= expected[0][0] or found.bound == pytest.approx(expected[0][0])
    if found.optimal:
        assert [plan.score for plan in found[:1]] == pytest.approx([score for score, _ in expected[:1]])


@examples(40)
@given(small_tables(), st.integers(2, 4), shares, policies)
def test_with_enough_nodes_abreast_the_best_is_found_and_proved(
    table: SmallTable, k: int, share: float, policy: str
) -> None:
    k = min(k, len(table.rows))
    expected = table.plainly([bb.KAnonymity(k)], share).ranking(policy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.large_lattice.LEVELS_AT_MOST", 0)
        found = bb.search(table.data, bb.KAnonymity(k), max_suppression=share, prefer=policy, plans=50, **table.options)
    assert found.optimal
    assert [tuple(plan.levels.values()) for plan in found] == [node for _, node in expected[:50]]
    assert found.bound == (found[0].score if found else None)


@examples(40)
@given(small_tables(), criteria_lists, shares, st.sampled_from([p for p in POLICIES if not POLICIES[p].among_minimal]))
def test_where_the_work_looks_small_scores_rule_out_nodes_and_no_plan(
    table: SmallTable, criteria: list[bb.Criterion], share: float, policy: str
) -> None:
    expected = table.plainly(criteria, share).ranking(policy)[:3]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.exploration.TRIFLING", 0)
        found = bb.search(table.data, criteria, max_suppression=share, prefer=policy, plans=3, **table.options)
    assert [tuple(plan.levels.values()) for plan in found] == [node for _, node in expected]
    assert found.optimal


def test_low_scores_near_the_bottom_leave_most_nodes_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biombo._search.exploration.TRIFLING", 0)
    random = np.random.default_rng(2)
    columns = {f"c{i}": (random.zipf(2.5, 2_000) % 8).astype(str) for i in range(6)}
    hierarchies = {name: bb.Hierarchy.by_interval(2, [4, 8]) for name in columns}
    data = bb.read(pl.DataFrame(columns))
    found = bb.search(
        data, bb.KAnonymity(2), quasi=list(columns), hierarchies=hierarchies, max_suppression=0.3, prefer="precision"
    )
    assert found.optimal
    assert found.checked < found.lattice / 4


def test_a_lattice_of_any_size_is_searched_and_never_listed(wide: bb.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(lattice: Lattice) -> None:
        assert lattice.size < 1 << 20, "an array over all nodes"

    nodes = Lattice.nodes.func  # type: ignore[attr-defined]
    monkeypatch.setattr(Lattice, "nodes", property(lambda lattice: listed(lattice) or nodes(lattice)))
    monkeypatch.setattr("biombo._search.large_lattice.WITHOUT_LIMIT", 2)
    found = bb.search(wide, bb.KAnonymity(5), max_suppression=0.05, **ASKED)
    assert found.lattice == 3**WIDE
    assert found[0].completeness >= 0.95
    assert 0 < found.bound < found[0].score
    assert not found.optimal
    assert "not proved to be the best" in proof(found)
    told = found.as_json()
    assert (told["optimal"], told["bound"]) == (False, found.bound)
    assert explanations(found)[0].together.records == 300
    with refused("search.too-many-nodes"):
        _ = found.minimal


def test_the_frontier_of_a_lattice_of_any_size(wide: bb.Dataset) -> None:
    found = bb.frontier(wide, ks=[2, 5], limits=[0, 0.1], seconds=0.5, **ASKED)
    assert not found.optimal
    scores = {(point.k, point.max_suppression): point.best.score for point in found.points if point.best}
    assert len(scores) == 4
    for point in found.points:
        assert point.best.suppressed <= point.max_suppression * 300


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """A clock that goes on by a tenth of a second whenever it is looked at; says what it shows."""
    ticks = count()
    shown = [0.0]

    def tick() -> float:
        shown[0] = next(ticks) / 10
        return shown[0]

    monkeypatch.setattr(time, "monotonic", tick)
    return lambda: shown[0]


@pytest.mark.parametrize("seconds", [0.01, 1, 3])
def test_when_time_is_over_no_more_is_begun_than_one_way_down(
    wide: bb.Dataset, ticking: Callable[[], float], monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    begun, check = list[float](), Lattice.check

    def watched(lattice: Lattice, nodes: np.ndarray, *asked: object, **options: object) -> object:
        begun.append(ticking())
        return check(lattice, nodes, *asked, **options | {"seconds": 0})  # the clock is ours, not the kernel's

    monkeypatch.setattr(Lattice, "check", watched)
    started = ticking()
    found = bb.search(wide, bb.KAnonymity(5), max_suppression=0.05, seconds=seconds, **ASKED)
    late = [moment for moment in begun if moment > started + seconds + 0.2]
    assert found, "something is found however little time there is"
    assert len(late) <= 8, "a quarter of a second is left for the steepest way down, and then no more is begun"


@pytest.mark.parametrize("policy", ["loss", "absolute-distance"])
def test_as_many_nodes_are_checked_in_every_run(policy: str) -> None:
    random = np.random.default_rng(4)
    columns = {f"c{i}": (random.zipf(1.5, 4_000) % 64).astype(str) for i in range(6)}
    data, hierarchies = bb.read(pl.DataFrame(columns)), dict.fromkeys(columns, bb.Hierarchy.by_interval(4, [16]))
    asked = {"quasi": list(columns), "hierarchies": hierarchies, "max_suppression": 0.1, "prefer": policy}
    assert len({bb.search(data, bb.KAnonymity(3), **asked).checked for _ in range(6)}) == 1


@pytest.mark.parametrize("policy", ["loss", "absolute-distance"])
def test_the_top_is_found_where_time_was_over_before_anything_else(clinic: bb.Dataset, policy: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.exploration.CHEAP", 0)
        patch.setattr(Lattice, "sweep", _without_time(Lattice.sweep))
        found = bb.search(clinic, bb.KAnonymity(3), seconds=10, prefer=policy)
    assert found
    assert not found.optimal


def _without_time(sweep: Callable[..., object]) -> Callable[..., object]:
    return lambda *asked, **options: sweep(*asked, **options | {"seconds": 1e-9})


def test_a_plan_that_drops_every_record_is_no_plan() -> None:
    data = bb.read(pl.DataFrame({"a": ["1", "2", "3"], "b": ["1", "2", "3"]}))
    found = bb.search(data, bb.KAnonymity(2), quasi=["a", "b"], hierarchies=_flat(), bounds={"a": 0}, max_suppression=1)
    assert (len(found), found.optimal) == (0, True)
    assert "would drop every record, which is no plan" in why_none(found)
    assert "4" not in proof(found)
    assert "ruled out" not in proof(found)


def test_others_are_ruled_out_only_where_there_are_others() -> None:
    data = bb.read(pl.DataFrame({"a": ["1", "2", "3"], "b": ["1", "2", "3"]}))
    one = bb.search(data, bb.KAnonymity(2), quasi=["a", "b"], hierarchies=_flat(), bounds={"a": 0, "b": 0})
    assert (one.checked, one.lattice, len(one)) == (1, 1, 0)
    assert "ruled out" not in proof(one)
    two = bb.search(data, bb.KAnonymity(2), quasi=["a", "b"], hierarchies=_flat(), bounds={"a": 0})
    assert (two.checked, two.lattice, len(two)) == (1, 2, 0)
    assert "ruled out" in proof(two)


@pytest.mark.parametrize(
    ("criterion", "limit", "ever"),
    [
        (bb.LDiversity(4, column="s"), 0, False),
        (bb.LDiversity(4, column="s"), 0.5, False),
        (bb.AverageRisk(0.2), 0, False),
        (bb.Vulnerability(0.3, column="s"), 0, False),
        (bb.Vulnerability(0.3, column="s"), 0.5, True),  # among fewer records the values may be more even
        (bb.LDiversity(3, column="s"), 0, True),
    ],
    ids=str,
)
def test_what_no_plan_can_meet_is_told_from_what_the_levels_allowed_do_not(
    criterion: bb.Criterion, limit: float, ever: bool
) -> None:
    data = bb.read(pl.DataFrame({"a": ["1", "2", "3", "3"], "b": ["1", "2", "3", "3"], "s": ["x", "y", "z", "z"]}))
    asked = {"quasi": ["a", "b"], "hierarchies": _flat(), "bounds": {"a": 0, "b": 0}, "max_suppression": limit}
    found = bb.search(data, [bb.KAnonymity(1), criterion], sensitive="s", **asked)
    assert (len(found), found.optimal) == (0, True)
    told = why_none(found)
    assert ("even all records in one group" in told, str(criterion) in told) == (not ever, not ever)


def _flat() -> dict[str, bb.Hierarchy]:
    return {name: bb.Hierarchy.by_hand({"*": ["1", "2", "3"]}) for name in "ab"}
