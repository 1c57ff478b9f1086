"""Rows in random order: the order of the records tells things about them (PDPC 2018, 4.1.c)."""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._engine.local.write import Writer
from biombo._engine.randomness import Randomness

MOST_HELD = 1 << 25
"""Bytes of values that are kept in memory before they go to files."""

_BUCKETS = 1 << 6

Typing = Callable[[pl.DataFrame], pl.DataFrame]
"""What is done to a frame once all rows are known."""


def _as_it_is(frame: pl.DataFrame) -> pl.DataFrame:
    return frame


@contextmanager
def shuffled(
    writer: Writer, folder: Path | None, most_held: int = MOST_HELD, typed: Typing = _as_it_is
) -> Iterator[Writer]:
    """A writer that hands its rows on to ``writer`` in an order drawn from the system's secure source of randomness.

    They go on when all have come, and all get the same types, by ``typed``. What does not fit into memory goes to files
    in ``folder`` that have no name, so that nobody else can open them and they are gone when the program ends, however
    it ends.
    """
    with ExitStack() as files:
        buckets = None if folder is None else _Buckets(folder, files)
        with _Shuffled(writer, buckets, most_held, typed) as shuffling:
            yield shuffling


@contextmanager
def in_order(writer: Writer, folder: Path | None, typed: Typing) -> Iterator[Writer]:
    """The same, with the rows in the order in which they come."""
    with ExitStack() as files, _InOrder(writer, None if folder is None else _Bucket(folder, files), typed) as waiting:
        yield waiting


class _InOrder(Writer):
    def __init__(self, writer: Writer, bucket: "_Bucket | None", typed: Typing) -> None:
        self._writer = writer
        self._bucket = bucket
        self._typed = typed
        self._held: list[pl.DataFrame] = []

    def write(self, frame: pl.DataFrame) -> None:
        if self._bucket is None:
            self._held.append(frame)
        else:
            self._bucket.write(frame.to_arrow())

    def close(self) -> None:
        for frame in self._held if self._bucket is None else self._bucket.read():
            self._writer.write(self._typed(frame))


class _Shuffled(Writer):
    def __init__(self, writer: Writer, buckets: "_Buckets | None", most_held: int, typed: Typing) -> None:
        self._writer = writer
        self._buckets = buckets
        self._most_held = most_held
        self._typed = typed
        self._held: list[pl.DataFrame] = []
        self._bytes = 0

    def write(self, frame: pl.DataFrame) -> None:
        self._held.append(frame)
        self._bytes += int(frame.estimated_size())
        if self._buckets is not None and self._bytes > self._most_held:
            self._buckets.scatter(self._taken())

    def close(self) -> None:
        if self._buckets is None or self._buckets.empty:
            self._hand_on(self._taken())
            return
        self._buckets.scatter(self._taken())
        for frames in self._buckets.gathered():
            self._hand_on(frames)

    def _hand_on(self, frames: Iterable[pl.DataFrame]) -> None:
        typed = [self._typed(frame) for frame in frames]
        if typed:
            whole = pl.concat(typed, rechunk=True)  # picking rows from many chunks is slow
            self._writer.write(_in_random_order(whole))

    def _taken(self) -> list[pl.DataFrame]:
        held, self._held, self._bytes = self._held, [], 0
        return held


class _Buckets:
    """Files among which rows are divided at random: when each of them is shuffled, all rows are."""

    def __init__(self, folder: Path, files: ExitStack) -> None:
        self._folder = folder
        self._files = files
        self._buckets: list[_Bucket] = []

    @property
    def empty(self) -> bool:
        """Has nothing been put there?"""
        return not self._buckets

    def scatter(self, frames: list[pl.DataFrame]) -> None:
        """Put each row into a bucket."""
        if self.empty:
            self._buckets = [_Bucket(self._folder, self._files) for _ in range(_BUCKETS)]
        for alike in _joined(frames):
            bucket_of = np.frombuffer(os.urandom(alike.height), np.uint8) % _BUCKETS
            table = alike[np.argsort(bucket_of, kind="stable")].to_arrow()
            sizes = np.bincount(bucket_of, minlength=_BUCKETS)
            for bucket, start, size in zip(self._buckets, np.cumsum(sizes) - sizes, sizes, strict=True):
                bucket.write(table.slice(start, size))

    def gathered(self) -> Iterator[Iterator[pl.DataFrame]]:
        """The rows of each bucket."""
        return (bucket.read() for bucket in self._buckets)


class _Bucket:
    """Tables one after the other in a file, each with a schema of its own."""

    def __init__(self, folder: Path, files: ExitStack) -> None:
        self._file = files.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115 - the stack closes it

    def write(self, table: pa.Table) -> None:
        with pa.ipc.new_stream(self._file, table.schema) as stream:
            stream.write_table(table)

    def read(self) -> Iterator[pl.DataFrame]:
        end = self._file.tell()
        self._file.seek(0)
        while self._file.tell() < end:
            yield pl.DataFrame(pa.ipc.open_stream(self._file).read_all())


def _joined(frames: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Neighbours of the same types as one frame."""
    for _, alike in groupby(frames, key=lambda frame: frame.schema):
        yield pl.concat(alike, rechunk=True)


def _in_random_order(frame: pl.DataFrame) -> pl.DataFrame:
    return frame[Randomness().order(frame.height)]
