"""Which value each pseudonym stands for, in files that nobody can read without the key."""

import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from biombo._errors import InputError, UsageError, system_reason
from biombo._files import PRIVATE, write_whole
from biombo._plan.keys import Key
from biombo._plan.randomness import Randomness

SUFFIX = ".identities"

_MARK, _VERSION = "biombo-identities", 1
_NONCE = 12
_MOST = 2**31 - 64
"""Bytes that are sealed in one piece, at most."""


class Identities:
    """The pseudonyms of columns that can be undone by a table, gathered while rows pass by."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._of_column: dict[str, tuple[Key, dict[str, str]]] = {}
        self.written: tuple[Path, ...] = ()
        """The files with the tables."""

    def add(self, column: str, key: Key, values: Iterable[str], pseudonyms: Iterable[str]) -> None:
        """Take in that ``pseudonyms`` stand for ``values`` of ``column``."""
        _, value_of = self._of_column.setdefault(column, (key, {}))
        value_of |= zip(pseudonyms, values, strict=True)

    def write(self, random: Randomness) -> None:
        """Write a table for each column, under a new name: the pseudonyms of earlier runs keep theirs."""
        for column, (key, value_of) in self._of_column.items():
            if self._folder is None:
                raise UsageError("pseudonyms.no-private", column=column)
            path = self._folder / f"{secrets.token_hex(8)}{SUFFIX}"
            write_whole(path, sealed(value_of, column, key, random), mode=PRIVATE)
            self.written += (path,)


def sealed(value_of: Mapping[str, str], column: str, key: Key, random: Randomness) -> bytes:
    """The table in random order (document 003, 9.13), encrypted with AES-256-GCM, after a line that says what it is."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    order = random.order(len(value_of))
    arrays = [pa.array(texts, pa.large_string()).take(order) for texts in (value_of.keys(), value_of.values())]
    sink = pa.BufferOutputStream()
    batch = pa.RecordBatch.from_arrays(arrays, ["pseudonym", "value"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    content = sink.getvalue()
    if content.size > _MOST:
        raise UsageError("pseudonyms.large-table", column=column)
    nonce = os.urandom(_NONCE)
    header = json.dumps({_MARK: _VERSION, "column": column, "key": key.id, "nonce": nonce.hex()}) + "\n"
    return header.encode() + AESGCM(_secret(key, column)).encrypt(nonce, content.to_pybytes(), header.encode())


@dataclass(frozen=True)
class IdentityTable:
    """A file as :func:`sealed` makes it, of which only the first line can be read without the key."""

    path: Path
    column: str
    key_id: str
    nonce: bytes
    header: bytes

    @classmethod
    def find(cls, folder: Path) -> list["IdentityTable"]:
        """The tables in ``folder``."""
        return [cls.at(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]

    @classmethod
    def at(cls, path: Path) -> "IdentityTable":
        """The table in the file ``path``."""
        try:
            with path.open("rb") as file:
                header = file.readline(1 << 16)
        except OSError as error:
            raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None
        try:
            says = json.loads(header)
            if says[_MARK] != _VERSION:
                raise InputError("pseudonyms.no-table", path=str(path))
            return cls(path, str(says["column"]), str(says["key"]), bytes.fromhex(says["nonce"]), header)
        except (ValueError, KeyError, TypeError):
            raise InputError("pseudonyms.no-table", path=str(path)) from None

    def opened(self, key: Key) -> dict[str, str]:
        """The value of each pseudonym."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        content = self.path.read_bytes()[len(self.header) :]
        try:
            plain = AESGCM(_secret(key, self.column)).decrypt(self.nonce, content, self.header)
        except (InvalidTag, ValueError):  # ValueError: a nonce that is too short
            raise InputError("pseudonyms.damaged-table", path=str(self.path)) from None
        pseudonyms, values = pa.ipc.open_stream(plain).read_all().columns
        return dict(zip(pseudonyms.to_pylist(), values.to_pylist(), strict=True))


def _secret(key: Key, column: str) -> bytes:
    return key.derived("identities", column)
