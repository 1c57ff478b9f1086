"""Keys: what only the manager of the data holds. No plan, log, report or error ever shows one."""

import hmac
import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from biombo._errors import UsageError

_BYTES = 32
_MARK = "biombo-key-1"
_ID_OF = b"biombo: the id of a key"
_WRITTEN = re.compile(rf"{_MARK} (?P<id>key-[0-9a-f]{{16}}) (?P<secret>[0-9a-f]{{{2 * _BYTES}}})\s*")


@dataclass(frozen=True)
class Key:
    """A secret of 32 random bytes. Plans name it by its ``id``, from which nobody can tell the secret.

    >>> key = Key.new()
    >>> Key.read(key.written()) == key, key.id.startswith("key-")
    (True, True)
    """

    secret: bytes = field(repr=False)

    @classmethod
    def new(cls) -> Self:
        """A key that was never there before."""
        return cls(secrets.token_bytes(_BYTES))

    @property
    def id(self) -> str:
        """What the key is called: the first bytes of an HMAC under it."""
        return f"key-{hmac.digest(self.secret, _ID_OF, 'sha256')[:8].hex()}"

    def __repr__(self) -> str:
        return f"Key({self.id})"

    def written(self) -> str:
        """The key as it is kept: for a key file or a keyring, and nowhere else."""
        return f"{_MARK} {self.id} {self.secret.hex()}\n"

    @classmethod
    def read(cls, written: str) -> "Key | None":
        """The key that is kept as ``written``; none where that is damaged or something else."""
        found = _WRITTEN.fullmatch(written)
        if found is None:
            return None
        key = cls(bytes.fromhex(found["secret"]))
        return key if key.id == found["id"] else None

    def derived(self, *purpose: str | None) -> bytes:
        """32 bytes for one purpose, which tell nothing about those for another (HKDF-SHA256, RFC 5869)."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        info = json.dumps(["biombo", *purpose], ensure_ascii=False).encode()
        return HKDF(algorithm=SHA256(), length=_BYTES, salt=None, info=info).derive(self.secret)


class Keys:
    """The keys at hand while a plan is carried out.

    >>> key = Key.new()
    >>> Keys([key])[key.id] == key
    True
    """

    def __init__(self, keys: Iterable[Key] = ()) -> None:
        self._by_id: Mapping[str, Key] = {key.id: key for key in keys}

    def __getitem__(self, key_id: str) -> Key:
        """The key of this id. Raises where it is not at hand, before anything is done without it."""
        if key_id in self._by_id:
            return self._by_id[key_id]
        if self._by_id:
            raise UsageError("keys.wrong", needed=key_id, given=", ".join(self._by_id))
        raise UsageError("keys.missing", needed=key_id)
