"""Rows in random order: the order of the records tells things about them (document 003, 4.1.c)."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._engine.local.write import Writer
from biombo._plan.randomness import Randomness

MOST_HELD = 1 << 25
"""Bytes of values that are kept in memory before they go to files."""

_BUCKETS = 1 << 6


@contextmanager
def shuffled(writer: Writer, folder: Path | None, most_held: int = MOST_HELD) -> Iterator[Writer]:
    """A writer that hands its rows on to ``writer`` in an order drawn from the system's secure source of randomness.

    What does not fit into memory goes to files in ``folder`` that have no name, so that nobody else can open them and
    they are gone when the program ends, however it ends.
    """
    with ExitStack() as files:
        buckets = None if folder is None else _Buckets(folder, files)
        with _Shuffled(writer, buckets, most_held) as shuffling:
            yield shuffling


class _Shuffled(Writer):
    def __init__(self, writer: Writer, buckets: "_Buckets | None", most_held: int) -> None:
        self._writer = writer
        self._buckets = buckets
        self._most_held = most_held
        self._held: list[pl.DataFrame] = []
        self._bytes = 0

    def write(self, frame: pl.DataFrame) -> None:
        self._held.append(frame)
        self._bytes += int(frame.estimated_size())
        if self._buckets is not None and self._bytes > self._most_held:
            self._buckets.scatter(self._taken())

    def close(self) -> None:
        if self._buckets is None or self._buckets.empty:
            self._writer.write(_in_random_order(self._taken()))
        else:
            if self._held:
                self._buckets.scatter(self._taken())
            for frame in self._buckets.gathered():
                self._writer.write(_in_random_order(frame))

    def _taken(self) -> pl.DataFrame:
        frame = pl.concat(self._held, rechunk=True)  # picking rows from many chunks is slow
        self._held.clear()
        self._bytes = 0
        return frame


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

    def scatter(self, frame: pl.DataFrame) -> None:
        """Put each row into a bucket."""
        bucket_of = np.frombuffer(os.urandom(frame.height), np.uint8) % _BUCKETS
        table = frame[np.argsort(bucket_of, kind="stable")].to_arrow()
        sizes = np.bincount(bucket_of, minlength=_BUCKETS)
        if self.empty:
            self._buckets = [_Bucket(self._folder, self._files, table.schema) for _ in range(_BUCKETS)]
        for bucket, start, size in zip(self._buckets, np.cumsum(sizes) - sizes, sizes, strict=True):
            bucket.write(table.slice(start, size))

    def gathered(self) -> Iterator[pl.DataFrame]:
        """The rows of each bucket."""
        return (bucket.read() for bucket in self._buckets)


class _Bucket:
    def __init__(self, folder: Path, files: ExitStack, schema: pa.Schema) -> None:
        self._file = files.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115 - the stack closes it
        self._writer = files.enter_context(pa.ipc.new_stream(self._file, schema))

    def write(self, table: pa.Table) -> None:
        self._writer.write_table(table)

    def read(self) -> pl.DataFrame:
        self._writer.close()
        self._file.seek(0)
        return pl.DataFrame(pa.ipc.open_stream(self._file).read_all())


def _in_random_order(frame: pl.DataFrame) -> pl.DataFrame:
    return frame[Randomness().order(frame.height)]
