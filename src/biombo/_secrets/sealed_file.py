"""Files that nobody can read without the key: a line that says what they are, and chunks in AES-256-GCM.

The chunks are bound together as in STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, 2015): the nonce of a chunk is its
number and whether it is the last. Each file has a secret of its own, from a random salt in its first line, which is
bound to each chunk. So no chunk can be changed, swapped, dropped or taken from another file, and no file cut short,
without notice; and there may be as many chunks as it takes.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from biombo._errors import BiomboError
from biombo._files import reading_from

LARGEST = 1 << 24
"""Bytes of content in a chunk, at most."""

_SALT, _TAG, _LENGTH, _NUMBER = 32, 16, 4, 11
_LONGEST_LINE = 1 << 16


class Sealing:
    """Seals chunks into ``file`` as they come, after a line with what the file ``says``. It is whole once closed."""

    def __init__(self, file: BinaryIO, says: Mapping[str, Any], secret: bytes) -> None:
        salt = os.urandom(_SALT)
        header = (json.dumps({**says, "salt": salt.hex()}) + "\n").encode()
        file.write(header)
        self._file = file
        self._cipher = _Cipher(secret, salt, header)
        self._number = 0
        self._held: bytes | None = None
        """The chunk that may turn out to be the last."""

    def add(self, chunk: bytes) -> None:
        """Seal one more chunk."""
        if len(chunk) > LARGEST:
            raise ValueError(len(chunk))
        self._write(last=False)
        self._held = chunk

    def close(self) -> None:
        """Seal the last chunk as such."""
        self._held = self._held or b""
        self._write(last=True)

    def _write(self, *, last: bool) -> None:
        if self._held is not None:
            sealed = self._cipher.sealed(self._held, self._number, last)
            self._file.write(len(sealed).to_bytes(_LENGTH, "big") + sealed)
            self._number += 1


class _Cipher:
    def __init__(self, secret: bytes, salt: bytes, header: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        self._cipher = AESGCM(HKDF(SHA256(), length=32, salt=salt, info=b"biombo: the chunks of a file").derive(secret))
        self._header = header

    def sealed(self, chunk: bytes, number: int, last: bool) -> bytes:
        return self._cipher.encrypt(_nonce(number, last), chunk, self._header)

    def opened(self, sealed: bytes, number: int, last: bool) -> bytes | None:
        from cryptography.exceptions import InvalidTag

        try:
            return self._cipher.decrypt(_nonce(number, last), sealed, self._header)
        except InvalidTag:
            return None


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(_NUMBER, "big") + bytes([last])


@dataclass(frozen=True)
class SealedFile:
    """A file that was made by :class:`Sealing`, of which only the first line can be read without the key."""

    path: Path
    says: Mapping[str, Any]
    header: bytes

    @classmethod
    def at(cls, path: Path) -> "SealedFile | None":
        """The file ``path``; nothing where it does not begin with such a line."""
        with reading_from(path), path.open("rb") as file:
            header = file.readline(_LONGEST_LINE)
        try:
            says = json.loads(header)
        except (ValueError, RecursionError):
            return None
        return cls(path, says, header) if isinstance(says, dict) else None

    def chunks(self, secret: bytes, damaged: BiomboError) -> Iterator[bytes]:
        """What is in it, chunk by chunk. Raises ``damaged`` where it is, or is sealed with another secret; that it was
        cut short is only known at its end.
        """
        cipher = self._cipher(secret, damaged)
        with reading_from(self.path), self.path.open("rb") as file:
            file.seek(len(self.header))
            for number, (sealed, last) in enumerate(_pieces(file, damaged)):
                chunk = cipher.opened(sealed, number, last)
                if chunk is None:
                    raise damaged
                yield chunk

    def _cipher(self, secret: bytes, damaged: BiomboError) -> _Cipher:
        try:
            return _Cipher(secret, bytes.fromhex(self.says["salt"]), self.header)
        except (ValueError, KeyError, TypeError):
            raise damaged from None


def _pieces(file: BinaryIO, damaged: BiomboError) -> Iterator[tuple[bytes, bool]]:
    """The sealed chunks of a file, and whether each is the last one there."""
    length = file.read(_LENGTH)
    while True:
        size = int.from_bytes(length, "big")
        if len(length) < _LENGTH or not _TAG <= size <= LARGEST + _TAG:
            raise damaged
        sealed = file.read(size)
        if len(sealed) < size:
            raise damaged
        length = file.read(_LENGTH)
        yield sealed, not length
        if not length:
            return
