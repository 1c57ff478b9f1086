"""Pseudonyms drawn at random: nothing ties them to their values but the memory of this run."""

from collections.abc import Sequence

import numpy as np

from biombo._engine import Randomness
from biombo._errors import ColumnError
from biombo._plan.pseudonyms.lettering import lettered
from biombo._plan.pseudonyms.pseudonyms import Pseudonyms


class Drawn(Pseudonyms):
    """Draws a text of ``length`` letters for each value that it has not seen yet, and no text twice.

    At most half of all texts are given away: drawing stays quick, and most texts stand for nobody.
    """

    def __init__(self, random: Randomness, alphabet: str, length: int, column: str) -> None:
        self._random = random
        self._alphabet = alphabet
        self._length = length
        self._column = column
        self._pseudonym_of: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""
        new = [value for value in values if value not in self._pseudonym_of]
        self._refuse_too_many(len(new))
        self._pseudonym_of |= zip(new, self._unused(len(new)), strict=True)
        return [self._pseudonym_of[value] for value in values]

    def _unused(self, n: int) -> list[str]:
        unused: list[str] = []
        while len(unused) < n:
            drawn = dict.fromkeys(self._texts(n - len(unused)))
            fresh = [text for text in drawn if text not in self._taken]
            self._taken.update(fresh)
            unused += fresh
        return unused

    def _texts(self, n: int) -> list[str]:
        """Any texts. A letter's chance is off by less than 2⁻⁵⁷, because 64 bits are divided among at most 64."""
        drawn = self._random.words(n * self._length) % np.uint64(len(self._alphabet))
        return lettered(drawn.reshape(n, self._length), self._alphabet)

    def _refuse_too_many(self, new: int) -> None:
        most = len(self._alphabet) ** self._length // 2
        if len(self._taken) + new > most:
            raise ColumnError("pseudonyms.too-many", column=self._column, most=most)
