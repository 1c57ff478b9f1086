"""The folder that driver and workers share while a table is worked on; all that lies in it is sealed."""

import os
import pickle
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from typing import Any
from weakref import finalize

import pyarrow as pa
from pyarrow import parquet

from biombo._engine.local.spool import FATES
from biombo._engine.spark.owned_folder import OwnedFolder
from biombo._files import in_sentences

ORDER = "\x1eorder"
"""The column of a staged part that has a random number for each record, by which these are put in order."""

_NONCE = 12


@dataclass(frozen=True)
class Seal:
    """Closes and opens what lies in the folder; its secret lives as long as the run, in memory."""

    secret: bytes = field(default_factory=lambda: os.urandom(32), repr=False)

    def closed(self, content: bytes) -> bytes:
        """``content`` for nobody else to read."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self.secret).encrypt(nonce, content, None)

    def opened(self, sealed: bytes) -> bytes:
        """What was closed."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self.secret).decrypt(sealed[:_NONCE], sealed[_NONCE:], None)


@dataclass(frozen=True)
class Kept:
    """Something that lies in the folder for all workers."""

    path: Path
    seal: Seal

    def load(self) -> Any:
        """The thing itself, which a worker reads once."""
        return _loaded(self)


@lru_cache(maxsize=4)
def _loaded(kept: Kept) -> Any:
    return pickle.loads(kept.seal.opened(kept.path.read_bytes()))


class Workplace:
    """A private folder, gone when nobody needs it any more."""

    def __init__(self, above: Path | None) -> None:
        place = above or Path(tempfile.gettempdir())
        with in_sentences(place):
            folder = OwnedFolder(place.absolute())
        self.path = folder.path
        self.seal = Seal()
        self._made = 0
        finalize(self, folder.remove)

    def new(self, kind: str) -> Path:
        """A name that nothing has yet."""
        self._made += 1
        return self.path / f"{kind}-{self._made}"

    def keep(self, thing: Any) -> Kept:
        """Put something there for all workers."""
        path = self.new("kept")
        with in_sentences(path):
            path.write_bytes(self.seal.closed(pickle.dumps(thing)))
        return Kept(path, self.seal)


def exactly(address: str) -> str:
    """An address that means this file and no pattern."""
    return re.sub(r"([\\{}\[\]*?])", r"\\\1", address)


def address_of(path: Path) -> str:
    """The path as Spark takes it: letter by letter, since %C3 stands for itself there."""
    return f"file://{path}"


class Stage:
    """A folder of files that Spark has written under its commit protocol, removed when nothing refers to it."""

    def __init__(self, path: Path, seal: Seal) -> None:
        self.path = path
        self.seal = seal
        finalize(self, rmtree, path, ignore_errors=True)

    def files(self) -> list[Path]:
        """What was committed."""
        return sorted(self.path.glob("*.parquet"))


def packed(table: pa.RecordBatch | pa.Table) -> bytes:
    """A table as bytes, with the types that it has."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4", emit_dictionary_deltas=False, unify_dictionaries=True)
    whole = pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
    with pa.ipc.new_file(sink, whole.schema, options=options) as writer:
        writer.write_table(whole)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def unpacked(content: bytes) -> pa.Table:
    """The table again."""
    return pa.ipc.open_file(content).read_all()


@dataclass(frozen=True)
class StagedPart:
    """The rows of one part as they lie in a file of a stage: batches that are sealed one by one."""

    path: Path
    seal: Seal
    label: str
    columns: list[str]
    rows: int | None
    stage: Stage | None = field(default=None, repr=False, compare=False)
    """Keeps the file where it is for as long as somebody here may read it."""

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``, and their fates."""
        with parquet.ParquetFile(self.path) as file:
            for sealed in file.iter_batches(1, columns=["blob"]):
                content = sealed.column(0)[0].as_py()
                if content is not None:
                    table = unpacked(self.seal.opened(content)).select([*columns, FATES])
                    yield from table.combine_chunks().to_batches()

    def __reduce__(self) -> tuple[Any, ...]:
        return StagedPart, (self.path, self.seal, self.label, self.columns, self.rows)


@dataclass(frozen=True)
class StockedPart:
    """Rows that only the driver could read, batch by batch in a sealed file."""

    path: Path
    seal: Seal
    label: str
    columns: list[str]
    rows: int | None
    lengths: tuple[int, ...]
    """Of the sealed batches, one after the other."""

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        with self.path.open("rb") as file:
            for length in self.lengths:
                table = unpacked(self.seal.opened(file.read(length)))
                yield from table.select(list(columns)).combine_chunks().to_batches()
