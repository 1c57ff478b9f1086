"""Pseudonyms that follow from the value and a secret."""

import hmac
from collections.abc import Sequence

import numpy as np

from biombo._plan.pseudonyms.lettering import lettered
from biombo._plan.pseudonyms.pseudonyms import Pseudonyms

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
