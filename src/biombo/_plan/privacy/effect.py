"""How far noise moves the values of a column, in as few digits as tell enough."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from biombo._i18n import number, text

_WRITTEN_OUT = 1e6


def short(value: float, digits: int = 3) -> str:
    """``value`` to ``digits`` digits, in the language in use; the power of ten alone where it is very large.

    >>> short(8294.3), short(0.50), short(7.12e53)
    ('8,290', '0.5', '10^53')
    """
    rounded = Decimal(f"{value:.{digits}g}")
    if abs(rounded) >= _WRITTEN_OUT:
        return f"10^{rounded.adjusted()}"
    decimals = -int(rounded.normalize().as_tuple().exponent)
    return number(float(rounded), max(0, decimals))


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
