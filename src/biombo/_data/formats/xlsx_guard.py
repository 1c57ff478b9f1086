"""Refuses workbooks that would fill the memory before they are read."""

import re
import zipfile
import zlib
from pathlib import Path

from biombo._errors import InputError

_LARGEST, _RATIO_FROM, _LARGEST_RATIO = 1 << 32, 1 << 27, 100
_CELLS_ALLOWED, _CELLS_PER_FILLED_ONE = 50_000_000, 20
_CHUNK, _LONGEST_REFERENCE = 1 << 22, 64
_REFERENCE = re.compile(rb'r="([A-Za-z]{1,3})(\d{1,7})"')
_ODD_REFERENCE = re.compile(rb"""r\s*=\s*["']([A-Za-z]{1,3})(\d{1,7})["']""")
"""The same in any way that XML allows to write it, and several times as slow."""


def refuse_bombs(path: Path) -> None:
    """Raise unless the file is a workbook of a plausible size. Readers keep a cell for every place up to the last."""
    label = str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, label)
            for member in archive.namelist():
                if member.lower().startswith("xl/worksheets/"):
                    _check_extent(archive, member, label)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError("input.damaged", path=label, detail=str(error)) from None


def _check_sizes(archive: zipfile.ZipFile, label: str) -> None:
    if "xl/workbook.xml" not in map(str.lower, archive.namelist()):
        raise InputError("input.not-xlsx", path=label)
    unpacked = sum(member.file_size for member in archive.infolist())
    packed = sum(member.compress_size for member in archive.infolist())
    if unpacked > _LARGEST or (unpacked > _RATIO_FROM and unpacked > packed * _LARGEST_RATIO):
        raise InputError("input.bomb", path=label)


def _check_extent(archive: zipfile.ZipFile, member: str, label: str) -> None:
    columns, last_row, cells = set[bytes](), 0, 0
    rest = b""
    with archive.open(member) as sheet:
        while chunk := sheet.read(_CHUNK):
            text = rest + chunk
            found = (_REFERENCE if _plainly_written(text) else _ODD_REFERENCE).findall(text)
            columns.update(column for column, _ in found)
            last_row = max(last_row, *map(int, {row for _, row in found}), 0)
            cells += len(found)
            rest = text[-_LONGEST_REFERENCE:]
    extent = last_row * max(map(_column_number, columns), default=0)
    if extent > max(_CELLS_ALLOWED, cells * _CELLS_PER_FILLED_ONE):
        raise InputError("input.sparse", path=label, extent=extent, cells=cells)


def _plainly_written(text: bytes) -> bool:
    return text.count(b"=") == text.count(b'="') and not any(
        space + b"=" in text for space in (b" ", b"\t", b"\n", b"\r")
    )


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number
