"""Pseudonyms that look like a CPF and can be nobody's."""

import re
from collections.abc import Sequence

from biombo._errors import ColumnError
from biombo._plan.pseudonyms.choices import DIGITS
from biombo._plan.pseudonyms.ciphered import Ciphered
from biombo._plan.pseudonyms.form import in_form_of, letters_in, shape_of
from biombo._plan.pseudonyms.pseudonyms import ReversiblePseudonyms

_FORM = re.compile(r"[0-9]{11}|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}")
_BASE = 9
"""The digits that number people; the two after them are check digits."""


class CipheredCpf(ReversiblePseudonyms):
    """FF1 on the nine base digits, with check digits that are wrong on purpose: five more than the right ones.

    However a CPF is written, with separators or without, its nine digits become the same nine.
    """

    def __init__(self, secret: bytes, column: str) -> None:
        self._bases = Ciphered(secret, DIGITS, column)
        self._column = column

    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""
        for value in values:
            if not _is_cpf(value):
                raise ColumnError("pseudonyms.no-cpf", column=self._column, shape=shape_of(value))
        bases = self._bases.of([_digits(value)[:_BASE] for value in values])
        return [
            in_form_of(value, base + _wrong(check_digits(base)), DIGITS)
            for value, base in zip(values, bases, strict=True)
        ]

    def value_of(self, pseudonym: str) -> str | None:
        """The CPF behind ``pseudonym``; none where its check digits are not the wrong ones that they should be."""
        digits = _digits(pseudonym)
        if not _FORM.fullmatch(pseudonym) or digits[_BASE:] != _wrong(check_digits(digits[:_BASE])):
            return None
        base = self._bases.value_of(digits[:_BASE])
        return None if base is None else in_form_of(pseudonym, base + check_digits(base), DIGITS)


def check_digits(base: str) -> str:
    """The check digits of a CPF with these nine ``base`` digits.

    Each is −Σ weight · digit mod 11, with weights that fall to 2 at the last digit before it, and 0 where that is 10.

    >>> check_digits("123456789")
    '09'
    """
    digits = base
    for _ in range(2):
        total = sum(weight * int(digit) for weight, digit in zip(range(len(digits) + 1, 1, -1), digits, strict=True))
        digits += str(-total % 11 % 10)
    return digits[_BASE:]


def _is_cpf(value: str) -> bool:
    """Could the tax office have given it out? It gives out no CPF of one digit eleven times."""
    digits = _digits(value)
    return bool(_FORM.fullmatch(value)) and digits[_BASE:] == check_digits(digits[:_BASE]) and len(set(digits)) > 1


def _wrong(right: str) -> str:
    return "".join(str((int(digit) + 5) % 10) for digit in right)


def _digits(value: str) -> str:
    return letters_in(value, DIGITS)
