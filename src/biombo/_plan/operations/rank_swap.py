"""Swap the numbers of a column between records of near rank."""

from dataclasses import dataclass, field
from math import floor
from typing import ClassVar

import numpy as np

from biombo._data import Role
from biombo._documents import is_within_limit, limited
from biombo._engine import Floats, Flow, Gathered, Places, Randomness, are_out
from biombo._errors import UsageError
from biombo._hierarchy import Numerals, exact
from biombo._plan.operations.operation import Context, TableOperation
from biombo._plan.values.numbers import numbers_in


@dataclass(frozen=True)
class RankSwap(TableOperation):
    """Give each record a value of ``column`` that stands at most ⌊``at_most`` · n⌋ ranks from its own.

    n is the number of records that take part: those that are released and have a number or a date; missing values and
    those in ``apart`` stay. Equal values are ranked in random order. The ranks are cut into stretches of random length
    that the bound allows, and in each the values go round in a random circle: so the bound holds for every record, and
    nobody keeps the own value unless another has the same. ``decimal`` and ``thousands`` are the marks in numbers that
    are text.

    >>> RankSwap("income", at_most=0.05).to_tree()
    {'rank-swap': {'column': 'income', 'at-most': 0.05}}
    """

    name: ClassVar[str] = "rank-swap"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.rank-swap"

    column: str
    at_most: float = field(metadata=limited(0, 1, above=True))
    apart: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "apart", tuple(sorted(set(self.apart))))
        if not is_within_limit(self, "at_most"):
            raise UsageError("plan.share-of-ranks", column=self.column, value=self.at_most)
        Numerals(self.decimal, self.thousands)

    def exchanged(self, gathered: Gathered, context: Context) -> Flow:
        """Draw whose value each record takes."""
        column = gathered.data[self.column]
        numerals = Numerals(self.decimal, self.thousands)
        numbers = numbers_in(column.values, self.column, numerals, self.apart)[column.codes]
        rows = ~are_out(gathered.fates) & ~np.isnan(numbers)
        most = self._most_ranks(int(rows.sum()))
        return gathered.exchanged((self.column,), rows, _near(numbers[rows], most, context.random))

    def _most_ranks(self, records: int) -> int:
        """How far a value may go; one step would leave most values where everybody looks for them."""
        most = floor(exact(self.at_most) * records)
        if most < 2:
            raise UsageError("plan.too-few-ranks", column=self.column, value=self.at_most, records=records, ranks=most)
        return most


def _near(numbers: Floats, most: int, random: Randomness) -> Places:
    """For each record the place of another that is at most ``most`` ranks away, each of them taken once."""
    drawn = random.order(len(numbers))
    ranked = drawn[np.argsort(numbers[drawn], kind="stable")]
    taken_from = np.empty_like(ranked)
    taken_from[ranked] = ranked[_circles(_lengths(len(ranked), most, random), random)]
    return taken_from


def _lengths(total: int, most: int, random: Randomness) -> Places:
    """Random lengths that add up to ``total``, each from 2 to ``most`` + 1."""
    least = max(2, most // 2)
    drawn = random.words(total // least + 1) % np.uint64(most - least + 1)
    ends = np.cumsum(drawn.astype(np.intp) + least)
    return np.diff([0, *ends[ends <= total - 2], total])  # the last one takes up a single rank that would be left


def _circles(lengths: Places, random: Randomness) -> Places:
    """For each rank another one of its stretch, so that all ranks of a stretch lie on one random circle."""
    stretch = np.repeat(np.arange(len(lengths)), lengths)
    circle = random.order(len(stretch))
    circle = circle[np.argsort(stretch[circle], kind="stable")]
    ends = np.cumsum(lengths)
    following = np.roll(circle, -1)
    following[ends - 1] = circle[ends - lengths]
    taken_from = np.empty_like(circle)
    taken_from[circle] = following
    return taken_from
