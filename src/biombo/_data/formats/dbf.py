"""dBase files (``.dbf``): a header with the columns and their widths, then records of one length, streamed."""

import io
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._data.formats.encodings import decoded
from biombo._data.formats.header import tidy_header
from biombo._data.formats.source import File
from biombo._errors import InputError

_DESCRIPTOR = struct.Struct("<11sc4xBB14x")
_FIRST_DESCRIPTOR = 32
_TERMINATORS = b"\r\0"  # DATASUS's compressor leaves a 0x00 on some files
_CODE_PAGES = {0x01: "cp437", 0x02: "cp850", 0x24: "cp860", 0x64: "cp852", 0x65: "cp866", 0x66: "cp865"}
_SMALLEST_HEADER, _LARGEST_HEADER = _FIRST_DESCRIPTOR + 1, 1 << 16

TEXT_TYPES = frozenset("CNFDL")
"""Characters, numbers, dates and logical values, all of them written as text. Others are binary or kept elsewhere."""


@dataclass(frozen=True)
class Field:
    """One column: where in a record it stands."""

    name: str
    type: str
    start: int
    width: int


_KINDS = frozenset(bytes([letter]) for letter in b"CNDFLMIT@+OBGYPQVW0")
"""What kinds of fields there are, in all versions of dBase."""


@dataclass(frozen=True)
class DbfHeader:
    """What a dBase file says of itself."""

    fields: tuple[Field, ...]
    rows: int
    length: int
    record_length: int
    code_page: str

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [field.name for field in self.fields]

    @property
    def size(self) -> int:
        """How many bytes the header and the records take."""
        return self.length + self.rows * self.record_length

    @classmethod
    def read(cls, path: Path, label: str) -> "DbfHeader":
        """The header of the file at ``path``, which is called ``label``."""
        with path.open("rb") as file:
            return cls.parse(file.read(_LARGEST_HEADER), label)

    @classmethod
    def parse(cls, start: bytes, path: str) -> "DbfHeader":
        """The header in ``start``, the first bytes of the file at ``path``."""
        if len(start) < _SMALLEST_HEADER:
            raise InputError("input.truncated", path=path, expected=_SMALLEST_HEADER, found=len(start))
        rows, length, record_length = struct.unpack_from("<IHH", start, 4)
        if length < _SMALLEST_HEADER or record_length < 2:
            raise InputError("input.dbf-header", path=path)
        if len(start) < length:
            raise InputError("input.truncated", path=path, expected=length, found=len(start))
        fields = tuple(_fields(start[:length], path))
        widths = 1 + sum(field.width for field in fields)
        if widths != record_length:
            raise InputError("input.dbf-record", path=path, expected=record_length, found=widths)
        return cls(fields, rows, length, record_length, _CODE_PAGES.get(start[29], "cp1252"))


def _fields(header: bytes, path: str) -> Iterator[Field]:
    raw = list(_descriptors(header))
    if any(kind.upper() not in _KINDS for _, kind, _, _ in raw):
        raise InputError("input.dbf-header", path=path)  # before names are told, which would be somebody's data
    names = tidy_header((name.split(b"\0")[0].decode("cp1252", "replace") for name, *_ in raw), path)
    start = 1  # after the byte that marks a deleted record
    for name, (_, kind, width, decimals) in zip(names, raw, strict=True):
        letter = kind.decode("latin-1").upper()
        if letter == "C":
            width += 256 * decimals  # Clipper's way to write text wider than 255
        yield Field(name, letter, start, width)
        start += width


def _descriptors(header: bytes) -> Iterator[tuple[bytes, bytes, int, int]]:
    for position in range(_FIRST_DESCRIPTOR, len(header) - _DESCRIPTOR.size + 1, _DESCRIPTOR.size):
        if header[position] in _TERMINATORS:
            return
        yield _DESCRIPTOR.unpack_from(header, position)


_BYTES_AT_A_TIME = 1 << 26
_KEPT, _DELETED = b" *"
_PADDING = " \0"

Records = NDArray[np.uint8]


@dataclass(frozen=True)
class DbfRecords:
    """An open dBase file. Fields stay text as written, without their padding; an empty one is missing."""

    file: IO[bytes]
    header: DbfHeader
    label: str
    """The file's name for messages."""

    def __post_init__(self) -> None:
        found = self.file.seek(0, io.SEEK_END)
        if found < self.header.size:
            raise InputError("input.truncated", path=self.label, expected=self.header.size, found=found)
        if found - self.header.size > self.header.record_length:
            raise InputError("input.dbf-longer", path=self.label, expected=self.header.size, found=found)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows that are not deleted, with only ``columns``."""
        fields = [self._field(name) for name in columns]
        self.file.seek(self.header.length)
        for records in self._records():
            yield pa.RecordBatch.from_arrays([self._column(records, field) for field in fields], list(columns))

    def _field(self, name: str) -> Field:
        field = next(field for field in self.header.fields if field.name == name)
        if field.type not in TEXT_TYPES:
            raise InputError("input.dbf-type", path=self.label, column=name, type=field.type)
        return field

    def _records(self) -> Iterator[Records]:
        width = self.header.record_length
        step = max(_BYTES_AT_A_TIME // width, 1)
        for first in range(0, self.header.rows, step):
            wanted = min(step, self.header.rows - first) * width
            chunk = self.file.read(wanted)
            if len(chunk) < wanted:
                found = self.header.length + first * width + len(chunk)
                raise InputError("input.truncated", path=self.label, expected=self.header.size, found=found)
            yield self._kept(np.frombuffer(chunk, np.uint8).reshape(-1, width), first)

    def _kept(self, records: Records, first: int) -> Records:
        deleted = records[:, 0] == _DELETED
        known = deleted | (records[:, 0] == _KEPT)
        if not known.all():
            raise InputError("input.dbf-flag", path=self.label, row=first + int(np.argmin(known)) + 1)
        return records[~deleted] if deleted.any() else records

    def _column(self, records: Records, field: Field) -> pa.DictionaryArray:
        raw = np.ascontiguousarray(records[:, field.start : field.start + field.width])
        cells = pa.Array.from_buffers(pa.binary(field.width), len(raw), [None, pa.py_buffer(raw)])
        coded = pc.dictionary_encode(cells)
        text = decoded(coded.dictionary, field.name, self.label, ("utf-8", self.header.code_page))
        bare = pc.utf8_trim(text, _PADDING)
        values = pc.if_else(pc.equal(bare, ""), pa.scalar(None, bare.type), bare)
        return pa.DictionaryArray.from_arrays(coded.indices, values)


@dataclass(frozen=True)
class DbfFile(File):
    """A dBase file."""

    @property
    def columns(self) -> list[str]:
        """The names in the header."""
        return self._header.columns

    @property
    def rows(self) -> int:
        """As the header says; deleted ones included."""
        return self._header.rows

    @cached_property
    def _header(self) -> DbfHeader:
        return DbfHeader.read(self.whole, self.label)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows that are not deleted, with only ``columns``."""
        with self.whole.open("rb") as file:
            yield from DbfRecords(file, self._header, self.label).batches(columns)
