"""All that is measured on the released records before they may go out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biombo._criteria import Disclosure
from biombo._engine import Pairs
from biombo._i18n import text
from biombo._release.errors import RefusedError
from biombo._release.execution import Carried
from biombo._release.measure.histories import Histories, histories_of
from biombo._release.measure.unchanged_columns import Finding, Untouched

_MOST_TOLD = 12
"""So many findings are told in one message; of more, only the number."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """What the released records tell beyond the criteria."""

    pairs: Pairs
    """The released records, each beside its own original: nobody else's."""
    untouched: Untouched
    histories: tuple[Histories, ...]
    accepted: Mapping[str, str]
    """Columns that go out as they are whatever was found, and why."""

    @classmethod
    def of(cls, carried: Carried, pairs: Pairs, accepted: Mapping[str, str]) -> "Measurement":
        """Measure what came of a plan that was carried out."""
        least = Disclosure.of(carried.plan.criteria).least
        untouched = Untouched(pairs, carried.plan, carried.used, least)
        return cls(pairs, untouched, histories_of(pairs, carried.plan, carried.used), accepted)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What columns tell that go out as they are."""
        return self.untouched.findings

    def refuse(self, carried: Carried) -> None:
        """Raise where more is told than was asked for, and nobody has accepted it."""
        failures = [each for found in self.histories for each in found.failures(carried.plan.criteria)]
        if failures:
            raise RefusedError("release.histories", detail=" ".join(failures))
        least = self.untouched.k
        open_ = [each for each in self.findings if not any(name in self.accepted for name in each.columns)]
        if open_:
            raise RefusedError("release.columns-tell", detail=" ".join(_told(open_, least)), column=open_[0].column)

    def smallest_group(self, judged: int) -> int:
        """People in the smallest group, over their whole histories where these can be told."""
        return min([judged, *(found.smallest_group for found in self.histories)])

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "untouched": list(self.untouched.columns),
            "constant": list(self.untouched.constant),
            "findings": [each.as_json() for each in self.findings],
            "accepted": dict(self.accepted),
            "histories": [{"column": each.column, "smallest_group": each.smallest_group} for each in self.histories],
        }


def _told(findings: list[Finding], k: int) -> list[str]:
    told = [each.sentence(k) for each in findings[:_MOST_TOLD]]
    more = len(findings) - _MOST_TOLD
    return [*told, text("release.untouched.more", more=more)] if more > 0 else told
