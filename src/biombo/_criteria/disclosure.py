"""What may be told in public of the people behind a release: the one rule, and its numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

from biombo._criteria.base import Criterion
from biombo._criteria.columns import smallest_group_asked

SMALLEST = 10
"""The fewest people that a public number speaks of, where no k says otherwise."""

WHOLE_PERCENTS = 200
"""Shares that are rounded to whole percents differ by half a percent at most, one in so many."""


@dataclass(frozen=True)
class Count:
    """Records, and how many people they are about."""

    records: int = 0
    people: int = 0


@dataclass(frozen=True)
class Disclosure:
    """Nothing public depends on fewer than ``least`` people who are not in the release.

    Public numbers come from the released records and from their own originals. Nobody else enters any of them, except
    in counts of at least ``least`` people; a smaller count reads as none does. A criterion that compares with records
    that are not released is told as met, without how far.

    >>> rule = Disclosure(10)
    >>> rule.told(Count(12, 11)), rule.told(Count(7, 1)), rule.told(Count(0, 0))
    (12, None, None)
    """

    least: int
    precision: int = WHOLE_PERCENTS
    """Rounding moves a share by one in so many at most."""

    @classmethod
    def of(cls, criteria: Iterable[Criterion]) -> "Disclosure":
        """By the k of the criteria, the largest where there are several."""
        return cls(smallest_group_asked(criteria) or SMALLEST)

    def told(self, count: Count, *following: Count) -> int | None:
        """The number of records, unless it, or one of the ``following`` from it, is about too few people."""
        return count.records if all(each.people >= self.least for each in (count, *following)) else None

    def tells_value(self, criterion: Criterion) -> bool:
        """May it be told how far ``criterion`` is met? Not where others than the released records count."""
        return criterion.evidence == "released"

    def tells_shares(self, records: int) -> bool:
        """May shares of the originals of so many released ``records`` be told, rounded to whole percents?"""
        return records >= self.precision * self.least

    def share(self, share: float) -> float:
        """A share of the originals as it may be told: a whole percent."""
        steps = self.precision // 2
        return round(share * steps) / steps
