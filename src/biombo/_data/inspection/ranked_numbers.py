"""Numbers in their order, with how many people have each, and round numbers between them."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import floor, log10

from biombo._data.inspection.few_people import FEWEST
from biombo._hierarchy import Numerals

_ROUNDEST_FIRST = (Fraction(1), Fraction(1, 2), Fraction(2, 5), Fraction(1, 5))
"""Of a power of ten. An interval without a multiple of one of these has at most one multiple of the next."""
_MARKS = (Numerals(), Numerals(","), Numerals(",", "."), Numerals(".", ","))


@dataclass(frozen=True)
class RankedNumbers:
    """Numbers, rising, and how many people have each."""

    counted: tuple[tuple[Fraction, int], ...]

    @classmethod
    def of(cls, values: Sequence[str], people: Sequence[int], marks: Numerals) -> "RankedNumbers":
        """Those among ``values`` that are numbers, as ``marks`` write them."""
        read = ((marks.read(value), count) for value, count in zip(values, people, strict=True))
        return cls(tuple(sorted((number, count) for number, count in read if number is not None and count)))

    @cached_property
    def _up_to(self) -> list[int]:
        return list(accumulate(count for _, count in self.counted))

    @property
    def people(self) -> int:
        """All of them."""
        return self._up_to[-1] if self.counted else 0

    def at(self, rank: int) -> Fraction:
        """The number of the person at this place, from 1."""
        return self.counted[bisect_left(self._up_to, max(1, min(rank, self.people)))][0]

    def below(self, number: Fraction) -> int:
        """How many people have a smaller number."""
        place = bisect_left(self.counted, (number, 0))
        return self._up_to[place - 1] if place else 0

    @cached_property
    def commonest(self) -> tuple[Fraction, int]:
        """The number that most people have, and how many do."""
        return max(self.counted, key=lambda pair: pair[1])

    def without_commonest(self) -> "RankedNumbers":
        """The numbers of all others."""
        return RankedNumbers(tuple(pair for pair in self.counted if pair != self.commonest))

    def people_with_decimals(self, places: int) -> int:
        """How many people have a number with more decimals than that."""
        return sum(count for number, count in self.counted if 10**places % number.denominator)


def marks_of(values: Sequence[str], people: Sequence[int]) -> Numerals:
    """How the numbers are written: the usual way, unless :data:`FEWEST` people more are understood in another."""
    understood = {
        marks: sum(count for value, count in zip(values, people, strict=True) if marks.pattern.fullmatch(value.strip()))
        for marks in _MARKS
    }
    usual, best = _MARKS[0], max(_MARKS, key=lambda marks: understood[marks])
    return best if understood[best] >= understood[usual] + FEWEST else usual


def written_so(marks: Numerals) -> dict[str, str]:
    """The marks as a hierarchy's document has them."""
    usual = Numerals()
    told = {"decimal": marks.decimal, "thousands": marks.thousands}
    return {name: mark for name, mark in told.items() if mark != getattr(usual, name)}


def roundest(above: Fraction, up_to: Fraction, width: Fraction) -> Fraction | None:
    """The roundest number ``above`` one and ``up_to`` another: the multiple of the largest 10, 5, 4, 2 or 1 times a
    power of ten that has any; none where that is no multiple of the ``width``.

    >>> roundest(Fraction(37), Fraction(62), Fraction(1)), roundest(Fraction(36), Fraction(37), Fraction(5))
    (Fraction(50, 1), None)
    """
    power = Fraction(10) ** (floor(log10(max(abs(above), abs(up_to), width))) + 1)
    while power >= width:
        for part in _ROUNDEST_FIRST:
            unit = power * part
            number = floor(up_to / unit) * unit
            if above < number and number % width == 0:
                return number
        power /= 10
    return None


def in_document(number: Fraction) -> float:
    """The number as documents have it."""
    return int(number) if number.denominator == 1 else float(number)
