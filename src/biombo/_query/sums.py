"""What means tell of sums: of whom a sum may be told, and which would follow from others."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from biombo._query.outcome import MeanOutcome, Outcome
from biombo._tabulate import Likeness, Marks, Numbers, Places, Rules

_EXACT = 1e-7


@dataclass(eq=False)
class SumsTold:
    """The groups whose mean of one column was told, and those for which it was asked and not told."""

    told: list[Marks] = field(default_factory=list)
    not_told: list[Marks] = field(default_factory=list)
    part: Places = field(default_factory=lambda: np.zeros(1, np.int64))
    """By kind: the number of its part, which is those that are in the same groups told; 0 where it is in none."""

    def learn(self, group: Marks, outcome: MeanOutcome) -> None:
        """Take in what was said of a group."""
        if outcome.value is None:
            self.not_told.append(group)
        else:
            self.told.append(group)
            self.part = np.unique(np.append(0, self._cut(group)), return_inverse=True)[1][1:]

    def gives_away(self, group: Marks) -> bool:
        """Would a sum that was not told follow from the others by adding and subtracting, if this one were told?"""
        rest = [each for each in self.not_told if not np.array_equal(each, group)]
        return bool(rest) and _spans([*self.told, group], rest)

    def parts(self, group: Marks) -> list[Marks]:
        """What the group has in common with each part of those told, what it leaves of it, and what is in none.

        Every group whose sum follows from those told consists of whole parts, so none tells too much if no part does.
        """
        cut = self._cut(group)
        met = {*(cut[group] // 2).tolist()}
        return [cut == each for each in np.unique(cut) if each and int(each) // 2 in met]

    def _cut(self, group: Marks) -> Places:
        """By kind: twice the number of its part, and one more within the group."""
        return 2 * self.part + group


def _spans(told: Sequence[Marks], wanted: Sequence[Marks]) -> bool:
    """Is one of the wanted groups a sum of multiples of those told?"""
    matrix, targets = (np.array(each, np.float64).T for each in (told, wanted))
    found = np.linalg.lstsq(matrix, targets, rcond=None)[0]
    return bool((np.abs(matrix @ found - targets).max(axis=0) < _EXACT).any())


@dataclass(frozen=True, eq=False)
class Amounts:
    """What people have, by person, and how exactly means of it are told."""

    kinds: Places
    amounts: Numbers
    decimals: int

    def tells_too_much(self, group: Marks, rules: Rules) -> bool:
        """Is the sum of a group nearly one person's, or do fewer than k have another amount than most of it?"""
        mine = np.sort(self.amounts[group[self.kinds]])[::-1]
        largest = np.cumsum(np.append(mine, np.zeros(rules.largest))[: rules.largest])
        return self._unlike(mine) < rules.k or bool(rules.tells_first(mine.sum(), largest))

    def _unlike(self, mine: Numbers) -> int:
        """How many people have another amount than the one that most have. What rounding makes the same is the same."""
        found = Likeness.none(1)
        found.note(np.zeros(len(mine), np.int64), np.round(mine, self.decimals), np.ones(len(mine), np.int64))
        return int(found.unlike[0])

    def mean(self, group: Marks) -> float:
        """What each has on average."""
        return round(float(self.amounts[group[self.kinds]].mean()), self.decimals)


def mean_of(group: Marks, outcome: Outcome, sums: SumsTold, amounts: Amounts, rules: Rules) -> MeanOutcome:
    """The mean, or why it is not said: only with the count, never where it tells too much of one person, or of few."""
    if outcome.count is None:
        return MeanOutcome(outcome.status, outcome.reason)
    if sums.gives_away(group):
        return MeanOutcome("refused", "gives-away")
    if any(amounts.tells_too_much(each, rules) for each in sums.parts(group)):
        return MeanOutcome("suppressed", "dominated")
    return MeanOutcome("answered", "told", amounts.mean(group))
