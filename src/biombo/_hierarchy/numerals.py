"""Numbers as they are written in a column, read exactly.

The data room guesses the decimal mark of a whole column. Here each value must be read alone, and always alike, so the
marks are declared: a hierarchy never guesses.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from biombo._errors import UsageError

_NUMBER = r"[+-]?(?:(?:THOUSANDS[0-9]+)(?:DECIMAL[0-9]*)?|DECIMAL[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_LONGEST = 400  # no finite number needs more; a megabyte of digits would take minutes


def exact(number: float) -> Fraction:
    """The decimal number that was written, not the binary one that is nearest to it.

    >>> exact(0.1)
    Fraction(1, 10)
    """
    return Fraction(str(number))


def exactly(number: float | None) -> Fraction | None:
    """A number as it is written, if there is one."""
    return None if number is None else exact(number)


def plain(number: float, entry: str) -> float:
    """The number, as an integer where it is whole, so that 5.0 and 5 are the same; refused where it is not finite."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise UsageError("hierarchy.number", entry=entry, value=number)
    return int(number) if number == int(number) else number


@dataclass(frozen=True)
class Numerals:
    """Which marks stand before decimals and, if any, between thousands."""

    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        if (
            self.decimal not in (".", ",")
            or self.thousands not in ("", ".", ",", " ")
            or self.decimal == self.thousands
        ):
            raise UsageError("hierarchy.marks", decimal=self.decimal, thousands=self.thousands)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What is a number as a whole."""
        groups = f"[0-9]{{1,3}}(?:{re.escape(self.thousands)}[0-9]{{3}})+|" if self.thousands else ""
        whole = _NUMBER.replace("THOUSANDS[0-9]+", f"{groups}[0-9]+")
        return re.compile(whole.replace("DECIMAL", re.escape(self.decimal)))

    def read(self, text: str) -> Fraction | None:
        """The number that ``text`` is; ``None`` where it is not a finite one.

        >>> Numerals(",", ".").read("1.234,5"), Numerals().read("1,5")
        (Fraction(2469, 2), None)
        """
        written = text.strip()
        if len(written) > _LONGEST or not self.pattern.fullmatch(written):
            return None
        if self.thousands:
            written = written.replace(self.thousands, "")
        point = written.replace(self.decimal, ".")
        return Fraction(point) if math.isfinite(float(point)) else None

    def write(self, number: Fraction) -> str:
        """``number`` with all its decimals."""
        places = _places(number.denominator)
        digits = str(abs(number) * 10**places).rjust(places + 1, "0")
        sign = "-" if number < 0 else ""
        return f"{sign}{digits[:-places]}{self.decimal}{digits[-places:]}" if places else f"{sign}{digits}"


def _places(denominator: int) -> int:
    """How many decimals a number with this denominator, of twos and fives, takes."""
    places = 0
    while 10**places % denominator:
        places += 1
    return places
