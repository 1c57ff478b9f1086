"""Results that Spark itself writes, as to an object store."""

import datetime as dt
from pathlib import Path

import polars as pl
import pytest
from spark_engine import needs_spark, spark_engine

import biombo as bb

pytestmark = [needs_spark, pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")]

ROWS = 90
TABLE = pl.DataFrame(
    {
        "city, or town": ["A", "B", "C"] * (ROWS // 3),
        "age": [20 + number % 5 for number in range(ROWS)],
        "born": [None, *pl.date_range(pl.date(1990, 1, 1), pl.date(1990, 3, 30), eager=True)[: ROWS - 1]],
        "seen": pl.datetime_range(pl.datetime(2020, 1, 1), pl.datetime(2020, 3, 30), "1d", eager=True)[:ROWS],
        "sum": [number / 8 for number in range(ROWS)],
    }
)
PLAN = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], quasi=["city, or town", "age"])


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_a_result_is_a_folder_that_is_whole_or_not_there(tmp_path) -> None:
    engine, out = spark_engine(), f"{tmp_path.as_uri()}/out put"

    applied = bb.apply(TABLE, PLAN, out, keep=["born", "seen", "sum"], engine=engine)

    after = pl.read_parquet(tmp_path / "out put" / "*.parquet")
    assert (tmp_path / "out put" / "_SUCCESS").exists()
    assert after.schema == TABLE.schema | {"age": after.schema["age"]}
    assert sorted(after.rows(), key=str) == sorted(TABLE.rows(), key=str)
    assert (applied.rows, str(applied.out)) == (ROWS, out)
    assert bb.read(engine.reached(out), columns=["age"]).records == ROWS


def test_what_is_there_is_replaced_only_if_that_is_said(tmp_path) -> None:
    engine, out = spark_engine(), f"{tmp_path.as_uri()}/out"
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").touch()

    with pytest.raises(bb.UsageError, match="exists already"):
        bb.apply(TABLE, PLAN, out, engine=engine)
    assert names(tmp_path / "out") == {"mine.txt"}
    bb.apply(TABLE, PLAN, out, engine=engine, force=True)

    assert "_SUCCESS" in names(tmp_path / "out")


def test_a_request_writes_there(tmp_path) -> None:
    PLAN.save(tmp_path / "plan.yaml")
    request = bb.ApplyRequest(plan=str(tmp_path / "plan.yaml"), out=f"{tmp_path.as_uri()}/out")

    assert request.run(TABLE, engine=spark_engine()).as_json()["out"] == request.out
    assert (tmp_path / "out" / "_SUCCESS").exists()


def test_what_cannot_be_there_is_refused_before_anything_is_done(tmp_path) -> None:
    out, engine = f"{tmp_path.as_uri()}/out", spark_engine()
    key = bb.new_key(tmp_path / "key")
    named = bb.Plan([bb.Pseudonymise("age", "random", key=key, reversible_=True)], quasi=["sum"])

    with pytest.raises(bb.UsageError, match="keep their order"):
        bb.apply(TABLE, PLAN, out, engine=engine, keep_order=True)
    with pytest.raises(bb.UsageError, match="private"):
        bb.apply(TABLE, named, out, engine=engine, key=tmp_path / "key")
    with pytest.raises(bb.UsageError, match=r"only biombo\.apply writes"):
        bb.apply(TABLE, PLAN, out)
    with pytest.raises(bb.UsageError, match="may not hold keys"):
        bb.apply(TABLE, PLAN, "s3a://me:secret@bucket/out", engine=engine)
    assert names(tmp_path) == {"key"}


def test_moments_and_names_are_as_they_were(tmp_path) -> None:
    moments = [dt.datetime(1582, 10, 14, 23, 59, 59, 999999, dt.UTC), dt.datetime(2024, 1, 31, 10, tzinfo=dt.UTC)]
    table = pl.DataFrame(
        {
            "s": ["a"] * 40,
            "S": ["b"] * 40,
            "seen": pl.Series(moments * 20, dtype=pl.Datetime("us", "America/Sao_Paulo")),
            "exact": pl.Series([1_706_695_200_123_456_789] * 40).cast(pl.Datetime("ns")),
        }
    )
    plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], quasi=["s"])

    bb.apply(table, plan, f"{tmp_path.as_uri()}/out", keep=["S", "seen", "exact"], engine=spark_engine())

    after = pl.read_parquet(tmp_path / "out" / "*.parquet")
    assert after.columns == table.columns
    assert sorted(after["seen"].dt.convert_time_zone("UTC")) == sorted(moments * 20)
    assert set(after["exact"]) == {"2024-01-31T10:00:00.123456789"}
