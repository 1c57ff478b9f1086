"""A table with cells left out, so that what is shown tells nothing of small groups; and the proof."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from biombo._errors import UsageError
from biombo._tabulate.audit import Intervals, intervals
from biombo._tabulate.cube import Cube
from biombo._tabulate.patterns import Patterns
from biombo._tabulate.rules import Marks, Measure, Rules

_MOST_TIDIED = 5000
"""So many cells that are left out besides are looked at once more."""


@dataclass(frozen=True, eq=False)
class Suppression:
    """Which cells are left out."""

    sensitive: Marks
    """Those that tell too much by themselves. Which these are is told to nobody."""
    hidden: Marks
    """These, and those without which they could be computed."""
    evidence: Mapping[str, Intervals]
    """By what is shown of cells: how far those left out can be known."""

    @property
    def is_proved(self) -> bool:
        """Was every cell that is left out bounded?"""
        return not any(each.unbounded.any() for each in self.evidence.values())


def nothing_left_out(cube: Cube) -> Suppression:
    """Every cell is shown, by numbers that are protected otherwise."""
    return Suppression(np.zeros(cube.shape, bool), np.zeros(cube.shape, bool), {})


def suppressed(cube: Cube, rules: Rules) -> Suppression:
    """Leave out what tells too much, and as little besides as protects it; then look at the table as others will."""
    measures = rules.measures(cube)
    patterns = Patterns(cube, measures, rules.sensitive(cube), np.zeros(cube.shape, bool))
    patterns.protect()
    if np.count_nonzero(patterns.suppressed & ~patterns.sensitive) <= _MOST_TIDIED:
        patterns.tidy()
    hidden = patterns.suppressed
    evidence = {each.name: evident(cube, each, hidden) for each in measures}
    for measure in measures:
        refuse_narrow(measure, patterns.sensitive, evidence[measure.name])
    return Suppression(patterns.sensitive, hidden, evidence)


def evident(cube: Cube, measure: Measure, hidden: Marks) -> Intervals:
    """How far the cells left out can be known by what is shown of the others."""
    return intervals(
        cube.classifications,
        measure.values,
        hidden,
        float(measure.floor.flat[0]),
        whole=measure.is_whole,
    )


def refuse_narrow(measure: Measure, sensitive: Marks, found: Intervals) -> None:
    """Raise where a cell that tells too much is known too well: such a table must never go out."""
    low, high = measure.values - measure.down, measure.values + measure.up
    if (sensitive & ~found.covers(low, high) & ~(found.unbounded & ~np.isnan(found.low))).any():
        raise UsageError("tabulate.not-protected", measure=measure.name)
