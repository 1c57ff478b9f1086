"""What a query gives, or one table of several, kept as a file."""

import datetime as dt
import sqlite3
import stat
import zipfile
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter

from biombo._data import copy_query, copy_table, tables_in
from biombo._errors import InputError

ROWS = 60_000
"""More than are fetched at a time."""


@pytest.fixture
def database(tmp_path: Path) -> str:
    place = tmp_path / "people.db"
    rows = [(n, None if n < ROWS - 1 else "last", n if n < ROWS - 1 else "many", n / 2) for n in range(ROWS)]
    with sqlite3.connect(place) as connection:
        connection.execute("create table people (number integer, late text, mixed, half real)")
        connection.executemany("insert into people values (?, ?, ?, ?)", rows)
    return f"sqlite:///{place}"


@pytest.mark.filterwarnings("ignore:Column 'mixed' holds values of several types")
def test_all_rows_are_kept_with_a_type_that_has_them_all(database: str, tmp_path: Path):
    place = tmp_path / "people.parquet"
    copy_query("select * from people", database, place, seconds=60, most=10**9)
    kept = pl.read_parquet(place)

    assert kept.schema == {"number": pl.Int64, "late": pl.String, "mixed": pl.String, "half": pl.Float64}
    assert kept["number"].to_list() == list(range(ROWS))
    assert kept["late"].drop_nulls().to_list() == ["last"]
    assert kept["mixed"].to_list() == [*map(str, range(ROWS - 1)), "many"]
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.db", "people.parquet"]


@pytest.mark.parametrize(
    ("query", "seconds", "most", "key"),
    [
        ("select * from nobody", 60, 10**9, "input.query"),
        ("delete from people", 60, 10**9, "input.query"),
        ("select 1) as x; delete from people; --", 60, 10**9, "input.query"),
        ("select * from people where number < 0", 60, 10**9, "input.empty"),
        ("select number from people", 60, 1000, "input.query-large"),
        ("with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r", 1, 10**9, "slow"),
    ],
)
def test_a_query_that_cannot_be_kept_leaves_nothing(
    database: str, tmp_path: Path, query: str, seconds: float, most: int, key: str
):
    with pytest.raises(InputError) as refused:
        copy_query(query, database, tmp_path / "out.parquet", seconds=seconds, most=most)
    assert refused.value.key.endswith(key)
    assert [path.name for path in tmp_path.iterdir()] == ["people.db"]


def test_the_types_of_postgresql_are_kept(postgres_server: str, tmp_path: Path):
    pytest.importorskip("psycopg")
    from postgres_server import PASSWORD

    place = tmp_path / "types.parquet"
    query = (
        "select n, n::numeric / 8 as part, date '2024-02-29' as day, interval '90 minutes' as span, "
        "timestamptz '2024-02-29 12:00Z' as moment, n = 1 as flag, null::text as nothing from generate_series(1, 3) n"
    )
    copy_query(query, f"postgresql://manager:{PASSWORD}@{postgres_server}", place, seconds=60, most=10**9)
    kept = pl.read_parquet(place)

    assert kept["n"].to_list() == [1, 2, 3]
    assert [float(each) for each in kept["part"]] == [0.125, 0.25, 0.375]
    assert kept["day"].unique().to_list() == [dt.date(2024, 2, 29)]
    assert kept["span"].dtype == pl.String
    assert kept["moment"][0] == dt.datetime(2024, 2, 29, 12, tzinfo=dt.UTC)
    assert kept["flag"].to_list() == [True, False, False]
    assert kept["nothing"].null_count() == 3
    assert pl.read_parquet(place).height == 3


def workbook(place: Path) -> Path:
    with xlsxwriter.Workbook(place) as book:
        for name, rows in {"pessoas": 40, "outros": 2, "vazia": 0}.items():
            sheet = book.add_worksheet(name)
            for row in range(rows + 1 if rows else 0):
                sheet.write_row(row, 0, ["codigo", "cidade"] if row == 0 else [f"{row:04}", name])
    return place


def archive(place: Path) -> Path:
    with zipfile.ZipFile(place, "w") as packed:
        for name, rows in {"pessoas.csv": 40, "outros.csv": 2}.items():
            lines = [f"{row:04},{name}" for row in range(1, rows + 1)]
            packed.writestr(name, "\n".join(["codigo,cidade", *lines]))
    return place


@pytest.mark.parametrize(
    ("written", "ending", "names"),
    [(workbook, "xlsx", ("pessoas", "outros")), (archive, "zip", ("pessoas.csv", "outros.csv"))],
)
def test_one_table_of_several_is_kept_as_it_is_written(tmp_path: Path, written, ending: str, names: tuple[str, ...]):
    given, place = written(tmp_path / f"given.{ending}"), tmp_path / "kept.parquet"
    assert tables_in(given) == names

    copy_table(given, names[0], place)

    assert tables_in(place) == ()
    kept = pl.read_parquet(place)
    assert kept.rows() == [(f"{row:04}", names[0]) for row in range(1, 41)]
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_a_file_with_one_table_leaves_nothing_to_choose_and_a_damaged_one_is_said_to_be(tmp_path: Path):
    (tmp_path / "one.csv").write_text("a,b\n1,2\n")
    assert tables_in(tmp_path / "one.csv") == ()
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(InputError):
        tables_in(tmp_path / "broken.xlsx")
