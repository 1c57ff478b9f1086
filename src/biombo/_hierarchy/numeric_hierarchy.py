"""What all hierarchies of intervals have in common: reading numbers and naming intervals."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal, cast, get_args

from biombo._errors import UsageError
from biombo._hierarchy.hierarchy import Bounds
from biombo._hierarchy.numerals import Numerals, exact, exactly, plain
from biombo._hierarchy.rule import RuleHierarchy

Style = Literal["interval", "inclusive"]
Place = int | Literal["bottom", "top"]
Interval = tuple[Fraction | None, Fraction | None]
"""From a bound, itself included, up to another; one of them may be missing: endless."""


_PARTS = (7, 34, 81)
"""Where numbers that are made up lie, in percents of a stretch."""


def _bound(bound: float | str) -> Fraction:
    if isinstance(bound, str):
        raise UsageError("hierarchy.domain-bounds", bound=bound)
    return exact(bound)


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
    unit: str | None = field(default=None, compare=False)
    """What is counted, such as years: for people who read what the levels are."""

    def __post_init__(self) -> None:
        if self.labels not in get_args(Style):
            raise UsageError("hierarchy.labels", labels=self.labels, styles=", ".join(get_args(Style)))
        for name in ("lowest", "highest"):
            if (bound := getattr(self, name)) is not None:
                object.__setattr__(self, name, plain(bound, name))
        _ = self._numerals

    @abstractmethod
    def _place(self, number: Fraction) -> Place:
        """Which of the intervals of level 1 ``number`` lies in."""

    @abstractmethod
    def _intervals(self, place: Place) -> Iterator[Interval]:
        """That of level 1 and those around it at level 2, 3, …"""

    @abstractmethod
    def _places(self, low: Fraction | None, high: Fraction | None) -> Iterable[Place]:
        """Those of the intervals of level 1 from the one that ``low`` lies in to that of ``high``, where these are
        given; none where they would never end.
        """

    def _domain(self, level: int, bounds: Bounds | None) -> Iterator[str]:
        ends = self._range if bounds is None else tuple(_bound(bound) for bound in bounds)
        for place in self._places(*ends):
            yield self._label(*list(self._intervals(place))[level - 1])

    def _examples(self) -> Iterator[str]:
        """Numbers far enough from each other to lie in different intervals."""
        first, last = self._stretch
        ends = self._range
        low, high = first if ends[0] is None else max(first, ends[0]), last if ends[1] is None else min(last, ends[1])
        numbers = (low + (high - low) * Fraction(part, 100) for part in _PARTS)
        yield from (self._numerals.write(Fraction(round(number))) for number in numbers)

    @property
    @abstractmethod
    def _stretch(self) -> tuple[Fraction, Fraction]:
        """Two numbers between which several intervals lie."""

    @cached_property
    def _numerals(self) -> Numerals:
        return Numerals(self.decimal, self.thousands)

    @cached_property
    def _labels(self) -> dict[Place, tuple[str, ...]]:
        """The labels of the intervals met so far: writing them takes much longer than finding the place."""
        return {}

    @cached_property
    def _range(self) -> tuple[Fraction | None, Fraction | None]:
        return exactly(self.lowest), exactly(self.highest)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The intervals that the number lies in."""
        number = self._numerals.read(value)
        if number is None or not self._in_range(number):
            return None
        place = self._place(number)
        if place not in self._labels:
            self._labels[place] = tuple(self._label(*interval) for interval in self._intervals(place))
        return self._labels[place]

    def _in_range(self, number: Fraction) -> bool:
        if self.labels == "inclusive" and number.denominator != 1:
            return False
        lowest, highest = self._range
        return (lowest is None or number >= lowest) and (highest is None or number <= highest)

    def _label(self, low: Fraction | None, high: Fraction | None) -> str:
        write = self._numerals.write
        if low is None:
            return f"< {write(cast(Fraction, high))}"
        if high is None:
            return f"≥ {write(low)}"
        if self.labels == "interval":
            return f"[{write(low)}{';' if self.decimal == ',' else ','} {write(high)})"
        return write(low) if high - low == 1 else f"{write(low)}-{write(high - 1)}"

    def _refuse_parts(self, *bounds: float | None) -> None:
        """Inclusive bounds are for whole numbers: 20-29 leaves nothing between 29 and 30."""
        if self.labels == "inclusive" and any(bound is not None and bound != int(bound) for bound in bounds):
            raise UsageError("hierarchy.inclusive")
