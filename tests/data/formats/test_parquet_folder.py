"""Folders of Parquet parts, with columns in the names of folders or without."""

from pathlib import Path

import polars as pl
import pytest
from refusal import refused

from biombo._data import SourceTable, read


def part(path: Path, **columns: list[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(columns).write_parquet(path)


def rows(folder: Path, columns: list[str]) -> list[tuple[object, ...]]:
    batches = [batch for _, batch in SourceTable.open(folder).batches(columns)]
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


def test_parts_are_one_table_in_the_order_of_their_names(tmp_path):
    part(tmp_path / "part-1.parquet", age=[31], sex=["M"])
    part(tmp_path / "part-0.parquet", sex=["F"], age=[30])
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".part-0.parquet.crc").touch()
    part(tmp_path / "_temporary" / "x.parquet", other=[1])
    assert rows(tmp_path, ["age", "sex"]) == [(30, "F"), (31, "M")]


def test_names_of_folders_are_columns_of_texts(tmp_path):
    part(tmp_path / "uf=01" / "city=S%C3%A3o%20Paulo" / "0.parquet", age=[30, 31])
    part(tmp_path / "uf=12" / "city=__HIVE_DEFAULT_PARTITION__" / "0.parquet", age=[32])
    assert SourceTable.open(tmp_path).columns == ["age", "uf", "city"]
    assert rows(tmp_path, ["city", "age", "uf"]) == [
        ("São Paulo", 30, "01"),
        ("São Paulo", 31, "01"),
        (None, 32, "12"),
    ]
    assert rows(tmp_path, ["uf"]) == [("01",), ("01",), ("12",)]
    assert read(tmp_path).rows == 3


def test_a_column_inside_and_in_the_name_is_refused(tmp_path):
    part(tmp_path / "uf=01" / "0.parquet", uf=["01"])
    with refused("column.also-in-name", "uf"):
        read(tmp_path)


def test_parts_with_other_columns_are_refused(tmp_path):
    part(tmp_path / "people.parquet", age=[30])
    part(tmp_path / "places.parquet", city=["Rio"])
    with refused("input.folder-columns", "people.parquet", "places.parquet", "age, city"):
        read(tmp_path)


def test_other_tables_beside_the_parts_are_refused(tmp_path):
    part(tmp_path / "people.parquet", age=[30])
    (tmp_path / "people.csv").write_text("age\n30\n")
    with refused("input.folder-mixed", "people.csv"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["people.csv", "notes.md"])
def test_a_folder_without_parts_is_refused(tmp_path, name):
    (tmp_path / name).write_text("age\n30\n")
    with refused("input.folder", str(tmp_path)):
        read(tmp_path)
