"""How large a table is, as far as that is told without reading it."""

from dataclasses import dataclass

from biombo._data.formats.csv_dialect import SAMPLE_BYTES
from biombo._data.formats.csv_file import CsvFile
from biombo._data.formats.source import Source
from biombo._data.formats.unpacking import is_gzip
from biombo._data.source_table import SourceTable
from biombo._errors import InputError, system_reason

_CELL_BYTES = 8
"""What a value takes as text, where nothing better is known."""
_UNPACKED = 6
"""So many times the size of a compressed CSV file are its bytes, roughly."""


@dataclass(frozen=True)
class TableSize:
    """A guess where the rows of CSV files are counted by their first ones."""

    rows: int
    columns: int
    text_bytes: int
    """What all values take as text."""

    @classmethod
    def of(cls, table: SourceTable) -> "TableSize | None":
        """The size of ``table``; none where nobody knows, such as of a query, or of records that are selected."""
        if table.selections:
            return None
        columns = len(table.columns)
        sizes = [_size(source, columns) for source in table.sources]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            return None
        return cls(sum(rows for rows, _ in known), columns, sum(text_bytes for _, text_bytes in known))


def _size(source: Source, columns: int) -> tuple[int, int] | None:
    """Rows, and bytes as text."""
    if isinstance(source, CsvFile):
        return _csv_size(source)
    return None if source.rows is None else (source.rows, source.rows * columns * _CELL_BYTES)


def _csv_size(file: CsvFile) -> tuple[int, int]:
    """By the lines at the beginning of the file."""
    try:
        with file.opened() as stream:
            sample = stream.read(SAMPLE_BYTES)
        if len(sample) < SAMPLE_BYTES:
            return max(sample.count(b"\n") - 1, 0), len(sample)
        packed = file.member is not None or is_gzip(file.path)
        size = file.path.stat().st_size * (_UNPACKED if packed else 1)
    except (OSError, EOFError) as error:
        detail = system_reason(error) if isinstance(error, OSError) else str(error)
        raise InputError("input.unreadable", path=file.label, detail=detail) from None
    return round(sample.count(b"\n") * size / SAMPLE_BYTES), size
