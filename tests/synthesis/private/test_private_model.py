"""Synthesis with ε, from beginning to end; the inference is an extra, which ``make test`` need not have."""

import polars as pl
import pytest
from made_up_synthesis import people, synthesised

import biombo as bb

SCHEMA = bb.Schema(
    {
        "age": bb.ColumnSchema("quasi", "discrete", bounds=(0, 110)),
        "job": bb.ColumnSchema("quasi", domain=("student", "clerk", "nurse", "cook", "retired", "pilot")),
        "sex": bb.ColumnSchema("quasi", domain=("F", "M")),
    }
)
NAMES = ("age", "job", "sex")


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    pytest.importorskip("mbi", reason="needs the extra biombo[synth]")
    return people(4000, 21).select(NAMES)


@pytest.mark.parametrize(
    ("mechanism", "delta"), [("mst", 0.0), ("mst", 1e-6), pytest.param("aim", 1e-6, marks=pytest.mark.slow)]
)
def test_what_comes_out_is_like_the_original(table, mechanism, delta):
    made = synthesised(table, 21, SCHEMA, columns=NAMES, epsilon=3.0, delta=delta, mechanism=mechanism)

    assert made.data.height == pytest.approx(4000, abs=200)
    for job in ("student", "retired"):
        ages = [each.filter(pl.col("job") == job)["age"].mean() for each in (table, made.data)]
        assert ages[0] == pytest.approx(ages[1], abs=4)
    assert made.guarantee.spent <= made.guarantee.total * (1 + 1e-9)
    assert f"ε = 3 and δ = {'0' if delta == 0 else '0.000001'}" in " ".join(made.sentences())


def test_a_person_has_no_more_records_than_the_guarantee_is_for(table):
    people_ = table.with_columns(id=pl.int_range(4000) // 2)
    schema = bb.Schema(dict(SCHEMA.columns), person="id")

    with pytest.raises(bb.InputError, match="Somebody has 2 records by column 'id', more than the 1"):
        synthesised(people_, 21, schema, columns=NAMES, epsilon=1.0)
    assert synthesised(people_, 21, schema, columns=NAMES, epsilon=1.0, records_per_person=2).guarantee


def test_one_column_takes_all_of_epsilon(table):
    made = synthesised(table, 21, SCHEMA, columns=("sex",), epsilon=1.0, records=50)

    assert made.data.height == 50
    assert made.guarantee.spent == pytest.approx(1.0)


def test_the_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("biombo._synthesis.private.model.find_spec", lambda _: None)

    with pytest.raises(bb.UsageError, match=r"pip install 'biombo\[synth\]'"):
        synthesised(people(50, 1), 1, SCHEMA, columns=("sex",), epsilon=1.0)
