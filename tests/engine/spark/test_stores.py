"""Sources that only Spark reads give what this process reads of the same files; the rest is refused in a sentence."""

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from spark_engine import needs_spark, spark_engine

import biombo as bb
from biombo._data import Schema, SourceTable

pytestmark = needs_spark


def by_spark(address: str) -> SourceTable:
    """The table at an address."""
    table = spark_engine().reached(address)
    assert isinstance(table, SourceTable)
    return table


def values(table: SourceTable, columns: list[str] | None = None) -> list[tuple[str | None, ...]]:
    """All rows as Biombo writes their values, in no order."""
    data = bb.read(table, columns=columns or table.columns)
    return sorted(zip(*(data[name].decoded().to_list() for name in data.columns), strict=True), key=repr)


def test_csv_is_read_as_here(tmp_path: Path):
    """Byte order mark, quotes, line breaks within them, two encodings, empty fields, blanks in the file's name."""
    (tmp_path / "a b[1].csv").write_bytes(b'\xef\xbb\xbfid;name\r\n0000013;"S\xe3o\r\n""Paulo"""\r\n2;\r\n')
    (tmp_path / "b.csv").write_bytes(b'id;name\n3;"Bel\xc3\xa9m;x"\n4;a"b')

    far = by_spark(f"{tmp_path.as_uri()}/*.csv")

    assert far.columns == ["id", "name"]
    assert values(far) == values(SourceTable.open(f"{tmp_path}/*.csv"))
    assert ("0000013", 'São\r\n"Paulo"') in values(far)
    assert far.rows == 4


def test_what_is_wrong_with_csv_is_told_as_here(tmp_path: Path):
    uneven = tmp_path / "uneven.csv"
    uneven.write_text("a,b\n1,2\n1,2,3\n")
    with pytest.raises(bb.InputError, match=r"uneven\.csv has 3 fields where the header has 2"):
        values(by_spark(uneven.as_uri()))

    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "f" / "b.csv").write_text("a,c\n1,2\n")
    with pytest.raises(bb.ColumnError, match=r"'b'.*f/b\.csv"):
        values(by_spark((tmp_path / "f").as_uri()))
    (tmp_path / "f" / "b.csv").write_text("a,b\n")
    assert values(by_spark((tmp_path / "f").as_uri())) == [("1", "2")]
    (tmp_path / "f" / "b.csv").write_text("")
    with pytest.raises(bb.InputError, match=r"f/b\.csv"):
        values(by_spark((tmp_path / "f").as_uri()))


def typed() -> pa.Table:
    """A row of each type that could go astray."""
    noon = dt.datetime(2020, 6, 1, 12, 30, 0, 5)
    return pa.table(
        {
            "moment": pa.array([noon, None], pa.timestamp("us", tz="UTC")),
            "wall": pa.array([dt.datetime(1500, 1, 1, 0, 0, 1), noon], pa.timestamp("us")),
            "milli": pa.array([dt.datetime(1969, 12, 31, 23), None], pa.timestamp("ms")),
            "day": pa.array([dt.date(1500, 1, 1), dt.date(2024, 2, 29)]),
            "price": pa.array([Decimal("1.50"), Decimal("-0.05")]),
            "large": pa.array([2**64 - 1, 0], pa.uint64()),
            "time": pa.array([dt.time(23, 59, 59, 1), None], pa.time64("us")),
            "single": pa.array([0.1, float("nan")], pa.float32()),
            "double": pa.array([0.1, 1e300]),
            "text": ["0013", ""],
            "Text": ["other", None],
            "we.ird`": [True, None],
            "list": [[1], []],
        }
    )


def test_parquet_is_read_as_here(tmp_path: Path):
    near = tmp_path / "people.parquet"
    parquet.write_table(typed(), near)
    plain = [name for name in typed().column_names if name != "list"]

    far = by_spark(near.as_uri())

    assert far.columns == typed().column_names
    assert values(far, plain) == values(SourceTable.open(near), plain)
    with pytest.raises(bb.InputError, match=r"'list' of .* holds lists"):
        values(far, ["list"])


def test_old_times_of_parquet_have_no_zone(tmp_path: Path):
    near = tmp_path / "old.parquet"
    parquet.write_table(typed().select(["moment", "text"]), near, use_deprecated_int96_timestamps=True)

    assert values(by_spark(near.as_uri())) == values(SourceTable.open(near))


def test_folders_of_parts_have_columns_in_their_names(tmp_path: Path):
    for uf in ("07", "12"):
        (tmp_path / f"uf={uf}").mkdir()
        parquet.write_table(pa.table({"age": [int(uf)]}), tmp_path / f"uf={uf}" / "x.parquet")

    assert values(by_spark(tmp_path.as_uri())) == [(12, "12"), (7, "07")]

    parquet.write_table(pa.table({"age": ["seven"]}), tmp_path / "uf=12" / "y.parquet")
    with pytest.raises(bb.InputError, match=r"same columns with the same types .*uf=07/x\.parquet.*uf=12/y\.parquet"):
        _ = by_spark(tmp_path.as_uri()).columns


def test_a_plan_is_carried_out_on_what_was_read_once(tmp_path: Path):
    near = tmp_path / "people.csv"
    near.write_text("name,age\n" + "".join(f"n{each},{each % 3}\n" for each in range(30)))
    plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(5)], ["age"], identifiers=["name"])
    engine, table = spark_engine(), by_spark(near.as_uri())

    counted = engine.open(table).tuples(["age"], Schema())
    near.unlink()  # whoever reads again would notice
    applied = bb.apply(table, plan, engine=engine)

    assert counted.records == applied.data.height == 30


@pytest.mark.parametrize("address", ["s3a://bucket/x.parquet", "file:///x.csv", "abfss://box@account/x/*.csv"])
def test_without_spark_there_is_one_sentence(address: str):
    with pytest.raises(bb.UsageError, match=r"^Only Spark reads .*; choose a Spark engine, such as engine="):
        bb.read(address)


def test_what_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(bb.InputError, match=r"could not find or read"):
        _ = by_spark(f"{tmp_path.as_uri()}/*.csv").columns
    with pytest.raises(bb.InputError, match=r"does not know the place of s3a://bucket/x\.csv"):
        _ = by_spark("s3a://bucket/x.csv").columns
    with pytest.raises(bb.UsageError, match="may not hold keys") as told:
        by_spark("s3a://KEY:SECRET@bucket/x.csv")
    assert "SECRET" not in str(told.value)
    with pytest.raises(bb.UsageError, match="is an address"):
        bb.apply(pa.table({"a": [1]}), bb.Plan([], []), "s3a://bucket/out.csv")
