"""Pseudonyms of the same form as their values: format-preserving encryption."""

from abc import abstractmethod
from collections.abc import Callable, Container, Sequence
from functools import lru_cache
from string import ascii_uppercase

from biombo._errors import ColumnError
from biombo._plan.pseudonyms.letters import Pseudonyms
from biombo._plan.values.checked_numbers import CheckedNumber

DIGITS = "0123456789"
_MARKS = DIGITS + ascii_uppercase

LEAST_TEXTS = 1_000_000
"""The fewest texts of a form that FF1 may be used on; with fewer, pseudonyms could be undone by trying."""

_REMEMBERED = 1 << 18
"""Values whose pseudonyms are kept from batch to batch, at most."""


class ReversiblePseudonyms(Pseudonyms):
    """Pseudonyms that whoever holds the key can undo without a table."""

    @abstractmethod
    def value_of(self, pseudonym: str) -> str | None:
        """The value behind ``pseudonym``; none where it cannot be one."""


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


class CipheredNumber(ReversiblePseudonyms):
    """FF1 on what stands before the check digits, and then check digits that are wrong on purpose.

    However a number is written, with separators or without, it becomes the same one. One with letters gets one with
    letters, and one without gets one without.
    """

    def __init__(self, number: CheckedNumber, secret: bytes, column: str) -> None:
        self._number = number
        self._digits = Ciphered(secret, DIGITS, column)
        self._letters = Ciphered(secret, _MARKS, column) if number.letters else None
        self._column = column

    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""
        return [self._pseudonym(value) for value in values]

    def value_of(self, pseudonym: str) -> str | None:
        """The number behind ``pseudonym``; none where its check digits are not the wrong ones that they should be."""
        base, checks = self._parts(pseudonym)
        if not self._number.form.fullmatch(pseudonym) or checks != self._number.wrong_digits(base):
            return None
        true = self._walked(base, lambda cipher, text: cipher.value_of(text) or "")
        right = self._number.check_digits(true)
        return None if right is None else in_form_of(pseudonym, true + right, _MARKS)

    def _pseudonym(self, value: str) -> str:
        if not self._number.form.fullmatch(value) or not self._number.is_given_out(letters_in(value, _MARKS)):
            shape = shape_of(value)
            raise ColumnError("pseudonyms.no-such-number", column=self._column, number=self._number.name, shape=shape)
        base, _ = self._parts(value)
        ciphered = self._walked(base, lambda cipher, text: cipher.of([text])[0])
        return in_form_of(value, ciphered + self._number.wrong_digits(ciphered), _MARKS)

    def _parts(self, value: str) -> tuple[str, str]:
        """What is ciphered, and the check digits."""
        marks = letters_in(value, _MARKS)
        return marks[: -self._number.checks], marks[-self._number.checks :]

    def _walked(self, base: str, step: Callable[[Ciphered, str], str]) -> str:
        """``base`` ciphered or deciphered; one with letters as often as it takes until it has some again."""
        if self._letters is None or base.isdecimal():
            return step(self._digits, base)
        walked = step(self._letters, base)
        while walked.isdecimal():
            walked = step(self._letters, walked)
        return walked


def shape_of(value: str) -> str:
    """``value`` with 9 for every digit and A for every letter, for messages that must not show it.

    >>> shape_of("123.456-Zé")
    '999.999-AA'
    """
    return "".join("9" if mark.isdigit() else "A" if mark.isalpha() else mark for mark in value)


def letters_in(value: str, alphabet: Container[str]) -> str:
    """What ``value`` has of ``alphabet``.

    >>> letters_in("123-4", "0123456789")
    '1234'
    """
    return "".join(mark for mark in value if mark in alphabet)


def in_form_of(form: str, letters: str, alphabet: Container[str]) -> str:
    """``form`` with ``letters`` in the places of its own.

    >>> in_form_of("123-4", "9876", "0123456789")
    '987-6'
    """
    following = iter(letters)
    return "".join(next(following) if mark in alphabet else mark for mark in form)
