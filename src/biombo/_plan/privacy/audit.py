"""An audit of ε: how far apart the outputs for two values really are, by drawing many of them."""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from biombo._attack import falling_root
from biombo._engine import Batch
from biombo._errors import UsageError
from biombo._plan.operations import PrivateOperation
from biombo._plan.operations.operation import Context
from biombo._plan.values.distinct_values import column_values

_FEWEST_DRAWS = 100
_EVENTS = 64
"""Outputs, and thresholds between outputs, that are tried."""
_DEVIATIONS = 4
"""Among hundreds of events, some rare one is always two or three deviations off, and would be chosen for that alone."""

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Audit:
    """What was found for two values. Made by :func:`biombo.audit_epsilon`."""

    claimed: float
    """The operation's ε."""
    at_least: float
    """ε is at least this, with the confidence that was asked for."""

    @property
    def refuted(self) -> bool:
        """Is the claimed ε too low? If not, nothing is proved: other values may be further apart."""
        return self.at_least > self.claimed


def audit_epsilon(
    operation: PrivateOperation, a: Any, b: Any, draws: int = 20_000, *, confidence: float = 0.99
) -> Audit:
    """A lower bound on the ε of ``operation``, from ``draws`` outputs for the value ``a`` and as many for ``b``.

    Half of the draws choose an event that tells the two values apart; the others bound its chances for either value by
    Clopper and Pearson, each of them wrong in half of the cases that ``confidence`` leaves: ε ≥ ln(lowest chance for
    one / highest chance for the other). Who audits often asks for more confidence: at 99% one audit in a hundred may
    refute a sound mechanism.

    >>> import biombo as bb
    >>> bb.audit_epsilon(bb.RandomisedResponse("smokes", 1, ("yes", "no")), "yes", "no").at_least < 1.2
    True
    """
    if draws < _FEWEST_DRAWS:
        raise UsageError("privacy.draws", draws=draws, fewest=_FEWEST_DRAWS)
    if not 0 < confidence < 1:
        raise UsageError("privacy.confidence", confidence=confidence)
    half = draws // 2
    outputs = [_outputs(operation, value, 2 * half) for value in (a, b)]
    codes = pl.concat(outputs).rank("dense").fill_null(0).to_numpy().astype(np.int64).reshape(2, 2, half)
    highest = int(codes.max()) + 1
    counts = [[np.bincount(part, minlength=highest) for part in of_value] for of_value in codes]
    event, likelier = telling_event(counts[0][0], counts[1][0])
    seen, seen_else = (int(counts[value][1][event].sum()) for value in (likelier, 1 - likelier))
    error = (1 - confidence) / 2
    lowest, highest_else = lowest_chance(seen, half, error), highest_chance(seen_else, half, error)
    return Audit(operation.epsilon, log(lowest / highest_else) if lowest > highest_else else 0.0)


def _outputs(operation: PrivateOperation, value: Any, n: int) -> pl.Series:
    batch = Batch(pa.record_batch({operation.column: pa.array([value] * n)}), np.zeros(n, bool))
    released = operation.start(Context())(batch).table.column(operation.column)
    return column_values(released)


def telling_event(a: Counts, b: Counts) -> tuple[NDArray[np.bool_], int]:
    """The event, as a choice of outputs, that tells two values best apart, and for which of them it is likelier."""
    events = _events(a + b)
    for_a, for_b = events @ a, events @ b
    scores = np.stack([_score(for_a, for_b), _score(for_b, for_a)])
    likelier, event = np.unravel_index(int(scores.argmax()), scores.shape)
    return events[event], int(likelier)


def _events(counts: Counts) -> NDArray[np.bool_]:
    """The most frequent outputs, each alone, and all up to or from some output on."""
    alone = np.argsort(-counts)[:_EVENTS]
    up_to = np.searchsorted(np.cumsum(counts), np.linspace(0, counts.sum(), _EVENTS, endpoint=False))
    place = np.arange(len(counts))
    lower = place[None, :] <= np.unique(up_to)[:, None]
    return np.concatenate([place[None, :] == alone[:, None], lower, ~lower])


def _score(likelier: Counts, other: Counts) -> NDArray[np.float64]:
    """The logarithm of the ratio of two counts, some deviations to the safe side."""
    low = np.maximum(likelier - _DEVIATIONS * np.sqrt(likelier), 1e-9)
    return np.asarray(np.log(low / (other + _DEVIATIONS * np.sqrt(other) + _DEVIATIONS**2)))


def lowest_chance(happened: int, draws: int, error: float) -> float:
    """The chance at which ``happened`` or more of ``draws`` would still be seen with probability ``error``.

    >>> round(lowest_chance(10, 10, 0.005), 4) == round(0.005 ** (1 / 10), 4)
    True
    """
    if happened == 0:
        return 0.0
    log_ways = _log_ways(draws)[happened:]
    counts = np.arange(happened, draws + 1)
    return falling_root(lambda chance: error - _sum(log_ways, counts, draws, chance), 0.0, 1.0)


def highest_chance(happened: int, draws: int, error: float) -> float:
    """The chance at which ``happened`` or fewer of ``draws`` would still be seen with probability ``error``."""
    return 1.0 - lowest_chance(draws - happened, draws, error)


def _log_ways(draws: int) -> NDArray[np.float64]:
    """The logarithm of the number of ways to choose 0, 1, … of ``draws``."""
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, draws + 1)))])
    return np.asarray(log_factorial[-1] - log_factorial - log_factorial[::-1])


def _sum(log_ways: NDArray[np.float64], counts: NDArray[np.int64], draws: int, chance: float) -> float:
    if chance >= 1:
        return 1.0
    return float(np.exp(log_ways + counts * np.log(chance) + (draws - counts) * np.log1p(-chance)).sum())
