"""A table with cells left out, so that what is shown tells nothing of small groups; and the proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from biombo._errors import UsageError
from biombo._tabulate.audit import Intervals, intervals, kinds
from biombo._tabulate.cube import Cube
from biombo._tabulate.doubts import Joined
from biombo._tabulate.patterns import Patterns, weighed
from biombo._tabulate.rules import RECORDS, Marks, Measure, Rules, column_of
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
    more = known = np.zeros(cube.shape, bool)
    while True:
        known = known | more
        found = _left_out(cube, measures, sensitive, sensitive | known, together)
        more = _exact_sums(measures, found) & ~known
        if not more.any():
            break
    for measure in measures:
        refuse_narrow(measure, sensitive, found.evidence[measure.name])
    if _exact_sums(measures, found).any():
        raise UsageError("tabulate.not-protected", measure=", ".join(cube.sums))
    return found


def _exact_sums(measures: Sequence[Measure], found: Suppression) -> Marks:
    """The cells left out of which a sum is known exactly, so that they might as well be shown."""
    sums = [found.evidence[each.name].exact for each in measures if each.is_shown and not each.is_whole]
    return np.asarray(found.hidden & np.logical_or.reduce([np.zeros(found.hidden.shape, bool), *sums]))


def _left_out(
    cube: Cube, measures: Sequence[Measure], sensitive: Marks, protected: Marks, together: Together | None
) -> Suppression:
    """The table in which the cells to be ``protected`` are left out, and what gives them away."""
    none = np.zeros(cube.shape, bool)
    public = none if together is None else together.public & ~protected
    hidden = _by_patterns(cube, measures, protected, public)
    joined = Joined(hidden, 0) if together is None else together.joined(hidden)
    evidence = {each.name: evident(cube, each, joined.hidden) for each in measures}
    further = int(np.count_nonzero(joined.hidden & ~hidden))
    return Suppression(sensitive, joined.hidden, evidence, further, joined.public)


def _by_patterns(cube: Cube, measures: Sequence[Measure], sensitive: Marks, public: Marks) -> Marks:
    """What patterns leave out that change nothing which is public already; where there is none, the table must hold by
    itself at least.
    """
    patterns = Patterns(cube, measures, sensitive, public)
    left = patterns.protect()
    patterns.tidy()
    if left and public.any():
        alone = Patterns(cube, measures, sensitive, np.zeros(cube.shape, bool))
        alone.suppressed |= patterns.suppressed
        patterns, left = alone, alone.protect()
    return _without_pattern(cube, measures, patterns.suppressed, left)


def _without_pattern(cube: Cube, measures: Sequence[Measure], hidden: Marks, cells: Sequence[int]) -> Marks:
    """The cells left out, with what must go for the sake of those that have no pattern because none of their parts can
    spare by itself what they must be able to have less: all their parts and whatever has some of these, unless enough
    is open as it is.
    """
    if not cells:
        return hidden
    known = np.zeros(cube.shape, bool)
    for measure in measures:
        found = evident(cube, measure, hidden)
        known |= is_narrow(measure, found) | found.unbounded
    around = np.zeros(cube.shape, bool)
    for cell in np.asarray(cells, np.int64)[known.flat[cells]]:
        places = zip(cube.classifications, np.unravel_index(cell, cube.shape), strict=True)
        around[np.ix_(*(np.unique(tree.ancestors[tree.leaves_under(int(at))]) for tree, at in places))] = True
    return hidden | (around & np.isfinite(weighed(cube, measures[0], np.zeros(cube.shape, bool))))


def evident(cube: Cube, measure: Measure, hidden: Marks) -> Intervals:
    """How far the cells left out can be known by what is shown of the others."""
    return intervals(
        cube.classifications,
        measure.values,
        hidden,
        measure.floor,
        whole=measure.is_whole,
        asked=None if measure.is_shown else (measure.down > 0) | (measure.up > 0),
    )


def refuse_narrow(measure: Measure, sensitive: Marks, found: Intervals) -> None:
    """Raise where a cell that tells too much is known too well: such a table must never go out."""
    if (sensitive & is_narrow(measure, found) & ~(found.unbounded & ~np.isnan(found.low))).any():
        raise UsageError("tabulate.not-protected", measure=column_of(measure.name))


def is_narrow(measure: Measure, found: Intervals) -> Marks:
    """Where is a number known more exactly than it may be of a cell that tells too much?"""
    return ~found.covers(measure.values - measure.down, measure.values + measure.up)
