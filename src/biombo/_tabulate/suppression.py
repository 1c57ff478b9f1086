"""A table with cells left out, so that what is shown tells nothing of small groups; and the proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from biombo._errors import UsageError
from biombo._tabulate.audit import Intervals, intervals, kinds
from biombo._tabulate.cube import Cube
from biombo._tabulate.doubts import Joined
from biombo._tabulate.patterns import Patterns
from biombo._tabulate.rules import RECORDS, Marks, Measure, Rules
from biombo._tabulate.together import Together


@dataclass(frozen=True, eq=False)
class Suppression:
    """Which cells are left out."""

    sensitive: Marks
    """Those that tell too much by themselves. Which these are is told to nobody."""
    hidden: Marks
    """These, and those without which they could be computed."""
    evidence: Mapping[str, Intervals]
    """By what is shown of cells: how far those left out can be known."""
    further: int = 0
    """How many of these are left out for the sake of what earlier tables show."""
    public: int = 0
    """How many groups that tell too much earlier tables had given away by themselves."""

    @property
    def is_proved(self) -> bool:
        """Was every cell that is left out bounded?"""
        return not any(each.unbounded.any() for each in self.evidence.values())

    @property
    def kinds(self) -> dict[str, int]:
        """How many of the cells left out are bounded exactly, by linear programs alone, and not at all."""
        return kinds(self.hidden, self.evidence[RECORDS])


def nothing_left_out(cube: Cube) -> Suppression:
    """Every cell is shown, by numbers that are protected otherwise."""
    return Suppression(np.zeros(cube.shape, bool), np.zeros(cube.shape, bool), {})


def suppressed(cube: Cube, rules: Rules, together: Together | None = None) -> Suppression:
    """Leave out what tells too much, and as little besides as protects it, by itself and ``together`` with earlier
    tables; then look at the table as others will.
    """
    measures = rules.measures(cube)
    sensitive = rules.sensitive(cube)
    none = np.zeros(cube.shape, bool)
    hidden = _by_patterns(cube, measures, sensitive, none if together is None else together.public & ~sensitive)
    joined = Joined(hidden, 0) if together is None else together.joined(hidden)
    evidence = {each.name: evident(cube, each, joined.hidden) for each in measures}
    for measure in measures:
        refuse_narrow(measure, sensitive, evidence[measure.name])
    further = int(np.count_nonzero(joined.hidden & ~hidden))
    return Suppression(sensitive, joined.hidden, evidence, further, joined.public)


def _by_patterns(cube: Cube, measures: Sequence[Measure], sensitive: Marks, public: Marks) -> Marks:
    """What patterns leave out that change nothing which is public already; where there is none, the table must hold by
    itself at least.
    """
    patterns = Patterns(cube, measures, sensitive, public)
    left = patterns.protect()
    patterns.tidy()
    if not left or not public.any():
        return patterns.suppressed
    alone = Patterns(cube, measures, sensitive, np.zeros(cube.shape, bool))
    alone.suppressed |= patterns.suppressed
    alone.protect()
    return alone.suppressed


def evident(cube: Cube, measure: Measure, hidden: Marks) -> Intervals:
    """How far the cells left out can be known by what is shown of the others."""
    return intervals(
        cube.classifications,
        measure.values,
        hidden,
        measure.floor,
        whole=measure.is_whole,
    )


def refuse_narrow(measure: Measure, sensitive: Marks, found: Intervals) -> None:
    """Raise where a cell that tells too much is known too well: such a table must never go out."""
    low, high = measure.values - measure.down, measure.values + measure.up
    if (sensitive & ~found.covers(low, high) & ~(found.unbounded & ~np.isnan(found.low))).any():
        raise UsageError("tabulate.not-protected", measure=measure.name)
