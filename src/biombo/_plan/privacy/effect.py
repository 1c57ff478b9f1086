"""How far noise moves the values of a column."""

from dataclasses import dataclass
from typing import Any

from biombo._i18n import text
from biombo._plan.privacy.short_numbers import short


@dataclass(frozen=True)
class Moved:
    """Numbers or dates are moved."""

    by: float
    """How far a value in the middle moves on average; those nearer to a bound move less."""
    range: float
    """From one bound to the other."""
    days: bool

    def __str__(self) -> str:
        key = "privacy.moved-days" if self.days else "privacy.moved"
        return text(key, by=short(self.by), range=short(self.range, 9))

    def as_json(self) -> dict[str, Any]:
        """The effect as plain values."""
        return {"moved": self.by, "range": self.range, "days": self.days}


@dataclass(frozen=True)
class Kept:
    """Values stay what they are, or become others of the domain."""

    chance: float
    """That a value stays: of the value for which it is lowest."""
    values: int
    """How many there are."""

    def __str__(self) -> str:
        return text("privacy.kept", chance=self.chance, guess=1 / self.values, values=self.values)

    def as_json(self) -> dict[str, Any]:
        """The effect as plain values."""
        return {"kept": self.chance, "values": self.values}


Effect = Moved | Kept
