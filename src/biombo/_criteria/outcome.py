"""How groups stand to one criterion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import TOLERANCE
from biombo._criteria.asking import Ask
from biombo._criteria.case import JudgedGroups
from biombo._criteria.criterion import Criterion, SensitiveCriterion


@dataclass(frozen=True, eq=False)
class Outcome:
    """How the groups of some quasi columns stand to one criterion."""

    value: NDArray[np.float64]
    """Per group: its value, the worst one where several sensitive columns count."""
    ask: NDArray[np.intp]
    """Per group: the place of the ask that it is from."""
    fails: NDArray[np.bool_]
    """Per group; never with a table-level criterion, which no single group breaks."""
    achieved: float | None
    """The worst value of any group, or the table's; none where there is no group."""
    holds: bool
    records: int
    """Records in the groups that fail."""


def outcome_of(criterion: Criterion, asks: Sequence[Ask], found: JudgedGroups) -> Outcome:
    """What was ``found``, as far as it concerns one criterion of those whose ``asks`` these are."""
    places = np.array([place for place, ask in enumerate(asks) if ask.criterion is criterion])
    values = found.value[:, places]
    worst = values.argmin(axis=1) if criterion.lowest_is_worst else values.argmax(axis=1)
    value = np.take_along_axis(values, worst[:, None], axis=1)[:, 0]
    fails: NDArray[np.bool_] = np.any(~found.meets[:, places], axis=1)
    if criterion.scope == "table":
        fails = np.zeros_like(fails)
        achieved, holds = _of_table([asks[place] for place in places], found)
    else:
        achieved, holds = _worst(criterion, value), not fails.any()
    return Outcome(value, places[worst], fails, achieved, holds, int(found.size[fails].sum()))


def _worst(criterion: Criterion, values: NDArray[np.float64]) -> float | None:
    if not len(values):
        return None
    return float(values.min() if criterion.lowest_is_worst else values.max())


def _of_table(asks: Sequence[Ask], found: JudgedGroups) -> tuple[float | None, bool]:
    """The highest of what is asked of the table as a whole, and whether all of it will do."""
    records = int(found.size.sum())
    if not records:
        return None, True
    values, holds = [], True
    for ask in asks:
        if ask.rule is None or not isinstance(ask.criterion, SensitiveCriterion):
            continue
        posterior = found.top[:, ask.rule.target].sum() / records
        values.append(ask.criterion.measured(np.array([posterior]), ask.prior)[0])
        holds &= bool(posterior <= ask.rule.bound + TOLERANCE)
    return float(max(values)), holds
