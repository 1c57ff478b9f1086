"""The trace vault: which original record each trace id stands for, and how to recognise it, sealed."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biombo._errors import InputError
from biombo._files import PRIVATE, replacing
from biombo._release.trace.ids import BYTES, LINK
from biombo._release.trace.origin import Origin, Part
from biombo._secrets import Key, SealedFile, Sealing

VAULT = "trace.vault"

_MARK, _VERSION = "biombo-vault", 2
_RECORD = np.dtype([("id", f"S{BYTES}"), ("part", "<u4"), ("row", "<u8"), ("fingerprint", "<u8")])
_AT_A_TIME = 1 << 16
"""Records in a chunk."""

Records = NDArray[np.void]


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
class Link:
    """Where the record behind a trace id was, and how to recognise it."""

    part: int
    row: int
    """From 0, in its part."""
    fingerprint: int


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

    def links(self, asked: Iterable[str], key: Key) -> tuple[Origin, dict[str, Link | None]]:
        """What the source was, and the link of each trace id that is ``asked`` for, in one pass over the vault.

        Nothing is given before the end was seen, so that a vault that was cut short is noticed.
        """
        if key.id != self.key_id:
            raise InputError("release.other-key", path=str(self.file.path), needed=self.key_id, given=key.id)
        damaged = InputError("release.damaged-vault", path=str(self.file.path))
        chunks = self.file.chunks(_secret(key, self.release), damaged)
        origin = Origin(tuple(Part.from_tree(json.loads(next(chunks))) for _ in range(json.loads(next(chunks)))))
        wanted = _Wanted(asked)
        for chunk in chunks:
            wanted.look_through(np.frombuffer(chunk, _RECORD))
        return origin, wanted.found


class _Wanted:
    """The trace ids that are looked for, sorted, so that each chunk is searched for all of them at once."""

    def __init__(self, asked: Iterable[str]) -> None:
        self.found: dict[str, Link | None] = dict.fromkeys(asked)
        self._spelled: dict[bytes, list[str]] = {}
        """The same id may be asked for in several spellings."""
        for each in self.found:
            if (raw := _raw(each)) is not None:
                self._spelled.setdefault(raw, []).append(each)
        self._sorted = sorted(self._spelled)
        self._ids = np.array(self._sorted, f"S{BYTES}")

    def look_through(self, records: Records) -> None:
        """Note the links of those that are among ``records``."""
        if not self._sorted:
            return
        ids = records["id"]
        nearest = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        for place in np.flatnonzero(self._ids[nearest] == ids):
            _, part, row, fingerprint = records[place].item()
            for each in self._spelled[self._sorted[nearest[place]]]:
                self.found[each] = Link(part, row, fingerprint)


def _raw(trace_id: str) -> bytes | None:
    """The bytes of a trace id; nothing where it is none."""
    try:
        raw = bytes.fromhex(trace_id)
    except ValueError:
        return None
    return raw if len(raw) == BYTES else None


def _secret(key: Key, release: str) -> bytes:
    return key.derived("vault", release)
