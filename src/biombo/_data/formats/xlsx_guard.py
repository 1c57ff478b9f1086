"""Refuses workbooks that would fill the memory before they are read."""

from pathlib import Path

from biombo._data.formats.foreign import foreign_failures
from biombo._data.formats.xlsx_archive import XlsxArchive
from biombo._data.formats.xlsx_extent import (
    Extent,
    extent_of,
    longest_at_each_place,
    longest_shared_text,
    shared_texts,
    text_shown,
)
from biombo._errors import InputError

_MOST_COLUMNS = 1 << 14
_CELLS_ALLOWED, _CELLS_PER_FILLED_ONE = 50_000_000, 20
_TEXT_ALLOWED, _TEXT_PER_BYTE = 1 << 30, 20


def checked_workbook(path: Path) -> bytes:
    """The workbook at ``path``, as an archive of only what was looked at; raises unless it is of a plausible size."""
    label = str(path)
    with foreign_failures("input.damaged", path=label):
        archive = XlsxArchive.read(path)
        if not any(part.name.lower().endswith("workbook.xml") for part in archive.parts):
            raise InputError("input.not-xlsx", path=label)
        cells = 0
        for part in archive.parts:
            extent = extent_of(part)
            _refuse_sparse(extent, label)
            cells += extent.cells
        _refuse_endless_text(archive, cells, label)
        return archive.rewritten()


def _refuse_sparse(extent: Extent, label: str) -> None:
    reach = extent.rows * extent.columns
    if extent.columns > _MOST_COLUMNS or reach > max(_CELLS_ALLOWED, extent.cells * _CELLS_PER_FILLED_ONE):
        raise InputError("input.sparse", path=label, extent=reach, cells=extent.cells)


def _refuse_endless_text(archive: XlsxArchive, cells: int, label: str) -> None:
    """A text is stored once and shown by any number of cells, for each of which a reader makes a copy."""
    most = max(_TEXT_ALLOWED, archive.unpacked * _TEXT_PER_BYTE)
    if cells * max(map(longest_shared_text, archive.parts)) <= most:
        return
    lengths = longest_at_each_place([shared_texts(part) for part in archive.parts])
    if sum(text_shown(part, lengths) for part in archive.parts) > most:
        raise InputError("input.bomb", path=label)
