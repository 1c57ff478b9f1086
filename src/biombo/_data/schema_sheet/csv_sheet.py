"""Schemas as CSV: as the spreadsheet of the reader's country separates columns, and read however it was saved."""

import csv
import io
from pathlib import Path

import polars as pl

from biombo._data.formats.csv_dialect import DELIMITERS, refuse_no_text
from biombo._data.formats.encodings import decode
from biombo._data.formats.formulas import escaped, unescaped_text
from biombo._data.schema_sheet.grid import Row
from biombo._errors import SchemaError
from biombo._i18n import language

_BYTE_ORDER_MARK = "\ufeff"
"""By which a spreadsheet knows UTF-8."""


def csv_of(rows: list[Row]) -> str:
    """The rows as a file; what a spreadsheet would take for a formula is disarmed."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=";" if language() == "pt" else ",", lineterminator="\r\n")
    for row in rows:
        writer.writerow(escaped(pl.Series(row, dtype=pl.String), numbers=True).to_list())
    return _BYTE_ORDER_MARK + file.getvalue()


def rows_in_csv(content: bytes, path: str | Path) -> list[Row]:
    """The rows of the file."""
    refuse_no_text(content, str(path))
    try:
        text = decode(content).removeprefix(_BYTE_ORDER_MARK)
        read = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise SchemaError("sheet.no-csv", detail=str(error)) from None
    return [[unescaped_text(cell) for cell in row] for row in read]


def _delimiter(text: str) -> str:
    """The mark by which the first row has most cells: headings hold none of them but between quotation marks."""
    return max(DELIMITERS, key=lambda mark: len(next(csv.reader(io.StringIO(text, newline=""), delimiter=mark), [])))
