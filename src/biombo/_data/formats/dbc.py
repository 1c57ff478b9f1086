"""DATASUS files (``.dbc``): dBase files whose records are compressed."""

import io
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

import datasus_dbc
import pyarrow as pa

from biombo._data.formats.dbf import DbfFile, DbfHeader, DbfRecords
from biombo._data.formats.soundness import foreign_failures
from biombo._errors import InputError
from biombo._i18n import text
from biombo._watch import stop_if_cancelled, warn

IN_MEMORY = 1 << 30
"""Unpacking in memory is five times as fast and leaves no trace; more bytes than this go through a temporary file."""

_CHECKSUM_BYTES = 4
_LARGEST_RATIO = 200  # at best, the compression writes 518 bytes as 22 bits


@dataclass(frozen=True)
class DbcFile(DbfFile):
    """A compressed dBase file. Its header, which names the columns, is not compressed."""

    in_memory: int = IN_MEMORY

    @cached_property
    def _header(self) -> DbfHeader:
        header = DbfHeader.read(self.whole, self.label)
        packed = self.whole.stat().st_size - header.length - _CHECKSUM_BYTES
        if header.size - header.length > max(packed, 0) * _LARGEST_RATIO:
            raise InputError("input.dbc-short", path=self.label, rows=header.rows)
        return header

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows that are not deleted, with only ``columns``."""
        unpacked = self._in_memory if self._header.size <= self.in_memory else self._in_private_folder
        with unpacked() as file:
            stop_if_cancelled()  # it was unpacked in one go
            records = DbfRecords(file, self._header, self.label)
            self._check_sum(file)
            yield from records.batches(columns)

    @contextmanager
    def _in_memory(self) -> Iterator[IO[bytes]]:
        packed = self.whole.read_bytes()
        with foreign_failures("input.dbc-damaged", path=self.label):
            unpacked = datasus_dbc.decompress_bytes(packed)
        yield io.BytesIO(unpacked)

    @contextmanager
    def _in_private_folder(self) -> Iterator[IO[bytes]]:
        with tempfile.TemporaryDirectory(prefix="biombo-") as folder:
            free = shutil.disk_usage(folder).free
            if free < self._header.size:
                raise InputError(
                    "input.no-space", path=self.label, folder=tempfile.gettempdir(), needed=self._header.size, free=free
                )
            unpacked = Path(folder) / "unpacked.dbf"
            with foreign_failures("input.dbc-damaged", path=self.label):
                datasus_dbc.decompress(str(self.whole), str(unpacked))
            with unpacked.open("rb") as file:
                yield file

    def _check_sum(self, unpacked: IO[bytes]) -> None:
        """Compare with the CRC-32 of the unpacked file that stands after the header."""
        with self.whole.open("rb") as packed:
            packed.seek(self._header.length)
            stored = int.from_bytes(packed.read(_CHECKSUM_BYTES), "little")
        if stored not in (0, *_checksums(unpacked, self._header.length)):
            warn(text("errors.input.checksum", path=self.label))


def _checksums(unpacked: IO[bytes], header_length: int) -> tuple[int, int]:
    """The CRC-32 of the file as it is, and as it was if the compressor lost the byte that ends the header."""
    unpacked.seek(0)
    header = unpacked.read(header_length)
    as_is, as_was = zlib.crc32(header), zlib.crc32(header[:-1] + b"\r")
    while chunk := unpacked.read(1 << 22):
        stop_if_cancelled()
        as_is, as_was = zlib.crc32(chunk, as_is), zlib.crc32(chunk, as_was)
    return as_is, as_was
