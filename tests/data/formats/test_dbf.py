from pathlib import Path

import pytest
from dbase import dbf
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._data import read
from biombo._data.formats import DbfFile

FIELDS = [("CODE", "C", 7), ("AGE", "N", 3), ("BORN", "D", 8), ("ALIVE", "L", 1)]
ROWS = [[b"0000013", b"7", b"20240131", b"T"], [b"12", b"", b"", b"?"], [b"", b"-1.5"[:3], b"19000101", b"F"]]


@pytest.fixture
def written(tmp_path):
    def write(content: bytes) -> Path:
        path = tmp_path / "table.dbf"
        path.write_bytes(content)
        return path

    return write


def rows(path: Path) -> list[tuple[str | None, ...]]:
    data = read(path)
    return list(zip(*(column.decoded().to_list() for column in data.columns.values()), strict=True))


def test_fields_are_text_without_padding_and_empty_ones_missing(written):
    assert rows(written(dbf(FIELDS, ROWS))) == [
        ("0000013", "7", "20240131", "T"),
        ("12", None, None, "?"),
        (None, "-1.", "19000101", "F"),
    ]


def test_names_and_rows_are_known_without_reading_rows(written):
    file = DbfFile(written(dbf(FIELDS, ROWS)))
    assert (file.columns, file.rows) == (["CODE", "AGE", "BORN", "ALIVE"], 3)


def test_deleted_rows_are_left_out(written):
    assert [row[0] for row in rows(written(dbf(FIELDS, ROWS, deleted=[1])))] == ["0000013", None]


def test_a_file_of_deleted_rows_only_is_empty(written):
    with refused("input.empty"):
        read(written(dbf(FIELDS, ROWS, deleted=[0, 1, 2])))


@pytest.mark.parametrize("terminator", [b"\r", b"\0"])
@pytest.mark.parametrize("end", [b"", b"\x1a", b"\x1a\x1a", b"\0"])
def test_both_header_terminators_and_any_short_ending_are_fine(written, terminator, end):
    assert len(rows(written(dbf(FIELDS, ROWS, terminator=terminator, end=end)))) == 3


@pytest.mark.parametrize(
    ("code_page", "encoding"), [(3, "cp1252"), (0, "cp1252"), (2, "cp850"), (1, "cp437"), (0, "utf-8")]
)
def test_the_code_page_of_the_header_decides_how_text_is_read(written, code_page, encoding):
    content = dbf([("NAME", "C", 20)], [["Cárdenas".encode(encoding)]], code_page=code_page)
    assert rows(written(content)) == [("Cárdenas",)]


def test_text_padded_with_zero_bytes_is_stripped(written):
    assert rows(written(dbf([("NAME", "C", 6)], [[b"ab\0\0\0\0"]]))) == [("ab",)]


def test_wide_text_fields_are_read(written):
    content = bytearray(dbf([("NAME", "C", 44)], [[b"x" * 44]]))
    wide = 300
    content[10:12] = (wide + 1).to_bytes(2, "little")
    content[32 + 16 : 32 + 18] = bytes([wide % 256, wide // 256])
    path = written(bytes(content[:65]) + b" " + b"y" * wide)
    assert rows(path) == [("y" * wide,)]


cells = st.text("abcáéã019.- ", max_size=5).map(str.strip)


@given(st.lists(st.tuples(cells, cells), min_size=1), st.data())
def test_made_up_tables_are_read_back(tmp_path_factory, table, data):
    deleted = data.draw(st.sets(st.integers(0, len(table) - 1), max_size=len(table) - 1))
    encoded = [[cell.encode("cp1252") for cell in row] for row in table]
    path = tmp_path_factory.mktemp("dbf") / "table.dbf"
    path.write_bytes(dbf([("A", "C", 5), ("B", "N", 5)], encoded, deleted=sorted(deleted)))
    kept = [row for place, row in enumerate(table) if place not in deleted]
    assert rows(path) == [tuple(cell or None for cell in row) for row in kept]


def test_a_truncated_file_is_refused_with_both_sizes(written):
    whole = dbf(FIELDS, ROWS, end=b"")
    path = written(whole[:-5])
    with refused("input.truncated", str(path), str(len(whole)), str(len(whole) - 5)):
        read(path)


def test_a_header_cut_off_is_refused(written):
    for length in (1, 20, 32, 70):
        with refused("input.truncated"):
            read(written(dbf(FIELDS, ROWS)[:length]))


def test_more_records_than_the_header_announces_are_refused(written):
    content = bytearray(dbf(FIELDS, ROWS))
    content[4] = 1
    with refused("input.dbf-longer"):
        read(written(bytes(content)))


def test_a_record_length_that_does_not_fit_the_columns_is_refused(written):
    content = bytearray(dbf(FIELDS, ROWS))
    content[10] += 1
    with refused("input.dbf-record", "20", "21"):
        read(written(bytes(content)))


def test_records_out_of_step_are_refused_with_the_row(written):
    content = bytearray(dbf(FIELDS, ROWS))
    content[32 + 32 * len(FIELDS) + 1 + 20] = ord("x")
    with refused("input.dbf-flag", "2"):
        read(written(bytes(content)))


def test_what_is_no_dbase_file_is_refused(written):
    with refused("input.dbf-header"):
        read(written(b"\3" + bytes(100)))


def test_a_text_file_under_a_wrong_name_is_refused_without_quoting_it(written):
    records = "".join(f"{number},Maria da Silva,Divorced,HS-grad,Private\n" for number in range(2000))
    with pytest.raises(bb.InputError) as told:
        read(written(b"nr,nome,estado,escola,setor\n" + records.encode()))
    assert told.value.key == "input.dbf-header"
    assert "Silva" not in str(told.value)


def test_binary_types_are_refused_only_when_asked_for(written):
    path = written(dbf([("A", "C", 2), ("MEMO", "M", 10)], [[b"x", b""]]))
    assert read(path, columns=["A"]).rows == 1
    with refused("input.dbf-type", "'MEMO'", "'M'"):
        read(path)


def test_repeated_names_are_refused(written):
    with refused("input.repeated-columns", "A"):
        read(written(dbf([("A", "C", 2), ("A", "C", 2)], [[b"x", b"y"]])))
