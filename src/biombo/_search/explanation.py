"""Which columns stand in the way of a criterion, and the cheapest step that would help (Moraes et al. 2025)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from biombo._cells import CodedColumn, NodeState, Requirement
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._measures import Costs
from biombo._search.clock import Clock
from biombo._search.exploration import CHEAP, Explored, is_cheap
from biombo._search.joint_search import JointlyExplored, JointResult
from biombo._search.large_lattice import is_listable
from biombo._search.quasi_column import QuasiColumn
from biombo._search.question import Question
from biombo._search.result import SearchResult
from biombo._watch import warn

_WORTH_SAYING = 0.01
"""The share of the failing records that a single step must help to be advice."""
_SETS_AT_MOST = 1 << 12
"""Sets of columns that are tried, at most, for the smallest that suffices."""


@dataclass(frozen=True)
class Obstacle:
    """What one quasi column, or all of them together, break at the lowest levels allowed."""

    columns: tuple[str, ...]
    groups: int
    """Groups that fail what is asked of groups."""
    records: int
    """Records in them."""
    unique: int
    """Records that are alone in their group: singled out."""


@dataclass(frozen=True)
class LevelStep:
    """One column one level up from the lowest levels allowed."""

    column: str
    level: int
    """The level that the column has then."""
    helped: int
    """Records that are no longer in a group that fails."""
    loss: float
    """How much is lost: the geometric loss if nothing were suppressed."""
    hierarchy: Hierarchy = field(repr=False)

    @property
    def level_label(self) -> str:
        """What that level is, in words of the language in use."""
        return self.hierarchy.level_label(self.level)

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        told = {"column": self.column, "level": self.level, "level_label": self.level_label}
        return told | {"helped": self.helped, "loss": self.loss}


@dataclass(frozen=True)
class MustChange:
    """The fewest columns that must be generalised together for what is asked to hold within the limit."""

    columns: tuple[str, ...]
    suppressed: int
    """Records suppressed with these at their highest levels allowed and the others at the lowest."""
    proved: bool
    """Is it proved that fewer do not suffice?"""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why the table does not satisfy what is asked as it is, and what would help."""

    together: Obstacle
    alone: tuple[Obstacle, ...]
    """By each column alone."""
    steps: tuple[LevelStep, ...]
    """Single steps that help, the cheapest first: the most records for what is lost."""
    must_change: MustChange | None
    """Which columns together must change; None where nothing must, or nothing helps, or that takes too long to say."""
    least_suppressed: int | None
    """The fewest records that any generalisation within the bounds suppresses; None: that takes too long to say."""

    @property
    def cheapest(self) -> LevelStep | None:
        """The step to take first, if one is worth it: if it takes at least one in a hundred records out of groups that
        fail.
        """
        worth = (step for step in self.steps if step.helped >= _WORTH_SAYING * self.together.records)
        return next(worth, None)


def explanations(found: SearchResult | JointResult, *, seconds: float = 0) -> list[Explanation]:
    """Why the table as it is does not satisfy what was asked, for each set of quasi columns; nothing, with a warning,
    where the table as it is is not at hand. What takes longer than ``seconds``, if any, is left out.
    """
    clock = Clock(seconds)
    parts = _explored_parts(found)
    if any(column.hopeless for part in parts for column in part.question.columns):
        warn(text("search.no-explanation"))
        return []
    return [explain(part, found.max_suppression, clock=clock) for part in parts]


def _explored_parts(found: SearchResult | JointResult) -> Sequence[Explored]:
    if isinstance(found, JointResult):
        return [part.explored for part in found.parts]
    return found.explored.parts if isinstance(found.explored, JointlyExplored) else (found.explored,)


def explain(explored: Explored, max_suppression: float = 0.0, *, clock: Clock | None = None) -> Explanation:
    """Why the table as it is does not satisfy what was asked, with at most that share of the records suppressed."""
    question, clock = explored.question, clock or Clock()
    lowest = [column.generalised(column.lowest) for column in question.columns]
    together = _obstacle(question, lowest)
    return Explanation(
        together,
        tuple(_obstacle(question, [column]) for column in lowest),
        _steps(question, together.records),
        _must_change(question, question.limit(max_suppression), clock),
        _least_suppressed(explored, clock),
    )


