"""The trace vault: which original record each trace id stands for, sealed."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, write_whole
from biombo._plan.keys import Key
from biombo._plan.sealing import MOST, SealedFile, seal
from biombo._release.trace_ids import BYTES, Ids, Links, Places

VAULT = "trace.vault"

_MARK, _VERSION = "biombo-vault", 1
_PLACE = "<u8"
_PER_RECORD = BYTES + 8


def write_vault(folder: Path, links: Links, release: str, key: Key) -> None:
    """Put ``links`` of the release of this id into ``folder``."""
    ids, places = links.ids, links.places
    if len(places) * _PER_RECORD > MOST:
        raise UsageError("release.large-vault", records=len(places), most=MOST // _PER_RECORD)
    content = ids.tobytes() + places.astype(_PLACE).tobytes()
    says = {_MARK: _VERSION, "release": release, "key": key.id}
    write_whole(folder / VAULT, seal(says, content, _secret(key, release)), mode=PRIVATE)


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
        if file is None or file.says.get(_MARK) != _VERSION or not {"release", "key"} <= set(file.says):
            raise InputError("release.no-vault", path=str(path))
        return cls(file, str(file.says["release"]), str(file.says["key"]))

    def places(self, asked: Iterable[str], key: Key) -> dict[str, int | None]:
        """The place in the original table of each trace id that is ``asked`` for; none for those that are not known."""
        ids, places = self._opened(key)
        return {trace_id: _place(trace_id, ids, places) for trace_id in asked}

    def _opened(self, key: Key) -> tuple[Ids, Places]:
        if key.id != self.key_id:
            raise InputError("release.other-key", path=str(self.file.path), needed=self.key_id, given=key.id)
        content = self.file.opened(_secret(key, self.release))
        if content is None:
            raise InputError("release.damaged-vault", path=str(self.file.path))
        records = len(content) // _PER_RECORD
        ids = np.frombuffer(content, np.uint8, records * BYTES).reshape(-1, BYTES)
        return ids, np.frombuffer(content, _PLACE, records, records * BYTES)


def _place(trace_id: str, ids: Ids, places: Places) -> int | None:
    try:
        raw = bytes.fromhex(trace_id)
    except ValueError:
        return None
    if len(raw) != BYTES:
        return None
    found = np.flatnonzero((ids == np.frombuffer(raw, np.uint8)).all(axis=1))
    return int(places[found[0]]) if len(found) else None


def _secret(key: Key, release: str) -> bytes:
    return key.derived("vault", release)
