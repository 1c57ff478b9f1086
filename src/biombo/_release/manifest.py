"""``manifest.json``: what a release consists of and claims, signed."""

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from biombo._errors import InputError, system_reason
from biombo._files import write_whole
from biombo._release.claims import Claim
from biombo._secrets import Key, PublicKey, signature

MANIFEST = "manifest.json"

_MARK, _VERSION = "biombo-release", 1
_SIGNATURE, _ALGORITHM = "signature", "Ed25519"
_CHUNK = 1 << 20
_MOST_READ = 1 << 26


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
        return _text(self.content["id"])

    @property
    def data(self) -> str:
        """The name of the file with the records."""
        return _text(self.content["data"])

    @property
    def files(self) -> Mapping[str, str]:
        """The SHA-256 of each file but the manifest itself."""
        listed = self.content["files"]
        if not all(isinstance(hashed_as, str) for hashed_as in listed.values()):
            raise TypeError
        return dict(listed)

    @property
    def claims(self) -> list[Claim]:
        """What the release claims."""
        return [Claim.from_tree(tree) for tree in self.content["claims"]]

    @property
    def besides(self) -> set[str]:
        """The entries that no manifest needs."""
        return {*self.content} - {_MARK, "id", "data", "files", "claims"}

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
            tree = _strictly_read(path)
            content = {name: value for name, value in tree.items() if name != _SIGNATURE}
            signed = tree[_SIGNATURE]
            found = cls(content, PublicKey(_bytes(signed["public_key"])), _bytes(signed["value"]))
            whole = content[_MARK] == _VERSION and bool(found.id and found.data and canonical(content))
            _ = found.files, found.claims
        except OSError as error:
            if folder.suffix.lower() == ".zip" and folder.is_file():
                raise InputError("release.zipped", path=str(folder)) from None
            raise InputError("release.none", path=str(folder), detail=system_reason(error)) from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError("release.no-manifest", path=str(path)) from None
        if not whole:
            raise InputError("release.no-manifest", path=str(path))
        said_besides = found.to_tree() != tree
        return replace(found, signature=b"") if said_besides else found


def _strictly_read(path: Path) -> dict[str, Any]:
    """What the file says, if there is one way to read it. It is no link, and nothing that never ends."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError
        content = file.read(_MOST_READ + 1)
    if len(content) > _MOST_READ:
        raise ValueError
    tree = json.loads(content.decode("utf-8"), object_pairs_hook=_each_once)
    if not isinstance(tree, dict):
        raise TypeError
    return tree


def _each_once(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(entries)
    if len(found) < len(entries):
        raise ValueError
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _bytes(written: str) -> bytes:
    """What hexadecimal digits say; nothing where they are none."""
    try:
        return bytes.fromhex(written)
    except ValueError:
        return b""


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