def _obstacle(question: Question, columns: Sequence[CodedColumn]) -> Obstacle:
    asked = question.demand
    found = question.groups(columns, Requirement(asked.k, asked.rules))
    fails = (found.size < asked.k) | ~found.holds.all(axis=1)
    names = tuple(column.name for column in columns)
    return Obstacle(names, int(fails.sum()), int(found.size[fails].sum()), int((found.size == 1).sum()))


def _steps(question: Question, failing: int) -> tuple[LevelStep, ...]:
    """All single steps up from the lowest node that take records out of failing groups, the cheapest first."""
    movable = np.flatnonzero(question.lattice.heights)
    single = np.zeros((1 + len(movable), len(question.columns)), np.int64)
    single[1 + np.arange(len(movable)), movable] = 1
    suppressed = _suppressed_at(question, single)
    levels = single + np.array([column.lowest for column in question.columns])
    before, *losses = Costs.at_least(question.marginals, levels, question.weights).loss.tolist()
    helping = [
        (failing - int(records), loss, int(column))
        for column, loss, records in zip(movable, losses, suppressed[1:], strict=True)
        if records < failing
    ]
    helping.sort(key=lambda step: (-step[0] / max(step[1] - before, 1e-12), step[1]))
    columns = question.columns
    return tuple(_step_to(columns[place], columns[place].lowest + 1, helped, loss) for helped, loss, place in helping)


def _step_to(column: QuasiColumn, level: int, helped: int, loss: float) -> LevelStep:
    return LevelStep(column.name, level, helped, loss, column.hierarchy)


def _must_change(question: Question, limit: int, clock: Clock) -> MustChange | None:
    """The smallest set of columns that suffices with its columns at their highest levels allowed, the others at the
    lowest: with criteria that only get better by generalising, no other levels of these columns do better.
    """
    monotonic = all(each.scope == "group" and each.monotonic(suppression=True) for each in question.criteria)
    top = question.lattice.heights
    movable = np.flatnonzero(top).tolist()
    tried = 0
    for size in range(len(movable) + 1):
        sets = list(islice(combinations(movable, size), 1 + _SETS_AT_MOST))
        tried += len(sets)
        if tried > _SETS_AT_MOST or tried * len(question.lattice) > CHEAP:
            return None
        wanted = np.array([np.where(np.isin(np.arange(len(top)), chosen), top, 0) for chosen in sets])
        suppressed = _suppressed_at(question, wanted, clock)
        if suppressed is None:
            return None
        if (suppressed <= limit).any():
            best = int(suppressed.argmin())
            columns = tuple(question.quasi[place] for place in sets[best])
            return MustChange(columns, int(suppressed[best]), monotonic) if columns else None
    return None


def _least_suppressed(explored: Explored, clock: Clock) -> int | None:
    """What the highest node suppresses, if criteria only get better with generalisation; else any node may be best."""
    question, counts = explored.question, explored.counts
    if all(each.monotonic(suppression=True) for each in question.criteria if each.scope == "group"):
        return int(_suppressed_at(question, question.lattice.heights[None, :])[0])
    listed = len(explored.nodes) == question.lattice.size
    if listed and (counts.state == NodeState.CHECKED).all():
        return int(counts.suppressed[:, 0].min())
    if not is_cheap(question) or not is_listable(question, clock.seconds):
        return None
    everywhere = _suppressed_at(question, question.lattice.nodes, clock)
    return None if everywhere is None else int(everywhere.min())


@overload
def _suppressed_at(question: Question, nodes: NDArray[np.int64]) -> NDArray[np.int64]: ...
@overload
def _suppressed_at(question: Question, nodes: NDArray[np.int64], clock: Clock) -> NDArray[np.int64] | None: ...
def _suppressed_at(
    question: Question, nodes: NDArray[np.int64], clock: Clock | None = None
) -> NDArray[np.int64] | None:
    """What each of the nodes, levels of the lattice, suppresses; None where there was no time to say it."""
    requirement = question.requirements([question.k])
    head = np.broadcast_to(nodes.max(axis=0), nodes.shape)
    seconds = 0 if clock is None else clock.left
    counts = question.lattice.check(nodes, requirement, question.records, below=head, describe=False, seconds=seconds)
    return None if (counts.state == NodeState.UNKNOWN).any() else np.asarray(counts.suppressed[:, 0])
