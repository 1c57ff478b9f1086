import struct
import zipfile
import zlib
from datetime import date, datetime, time
from pathlib import Path

import openpyxl
import pytest
from refusal import refused

from biombo._data import read
from biombo._data.formats import XlsxFile
from biombo._errors import InputError


@pytest.fixture
def written(tmp_path):
    def write(*rows: list[object]) -> Path:
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        path = tmp_path / "table.xlsx"
        book.save(path)
        return path

    return write


def columns(path: Path) -> dict[str, list[str | None]]:
    return {name: column.decoded().to_list() for name, column in read(path).columns.items()}


def test_cells_are_the_text_that_they_show(written):
    path = written(
        ["code", "whole", "half", "yes", "empty"],
        ["0000013", 3, 2.5, True, None],
        ["7", 4.0, -0.25, False, "x"],
    )
    assert columns(path) == {
        "code": ["0000013", "7"],
        "whole": ["3", "4"],
        "half": ["2.5", "-0.25"],
        "yes": ["true", "false"],
        "empty": [None, "x"],
    }


def test_dates_and_times_are_iso(written):
    path = written(["day", "moment", "time"], [date(2024, 1, 31), datetime(2024, 1, 31, 13, 5), time(13, 5)])
    assert columns(path) == {"day": ["2024-01-31"], "moment": ["2024-01-31 13:05:00"], "time": ["13:05:00"]}


def test_numbers_and_text_in_one_column_stay_as_they_are_shown(written):
    assert columns(written(["x"], ["007"], [7], [7.5])) == {"x": ["007", "7", "7.5"]}


def test_empty_rows_do_not_count(written):
    assert columns(written([], ["a", "b"], [1, 2], [], [3, None])) == {"a": ["1", "3"], "b": ["2", None]}


def test_headers_may_be_numbers_and_columns_without_one_are_called_by_their_place(written):
    assert XlsxFile(written([2023, None], [1, 2])).columns == ["2023", "column_2"]


def test_names_and_rows_are_known(written):
    file = XlsxFile(written(["a"], [1], [2]))
    assert (file.columns, file.rows) == (["a"], 2)


def test_an_empty_sheet_is_refused(written):
    with refused("input.empty-sheet", "'Sheet'"):
        read(written())


def test_a_sheet_with_only_a_header_is_refused(written):
    with refused("input.empty"):
        read(written(["a", "b"]))


def test_repeated_names_are_refused(written):
    with refused("input.repeated-columns", "a"):
        read(written(["a", "a"], [1, 2]))


def test_a_zip_file_that_is_no_workbook_is_refused(tmp_path):
    path = tmp_path / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with refused("input.not-xlsx", str(path)):
        read(path)


