"""Whether the first line of a hierarchy's file is a header: by the file and the name of the column that it is for.

No value of a table has a say in it: whether one person has a value must not change what a file means.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from biombo._hierarchy.hierarchy import TOP
from biombo._hierarchy.numerals import Numerals
from biombo._i18n import text
from biombo._watch import warn

_WORDS = re.compile(r"(level|n[ií]vel)[ _-]?0|values?|valor(es)?", re.IGNORECASE)
"""What people write above the values of a hierarchy."""

_Levels = Mapping[str, tuple[str, ...]]
"""For each value, what it becomes at level 1, 2, …"""


@dataclass(frozen=True)
class FirstLine:
    """The first line of a file: a header, or a value with its groups."""

    path: str
    labels: tuple[str, ...]

    @property
    def value(self) -> str:
        """What it begins with."""
        return self.labels[0]

    def is_header(self, levels: _Levels, column: str) -> bool:
        """Is it a header, by the other lines and the name of the column? What is taken for a header is said, and so is
        what may be one and is taken for a value.
        """
        others = {value: above for value, above in levels.items() if value != self.value}
        if not others:
            return False
        words = {"path": self.path, "line": "; ".join(self.labels), "column": column, "value": self.value}
        why = self._reason(others, column)
        if why is not None:
            warn(text("hierarchy.header.taken", **words, why=text(f"hierarchy.header.{why}", **words)))
        elif self._looks_like_one(column):
            warn(text("hierarchy.header.kept", **words))
        elif not self._shared(others):
            warn(text("hierarchy.header.unclear", **words))
        return why is not None

    def _reason(self, others: _Levels, column: str) -> str | None:
        """Why it is a header, if it is one."""
        shared = self._shared(others)
        if shared <= {TOP} and self._looks_like_one(column):
            return "name" if self._names(column) else "words"
        if shared:
            return None
        if not _is_number(self.value) and all(map(_is_number, others)):
            return "numbers"
        return "top" if all(above[-1] == TOP for above in others.values()) else None

    def _looks_like_one(self, column: str) -> bool:
        return self._names(column) or _WORDS.fullmatch(self.value) is not None

    def _names(self, column: str) -> bool:
        return self.value.casefold() == column.strip().casefold()

    def _shared(self, others: _Levels) -> set[str]:
        """The groups that it has in common with other lines, as values of one hierarchy do somewhere."""
        return {label for above in others.values() for label in above} & {*self.labels[1:]}


def _is_number(value: str) -> bool:
    return any(Numerals(mark).read(value) is not None for mark in ".,")
