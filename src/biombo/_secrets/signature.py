"""Signatures: whoever has the public key can tell that a release comes from whoever holds the key."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biombo._errors import InputError
from biombo._files import reading_from
from biombo._secrets.keys import Key, KeyPlace, load_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MARK = "biombo-public-key-1"
_WRITTEN = re.compile(rf"{_MARK} (?P<id>pub-[0-9a-f]{{16}}) (?P<bytes>[0-9a-f]{{64}})\s*")
_MOST_READ = 1 << 10


@dataclass(frozen=True)
class PublicKey:
    """What signatures are checked with. Everybody may have it; whoever checks must have it from a source they trust.

    >>> key = Key.new()
    >>> public = PublicKey.of(key)
    >>> public.proves(signature(key, b"a"), b"a"), public.proves(signature(key, b"a"), b"b")
    (True, False)
    """

    raw: bytes

    @classmethod
    def of(cls, key: Key) -> "PublicKey":
        """The public half of ``key``."""
        return cls(_private(key).public_key().public_bytes_raw())

    @property
    def id(self) -> str:
        """What it is called: the first bytes of its hash."""
        return f"pub-{hashlib.sha256(self.raw).hexdigest()[:16]}"

    def written(self) -> str:
        """The key as one line, for a file or a web page."""
        return f"{_MARK} {self.id} {self.raw.hex()}\n"

    @classmethod
    def load(cls, path: str | Path) -> "PublicKey":
        """The key in a file with that line."""
        with reading_from(path), Path(path).open("rb") as file:
            content = file.read(_MOST_READ).decode("ascii", "replace")
        found = _WRITTEN.fullmatch(content)
        key = None if found is None else cls(bytes.fromhex(found["bytes"]))
        if found is None or key is None or key.id != found["id"]:
            raise InputError("release.no-public-key", path=str(path))
        return key

    def proves(self, signed: bytes, content: bytes) -> bool:
        """Is ``signed`` a signature of ``content`` by whoever holds the key?"""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signed, content)
        except (InvalidSignature, ValueError):  # ValueError: not the bytes of a key
            return False
        return True


def public_key(place: KeyPlace) -> str:
    """The public half of the key kept at ``place``, as the line that ``biombo verify --key`` reads from a file.

    >>> import tempfile
    >>> from biombo._secrets import new_key
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = new_key(f"{folder}/department.key")
    ...     public_key(f"{folder}/department.key").split()[0]
    'biombo-public-key-1'
    """
    return PublicKey.of(load_key(place)).written()


def signature(key: Key, content: bytes) -> bytes:
    """Ed25519 (RFC 8032) over ``content``."""
    return _private(key).sign(content)


def _private(key: Key) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key.derived("signing"))
