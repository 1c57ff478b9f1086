"""Files that nobody can read without the key: a line that says what they are, and the rest in AES-256-GCM."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biombo._errors import InputError, system_reason

MOST = 2**31 - 64
"""Bytes that are sealed in one piece, at most."""

_NONCE = 12
_LONGEST_LINE = 1 << 16


def seal(says: Mapping[str, Any], content: bytes, secret: bytes) -> bytes:
    """``content`` for a file, after a line with what it ``says``, which cannot be changed without notice either."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(_NONCE)
    header = (json.dumps({**says, "nonce": nonce.hex()}) + "\n").encode()
    return header + AESGCM(secret).encrypt(nonce, content, header)


@dataclass(frozen=True)
class SealedFile:
    """A file with what :func:`seal` gives, of which only the first line can be read without the key."""

    path: Path
    says: Mapping[str, Any]
    header: bytes

    @classmethod
    def at(cls, path: Path) -> "SealedFile | None":
        """The file ``path``; nothing where it does not begin with such a line."""
        try:
            with path.open("rb") as file:
                header = file.readline(_LONGEST_LINE)
        except OSError as error:
            raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None
        try:
            says = json.loads(header)
        except (ValueError, RecursionError):
            return None
        return cls(path, says, header) if isinstance(says, dict) else None

    def opened(self, secret: bytes) -> bytes | None:
        """What is in it; nothing where it is damaged, or sealed with another secret."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            content = self.path.read_bytes()[len(self.header) :]
        except OSError as error:
            raise InputError("input.unreadable", path=str(self.path), detail=system_reason(error)) from None
        try:
            return AESGCM(secret).decrypt(bytes.fromhex(self.says["nonce"]), content, self.header)
        except (InvalidTag, ValueError, KeyError, TypeError):  # the last three: a nonce that is none
            return None
