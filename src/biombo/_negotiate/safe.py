"""What the requester reads of anything measured on the original: the one place where that is decided.

Nothing that a requester reads may tell a number of people from 1 to TG − 1, for the strictest TG that was ever set for
the requester and the source, nor anybody's sensitive value:

- shares are rounded as in public reports, and told only where there are 200 · TG records; below, only which column
  weighs more than which, by whole steps of at least 2 · TG records. Columns that are alike in what is told stand in the
  order of their names: an order by exact numbers would tell these, where each is more than the next and the first is
  at most a few;
- a value of list 9 is told where at least TG people have it, and only where at least TG people are in groups that do
  not fail, and there is another value: else it would be everybody's there;
- a requester chooses among levels that the manager declared, or what the manager suggested: groups of values of its own
  making would single people out;
- what a check of values finds is told once: two checks of different groups tell by their difference whose value changed
  sides. After that the manager alone sees it, and decides;
- what a share of all or none would tell of one exception is not told: 0% is "less than half a percent";
- a share of records that may be suppressed is a multiple of a step of at least 2 · TG records: whether it suffices
  tells how many are in small groups, and asking for a little less each time would tell it exactly;
- a table of fewer than 3 · TG records is not negotiated about: whether its groups reach TG would tell who is in them.

tests/negotiate/test_views.py enumerates all small tables that fit what was shown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from biombo._criteria import WHOLE_PERCENTS, Disclosure
from biombo._errors import UsageError
from biombo._negotiate.offer import Obstacle

FEWEST_TIMES = 3
"""So many times TG are the fewest records that are negotiated about."""

_STEPS = (0.05, 0.1, 0.25, 0.5)
"""Steps of shares, where whole percents would be too fine."""
_TINY = 1e-9


@dataclass(frozen=True)
class SafeView:
    """How exact numbers become what the requester may read."""

    least: int
    """The strictest TG so far."""
    records: int
    """Records that were asked for."""
    precision: int = WHOLE_PERCENTS

    @property
    def rule(self) -> Disclosure:
        """The rule of public reports, with this TG."""
        return Disclosure(self.least, self.precision)

    @property
    def tells_shares(self) -> bool:
        """Are there enough records to tell shares of them?"""
        return self.rule.tells_shares(self.records)

    @property
    def suppression_step(self) -> float:
        """A share that may be suppressed is a multiple of it."""
        steps = (2 / self.precision, *_STEPS)
        return next((step for step in steps if step * self.records >= 2 * self.least), 1.0)

    def check_suppression(self, share: float) -> None:
        """Raise where a share is finer than may be asked for."""
        step = self.suppression_step
        if abs(share / step - round(share / step)) > _TINY:
            raise UsageError("negotiation.suppression-step", step=step, share=share)

    def refuse_few(self) -> None:
        """Raise where there are too few records to say anything of them."""
        if self.records < FEWEST_TIMES * self.least:
            raise UsageError("negotiation.few-records", times=FEWEST_TIMES, k=self.least)

    def share(self, records: int) -> float | None:
        """A number of records as a share of all, rounded; none where there are too few to tell any."""
        return self.rule.share(records / self.records) if self.tells_shares else None

    def rounded(self, share: float | None) -> float | None:
        """A share that was measured on the original, rounded; none where there are too few records."""
        return None if share is None or not self.tells_shares else self.rule.share(share)

    def blocking(self, obstacles: Iterable[Obstacle]) -> list[dict[str, Any]]:
        """List 4: the columns that block, the heaviest first as far as that may be told, all together last."""
        *alone, together = obstacles
        ordered = sorted(alone, key=lambda each: (-self._weight(each.records), each.columns))
        return [self._obstacle(each) for each in (*ordered, together)]

    def _weight(self, records: int) -> float:
        """What columns are ordered by: the share that is told, and where none is, the steps that are surpassed. Whether
        one is, may be asked for by a share that may be suppressed, so that the order tells nothing beyond that.
        """
        share = self.share(records)
        steps = records / (self.suppression_step * self.records)
        return max(0, ceil(steps - _TINY) - 1) if share is None else share

    def _obstacle(self, obstacle: Obstacle) -> dict[str, Any]:
        return {
            "columns": list(obstacle.columns),
            "below": self.share(obstacle.records),
            "singled_out": self.share(obstacle.singled_out),
        }

    def values(self, people: Mapping[str, int], outside: int) -> list[str]:
        """List 9 for one column: the values of groups that fail, without numbers. Whether others were withheld is not
        told: that somebody has a rare value is about few.

        ``people`` has for each value how many people have it anywhere; ``outside`` are the people in groups that do not
        fail.
        """
        told = sorted(value for value, number in people.items() if value and number >= self.least)
        return told if self.tells_shares and outside >= self.least and len(told) > 1 else []

    def plans(self, plans: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Plans that were found: levels, and rounded what they cost."""
        return [
            {
                "levels": dict(each["levels"]),
                "labels": dict(each["labels"]),
                "suppressed": self.rounded(each["suppressed"]),
                "loss": self.rounded(each["loss"]),
            }
            for each in plans
        ]

    def metrics(self, metrics: Mapping[str, Any]) -> dict[str, Any]:
        """Metrics 12: numbers rounded, names as they are."""
        return {name: self._metric(value) for name, value in metrics.items()}

    def _metric(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.metrics(value)
        return self.rounded(value) if isinstance(value, float) else value
