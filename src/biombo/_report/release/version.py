"""The two versions of a report: what each of them tells about the original."""

from dataclasses import dataclass

from biombo._i18n import integer, text
from biombo._report.words import per_hundred, percentage

_HALF_A_PERCENT = 200
"""Shares that are rounded to whole percents differ by half a percent at most, one in so many."""


@dataclass(frozen=True)
class Version:
    """Private: everything. Public: shares of the original are rounded so that the fewest people that may be spoken of
    make no difference, and left out where even that would tell about fewer.
    """

    private: bool
    least: int
    """The fewest people that anything public may be about."""
    records: int
    """Of the original."""

    @property
    def rounds_enough(self) -> bool:
        """Does half a percent stand for enough people?"""
        return self.records >= _HALF_A_PERCENT * self.least

    @property
    def tells_original(self) -> bool:
        """May shares of the original be told at all?"""
        return self.private or self.rounds_enough

    def share(self, share: float) -> float:
        """A share of the original as it may be told."""
        return share if self.private else round(share, 2)

    def percentage(self, share: float) -> str:
        """The same in words."""
        if not self.tells_original:
            return text("release_report.risk.hidden")
        return percentage(share) if self.private else f"{integer(round(100 * self.share(share)))}%"

    def per_hundred(self, share: float) -> str:
        """The same for everyone: 39 of 100. In public not even whether somebody is an exception to all or none."""
        return per_hundred(share if self.private else self.share(share))
