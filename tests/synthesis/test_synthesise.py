"""The call itself: what comes out, as what, and what is refused."""

import pandas as pd
import polars as pl
import pytest
from made_up_synthesis import people

import biombo as bb

SCHEMA = bb.Schema(
    {
        "name": bb.ColumnSchema("identifier"),
        "age": bb.ColumnSchema("quasi", "discrete"),
        "job": bb.ColumnSchema("quasi"),
        "income": bb.ColumnSchema("sensitive", "continuous"),
    }
)


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    return people(400, 3).with_columns(name=pl.lit("Ana"))


def test_what_nobody_decided_on_and_identifiers_do_not_come_out(table):
    made = bb.synthesise(table, schema=SCHEMA, tries=20)

    assert made.data.columns == ["age", "job", "income"]
    assert made.data.height == made.replaced == 400
    assert [each.columns for each in made.risk.attacks if each.attack == "inference"] == [("income",)]
    assert any(line.startswith("No guarantee") for line in made.sentences())


def test_frames_go_out_as_they_came_and_files_are_read_again(table, tmp_path):
    made = bb.synthesise(table.to_pandas(), schema=SCHEMA, holdout=0)
    assert isinstance(made.data, pd.DataFrame)

    for name in ("out.csv", "out.parquet"):
        written = bb.synthesise(table, tmp_path / name, schema=SCHEMA, holdout=0)
        assert written.data is None
        assert len(bb.read(tmp_path / name)) == 400
        with pytest.raises(bb.BiomboError, match="exists"):
            bb.synthesise(table, tmp_path / name, schema=SCHEMA)


def test_nobody_is_held_out_in_part():
    from biombo._engine import Randomness
    from biombo._synthesis import set_aside

    numbered = pl.Series([0, 1, 2, 3] * 50).to_numpy()
    aside = set_aside(200, numbered, 0.5, Randomness.seeded(1))

    assert all(len(set(aside[numbered == person])) == 1 for person in range(4))
    assert 0.4 < set_aside(4000, None, 0.5, Randomness.seeded(1)).mean() < 0.6


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "No column is named to synthesise"),
        ({"columns": []}, "No column is named to synthesise"),
        ({"columns": ["agee"]}, "did you mean 'age'"),
        ({"columns": ["age"], "k": 0}, "'k' must be a whole number"),
        ({"columns": ["age"], "holdout": 0.9}, "'holdout'"),
        ({"columns": ["age"], "epsilon": 0}, "'epsilon' must be a number above 0"),
        ({"columns": ["age"], "mechanism": "ctgan"}, "'mechanism' can be mst, aim"),
        ({"columns": ["age", "job"], "epsilon": 1}, "'age' has no public domain"),
        ({"columns": ["age"], "domains": {"job": ["cook"]}}, "'job', which is not synthesised"),
        ({"columns": ["name"], "schema": SCHEMA}, "'name' is an identifier"),
        ({"columns": ["job"], "k": 500}, "No value of column 'job' is had by 500 people"),
    ],
)
def test_bad_input_is_told_in_one_sentence(table, asked, says):
    with pytest.raises(bb.BiomboError, match=says) as told:
        bb.synthesise(table, **asked)
    assert "\n" not in str(told.value)


def test_an_empty_table_is_refused(table):
    with pytest.raises(bb.BiomboError, match="There are no rows"):
        bb.synthesise(table.clear(), columns=["age"])
