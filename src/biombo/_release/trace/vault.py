"""The trace vault: which original record each trace id stands for, and how to recognise it, sealed."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biombo._errors import InputError
from biombo._files import PRIVATE, replacing
from biombo._release.trace.ids import BYTES, LINK, RawIds
from biombo._release.trace.origin import Origin, Part
from biombo._secrets import Key, SealedFile, Sealing

VAULT = "trace.vault"

_MARK, _VERSION = "biombo-vault", 2
_RECORD = np.dtype([("id", f"S{BYTES}"), ("part", "<u4"), ("row", "<u8"), ("fingerprint", "<u8")])
_AT_A_TIME = 1 << 16
"""Records in a chunk."""

Records = NDArray[np.void]
"""Links: ``id``, the ``part`` of the source, the ``row`` there from 0, and the ``fingerprint`` to recognise it by."""


@dataclass(frozen=True, eq=False)
class NewVault:
    """The vault of a release that is being made."""

    release: str
    key: Key
    origin: Origin = field(repr=False)

    @contextmanager
    def written(self, folder: Path) -> Iterator["VaultWriter"]:
        """Something that takes links; the vault is in ``folder`` once the block ends without an error."""
        says = {_MARK: _VERSION, "release": self.release, "key": self.key.id}
        with replacing(folder / VAULT, mode=PRIVATE) as file:
            sealing = Sealing(file, says, _secret(self.key, self.release))
            writer = VaultWriter(sealing, self.origin)
            yield writer
            writer.close()


class VaultWriter:
    """Seals links as they come, after the number of the source's parts and a chunk for each of them."""

    def __init__(self, sealing: Sealing, origin: Origin) -> None:
        self._sealing = sealing
        self._origin = origin
        self._held: list[Records] = []
        parts = [part.to_tree() for part in origin.parts]
        for tree in (len(parts), *parts):
            sealing.add(json.dumps(tree).encode())

    def add(self, content: bytes) -> None:
        """Take in the links that :func:`biombo._release.trace.ids.named` has made."""
        links = np.frombuffer(content, LINK)
        records = np.empty(len(links), _RECORD)
        records["id"], records["fingerprint"] = links["id"], links["fingerprint"]
        records["part"], records["row"] = self._origin.located(links["place"])
        self._held.append(records)
        if sum(map(len, self._held)) >= _AT_A_TIME:
            self._seal()

    def close(self) -> None:
        """Seal what is left."""
        self._seal()
        self._sealing.close()

    def _seal(self) -> None:
        records = np.concatenate([np.empty(0, _RECORD), *self._held])
        for start in range(0, len(records), _AT_A_TIME):
            self._sealing.add(records[start : start + _AT_A_TIME].tobytes())
        self._held.clear()


@dataclass(frozen=True)
class Vault:
    """The vault of one release, of which only the first line can be read without the key."""

    file: SealedFile
    release: str
    key_id: str

    @classmethod
    def of(cls, folder: Path) -> "Vault":
        """The vault in a private folder."""
        path = folder / VAULT
        file = SealedFile.at(path)
        if file is None or not {_MARK, "release", "key"} <= set(file.says):
            raise InputError("release.no-vault", path=str(path))
        if file.says[_MARK] != _VERSION:
            raise InputError("release.vault-version", path=str(path), version=file.says[_MARK], known=_VERSION)
        return cls(file, str(file.says["release"]), str(file.says["key"]))

    def links(self, key: Key, asked: RawIds | None = None) -> tuple[Origin, Records]:
        """What the source was, and the links of the trace ids that are ``asked`` for, or of all, in one pass over the
        vault; ids that are not there are left out.

        Nothing is given before the end was seen, so that a vault that was cut short is noticed.
        """
        if key.id != self.key_id:
            raise InputError("release.other-key", path=str(self.file.path), needed=self.key_id, given=key.id)
        damaged = InputError("release.damaged-vault", path=str(self.file.path))
        chunks = self.file.chunks(_secret(key, self.release), damaged)
        origin = Origin(tuple(Part.from_tree(json.loads(next(chunks))) for _ in range(json.loads(next(chunks)))))
        wanted = None if asked is None else np.sort(asked)
        found = [_among(np.frombuffer(chunk, _RECORD), wanted) for chunk in chunks]
        return origin, np.concatenate([np.empty(0, _RECORD), *found])


def _among(records: Records, wanted: RawIds | None) -> Records:
    """Those of the ``records`` whose ids are ``wanted``; these are sorted."""
    if wanted is None:
        return records
    nearest = np.minimum(np.searchsorted(wanted, records["id"]), len(wanted) - 1)
    there = wanted[nearest] == records["id"] if len(wanted) else np.zeros(len(records), bool)
    return records[np.flatnonzero(there)]


def _secret(key: Key, release: str) -> bytes:
    return key.derived("vault", release)
