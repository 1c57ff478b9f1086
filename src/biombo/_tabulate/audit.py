"""How far a cell that is left out may be known: the least and the most that it can have, given all that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from biombo._tabulate.bounds import EXACT, Program
from biombo._tabulate.classification import Classification
from biombo._tabulate.cube import Numbers
from biombo._tabulate.equations import Equations
from biombo._tabulate.rules import Marks
from biombo._watch import stoppable

MOST_AUDITED = 2000
"""Cells of a block that are bounded one by one; in larger ones only those that equations alone give away are found."""
_SAME = 1e-12
"""Ends that differ by this share of the largest number may be the same."""
_MOST_WHOLE = 150
"""Cells of a block that are bounded in whole numbers where that takes a search."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """By cell of a table: what it can have. One that is shown has what it has."""

    low: Numbers
    high: Numbers
    unbounded: Marks
    """Cells in blocks that are too large: only that they are given away, or not, is known."""
    rounded: Marks
    """Cells that are bounded by linear programs alone: whole numbers may leave less."""

    scale: float
    """How large the largest numbers are."""

    def covers(self, low: Numbers, high: Numbers) -> Marks:
        """The cells whose interval has another in it."""
        slack = EXACT * self.scale
        return np.asarray((self.low <= low + slack) & (self.high >= high - slack))

    @property
    def exact(self) -> Marks:
        """The cells that were bounded and have one number that they can have, other than nothing."""
        least = _SAME * self.scale
        return np.asarray(~self.unbounded & (self.high - self.low <= least) & (self.high > least))


def intervals(
    trees: Sequence[Classification],
    shown: Numbers,
    hidden: Marks,
    floor: Numbers | float,
    *,
    whole: bool,
    most: int = MOST_AUDITED,
    asked: Marks | None = None,
) -> Intervals:
    """What each cell of a table can have in the eyes of whoever has nothing but the table, and knows that cells left
    out have ``floor`` at least. Of cells that are not ``asked`` for nothing more is looked at.
    """
    least = np.broadcast_to(floor, shown.shape).ravel()
    scale = 1.0 if whole else max(1.0, float(np.nanmax(np.where(hidden, 0.0, shown), initial=1.0)))
    shown = shown / scale
    low, high = (np.where(hidden, 0.0, shown).ravel() for _ in range(2))
    unbounded, rounded = np.zeros(hidden.size, bool), np.zeros(hidden.size, bool)
    if hidden.any():
        for block in stoppable(Equations.of(trees, shown, hidden).blocks()):
            if len(block.cells) > most:
                given = block.determined()
                low[block.cells], high[block.cells] = (
                    np.where(given, np.nan, least[block.cells]),
                    np.where(given, np.nan, np.inf),
                )
                unbounded[block.cells] = True
                continue
            searched = whole and not is_unimodular(trees) and len(block.cells) <= _MOST_WHOLE
            rounded[block.cells] = whole and not is_unimodular(trees) and not searched
            which = np.ones(len(block.cells), bool) if asked is None else asked.flat[block.cells]
            low[block.cells], high[block.cells] = bounded(block, least[block.cells], which, whole=searched)
    low = np.where(np.isnan(low), low, np.maximum(low, np.where(hidden.ravel(), least, low)))
    if whole:
        low, high = np.ceil(low - EXACT), np.floor(high + EXACT)
    shape = shown.shape
    ends = (low * scale).reshape(shape), (high * scale).reshape(shape)
    return Intervals(*ends, unbounded.reshape(shape), rounded.reshape(shape), scale)


def kinds(hidden: Marks, found: Intervals) -> dict[str, int]:
    """How many of the cells left out are known how far; numbers that follow from the table itself."""
    left_out, unbounded, rounded = (int(np.count_nonzero(each)) for each in (hidden, found.unbounded, found.rounded))
    return {"exact": left_out - unbounded - rounded, "linear": rounded, "rank": unbounded}


def bounded(block: Equations, floor: Numbers, asked: Marks, *, whole: bool) -> tuple[Numbers, Numbers]:
    """The least and the most that each cell of a block can have, where it is asked for, by linear programs; in
    ``whole`` numbers by searches between the ends that these have.
    """
    endless = np.full(len(block.cells), np.inf)
    low, high = _ends(Program(block.between(floor, endless)), asked, asked)
    low, high = np.where(asked, low, floor), np.where(asked, high, endless)
    if not whole:
        return low, high
    low, high = np.ceil(low - EXACT), np.floor(high + EXACT)
    lowest, highest = _ends(Program(block.between(low, high), whole=True), low > floor, np.isfinite(high))
    return np.where(low > floor, lowest, low), np.where(np.isfinite(high), highest, high)


def _ends(program: Program, lowest: Marks, highest: Marks) -> tuple[Numbers, Numbers]:
    """The least and the most of each number of a program, where they are wanted."""
    low = [program.least([cell]) if asked else np.nan for cell, asked in enumerate(lowest)]
    high = [program.most([cell]) if asked else np.nan for cell, asked in enumerate(highest)]
    return np.array(low), np.array(high)


def is_unimodular(trees: Sequence[Classification]) -> bool:
    """Do whole numbers between two bounds always have whole ends? So it is where cells stand in rows and columns, of
    which one kind may have totals within totals (a network).
    """
    heights = sorted(tree.height for tree in trees if len(tree) > 1)
    return len(heights) <= 1 or (len(heights) == 2 and heights[0] == 1)
