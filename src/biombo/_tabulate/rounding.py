"""Controlled rounding: every count becomes a multiple of a base near to it, and totals stay the sums of their parts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from biombo._engine import Randomness
from biombo._errors import UsageError
from biombo._i18n import text
from biombo._tabulate.audit import is_unimodular
from biombo._tabulate.bounds import linear_program
from biombo._tabulate.classification import Classification, Places
from biombo._tabulate.cube import Numbers
from biombo._tabulate.equations import Equations
from biombo._tabulate.protection import Counted, Kind, Protection, are_counts, gaps
from biombo._tabulate.rules import is_whole
from biombo._watch import stoppable

MOST_BASE = 1000
"""Counts are rounded to multiples of no more: it takes as many linear programs as half of that, on average."""
MOST_BASES = 3
"""So many bases a count may be off at most, in tables that cannot be rounded to neighbours."""
_SECONDS = 60.0
"""How long a rounding is looked for."""
_NEAR_ENOUGH = 1e9
"""Where it takes a search, the first rounding that is found is taken: the aims have led it."""


@dataclass(frozen=True)
class Rounding(Protection):
    """All counts are multiples of ``base``, each less than ``distance`` bases from the true one, and totals add up. As
    long as the distance is 1, those that are multiples already stay (zero-restricted; Cox 1987); zeros always do.
    """

    base: int
    distance: int = 1

    kind: ClassVar[Kind] = "round"
    status: ClassVar[Literal["rounded", "noised"]] = "rounded"

    def __post_init__(self) -> None:
        if not is_whole(self.base) or self.base < 2:
            raise UsageError("tabulate.base", base=self.base, most=MOST_BASE)

    def disguised(self, counted: Counted, random: Randomness) -> "tuple[Rounding, Numbers]":
        """The counts, rounded. Raises where the base would not hide groups of fewer than k people."""
        cube = counted.cube
        if self.base > MOST_BASE:
            raise UsageError("tabulate.base", base=self.base, most=MOST_BASE)
        if self.base < counted.k:
            raise UsageError("tabulate.base-below-k", base=self.base, k=counted.k)
        most = int(cube.records[cube.people < counted.k].max(initial=0))
        if most >= self.base:
            raise UsageError("tabulate.base-of-people", base=self.base, k=counted.k, records=most, least=most + 1)
        values, distance = rounded(cube.classifications, cube.records, self.base, random)
        return replace(self, distance=distance), values

    def is_met_by(self, shown: Any) -> bool:
        """Are all multiples, and do totals add up?"""
        values = shown.values["records"]
        added = all((gap == 0).all() for gap, _ in gaps(shown.classifications, values))
        return are_counts(values) and not (values % self.base).any() and self.base >= shown.k and added

    def interval(self, value: int, least: int = 0) -> tuple[int, int]:
        """The least and the most that a cell can have which shows ``value``, and is known to have ``least`` anyway: k
        where it is the row of a category that no public list has, by itself.

        >>> Rounding(5).interval(0), Rounding(5).interval(10), Rounding(20).interval(0, least=5)
        ((0, 4), (6, 14), (5, 19))
        """
        away = self.distance * self.base - 1
        return max(least, value - away), value + away

    def sentences(self, k: int) -> Iterator[str]:
        """What is done, and what can be known all the same."""
        yield text("tabulate.rounded", base=self.base, away=self.distance * self.base - 1)
        yield text("tabulate.rounded-tells", first=self.distance * self.base, most=self.interval(0)[1], k=k)
        if self.distance > 1:
            yield text("tabulate.rounded-far", distance=self.distance)

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        return {"kind": self.kind, "base": self.base, "distance": self.distance}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Rounding":
        """The one that plain values describe."""
        return cls(int(tree["base"]), int(tree["distance"]))


def rounded(trees: Sequence[Classification], records: Places, base: int, random: Randomness) -> tuple[Numbers, int]:
    """The counts as multiples of ``base``, and how many bases each may be off.

    Where cells stand in rows and columns, of which one kind may have totals within totals, every count is on average
    what it is. Let x = n / base, of which every part above the floor is a multiple of 1 / base. By the theorem on whole
    ends of networks there are roundings v₁ … v_base with x = Σ v / base: one of them is taken, each with the same
    chance. They are looked for one after another, up to the one that is taken, by linear programs with random aims.

    In other tables there may be no such roundings. There each count is drawn up or down by itself, up with the chance
    of its part above the floor, and a rounding that adds up is searched for which is near to that.
    """
    floor, rest = np.divmod(records, base)
    draw = _drawn if is_unimodular(trees) else _near
    for distance in range(1, MOST_BASES + 1):
        away = distance - 1
        free = rest > 0 if away == 0 else records > 0
        result = floor.astype(np.float64)
        for block in stoppable(Equations.of(trees, records / base, free).blocks() if free.any() else ()):
            low, left = floor.ravel()[block.cells], rest.ravel()[block.cells]
            found = draw(block, low, left, base, random) if away == 0 else _further(block, low, left, away, random)
            if found is None:
                break
            result.flat[block.cells] = found
        else:
            return result * base, distance
    raise UsageError("tabulate.no-rounding", most=MOST_BASES)


def _drawn(block: Equations, floor: Places, rest: Places, base: int, random: Randomness) -> Numbers | None:
    """One of the roundings of which the counts are the mean, each with the same chance."""
    left, found = rest.copy(), None
    for turns in range(base, 0, -1):
        aims = 2 * random.uniform(len(left)) - 1
        found = _solved(block, floor + (left == turns), floor + (left > 0), aims, searched=False)
        if found is None or int(random.words(1)[0]) * turns >> 64 == 0:
            break
        left -= (found - floor).astype(np.int64)
    return found


def _near(block: Equations, floor: Places, rest: Places, base: int, random: Randomness) -> Numbers | None:
    """A rounding to neighbours near to one in which each count is drawn by itself; none where there is none."""
    is_up = random.uniform(len(rest)) < rest / base
    aims = np.where(is_up, -1.0, 1.0) * (1 + random.uniform(len(rest)))
    return _solved(block, floor, floor + 1, aims, searched=True)


def _further(block: Equations, floor: Places, rest: Places, away: int, random: Randomness) -> Numbers | None:
    """A rounding to multiples that may be so many bases ``away`` from the neighbours; none where there is none."""
    low, high = np.maximum(floor - away, 0), floor + (rest > 0) + away
    return _solved(block, low, high, 2 * random.uniform(len(floor)) - 1, searched=True)


def _solved(block: Equations, low: Places, high: Places, aims: Numbers, *, searched: bool) -> Numbers | None:
    """Whole numbers between two bounds that add up; none where none are found."""
    import highspy

    model = linear_program(block.between(low.astype(np.float64), high.astype(np.float64)))
    model.col_cost_ = aims
    if searched:
        model.integrality_ = [highspy.HighsVarType.kInteger] * len(block.cells)
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for option, value in {"solver": "simplex", "time_limit": _SECONDS, "mip_rel_gap": _NEAR_ENOUGH}.items():
        solver.setOptionValue(option, value)
    solver.passModel(model)
    solver.run()
    if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return None
    return np.asarray(np.rint(solver.getSolution().col_value), np.float64)
