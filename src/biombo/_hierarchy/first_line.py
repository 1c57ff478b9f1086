"""Whether the first line of a hierarchy's file is a header, which the column that the hierarchy is for decides."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from biombo._hierarchy.numerals import Numerals
from biombo._i18n import text
from biombo._watch import warn

_WORDS = re.compile(r"(level|n[ií]vel)[ _-]?0|values?|valor(es)?", re.IGNORECASE)
"""What people write above the values of a hierarchy."""


@dataclass(frozen=True)
class FirstLine:
    """The first line of a file: a header, or a value with its groups."""

    path: str
    labels: tuple[str, ...]

    @property
    def value(self) -> str:
        """What it begins with."""
        return self.labels[0]

    def is_header(
        self, levels: Mapping[str, tuple[str, ...]], column: str, values: Collection[str | None] | None
    ) -> bool:
        """Is it a header, by the other lines and the ``values`` of the column? Where these may not decide they are
        ``None``. What is taken for a header is said, and so is what looks like one and is a value.
        """
        others = {value: above for value, above in levels.items() if value != self.value}
        why = self._reason(others, column, values) if others else None
        if why is None:
            return False
        occurs = values is not None and self.value in values
        words = {"path": self.path, "line": "; ".join(self.labels), "column": column, "value": self.value}
        if occurs and why in ("name", "words"):
            warn(text("hierarchy.header.kept", **words))
        if not occurs:
            warn(text("hierarchy.header.taken", **words, why=text(f"hierarchy.header.{why}", **words)))
        return not occurs

    def _reason(
        self, others: Mapping[str, tuple[str, ...]], column: str, values: Collection[str | None] | None
    ) -> str | None:
        """Why it looks like a header, if it does."""
        if self.value.casefold() == column.strip().casefold():
            return "name"
        if _WORDS.fullmatch(self.value):
            return "words"
        if values is None or self._shares_a_group(others):
            return None
        if not _is_number(self.value) and all(map(_is_number, others)):
            return "numbers"
        return "absent" if all(value in values for value in others) else None

    def _shares_a_group(self, others: Mapping[str, tuple[str, ...]]) -> bool:
        """Does another line have one of its groups, as values of one hierarchy do somewhere?"""
        return any(label in self.labels[1:] for above in others.values() for label in above)


def _is_number(value: str) -> bool:
    return any(Numerals(mark).read(value) is not None for mark in ".,")
