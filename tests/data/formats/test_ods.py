"""OpenDocument spreadsheets, cell by cell."""

from pathlib import Path

import pytest
from refusal import refused
from written_tables import ods_cell, ods_sheet, write_ods

from biombo._data import read

CELL = "<table:table-cell {}>{}</table:table-cell>"


@pytest.fixture
def written(tmp_path):
    def write(*rows: str, **options: str) -> Path:
        return write_ods(tmp_path / "table.ods", ods_sheet(rows), **options)

    return write


def columns(path: Path) -> dict[str, list[str | None]]:
    return {name: column.decoded().to_list() for name, column in read(path).columns.items()}


def row(*cells: object) -> str:
    return "".join(map(ods_cell, cells))


def typed(kind: str, name: str, value: str) -> str:
    return CELL.format(f'office:value-type="{kind}" office:{name}="{value}"', "<text:p>as shown</text:p>")


VALUES = {
    "3": typed("float", "value", "3"),
    "0.25": typed("float", "value", "0.250"),
    "12345678901234567890": typed("float", "value", "12345678901234567890"),
    "0.5": typed("percentage", "value", "0.5"),
    "9.99": typed("currency", "value", "9.99"),
    "2024-01-31": typed("date", "date-value", "2024-01-31"),
    "2024-01-30": typed("date", "date-value", "2024-01-30T00:00:00"),
    "2024-01-31 13:05:00": typed("date", "date-value", "2024-01-31T13:05:00"),
    "13:05:07": typed("time", "time-value", "PT13H05M07S"),
    "true": typed("boolean", "boolean-value", "true"),
    "0000013": ods_cell("0000013"),
    "two\nlines": CELL.format("", "<text:p>two</text:p><text:p>lines</text:p>"),
    "a   b\tc": CELL.format("", '<text:p>a<text:s text:c="3"/>b<text:tab/>c</text:p>'),
    "bold": CELL.format("", "<text:p><text:span>bo</text:span>ld</text:p>"),
    "noted": CELL.format("", "<office:annotation><text:p>a note</text:p></office:annotation><text:p>noted</text:p>"),
}


def test_cells_are_read_as_those_of_other_workbooks(written):
    path = written(row("n", "x"), *(row(str(place)) + cell for place, cell in enumerate(VALUES.values())))
    assert columns(path)["x"] == list(VALUES)


def test_rows_and_cells_that_are_repeated_are_there_so_often(tmp_path):
    repeated = f'<table:table-row table:number-rows-repeated="3">{row("x")}{ods_cell("y", REPEATED)}</table:table-row>'
    empty = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
    header = f"<table:table-row>{row('a', 'b', 'c')}</table:table-row>"
    sheet = f'<table:table table:name="S">{empty}{header}{empty}{repeated}{empty}</table:table>'
    path = write_ods(tmp_path / "table.ods", sheet)
    assert columns(path) == {"a": ["x"] * 3, "b": ["y"] * 3, "c": ["y"] * 3}


REPEATED = 'table:number-columns-repeated="2"'


def test_what_was_changed_or_linked_is_no_sheet(tmp_path):
    other = ods_sheet([row("secret"), row("1")], "Old")
    sheets = (
        f"<table:tracked-changes><table:deletion>{ods_cell('x')}</table:deletion></table:tracked-changes>",
        ods_sheet([row("a"), row("1")]),
        f"<table:dde-links><table:dde-link>{other}</table:dde-link></table:dde-links>",
    )
    assert columns(write_ods(tmp_path / "table.ods", *sheets)) == {"a": ["1"]}


def sheet_of(repeats: int, inside: str) -> str:
    more = f'table:number-rows-repeated="{repeats}"'
    header = f"<table:table-row>{row('a', 'b')}</table:table-row>"
    return f'<table:table table:name="S">{header}<table:table-row {more}>{inside}</table:table-row></table:table>'


@pytest.mark.parametrize(
    ("sheet", "key"),
    [
        (sheet_of(100_000_000, row("x")), "input.bomb"),
        (sheet_of(900_000, row("x" * 5_000)), "input.bomb"),
        (sheet_of(1, ods_cell("x", 'table:number-columns-repeated="100000000"')), "input.sparse"),
        (sheet_of(1, ods_cell(None, 'table:number-columns-repeated="100000000"') + row("x")), "input.sparse"),
        (sheet_of(1, CELL.format("", '<text:p>a<text:s text:c="900000000"/></text:p>')), "input.bomb"),
        (sheet_of(1, "<table:table-cell>" * 500 + "</table:table-cell>" * 500), "input.deep"),
        (sheet_of(1, ods_cell("x", 'table:number-columns-repeated="-3"')), "input.damaged"),
        ("", "input.damaged"),
    ],
)
def test_cells_without_end_are_refused(tmp_path, sheet, key):
    with refused(key, "table.ods"):
        read(write_ods(tmp_path / "table.ods", sheet))


def test_passwords_and_document_types_are_refused(written, tmp_path):
    with refused("input.password", "table.ods"):
        read(written(row("a"), manifest="<manifest><encryption-data/></manifest>"))
    path = written(row("a"), row("1"))
    import zipfile

    with zipfile.ZipFile(path) as archive:
        content = archive.read("content.xml").replace(b"?>", b'?><!DOCTYPE x [<!ENTITY y "z">]>', 1)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    with refused("input.xml-doctype", "table.ods"):
        read(path)
