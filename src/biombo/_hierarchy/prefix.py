"""Codes that lose their last characters: 01310-100, 01310-1**, 01310-***, …"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

from biombo._documents import is_within_limit, limited
from biombo._errors import UsageError
from biombo._hierarchy.hierarchy import TOP
from biombo._hierarchy.rule import RuleHierarchy
from biombo._i18n import text

_LENGTH, _DIGITS = 8, ("65010440", "64123456")
"""Of codes that are made up."""


@dataclass(frozen=True)
class PrefixHierarchy(RuleHierarchy):
    """A hierarchy for codes whose first characters name the larger unit."""

    kind: ClassVar[str] = "prefix"

    lengths: tuple[int, ...] = field(metadata=limited(members=1))
    """How many characters stay at level 1, 2, …"""
    pad: str = ""
    """What takes the place of those that go (``*``), so that the length stays; nothing cuts them off, and leaves ``*``
    where none stays: an empty text would be a missing value."""
    separators: str = ""
    """Characters that are not counted and stay where they are, such as the hyphen of a CEP."""
    digits: int | None = None
    """Only codes of so many digits, separators aside, are known; all codes where it is not given."""

    def __post_init__(self) -> None:
        falling = all(longer > shorter for longer, shorter in pairwise(self.lengths))
        if not is_within_limit(self, "lengths") or not falling or self.lengths[-1] < 0:
            raise UsageError("hierarchy.prefix", lengths=list(self.lengths))
        if len(self.pad) > 1 or (self.pad and self.pad in self.separators):
            raise UsageError("hierarchy.pad", pad=self.pad)
        if self.digits is not None and self.digits <= self.lengths[0]:
            raise UsageError("hierarchy.digits", digits=self.digits, longest=self.lengths[0])

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.lengths)

    @property
    def level_names(self) -> tuple[str, ...]:
        """How many characters stay."""
        return tuple(f"{length} characters" for length in self.lengths)

    def _level_label(self, level: int) -> str:
        length, key = self.lengths[level - 1], "characters" if self.digits is None else "digits"
        return text(f"hierarchy.level.{key}" if length != 1 else f"hierarchy.level.{key}-one", length=length)

    def _examples(self) -> tuple[str, ...]:
        """Codes of as many digits as are asked for, or of more than are kept."""
        length = self.digits or max(_LENGTH, self.lengths[0] + 1)
        return tuple((digits * length)[:length] for digits in _DIGITS)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The first characters of ``value``, fewer and fewer."""
        counted = [place for place, character in enumerate(value) if character not in self.separators]
        if self.digits is not None:
            characters = "".join(value[place] for place in counted)
            if len(characters) != self.digits or not (characters.isascii() and characters.isdigit()):
                return None
        return tuple(self._kept(value, counted, length) for length in self.lengths)

    def _kept(self, value: str, counted: list[int], length: int) -> str:
        if length >= len(counted):
            return value
        cut = counted[length]
        if self.pad:
            return value[:cut] + "".join(c if c in self.separators else self.pad for c in value[cut:])
        return value[: counted[length - 1] + 1] if length else TOP
