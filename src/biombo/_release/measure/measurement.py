"""All that is measured on the released records before they may go out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from biombo._cells import tallied
from biombo._criteria import Disclosure, Waiver, WaiverError
from biombo._data import written
from biombo._engine import Pairs
from biombo._i18n import text
from biombo._measures import ConstantColumn, became_constant, top_values
from biombo._plan import as_understood
from biombo._release.decision import MeasuredRisk
from biombo._release.errors import RefusedError
from biombo._release.execution import Carried
from biombo._release.measure.exposure import Exposure, exposure_of
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

    @cached_property
    def became_constant(self) -> tuple[ConstantColumn, ...]:
        """The columns that the plan changes and that tell nothing any more, or next to nothing. Told by the released
        records alone, so everybody may know: whoever has them can count.
        """
        changed = {name for each in self.untouched.plan.operations for name in (*each.columns, *each.adds)}
        found: dict[str, ConstantColumn] = {}
        for name in (name for name in self.pairs.columns if name in changed):
            released = self.pairs.counted([name]).released
            found |= top_values([released[name]], released.counts)
        return became_constant(found)

    @cached_property
    def exposure(self) -> Exposure | None:
        """How sure anybody can be whose a record is, where quasi columns were noised; none where they were not."""
        return exposure_of(self.pairs, self.untouched.plan, self.untouched.used)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What columns tell that go out as they are."""
        return self.untouched.findings

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """Of these, what nobody has accepted."""
        return tuple(each for each in self.findings if not any(name in self.accepted for name in each.columns))

    def refuse(self, carried: Carried) -> None:
        """Raise where more is told than was asked for, and nobody has accepted it."""
        self.refuse_for_good(carried)
        if self.open_findings:
            told = " ".join(_told(self.open_findings, self.untouched.k))
            columns = [each.column for each in self.open_findings]
            raise RefusedError.because_of(columns, "release.columns-tell", detail=told, column=columns[0])

    def refuse_for_good(self, carried: Carried) -> None:
        """Raise where more is told than anybody could accept."""
        failures = [each for found in self.histories for each in found.failures(carried.plan.criteria)]
        if failures:
            raise RefusedError("release.histories", detail=" ".join(failures))
        for waiver in carried.plan.waived:
            self._refuse_linked(waiver, carried)

    def _refuse_linked(self, waiver: Waiver, carried: Carried) -> None:
        """Where records of a person are linked, people who share a history may have any value in common that there is:
        all of them must be listed, unless the criterion is met by histories too.
        """
        if not any(failure for found in self.histories for failure in found.failures([waiver.criterion])):
            return
        released = as_understood(self.pairs.counted([waiver.column]).released, carried.plan.operations)
        column = released[waiver.column]
        there = tallied(column.codes, column.cardinality, released.counts) > 0
        unlisted = {*written(column.values).filter(there).fill_null("")} - {*waiver.values}
        if unlisted:
            raise WaiverError.of(waiver, sorted(unlisted))

    def risk(self) -> MeasuredRisk | None:
        """What the risk of a release follows from that claims no k; none where it claims one. Raises where records of a
        person can be told to be so: noise on each of them averages out, which is not measured.
        """
        if self.exposure is None:
            return None
        if self.histories:
            column = self.histories[0].column
            raise RefusedError.because_of([column], "release.linked-noise", column=column)
        return MeasuredRisk(self.exposure.surest, self.exposure.at_most, self.exposure.alone.records)

    def smallest_group(self, judged: int) -> int:
        """People in the smallest group, over their whole histories where these can be told."""
        return min([judged, *(found.smallest_group for found in self.histories)])

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "untouched": list(self.untouched.columns),
            "constant": list(self.untouched.constant),
            "became_constant": [asdict(each) for each in self.became_constant],
            "findings": [each.as_json() for each in self.findings],
            "accepted": dict(self.accepted),
            "exposure": None if self.exposure is None else asdict(self.exposure),
            "histories": [{"column": each.column, "smallest_group": each.smallest_group} for each in self.histories],
        }


def _told(findings: Sequence[Finding], k: int) -> list[str]:
    told = [each.sentence(k) for each in findings[:_MOST_TOLD]]
    more = len(findings) - _MOST_TOLD
    return [*told, text("release.untouched.more", more=more)] if more > 0 else told
