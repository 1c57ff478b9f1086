"""Synthesis with ε, from beginning to end; the inference is an extra, which ``make test`` installs."""

from importlib.util import find_spec

import numpy as np
import polars as pl
import pytest
from epsilon_bound import lower_bound
from made_up_synthesis import people, synthesised

import biombo as bb
from biombo._synthesis.private import Budget, PrivateModel

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
    if find_spec("mbi") is None:  # and not imported: that is for whoever says first how exact JAX is
        pytest.skip("needs the extra biombo[synth]")
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


FEW = pl.DataFrame({"sex": ["F"] * 3 + ["M"] * 3, "job": ["cook"] * 6})
ONE_MORE = pl.concat([FEW, pl.DataFrame({"sex": ["F"], "job": ["pilot"]})])


def drawn(told, number: int = 240) -> list[np.ndarray]:
    """What is told by records that were drawn with ε = 2, again and again, of few people and of one more."""
    asked = {"columns": ("sex", "job"), "epsilon": 2.0}
    return [
        np.array([told(synthesised(each, seed, SCHEMA, **asked).data) for seed in range(number)])
        for each in (FEW, ONE_MORE)
    ]


def records(made: pl.DataFrame) -> int:
    return made.height


def women_and_pilots(made: pl.DataFrame) -> int:
    return int((made["sex"] == "F").sum() + (made["job"] == "pilot").sum())


@pytest.mark.usefixtures("table")
def test_an_audit_of_records_finds_no_more_than_is_claimed():
    assert lower_bound(drawn(records)) <= 2.0
    assert lower_bound(drawn(women_and_pilots)) <= 2.0


@pytest.mark.usefixtures("table")
def test_an_audit_of_records_catches_what_is_read_behind_the_noise(monkeypatch):
    """A model that makes as many records as there are, whatever the noised counts say."""

    def telling(model, scales, guarantee, _total):
        return PrivateModel(model, scales, guarantee, len(scales["sex"].places))

    monkeypatch.setattr("biombo._synthesis.private.model.PrivateModel", telling)
    assert lower_bound(drawn(records)) > 2.0


@pytest.mark.usefixtures("table")
def test_an_audit_of_records_catches_too_little_noise(monkeypatch):
    """A mechanism that claims its ε and forgets that several columns are asked for."""
    honest = Budget.noised
    monkeypatch.setattr(Budget, "noised", lambda self, counts, _, share: honest(self, counts, 1, share * 20))
    assert lower_bound(drawn(records)) > 2.0


def test_the_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("biombo._synthesis.private.model.find_spec", lambda _: None)

    with pytest.raises(bb.UsageError, match=r"pip install 'biombo\[synth\]'"):
        synthesised(people(50, 1), 1, SCHEMA, columns=("sex",), epsilon=1.0)
