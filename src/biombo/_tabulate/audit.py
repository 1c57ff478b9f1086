"""How far a cell that is left out may be known: the least and the most that it can have, given all that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from biombo._errors import UsageError
from biombo._tabulate.classification import Classification
from biombo._tabulate.cube import Numbers
from biombo._tabulate.equations import Equations
from biombo._tabulate.rules import Marks
from biombo._watch import stoppable

MOST_AUDITED = 2000
"""Cells of a block that are bounded one by one; in larger ones only those that equations alone give away are found."""
_MOST_WHOLE = 150
"""Cells of a block that are bounded in whole numbers where that takes a search."""


_SLACK = 1e-6
"""How exact linear programs are."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """By cell of a table: what it can have. One that is shown has what it has."""

    low: Numbers
    high: Numbers
    unbounded: Marks
    """Cells in blocks that are too large: only that they are given away, or not, is known."""

    scale: float
    """How large the largest numbers are."""

    def covers(self, low: Numbers, high: Numbers) -> Marks:
        """The cells whose interval has another in it."""
        slack = _SLACK * self.scale
        return np.asarray((self.low <= low + slack) & (self.high >= high - slack))


def intervals(
    trees: Sequence[Classification],
    shown: Numbers,
    hidden: Marks,
    floor: float,
    *,
    whole: bool,
    most: int = MOST_AUDITED,
) -> Intervals:
    """What each cell of a table can have in the eyes of whoever has nothing but the table, and knows that cells left
    out have ``floor`` at least.
    """
    scale = 1.0 if whole else max(1.0, float(np.nanmax(np.where(hidden, 0.0, shown), initial=1.0)))
    shown = shown / scale
    low, high = (np.where(hidden, 0.0, shown).ravel() for _ in range(2))
    unbounded = np.zeros(hidden.size, bool)
    if hidden.any():
        for block in stoppable(Equations.of(trees, shown, hidden).blocks()):
            if len(block.cells) > most:
                given = block.determined()
                low[block.cells], high[block.cells] = np.where(given, np.nan, floor), np.where(given, np.nan, np.inf)
                unbounded[block.cells] = True
                continue
            searched = whole and not is_unimodular(trees) and len(block.cells) <= _MOST_WHOLE
            low[block.cells], high[block.cells] = bounded(block, floor, whole=searched)
    if whole:
        low, high = np.ceil(low - _SLACK), np.floor(high + _SLACK)
    shape = shown.shape
    return Intervals((low * scale).reshape(shape), (high * scale).reshape(shape), unbounded.reshape(shape), scale)


def bounded(block: Equations, floor: float, *, whole: bool) -> tuple[Numbers, Numbers]:
    """The least and the most that each cell of a block can have, by linear programs that differ in their aim alone; in
    ``whole`` numbers by searches between the ends that these have.
    """
    import highspy

    free = np.full(len(block.cells), floor), np.full(len(block.cells), highspy.kHighsInf)
    low, high = _ends(linear_program(block, *free), np.isfinite(free[0]), np.isfinite(free[0]))
    if not whole:
        return low, high
    low, high = np.ceil(low - _SLACK), np.floor(high + _SLACK)
    model = linear_program(block, low, np.where(np.isfinite(high), high, highspy.kHighsInf))
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(block.cells)
    lowest, highest = _ends(model, low > floor, np.isfinite(high))
    return np.where(low > floor, lowest, low), np.where(np.isfinite(high), highest, high)


def _ends(model: Any, lowest: Marks, highest: Marks) -> tuple[Numbers, Numbers]:
    """The least and the most of each variable of a model, where they are wanted."""
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    solver.passModel(model)
    ends = []
    for sense, wanted in ((highspy.ObjSense.kMinimize, lowest), (highspy.ObjSense.kMaximize, highest)):
        solver.changeObjectiveSense(sense)
        ends.append(np.array([_end(solver, cell, sense) if asked else np.nan for cell, asked in enumerate(wanted)]))
    return ends[0], ends[1]


def linear_program(block: Equations, low: Numbers, high: Numbers) -> Any:
    """The equations as HiGHS has them, by column."""
    import highspy

    order = np.argsort(block.columns, kind="stable")
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(block.cells), len(block)
    model.col_cost_ = np.zeros(len(block.cells))
    model.col_lower_, model.col_upper_ = low, high
    model.row_lower_ = model.row_upper_ = block.known
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.searchsorted(block.columns[order], np.arange(len(block.cells) + 1)).astype(np.int32)
    model.a_matrix_.index_ = block.rows[order].astype(np.int32)
    model.a_matrix_.value_ = block.signs[order]
    return model


def _end(solver: Any, cell: int, sense: Any) -> float:
    """The least or the most that a cell can have."""
    import highspy

    ends = (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible)
    solver.changeColCost(cell, 1.0)
    solver.run()
    if solver.getModelStatus() not in (*ends, highspy.HighsModelStatus.kOptimal):  # it lost its way from the last aim
        solver.clearSolver()
        solver.run()
    status, found = solver.getModelStatus(), solver.getInfo().objective_function_value
    solver.changeColCost(cell, 0.0)
    if status == highspy.HighsModelStatus.kOptimal:
        return float(found)
    if sense == highspy.ObjSense.kMaximize and status in ends:
        return inf
    raise UsageError("tabulate.contradiction")


def is_unimodular(trees: Sequence[Classification]) -> bool:
    """Do whole numbers between two bounds always have whole ends? So it is where cells stand in rows and columns, of
    which one kind may have totals within totals (a network).
    """
    heights = sorted(tree.height for tree in trees if len(tree) > 1)
    return len(heights) <= 1 or (len(heights) == 2 and heights[0] == 1)
