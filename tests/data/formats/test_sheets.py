"""Which sheet of a workbook is read, and where its table begins."""

from pathlib import Path

import openpyxl
import pytest
from refusal import refused
from written_tables import ods_cell, ods_sheet, write_ods

from biombo import Watch
from biombo._data import read
from biombo._data.formats import title_rows

Sheets = dict[str, list[list[object]]]


def _xlsx(path: Path, sheets: Sheets, hidden: str) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name == hidden else "visible"
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def _ods(path: Path, sheets: Sheets, hidden: str) -> Path:
    made = [
        ods_sheet(
            ["".join(map(ods_cell, row)) for row in rows],
            name,
            'table:style-name="ta2"' if name == hidden else "",
        )
        for name, rows in sheets.items()
    ]
    return write_ods(path, *made)


@pytest.fixture(params=["xlsx", "ods"])
def written(tmp_path, request):
    def write(sheets: Sheets, hidden: str = "") -> Path:
        writers = {"xlsx": _xlsx, "ods": _ods}
        return writers[request.param](tmp_path / f"book.{request.param}", sheets, hidden)

    return write


PEOPLE = [["age", "sex"], ["30", "F"], ["31", "M"]]
PLACES = [["city"], ["Rio"]]


def heard(path: Path, **asked: str) -> tuple[list[str], list[str]]:
    """The columns of the table, and what was said."""
    said: list[str] = []
    with Watch(remark=said.append):
        return list(read(path, **asked).columns), said


def test_of_several_sheets_none_is_taken_for_the_one(written):
    with refused("input.several-sheets", "People, Places", "sheet="):
        read(written({"People": PEOPLE, "Places": PLACES}))


@pytest.mark.parametrize(("sheet", "columns"), [("People", ["age", "sex"]), ("Places", ["city"]), ("places", ["city"])])
def test_the_sheet_that_is_asked_for_is_read(written, sheet, columns):
    assert heard(written({"People": PEOPLE, "Places": PLACES}), sheet=sheet) == (columns, [])


def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(written):
    with refused("input.no-such-sheet", "'Place'", "People, Places"):
        read(written({"People": PEOPLE, "Places": PLACES}), sheet="Place")


def test_empty_and_hidden_sheets_are_passed_over_and_that_is_said(written):
    columns, said = heard(written({"Empty": [], "People": PEOPLE, "Codes": PLACES}, hidden="Codes"))
    assert columns == ["age", "sex"]
    assert len(said) == 1
    assert "'People'" in said[0]
    assert "Empty, Codes" in said[0]


def test_a_hidden_sheet_is_read_where_it_is_asked_for(written):
    assert heard(written({"People": PEOPLE, "Codes": PLACES}, hidden="Codes"), sheet="Codes")[0] == ["city"]


def test_an_empty_sheet_is_refused_by_its_name(written):
    with refused("input.empty-sheet", "'Empty'"):
        read(written({"Empty": [], "People": PEOPLE}), sheet="Empty")
    with refused("input.empty-sheets", "Empty, Nothing"):
        read(written({"Empty": [], "Nothing": []}))


def test_a_table_has_no_sheets_to_choose_from(tmp_path):
    (tmp_path / "people.csv").write_text("age,sex\n30,F\n")
    with refused("input.no-sheets", "people.csv", "sheet="):
        read(tmp_path / "people.csv", sheet="People")


TITLED = [
    [["Deaths by city, 2023"], [], ["age", "sex", "city"], ["30", "F", "Rio"], ["31", "M", "Rio"]],
    [["Deaths by city"], ["Source: register"], ["age", "sex", "city"], ["30", "F", "Rio"], ["31", "M", "Rio"]],
    [["Deaths"], [None], ["age", "sex", "2023"], ["30", "F", "1"], ["31", "M", "2"]],
]


@pytest.mark.parametrize("rows", TITLED)
def test_a_title_above_the_header_is_recognised_and_said(written, rows):
    path = written({"Sheet": rows})
    columns, said = heard(path)
    assert columns == rows[2]
    assert read(path)["age"].decoded().to_list() == ["30", "31"]
    assert len(said) == 1
    assert str(path) in said[0]
    assert str(rows[0][0]) in said[0]


@pytest.mark.parametrize(
    "rows",
    [
        [["age", "sex"], ["30", "F"]],
        [["name"], ["Ana"], ["Bia Sousa"]],
        [["age", None, None], ["30", "F", "Rio"]],
        [["full name", None], ["30", "F"]],
        [["2023", None], ["1", "2"]],
        [["age", "sex", None, None], ["30", "F", "x", "y"]],
        [],
        [[None]],
    ],
)
def test_what_may_be_a_header_is_none_to_be_passed_over(rows):
    assert title_rows(rows) == 0


def test_titles_are_recognised_in_csv_files_too(tmp_path):
    path = tmp_path / "deaths.csv"
    for text in (
        "Deaths by city, 2023\n\nage;sex;city\n30;F;Rio\n31;M;Rio\n",
        "Deaths by city;;\nSource: register;;\nage;sex;city\n30;F;Rio\n31;M;Rio\n",
        '"Óbitos por município"\r\n\r\nage;sex;city\r\n30;F;Rio\r\n31;M;Rio\r\n',
    ):
        path.write_text(text, "latin-1", newline="")
        columns, said = heard(path)
        assert columns == ["age", "sex", "city"]
        assert read(path)["age"].decoded().to_list() == ["30", "31"]
        assert len(said) == 1


def test_a_line_of_another_length_is_still_told_where_there_is_no_title(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("my notes\nhello, you\nyes, no\n")
    with refused("input.fields", "notes.csv", "2"):
        read(path)
    path.write_text("Deaths in 2023\n\nage;sex;city\n30;F;Rio\n31;M\n")
    with refused("input.fields", "5"):
        read(path)
