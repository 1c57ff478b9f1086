"""Excel workbooks (``.xlsx``): one sheet, every cell as the text that it shows; none that fill the memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from pathlib import Path
from typing import Any

import fastexcel
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data.formats.header import LOOKED_AT, tell_title, tidy_header, title_rows
from biombo._data.formats.record_as_header import refuse_record
from biombo._data.formats.sheets import chosen_sheet
from biombo._data.formats.soundness import foreign_failures
from biombo._data.formats.source import File
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


def checked_workbook(path: Path, label: str) -> bytes:
    """The workbook at ``path``, as an archive of only what was looked at; raises unless it is of a plausible size."""
    with foreign_failures("input.damaged", path=label):
        archive = XlsxArchive.read(path, label)
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


_MIDNIGHT = r"^(\d{4}-\d{2}-\d{2}) 00:00:00$"
_TIME_OF_NO_DAY = r"^1899-12-3[01] (\d{2}:\d{2}:\d{2})$"


@dataclass(frozen=True)
class XlsxFile(File):
    """A sheet of a workbook. Whole numbers have no decimals, dates are ISO; formulas are as last computed."""

    @property
    def columns(self) -> list[str]:
        """The first row that is neither empty nor a title."""
        return list(self._table.schema.names)

    @property
    def rows(self) -> int:
        """As many as the sheet has below the header."""
        return int(self._table.num_rows)

    @cached_property
    def _table(self) -> pa.RecordBatch:
        content = checked_workbook(self.whole, self.label)
        with foreign_failures("input.damaged", path=self.label):
            book = fastexcel.read_excel(content)
            name = chosen_sheet(book.sheet_names, lambda sheet: _is_candidate(book, sheet), self.sheet, self.label)
            cells = _sheet(book, name).to_arrow()
        if cells.num_rows == 0:
            raise InputError("input.empty-sheet", path=self.label, sheet=name)
        return self._headed(cells)

    def _headed(self, cells: pa.RecordBatch) -> pa.RecordBatch:
        first = [list(row.values()) for row in cells.slice(0, LOOKED_AT).to_pylist()]
        title = title_rows(first)
        if title:
            tell_title(first[: title + 1], self.label)
        refuse_record(first[title], first[title + 1 :], self.label, title + 1)
        header = tidy_header((name or "" for name in first[title]), self.label)
        return _without_empty_rows(cells.slice(title + 1).rename_columns(header))

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``; a sheet has about a million at most, so in one go."""
        yield pa.RecordBatch.from_arrays([_tidy(self._table.column(name)) for name in columns], list(columns))


def _sheet(book: Any, name: str) -> Any:
    return book.load_sheet(name, header_row=None, dtypes="string", skip_whitespace_tail_rows=True)


def _is_candidate(book: Any, name: str) -> bool:
    """Is it there to be seen, with something in it?"""
    sheet = _sheet(book, name)
    return bool(sheet.visible == "visible" and sheet.height > 0)


def _without_empty_rows(cells: pa.RecordBatch) -> pa.RecordBatch:
    return cells.filter(reduce(pc.or_, map(pc.is_valid, cells.columns)))


def _tidy(cells: pa.Array) -> pa.DictionaryArray:
    coded = pc.dictionary_encode(cells)
    dates = pc.replace_substring_regex(coded.dictionary, _MIDNIGHT, r"\1")
    values = pc.replace_substring_regex(dates, _TIME_OF_NO_DAY, r"\1")
    return pa.DictionaryArray.from_arrays(coded.indices, values)
