"""How a table stands to a criterion that was waived."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from biombo._criteria.disclosure import Count
from biombo._criteria.verdict import Verdict
from biombo._criteria.waiver import Waiver, WaiverError


@dataclass(frozen=True, eq=False)
class WaivedVerdict:
    """How a table stands to a criterion that need not be met. It decides nothing, and is never told as met."""

    waiver: Waiver
    verdict: Verdict
    """How far it fails: private, as all its numbers are."""

    @property
    def holds(self) -> bool:
        """Is it met after all?"""
        return self.verdict.holds

    @cached_property
    def values(self) -> Mapping[str, int]:
        """The values concerned, which are those of groups that fail, and how many records have each there. Private."""
        return self.verdict.values()[self.waiver.column]

    @property
    def unlisted(self) -> tuple[str, ...]:
        """The values concerned that the waiver does not list. Private."""
        return tuple(value for value in self.values if value not in self.waiver.values)

    def holders(self) -> dict[str, Count]:
        """By value that the waiver lists: the records of the table that have it, in whatever group, and the people."""
        found = self.verdict.holders(self.waiver.column)
        return {value: found.get(value, Count()) for value in self.waiver.values}

    def refuse_unlisted(self) -> None:
        """Raise where a value is concerned that nobody has accepted."""
        if self.unlisted:
            raise WaiverError.of(self.waiver, self.unlisted)

    def __str__(self) -> str:
        """The verdict as one sentence, in the language in use. Private: it says who accepted it."""
        return self.verdict.worded("criteria.waived", who=self.waiver.accepted_by, reason=self.waiver.reason)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values; nothing about what is in groups."""
        return {
            **self.verdict.as_json(),
            "reason": self.waiver.reason,
            "accepted_by": self.waiver.accepted_by,
            "values": dict(self.waiver.values),
        }
