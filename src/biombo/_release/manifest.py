"""``manifest.json``: what a release consists of and claims, signed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biombo._errors import InputError, system_reason
from biombo._files import write_whole
from biombo._plan.keys import Key
from biombo._release.claims import Claim
from biombo._release.signing import PublicKey, signature

MANIFEST = "manifest.json"

_MARK, _VERSION = "biombo-release", 1
_SIGNATURE, _ALGORITHM = "signature", "Ed25519"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Manifest:
    """What ``manifest.json`` says."""

    content: Mapping[str, Any]
    """All but the signature."""
    public_key: PublicKey
    signature: bytes

    @classmethod
    def signed(cls, content: Mapping[str, Any], key: Key) -> "Manifest":
        """The manifest that says ``content``, signed with ``key``."""
        marked = {_MARK: _VERSION, **content}
        return cls(marked, PublicKey.of(key), signature(key, canonical(marked)))

    @property
    def id(self) -> str:
        """The release that it is of."""
        return str(self.content["id"])

    @property
    def data(self) -> str:
        """The name of the file with the records."""
        return str(self.content["data"])

    @property
    def files(self) -> Mapping[str, str]:
        """The SHA-256 of each file but the manifest itself."""
        return dict(self.content["files"])

    @property
    def claims(self) -> list[Claim]:
        """What the release claims."""
        return [Claim.from_tree(tree) for tree in self.content["claims"]]

    @property
    def is_intact(self) -> bool:
        """Does the signature fit what is said, by the key that is named with it?"""
        return self.public_key.proves(self.signature, canonical(self.content))

    def to_tree(self) -> dict[str, Any]:
        """All of it as plain values."""
        signed = {
            "algorithm": _ALGORITHM,
            "public_key": self.public_key.raw.hex(),
            "value": self.signature.hex(),
        }
        return {**self.content, _SIGNATURE: signed}

    def write(self, folder: Path) -> None:
        """Put it into the folder of the release."""
        write_whole(folder / MANIFEST, json.dumps(self.to_tree(), ensure_ascii=False, indent=2) + "\n")

    @classmethod
    def of(cls, folder: Path) -> "Manifest":
        """The manifest of the release in ``folder``. Raises where there is none."""
        path = folder / MANIFEST
        try:
            tree = json.loads(path.read_bytes())
            content = {name: value for name, value in tree.items() if name != _SIGNATURE}
            signed = tree[_SIGNATURE]
            found = cls(content, PublicKey(bytes.fromhex(signed["public_key"])), bytes.fromhex(signed["value"]))
            whole = content[_MARK] == _VERSION and bool(found.id and found.data)
            _ = found.files, found.claims
        except OSError as error:
            raise InputError("release.none", path=str(folder), detail=system_reason(error)) from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError("release.no-manifest", path=str(path)) from None
        if not whole:
            raise InputError("release.no-manifest", path=str(path))
        return found


def canonical(content: Mapping[str, Any]) -> bytes:
    """The one way to write ``content`` down that signatures are over."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def hashed(path: Path) -> str:
    """The SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()
