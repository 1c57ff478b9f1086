"""Pseudonyms that look like a CPF, a CNPJ or a CNS and can be nobody's."""

from collections.abc import Callable, Sequence
from string import ascii_uppercase

from biombo._errors import ColumnError
from biombo._plan.pseudonyms.checked_numbers import CheckedNumber
from biombo._plan.pseudonyms.choices import DIGITS
from biombo._plan.pseudonyms.ciphered import Ciphered
from biombo._plan.pseudonyms.form import in_form_of, letters_in, shape_of
from biombo._plan.pseudonyms.pseudonyms import ReversiblePseudonyms

_MARKS = DIGITS + ascii_uppercase


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
