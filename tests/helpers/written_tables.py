"""The same table as a file of any format, made without the code that reads it."""

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import openpyxl
import pandas as pd
import polars as pl
import pyreadstat
from dbase import dbc, dbf

Table = Mapping[str, Sequence[str | None]]
"""Texts by the names of their columns."""

_OFFICE = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)
_SPREADSHEET = "application/vnd.oasis.opendocument.spreadsheet"
HIDDEN = (
    '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>'
)


def rows_of(table: Table) -> list[list[str | None]]:
    """The header and the rows."""
    return [list(table), *map(list, zip(*table.values(), strict=True))]


def ods_cell(value: object, more: str = "") -> str:
    """A cell with a text, or with what stands between the tags of one."""
    if value is None:
        return f"<table:table-cell {more}/>"
    return (
        f'<table:table-cell office:value-type="string" {more}><text:p>{escape(str(value))}</text:p></table:table-cell>'
    )


def ods_sheet(rows: Sequence[str], name: str = "Sheet1", more: str = "") -> str:
    """A sheet of rows, each of them as cells."""
    inside = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    return f"<table:table table:name={quoteattr(name)} {more}>{inside}</table:table>"


def write_ods(path: Path, *sheets: str, styles: str = HIDDEN, manifest: str = "<manifest/>") -> Path:
    """A spreadsheet of these sheets."""
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {_OFFICE}><office:automatic-styles>{styles}'
        f"</office:automatic-styles><office:body><office:spreadsheet>{''.join(sheets)}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", _SPREADSHEET, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", content)
    return path


def _ods(table: Table, path: Path) -> None:
    write_ods(path, ods_sheet(["".join(map(ods_cell, row)) for row in rows_of(table)]))


def _csv(table: Table, path: Path) -> None:
    path.write_text(_csv_text(table), "utf-8")


def _csv_text(table: Table) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows_of(table))
    return out.getvalue()


def _xlsx(table: Table, path: Path) -> None:
    book = openpyxl.Workbook()
    for row in rows_of(table):
        book.active.append(row)
    book.save(path)


def records_of(table: Table) -> list[dict[str, Any]]:
    """A dictionary for each row."""
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _json(table: Table, path: Path) -> None:
    path.write_text(json.dumps(records_of(table), ensure_ascii=False), "utf-8")


def _json_lines(table: Table, path: Path) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records_of(table)), "utf-8")


def _xml(table: Table, path: Path) -> None:
    rows = "".join(
        "<row>" + "".join(f"<{name}>{escape(value)}</{name}>" for name, value in record.items() if value) + "</row>\n"
        for record in records_of(table)
    )
    path.write_text(f'<?xml version="1.0"?>\n<rows>\n{rows}</rows>', "utf-8")


def _xml_attributes(table: Table, path: Path) -> None:
    rows = "".join(
        "<row " + " ".join(f"{name}={quoteattr(value)}" for name, value in record.items() if value) + "/>"
        for record in records_of(table)
    )
    path.write_text(f"<rows>{rows}</rows>", "utf-8")


def _parquet(table: Table, path: Path) -> None:
    pl.DataFrame(table, schema=dict.fromkeys(table, pl.String)).write_parquet(path)


def _parquet_folder(table: Table, path: Path) -> None:
    path.mkdir()
    for number in range(2):
        some = {name: list(values)[number::1][: 1 if number == 0 else None] for name, values in table.items()}
        _parquet(some, path / f"part-{number}.parquet")
    (path / "_SUCCESS").touch()


def _dbf(table: Table) -> bytes:
    fields = [(name, "C", 60) for name in table]
    return dbf(fields, [[(value or "").encode() for value in row] for row in rows_of(table)[1:]])


def _frame(table: Table) -> pd.DataFrame:
    return pd.DataFrame({name: [value or "" for value in values] for name, values in table.items()}, dtype=object)


def _gz(table: Table, path: Path) -> None:
    path.write_bytes(gzip.compress(_csv_text(table).encode()))


def zipped(write: Callable[[Table, Path], None], name: str) -> Callable[[Table, Path], None]:
    """The file that ``write`` makes, in an archive under ``name``."""

    def write_zip(table: Table, path: Path) -> None:
        inside = path.with_name(name)
        write(table, inside)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(inside, name)
        inside.unlink()

    return write_zip


def gzipped(write: Callable[[Table, Path], None]) -> Callable[[Table, Path], None]:
    """The file that ``write`` makes, packed."""

    def write_gz(table: Table, path: Path) -> None:
        inside = path.with_name(f"inside-{path.stem}")
        write(table, inside)
        path.write_bytes(gzip.compress(inside.read_bytes()))
        inside.unlink()

    return write_gz


FORMATS: dict[str, Callable[[Table, Path], None]] = {
    "table.csv": _csv,
    "table.csv.gz": _gz,
    "csv.zip": zipped(_csv, "inside.csv"),
    "table.xlsx": _xlsx,
    "xlsx.zip": zipped(_xlsx, "inside.xlsx"),
    "table.ods": _ods,
    "ods.zip": zipped(_ods, "inside.ods"),
    "table.json": _json,
    "table.json.gz": gzipped(_json),
    "table.jsonl": _json_lines,
    "jsonl.zip": zipped(_json_lines, "inside.jsonl"),
    "table.xml": _xml,
    "attributes.xml": _xml_attributes,
    "xml.zip": zipped(_xml, "inside.xml"),
    "table.parquet": _parquet,
    "table.parquet.gz": gzipped(_parquet),
    "folder": _parquet_folder,
    "table.dbf": lambda table, path: path.write_bytes(_dbf(table)) and None,
    "table.dbf.gz": lambda table, path: path.write_bytes(gzip.compress(_dbf(table))) and None,
    "table.dbc": lambda table, path: path.write_bytes(dbc(_dbf(table))) and None,
    "dbc.zip": zipped(lambda table, path: path.write_bytes(dbc(_dbf(table))) and None, "inside.dbc"),
    "table.sav": lambda table, path: pyreadstat.write_sav(_frame(table), str(path)),
    "table.zsav": lambda table, path: pyreadstat.write_sav(_frame(table), str(path), compress=True),
    "table.dta": lambda table, path: pyreadstat.write_dta(_frame(table), str(path)),
    "sav.zip": zipped(lambda table, path: pyreadstat.write_sav(_frame(table), str(path)), "inside.sav"),
    "table.sav.gz": gzipped(lambda table, path: pyreadstat.write_sav(_frame(table), str(path))),
}
"""What writes a table of texts to a path, by the name that the file has."""
