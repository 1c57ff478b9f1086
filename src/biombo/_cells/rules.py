"""What groups must be like: rules on the values of targets, for the kernel."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells.codes import Codes, Counts, tallied

RuleKind = Literal[
    "distinct",
    "entropy",
    "recursive",
    "top-share",
    "value-share",
    "distance",
    "ordered-distance",
    "gain",
    "limited-gain",
    "log-ratio",
    "population",
    "presence",
]

TOLERANCE: float = _kernel.tolerance
"""Floating comparisons: a bound is met when it is missed by no more than this; the strict ones of "recursive"
and "log-ratio" must be undercut by more."""


@dataclass(frozen=True)
class Rule:
    """What the values of one target must be like within a group.

    ``distinct`` values and their ``entropy`` in bits: at least ``bound``. ``recursive``: the most frequent value
    against all from the ``tail``-th on, below ``bound``. The share of the most frequent value (``top-share``), that of
    the most frequent one of some ``codes`` (``value-share``) and the distances from the whole table: at most ``bound``.

    With p the share of a value in the group and q that in the whole table: the largest (p − q)/q is at most ``bound``
    (``gain``), and none is above −ln q (``limited-gain``, infinite otherwise). The largest abs(log₂ p/q), infinite
    where a value is missing, is below ``bound`` (``log-ratio``).

    Of a table that comes with its population: the people there who look like the group are at least ``bound``
    (``population``), and the share of them who are in it is at most that (``presence``); the people of a group are the
    different values of the target ``tail``, or its records where that is −1.
    """

    target: int
    """Its position among the targets; of no matter to what is asked about the population."""
    kind: RuleKind
    bound: float
    tail: int = 0
    codes: tuple[int, ...] = ()

    @property
    def for_kernel(self) -> _kernel.Rule:
        """The rule as the kernel takes it."""
        kind = getattr(_kernel.RuleKind, self.kind.replace("-", "_"))
        return _kernel.Rule(kind, self.target, self.bound, self.tail, self.codes)


@dataclass(frozen=True, eq=False)
class TargetColumn:
    """A column whose values within groups matter: a sensitive one, or the people that records are about."""

    name: str
    codes: Codes
    cardinality: int
    levels: NDArray[np.int64] | None = None
    """For "distance": per level of a hierarchy, the single top left out, and code: its group. None: only the values."""
    order: NDArray[np.int64] | None = None
    """For "ordered-distance": the codes in ascending order."""

    @cached_property
    def _level_lists(self) -> list[list[int]]:
        if self.levels is None:
            return [list(range(self.cardinality))]
        return [np.unique(level, return_inverse=True)[1].tolist() for level in self.levels]

    def for_kernel(self, keep: NDArray[np.bool_] | None, counts: Counts | None = None) -> _kernel.TargetValues:
        """The values as the kernel takes them; their shares are those among the records kept."""
        records = tallied(self.codes, self.cardinality, counts, keep)
        share = records / max(1, int(records.sum()))
        order = [] if self.order is None else self.order.tolist()
        return _kernel.TargetValues(self.cardinality, share.tolist(), self._level_lists, order)


@dataclass(frozen=True)
class Requirement:
    """What a group must be, or else its records are suppressed: at least ``k`` records, and all of the ``rules``."""

    k: int = 1
    rules: tuple[Rule, ...] = ()


def for_kernel(requirements: Sequence[Requirement]) -> tuple[list[_kernel.Requirement], list[_kernel.Rule]]:
    """The requirements as the kernel takes them, and the rules that they name by position."""
    rules = list(dict.fromkeys(rule for requirement in requirements for rule in requirement.rules))
    named = [_kernel.Requirement(each.k, [rules.index(rule) for rule in each.rules]) for each in requirements]
    return named, [rule.for_kernel for rule in rules]
