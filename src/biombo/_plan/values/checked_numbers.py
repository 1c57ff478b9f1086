"""Numbers of people and companies whose last digits follow from those before: CPF, CNPJ, CNS."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from biombo._data import IDENTIFIERS, ValueSample, recognise


@dataclass(frozen=True)
class CheckedNumber:
    """What numbers of one kind look like, and how their check digits are found.

    Each check digit is −Σ weight · digit mod 11. The weights grow from 2 at the last digit before it, and begin anew
    after ``highest_weight``; a letter counts as many as it stands behind 0 in ASCII.
    """

    name: str
    """What people call it."""
    form: re.Pattern[str]
    checks: int
    """How many check digits there are, at the end."""
    highest_weight: int
    ten: str | None
    """The check digit where the sum says 10; none where no number is given out then."""
    letters: bool = False
    """May there be capital letters besides digits?"""

    def check_digits(self, base: str) -> str | None:
        """The check digits of the number that begins with ``base``; none where there is no such number.

        >>> CPF.check_digits("123456789"), CNPJ.check_digits("12ABC34501DE"), CNS.check_digits("70000000000000")
        ('09', '35', '5')
        """
        written = base
        for _ in range(self.checks):
            weights = (2 + place % (self.highest_weight - 1) for place in range(len(written)))
            pairs = zip(weights, reversed(written), strict=True)
            digit = -sum(weight * (ord(mark) - ord("0")) for weight, mark in pairs) % 11
            check = self.ten if digit == 10 else str(digit)
            if check is None:
                return None
            written += check
        return written[len(base) :]

    def wrong_digits(self, base: str) -> str:
        """Digits that are wrong on purpose, so that the number can be nobody's: five more than the right ones."""
        right = self.check_digits(base) or "0" * self.checks
        return "".join(str((int(digit) + 5) % 10) for digit in right)

    def is_given_out(self, marks: str) -> bool:
        """Could somebody have the number with these digits and letters, separators left out?"""
        base, checks = marks[: -self.checks], marks[-self.checks :]
        return checks == self.check_digits(base) and len(set(marks)) > 1 and (self is not CNS or _is_cns(base))


def _is_cns(base: str) -> bool:
    """A provisional number begins with 7, 8 or 9. A definitive one is made of another number of eleven digits, which
    begins with 1 or 2, and 000, or 001 where there is no check digit for 000.
    """
    if base[0] in "789":
        return True
    of_person, rest = base[:11], base[11:]
    made_of = "001" if CNS.check_digits(f"{of_person}000") is None else "000"
    return base[0] in "12" and rest == made_of


CPF = CheckedNumber("CPF", re.compile(r"[0-9]{11}|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}"), 2, 11, "0")
CNPJ = CheckedNumber(
    "CNPJ",
    re.compile(r"[0-9A-Z]{12}[0-9]{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-[0-9]{2}"),
    2,
    9,
    "0",
    letters=True,
)
CNS = CheckedNumber("CNS", re.compile(r"[0-9]{15}|[0-9]{3} [0-9]{4} [0-9]{4} [0-9]{4}"), 1, 15, None)

CHECKED_NUMBERS: Mapping[str, CheckedNumber] = {"cpf": CPF, "cnpj": CNPJ, "cns": CNS}
"""By what a plan, or an inspection, calls them."""


Hidden = Callable[[str], Sequence[bool]]
"""Which characters of a value are hidden."""


@dataclass(frozen=True)
class GivenAway:
    """What check digits tell about the hidden part of a number (PDPC 2018, 8.4)."""

    kind: str
    checks: int
    """How many check digits there are, at the end."""
    promised: int
    """Possibilities that the hidden digits seem to leave."""
    left: int
    """About how many of them have the right check digits."""


def given_away(sample: ValueSample, hidden: Hidden) -> GivenAway | None:
    """What check digits tell where ``sample`` is of such numbers, and either they or all others are visible."""
    recognised = recognise(sample)
    number = None if recognised is None else CHECKED_NUMBERS.get(recognised.key)
    if recognised is None or number is None:
        return None
    (shape,) = (identifier.shape for identifier in IDENTIFIERS if identifier.key == recognised.key)
    example = next(value for value in sample.values if shape.fullmatch(value))
    digits = [is_hidden for sign, is_hidden in zip(example, hidden(example), strict=True) if sign.isalnum()]
    checks = number.checks
    base_hidden, checks_hidden = sum(digits[:-checks]), sum(digits[-checks:])
    if base_hidden and checks_hidden == checks:
        return None
    left = 10 ** max(0, base_hidden - (checks - checks_hidden))
    return GivenAway(number.name, checks, 10 ** sum(digits), left)
