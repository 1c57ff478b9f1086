"""Pseudonyms that follow from the value and a secret."""

import hmac
from collections.abc import Sequence

from biombo._plan.pseudonyms.pseudonyms import Pseudonyms


class Keyed(Pseudonyms):
    """HMAC-SHA256 of the value under ``secret`` (RFC 2104), as ``length`` letters of ``alphabet``.

    That two of n values share a pseudonym has a chance below n² / (2 · letters^length); plans ask for so many letters
    that this never happens.
    """

    def __init__(self, secret: bytes, alphabet: str, length: int) -> None:
        self._secret = secret
        self._alphabet = alphabet
        self._length = length

    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""
        return [self._text(hmac.digest(self._secret, value.encode(), "sha256")) for value in values]

    def _text(self, digest: bytes) -> str:
        rest, letters = int.from_bytes(digest), []
        for _ in range(self._length):
            rest, place = divmod(rest, len(self._alphabet))
            letters.append(self._alphabet[place])
        return "".join(letters)
