"""What all hierarchies of intervals have in common: reading numbers and naming intervals."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, get_args

from biombo._errors import UsageError
from biombo._hierarchy.by_rule import RuleHierarchy
from biombo._hierarchy.numerals import Numerals, exact, plain

Style = Literal["interval", "inclusive"]
Interval = tuple[Fraction | None, Fraction | None]
"""From a bound, itself included, up to another; without one, endless."""


@dataclass(frozen=True, kw_only=True)
class NumericHierarchy(RuleHierarchy):
    """A hierarchy that puts numbers into intervals."""

    labels: Style = "interval"
    """``[20, 30)``, or for whole numbers with ``inclusive`` 20-29; at the ends ``< 20`` and ``≥ 90``."""
    lowest: float | None = None
    """Smaller numbers are not known."""
    highest: float | None = None
    """Larger numbers are not known: 999 is no age."""
    decimal: str = "."
    """The mark before decimals: a point or a comma."""
    thousands: str = ""
    """The mark between thousands, if there is one."""

    def __post_init__(self) -> None:
        if self.labels not in get_args(Style):
            raise UsageError("hierarchy.labels", labels=self.labels, styles=", ".join(get_args(Style)))
        for name in ("lowest", "highest"):
            if (bound := getattr(self, name)) is not None:
                object.__setattr__(self, name, plain(bound, name))
        _ = self._numerals

    @abstractmethod
    def _intervals(self, number: Fraction) -> Iterator[Interval]:
        """Those that ``number`` lies in at level 1, 2, …"""

    @cached_property
    def _numerals(self) -> Numerals:
        return Numerals(self.decimal, self.thousands)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The intervals that the number lies in."""
        number = self._numerals.read(value)
        if number is None or not self._in_range(number):
            return None
        return tuple(self._label(*interval) for interval in self._intervals(number))

    def _in_range(self, number: Fraction) -> bool:
        if self.labels == "inclusive" and number.denominator != 1:
            return False
        above = self.lowest is None or number >= exact(self.lowest)
        return above and (self.highest is None or number <= exact(self.highest))

    def _label(self, low: Fraction | None, high: Fraction | None) -> str:
        write = self._numerals.write
        if low is None:
            return f"< {write(high)}" if high is not None else "*"
        if high is None:
            return f"≥ {write(low)}"
        if self.labels == "interval":
            return f"[{write(low)}{';' if self.decimal == ',' else ','} {write(high)})"
        return write(low) if high - low == 1 else f"{write(low)}-{write(high - 1)}"

    def _refuse_parts(self, *bounds: float | None) -> None:
        """Inclusive bounds are for whole numbers: 20-29 leaves nothing between 29 and 30."""
        if self.labels == "inclusive" and any(bound is not None and bound != int(bound) for bound in bounds):
            raise UsageError("hierarchy.inclusive")
