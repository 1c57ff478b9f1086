"""Pseudonyms of letters: drawn at random, or following from the value and a secret."""

import hmac
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biombo._engine import Randomness
from biombo._errors import ColumnError


class Pseudonyms(ABC):
    """Gives each value a pseudonym: always the same to the same value, never one to two values."""

    @abstractmethod
    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""

    def kept(self, values: Sequence[str], pseudonyms: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What a table of identities has for the ``values``: their ``pseudonyms``, unless somebody else stands between
        the two.
        """
        return pseudonyms


def lettered(places: NDArray[np.uint64], alphabet: str) -> list[str]:
    """A text for each row of ``places``, which say for each of its letters where this is in ``alphabet``.

    >>> lettered(np.array([[0, 1], [2, 0]], np.uint64), "xyz")
    ['xy', 'zx']
    """
    letters = np.ascontiguousarray(np.array(list(alphabet))[places])
    texts: list[str] = letters.view(f"U{places.shape[1]}").ravel().tolist()
    return texts


class Drawn(Pseudonyms):
    """Draws a text of ``length`` letters for each value that it has not seen yet, and no text twice.

    At most half of all texts are given away: drawing stays quick, and most texts stand for nobody. What was ``taken``
    before is not given again, and what is given is added there.
    """

    def __init__(
        self, random: Randomness, alphabet: str, length: int, column: str, taken: set[str] | None = None
    ) -> None:
        self._random = random
        self._alphabet = alphabet
        self._length = length
        self._column = column
        self._pseudonym_of: dict[str, str] = {}
        self._taken = set() if taken is None else taken

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
        if len(self._taken) + new > most and self._taken_of_this_length() + new > most:
            raise ColumnError("pseudonyms.too-many", column=self._column, most=most)

    def _taken_of_this_length(self) -> int:
        return sum(len(text) == self._length for text in self._taken)


_WORDS = 4
"""Numbers of 64 bits in a digest."""


class Keyed(Pseudonyms):
    """HMAC-SHA256 of the value under ``secret`` (RFC 2104), as ``length`` letters of ``alphabet``.

    The digest is read as four numbers, whose lowest digits in the base of the alphabet are the letters, one of each in
    turn. That two of n values share a pseudonym has a chance of about n² / (2 · letters^length); plans ask for so many
    letters that this never happens.
    """

    def __init__(self, secret: bytes, alphabet: str, length: int) -> None:
        self._begun = hmac.new(secret, digestmod="sha256")
        self._alphabet = alphabet
        self._length = length

    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""
        words = np.frombuffer(b"".join(map(self._digest, values)), ">u8").astype(np.uint64).reshape(-1, _WORDS)
        rounds = np.arange(self._length, dtype=np.uint64) // np.uint64(_WORDS)
        letters = np.uint64(len(self._alphabet))
        digits = words[:, np.arange(self._length) % _WORDS] // letters**rounds % letters
        return lettered(digits, self._alphabet)

    def _digest(self, value: str) -> bytes:
        digest = self._begun.copy()
        digest.update(value.encode())
        return digest.digest()
