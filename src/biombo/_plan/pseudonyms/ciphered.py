"""Pseudonyms of the same form as their values: format-preserving encryption."""

from collections.abc import Sequence
from functools import lru_cache

from biombo._errors import ColumnError
from biombo._plan.pseudonyms.form import in_form_of, letters_in, shape_of
from biombo._plan.pseudonyms.pseudonyms import ReversiblePseudonyms

LEAST_TEXTS = 1_000_000
"""The fewest texts of a form that FF1 may be used on; with fewer, pseudonyms could be undone by trying."""

_REMEMBERED = 1 << 18
"""Values whose pseudonyms are kept from batch to batch, at most."""


class Ciphered(ReversiblePseudonyms):
    """FF1 (NIST SP 800-38G) on the letters of ``alphabet``; what separates them stays where it is."""

    def __init__(self, secret: bytes, alphabet: str, column: str) -> None:
        from ffx import FF1

        self._cipher = FF1(secret, alphabet=alphabet)
        self._alphabet = frozenset(alphabet)
        self._least = least_length(len(alphabet))
        self._column = column
        self._pseudonym_of = lru_cache(_REMEMBERED)(self._ciphered)

    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""
        return [self._pseudonym_of(value) for value in values]

    def value_of(self, pseudonym: str) -> str | None:
        """The value behind ``pseudonym``; none where it does not have the form of one."""
        if self._strange(pseudonym) or self._too_short(pseudonym):
            return None
        letters = self._cipher.decrypt(letters_in(pseudonym, self._alphabet))
        return in_form_of(pseudonym, letters, self._alphabet)

    def _ciphered(self, value: str) -> str:
        if self._strange(value):
            raise ColumnError("pseudonyms.strange", column=self._column, shape=shape_of(value))
        if self._too_short(value):
            raise ColumnError("pseudonyms.short", column=self._column, shape=shape_of(value), least=self._least)
        return in_form_of(value, self._cipher.encrypt(letters_in(value, self._alphabet)), self._alphabet)

    def _strange(self, value: str) -> bool:
        """Does it hold letters or digits that would be left in the open?"""
        return any(mark.isalnum() and mark not in self._alphabet for mark in value)

    def _too_short(self, value: str) -> bool:
        return len(letters_in(value, self._alphabet)) < self._least


def least_length(letters: int) -> int:
    """The shortest texts of so many ``letters`` of which there are enough.

    >>> least_length(10), least_length(26)
    (6, 5)
    """
    length = 2
    while letters**length < LEAST_TEXTS:
        length += 1
    return length