def test_a_workbook_cut_off_is_refused(written):
    path = written(["a"], *[[number] for number in range(1_000)])
    whole = path.read_bytes()
    for length in (5, len(whole) // 2, len(whole) - 10):
        path.write_bytes(whole[:length])
        with refused("input.damaged", str(path)):
            read(path)


def test_a_workbook_without_sheets_is_refused(tmp_path):
    path = tmp_path / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    with refused("input.damaged"):
        read(path)


def test_an_old_or_encrypted_workbook_is_refused_with_the_remedy(tmp_path):
    path = tmp_path / "old.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with refused("input.old-excel", ".xlsx"):
        read(path)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            for _ in range(200):
                sheet.write(bytes(1 << 20))
    with refused("input.bomb", str(path)):
        read(path)


@pytest.mark.parametrize("reference", ['r="XFD1048576"', "r='XFD1048576'", 'r = "XFD1048576"'])
def test_two_cells_at_opposite_ends_are_refused_rather_than_filled_in_between(written, tmp_path, reference):
    path = written(["a"], ["b"])
    far = tmp_path / "far.xlsx"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(far, "w") as target:
        for member in source.namelist():
            content = source.read(member)
            if member.endswith("sheet1.xml"):
                content = content.replace(b'r="A2"', reference.encode(), 1)
            target.writestr(member, content)
    with refused("input.sparse", str(far)):
        read(far)


def test_a_lie_about_the_size_of_a_sheet_is_refused(written):
    path = written(["a"], *[["b"]] * 500)
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    content = path.read_bytes()
    path.write_bytes(content.replace(size.to_bytes(4, "little"), (1_000).to_bytes(4, "little")))
    with refused("input.damaged"):
        read(path)


SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = f'<worksheet xmlns="{SPACE}"><sheetData>{{}}</sheetData></worksheet>'
CELL = "<c><v>1</v></c>"


def rebuilt(path: Path, rows: str, texts: str | None = None) -> Path:
    """The workbook with other rows in its sheet, and with texts that cells refer to."""
    relation = (
        '<Relationship Id="rId9" Target="sharedStrings.xml" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"/></Relationships>'
    )
    far = path.with_name("rebuilt.xlsx")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(far, "w", zipfile.ZIP_DEFLATED) as target:
        for member in source.namelist():
            content = SHEET.format(rows) if member.endswith("sheet1.xml") else source.read(member).decode()
            if member.endswith("workbook.xml.rels") and texts is not None:
                content = content.replace("</Relationships>", relation)
            if not member.endswith("sharedStrings.xml"):
                target.writestr(member, content)
        if texts is not None:
            target.writestr("xl/sharedStrings.xml", f"<sst>{texts}</sst>")
    return far


FAR = {
    "a row far down whose cell does not say where it is": f'<row r="1">{CELL}</row><row r="900000000">{CELL}</row>',
    "in other words": f"<row r='1'>{CELL}</row><row\nr = '900000000'>{CELL}</row>",
    "with a mark in quotes": f'<row r="1">{CELL}</row><row a=">" r="900000000">{CELL}</row>',
    "with a prefix": f'<row r="1">{CELL}</row><x:row xmlns:x="{SPACE}" r="900000000"><x:c><x:v>1</x:v></x:c></x:row>',
    "a column far right": '<row r="1"><c r="A1"><v>1</v></c><c r="ZZZZZ1"><v>1</v></c></row>',
    "many columns and many rows": f'<row r="1">{CELL * 10_000}</row><row r="1000000">{CELL}</row>',
    "an end in quotes": f'<row r="1">{CELL * 9_000}<c a="</row>"><v>1</v></c></row><row r="9000000"/>',
}


@pytest.mark.parametrize("rows", FAR.values(), ids=FAR)
def test_cells_far_away_are_found_however_they_are_written(written, rows):
    path = rebuilt(written(["a"]), rows)
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.key in ("input.sparse", "input.damaged")


def test_rows_and_cells_need_not_say_where_they_are(written):
    rows = f'<row><c t="inlineStr"><is><t>a</t></is></c><c><v>2023</v></c></row><row>{CELL}{CELL}</row>'
    assert columns(rebuilt(written(["x"]), rows)) == {"a": ["1"], "2023": ["1"]}


def test_one_long_text_that_many_cells_show_is_refused(written):
    """Of a text of one megabyte, 20,000 cells take 20 gigabytes; the same text need not be shown."""
    cells = [f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(1, 20_001)]
    path = rebuilt(written(["a"]), "".join(cells), f"<si><t>{'x' * 1_000_000}</t></si><si><t>y</t></si>")
    with refused("input.bomb", str(path)):
        read(path)

    others = [cell.replace("<v>0</v>", "<v>1</v>") for cell in cells[1:]]
    path = rebuilt(written(["a"]), "".join([cells[0], *others]), f"<si><t>{'x' * 1_000_000}</t></si><si><t>y</t></si>")
    assert read(path).rows == 19_999


def test_what_really_comes_out_of_an_archive_counts_whatever_it_says(written):
    """A sheet of 140 megabytes that claims to be of another size, with the checksum of as much as it claims."""
    path = rebuilt(written(["a"]), " " * 140_000_000)
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        info = next(info for info in archive.infolist() if info.filename.endswith("sheet1.xml"))
        start = archive.open(info).read(100)
    old = struct.pack("<III", info.CRC, info.compress_size, info.file_size)
    for said in (0, 100, 1 << 30):
        new = struct.pack("<III", zlib.crc32(start[:said]), info.compress_size, said)
        path.write_bytes(whole.replace(old, new))
        with refused("input.bomb", str(path)):
            read(path)
