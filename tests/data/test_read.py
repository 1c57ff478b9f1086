import sqlite3
from pathlib import Path

import polars as pl
import pytest
from refusal import refused

from biombo._data import ColumnSchema, Schema, read


@pytest.fixture
def folder(tmp_path) -> Path:
    for name, content in {"b.csv": "x,y\n3,4\n", "a.csv": "x,y\n1,2\n", "c.tsv": "y\tx\n6\t5\n"}.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def test_a_glob_is_one_dataset_in_the_order_of_names(folder):
    data = read(str(folder / "*.csv"))
    assert data["x"].decoded().to_list() == ["1", "3"]
    assert data.label == f"{folder / 'a.csv'} … {folder / 'b.csv'}"


def test_a_list_keeps_its_order_and_may_mix_formats(folder):
    pl.DataFrame({"x": ["7"], "y": ["8"]}).write_parquet(folder / "d.parquet")
    data = read(
        [folder / "d.parquet", str(folder / "c.tsv"), folder / "[ab].csv", pl.DataFrame({"x": ["9"], "y": ["0"]})]
    )
    assert data["x"].decoded().to_list() == ["7", "5", "1", "3", "9"]
    assert data["y"].decoded().to_list() == ["8", "6", "2", "4", "0"]


def test_whatever_lists_paths_will_do(folder):
    assert read(folder.glob("*.csv")).rows == 2


def test_globs_reach_into_folders(folder):
    (folder / "deep" / "down").mkdir(parents=True)
    (folder / "deep" / "down" / "z.csv").write_text("x,y\n1,2\n")
    assert read(folder / "**" / "*.csv").rows == 3


def test_a_file_whose_name_looks_like_a_glob_is_read(tmp_path):
    (tmp_path / "odd[1].csv").write_text("x,y\n1,2\n")
    assert read(tmp_path / "odd[1].csv").rows == 1


def test_what_a_file_begins_with_goes_before_its_name(tmp_path):
    pl.DataFrame({"x": ["1"]}).write_parquet(tmp_path / "really_parquet.csv")
    assert read(tmp_path / "really_parquet.csv").rows == 1


@pytest.mark.parametrize("name", ["A.CSV", "a.Txt", "a.TSV"])
def test_the_case_of_a_suffix_does_not_matter(tmp_path, name):
    (tmp_path / name).write_text("x;y\n1;2\n")
    assert read(tmp_path / name).rows == 1


def test_by_default_the_quasi_and_sensitive_columns_are_kept():
    schema = Schema({"b": ColumnSchema(role="sensitive"), "a": ColumnSchema(role="quasi"), "c": ColumnSchema()})
    assert list(read(pl.DataFrame({"a": [1], "b": [2], "c": [3]}), schema).columns) == ["a", "b"]


def test_without_roles_all_columns_are_kept():
    assert list(read(pl.DataFrame({"a": [1], "b": [2]}), Schema({"a": ColumnSchema()})).columns) == ["a", "b"]


def test_the_built_in_schema_fits_the_file_of_acre(siapa_file):
    data = read(siapa_file, schema="siapa")
    assert data.rows == 105_836
    assert len(data.columns) == 8
    assert data["PA_CODUNI"].values.dtype == pl.String
    assert data["PA_PROC_ID"].codes.dtype.itemsize == 2


def test_the_adult_data_is_read_with_its_semicolons(shared_data):
    data = read(shared_data / "adult" / "adult.csv")
    assert (data.rows, len(data.columns)) == (30_162, 9)


def test_progress_tells_the_rows_read_and_expected(folder):
    steps: list[tuple[int, int | None]] = []
    read(pl.DataFrame({"x": range(10)}), progress=lambda *step: steps.append(step))
    read(folder / "a.csv", progress=lambda *step: steps.append(step))
    assert steps[0] == (10, 10)
    assert steps[-1] == (1, None)


def test_a_missing_column_offers_the_closest_one():
    with refused("column.missing-close", "'agee'", "'age'"):
        read(pl.DataFrame({"age": [1], "sex": [2]}), columns=["agee"])


def test_a_missing_column_lists_those_there_are():
    with refused("column.missing", "'weight'", "age, sex"):
        read(pl.DataFrame({"age": [1], "sex": [2]}), columns=["weight"])


def test_a_column_that_one_of_several_files_lacks_is_refused_with_that_file(folder):
    (folder / "d.csv").write_text("x,z\n1,2\n")
    with refused("column.missing", str(folder / "d.csv"), "'y'"):
        read(folder / "*.csv")


def test_a_single_string_for_a_list_of_columns_is_refused():
    with refused("usage.string-for-list", "['age']"):
        read(pl.DataFrame({"age": [1]}), columns="age")


def test_a_missing_file_is_refused(tmp_path):
    with refused("input.missing-file", "none.csv"):
        read(tmp_path / "none.csv")


def test_a_glob_without_files_is_refused(tmp_path):
    with refused("input.no-match", "*.dbc"):
        read(tmp_path / "*.dbc")


def test_a_folder_is_refused(tmp_path):
    with refused("input.folder", str(tmp_path)):
        read(tmp_path)


def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path):
    (tmp_path / "a.docx").write_text("hello")
    with refused("input.unknown-format", ".csv", ".dbc"):
        read(tmp_path / "a.docx")


def test_the_same_file_twice_is_refused(folder):
    with refused("usage.file-twice", "a.csv"):
        read([folder / "a.csv", folder / "*.csv"])


def test_no_file_at_all_is_refused():
    with refused("usage.no-source"):
        read([])


def test_a_query_needs_its_database(tmp_path):
    with refused("usage.query-without-database", "SELECT 1"):
        read("SELECT 1")
    sqlite3.connect(tmp_path / "x.db").close()
    with refused("usage.query"):
        read(tmp_path / "x.db", database=f"sqlite:///{tmp_path}/x.db")
