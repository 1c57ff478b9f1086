"""The two versions of a report: what each of them tells about the original, and how it lists and heads things."""

from collections.abc import Sequence
from dataclasses import dataclass

from biombo._criteria import Disclosure
from biombo._i18n import integer, text
from biombo._report.blocks import Heading
from biombo._report.wording import displayed, per_hundred, percentage

MOST = 40
"""So many names are listed; of more, only the number is told."""


@dataclass(frozen=True)
class Version:
    """Private: everything. Public: shares of the originals of the released records, rounded so that the fewest people
    that may be spoken of make no difference, and left out where even that would tell about fewer.
    """

    private: bool
    rule: Disclosure
    records: int
    """In the release."""

    @property
    def least(self) -> int:
        """The fewest people that anything public may be about."""
        return self.rule.least

    @property
    def tells_original(self) -> bool:
        """May shares of the original be told at all?"""
        return self.private or self.rule.tells_shares(self.records)

    def share(self, share: float) -> float:
        """A share of the original as it may be told."""
        return share if self.private else self.rule.share(share)

    def percentage(self, share: float) -> str:
        """The same in words."""
        if not self.tells_original:
            return text("release_report.risk.hidden")
        return percentage(share) if self.private else f"{integer(round(100 * self.share(share)))}%"

    def per_hundred(self, share: float) -> str:
        """The same for everyone: 39 of 100. In public not even whether somebody is an exception to all or none."""
        return per_hundred(share if self.private else self.share(share))


def sets_listed(sets: Sequence[Sequence[str]]) -> str:
    """Sets of names for a sentence.

    >>> sets_listed([["age", "sex"], ["town"]])
    'age, sex; town'
    """
    return "; ".join(map(listed, sets))


def listed(names: Sequence[str]) -> str:
    """Names for a cell, each cut where it is long; a dash where there are none.

    >>> listed(["age", "sex"]), listed([])
    ('age, sex', '–')
    """
    shown = ", ".join(map(displayed, names[:MOST])) or "–"
    more = len(names) - MOST
    return text("release_report.names.and-more", names=shown, more=more) if more > 0 else shown


def words(key: str) -> Heading:
    """A column of words."""
    return Heading(text(f"release_report.head.{key}"), numeric=False)


def numbers(key: str) -> Heading:
    """A column of numbers."""
    return Heading(text(f"release_report.head.{key}"))
