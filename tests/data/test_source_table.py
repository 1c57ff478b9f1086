"""Rows as their sources have them."""

import sqlite3

import polars as pl
import pyarrow as pa
import pytest

from biombo._data import SourceTable


def rows_of(table: SourceTable, columns: list[str] | None = None) -> list[dict[str, object]]:
    return [row for _, batch in table.batches(columns or table.columns) for row in batch.to_pylist()]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "AC.csv").write_text("zip,age\n02138,007\n,8\n")
    (tmp_path / "AM.csv").write_text("age,zip\n9,02139\n")
    return tmp_path


def test_values_are_as_the_file_has_them_and_columns_of_names_stand_beside_them(files):
    table = SourceTable.open(files / "*.csv", filename="{uf:2}.csv")

    assert table.columns == ["zip", "age", "uf"]
    assert rows_of(table) == [
        {"zip": "02138", "age": "007", "uf": "AC"},
        {"zip": None, "age": "8", "uf": "AC"},
        {"zip": "02139", "age": "9", "uf": "AM"},
    ]
    assert rows_of(table, ["uf"]) == [{"uf": "AC"}, {"uf": "AC"}, {"uf": "AM"}]


def test_each_batch_names_its_source_and_progress_counts_rows(files):
    seen = []
    table = SourceTable.open(files / "*.csv")
    labels = [label for label, batch in table.batches(["zip"], lambda *told: seen.append(told)) if batch.num_rows]

    assert labels == [str(files / "AC.csv"), str(files / "AM.csv")]
    assert seen[-1] == (3, None)
    assert [path.name for path in table.files] == ["AC.csv", "AM.csv"]


def test_a_stream_is_held_so_that_it_can_be_read_twice():
    stream = pa.table({"x": [1, 2]}).to_reader()
    held = SourceTable.open(stream).held()

    assert rows_of(held) == rows_of(held) == [{"x": 1}, {"x": 2}]
    assert held.rows == 2


def test_a_query_is_held_because_its_answer_may_change(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("create table t as select 1 as x, 2 as y")
        held = SourceTable.open("select * from t", database=f"sqlite:///{tmp_path / 'a.db'}").held()
        database.execute("delete from t")
        database.commit()

    assert rows_of(held, ["y"]) == [{"y": 2}]
    assert held.label == "the query"


def test_files_and_tables_are_not_held(files):
    table = SourceTable.open([files / "AC.csv", pl.DataFrame({"zip": ["1"], "age": ["2"]})])

    assert table.held().sources == table.sources
