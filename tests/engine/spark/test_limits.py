"""How much may come to the driver is said by the engine or the environment."""

import tempfile

import polars as pl
import pytest
from spark_engine import MASTER, needs_spark, spark_engine

import biombo as bb
from biombo import SparkEngine, UsageError


@pytest.mark.parametrize("variable", ["BIOMBO_SPARK_TUPLES", "BIOMBO_SPARK_ROWS"])
@pytest.mark.parametrize("text", ["0", "-1", "many", "1e6", "١", "9" * 5000])
def test_a_limit_that_is_no_number_is_refused_before_spark_starts(variable, text, monkeypatch) -> None:
    monkeypatch.setenv(variable, text)

    with pytest.raises(UsageError, match=rf"{variable} .* from 1, of 18 digits at most"):
        SparkEngine("local[2]").jobs("a table")


PEOPLE = pl.DataFrame({"sex": ["F", "M"] * 30, "city": ["A", "B", "C"] * 20, "disease": ["flu", "gout"] * 30})
PLAN = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], quasi=["sex", "city"], sensitive=["disease"])


@needs_spark
@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_a_release_that_has_no_room_is_not_called_a_bad_one(tmp_path, monkeypatch) -> None:
    def no_files(*_: object, **__: object) -> None:
        raise AssertionError("released records lie on a disk")

    accepted = {"disease": "a test"}
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "TemporaryDirectory", no_files)
        release = bb.publish(PEOPLE, PLAN, tmp_path / "release", engine=SparkEngine(MASTER), accept=accepted)

    assert bb.verify(release.out, engine=SparkEngine(MASTER)).holds
    with pytest.raises(bb.InputError, match=r"All that is counted .* BIOMBO_SPARK_TUPLES"):
        bb.verify(release.out, engine=SparkEngine(MASTER, most_tuples=3))


@needs_spark
def test_a_table_without_rows_is_refused_as_elsewhere(tmp_path) -> None:
    (tmp_path / "people.csv").write_text("sex,city,disease\n")

    for engine in ("local", spark_engine()):
        with pytest.raises(bb.InputError, match="no rows"):
            bb.apply(tmp_path / "people.csv", PLAN, engine=engine)


@needs_spark
def test_a_column_may_be_called_like_all_columns() -> None:
    table = PEOPLE.rename({"disease": "*"})

    after = bb.apply(table, bb.Plan([], quasi=["sex"]), keep=["*"], engine=spark_engine()).data

    assert sorted(after.rows()) == sorted(table.select(pl.nth(0), pl.nth(2)).rows())


@needs_spark
@pytest.mark.parametrize("most", [(1 << 31) - 1, 1 << 40])
def test_a_limit_may_be_larger_than_spark_takes(most, tmp_path) -> None:
    plan = bb.Plan([bb.Pseudonymise("city", "random")], quasi=["sex"])
    applied = bb.apply(PEOPLE, plan, tmp_path / "out.csv", engine=SparkEngine(MASTER, most_tuples=most))

    assert applied.rows == PEOPLE.height
