"""The header of a dBase file: which columns there are, how wide, and how many rows."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biombo._data.formats.header import tidy_header
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
    def read(cls, path: Path) -> "DbfHeader":
        """The header of the file at ``path``."""
        with path.open("rb") as file:
            return cls.parse(file.read(_LARGEST_HEADER), str(path))

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
