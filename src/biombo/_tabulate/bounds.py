"""The least and the most that sums of unknown numbers can have, given what is known of other sums (HiGHS)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from biombo._errors import UsageError
from biombo._tabulate.classification import Places
from biombo._tabulate.cube import Numbers

EXACT = 1e-6
"""How exact linear programs are."""


@dataclass(frozen=True, eq=False)
class System:
    """Sums of unknown numbers, each between two ends: low <= Σ sign · number <= high."""

    rows: Places
    columns: Places
    signs: Numbers
    """The entries of the matrix: which sum, which number, and how often it counts."""
    low: Numbers
    high: Numbers
    """By sum."""
    floor: Numbers
    ceiling: Numbers
    """By number: what it has at least and at most."""

    @classmethod
    def of_sums(cls, sums: Sequence[Places], low: Numbers, high: Numbers, floor: Numbers, ceiling: Numbers) -> "System":
        """Sums whose numbers all count once, by the places of these."""
        rows = np.repeat(np.arange(len(sums)), [len(places) for places in sums])
        columns = np.concatenate([np.zeros(0, np.int64), *sums])
        return cls(rows, columns, np.ones(len(columns)), low, high, floor, ceiling)

    def with_sums(self, sums: Sequence[Places], low: Numbers, high: Numbers) -> "System":
        """The same, with further sums."""
        more = System.of_sums(sums, low, high, self.floor, self.ceiling)
        return System(
            np.concatenate([self.rows, more.rows + len(self.low)]),
            np.concatenate([self.columns, more.columns]),
            np.concatenate([self.signs, more.signs]),
            np.concatenate([self.low, low]),
            np.concatenate([self.high, high]),
            self.floor,
            self.ceiling,
        )

    def with_numbers(self, rows: Places, sign: float, ceiling: Numbers) -> "System":
        """The same, with one further number from zero up in each of these sums."""
        columns = len(self.floor) + np.arange(len(rows))
        return System(
            np.concatenate([self.rows, rows]),
            np.concatenate([self.columns, columns]),
            np.concatenate([self.signs, np.full(len(rows), sign)]),
            self.low,
            self.high,
            np.concatenate([self.floor, np.zeros(len(rows))]),
            np.concatenate([self.ceiling, ceiling]),
        )


class Program:
    """A system whose sums are bounded one after the other, by linear programs that differ in their aim alone; in
    ``whole`` numbers by searches.
    """

    def __init__(self, system: System, *, whole: bool = False) -> None:
        import highspy

        self._solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._solver.silent()
        model = linear_program(system)
        if whole:
            model.integrality_ = [highspy.HighsVarType.kInteger] * len(system.floor)
        self._solver.passModel(model)
        self._senses = {False: highspy.ObjSense.kMinimize, True: highspy.ObjSense.kMaximize}
        self._upwards: bool | None = None

    def least(self, places: Sequence[int] | Places, weights: Numbers | float = 1.0) -> float:
        """The least that some numbers have together, each as often as its weight says."""
        return _there(self.end(places, weights, upwards=False))

    def most(self, places: Sequence[int] | Places, weights: Numbers | float = 1.0) -> float:
        """The most that some numbers have together, each as often as its weight says; infinite where there is none."""
        return _there(self.end(places, weights, upwards=True))

    @property
    def point(self) -> Numbers:
        """The numbers of the end that was found last."""
        return np.asarray(self._solver.getSolution().col_value, np.float64)

    def end(self, places: Sequence[int] | Places, weights: Numbers | float = 1.0, *, upwards: bool) -> float | None:
        """The most or the least that some numbers have together, each as often as its weight says; None where no
        numbers are as the system asks.
        """
        import highspy

        endless = (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible)
        if self._upwards is not upwards:
            self._solver.changeObjectiveSense(self._senses[upwards])
            self._upwards = upwards
        at, each = np.asarray(places, np.int32), np.broadcast_to(weights, len(places)).astype(np.float64)
        self._solver.changeColsCost(len(at), at, each)
        self._solver.run()
        if self._solver.getModelStatus() not in (
            *endless,
            highspy.HighsModelStatus.kOptimal,
        ):  # lost since the last aim
            self._solver.clearSolver()
            self._solver.run()
        status, found = self._solver.getModelStatus(), self._solver.getInfo().objective_function_value
        self._solver.changeColsCost(len(at), at, np.zeros(len(at)))
        if status == highspy.HighsModelStatus.kOptimal:
            return float(found)
        return inf if status in endless and upwards else None


def _there(end: float | None) -> float:
    """An end of sums that somebody published, which must not contradict each other."""
    if end is None:
        raise UsageError("tabulate.contradiction")
    return end


def linear_program(system: System) -> Any:
    """The system as HiGHS has it, by column."""
    import highspy

    order = np.argsort(system.columns, kind="stable")
    numbers = len(system.floor)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = numbers, len(system.low)
    model.col_cost_ = np.zeros(numbers)
    model.col_lower_, model.col_upper_ = _ended(system.floor), _ended(system.ceiling)
    model.row_lower_, model.row_upper_ = _ended(system.low), _ended(system.high)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.searchsorted(system.columns[order], np.arange(numbers + 1)).astype(np.int32)
    model.a_matrix_.index_ = system.rows[order].astype(np.int32)
    model.a_matrix_.value_ = system.signs[order]
    return model


def _ended(ends: Numbers) -> Numbers:
    """The ends with what HiGHS has in the place of none."""
    import highspy

    return np.nan_to_num(ends, posinf=highspy.kHighsInf, neginf=-highspy.kHighsInf)
