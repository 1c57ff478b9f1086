from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._attack import population_risk
from biombo._attack.population import individual_risk

PEOPLE = pl.DataFrame(
    {
        "age": ["30", "30", "31", "32", "33", "33", "33"],
        "city": ["a", "a", "b", "b", "c", "c", "c"],
        "weight": ["10", "20,5", "10", "4", "10", "10", "10"],
        "id": ["1", "2", "3", "4", "5", "6", "7"],
    }
)


def schema(**columns: bb.ColumnSchema) -> bb.Schema:
    return bb.Schema(columns)


def test_group_sizes_come_from_the_quasi_columns() -> None:
    found = population_risk(bb.read(PEOPLE), ["age", "city"], fraction=0.1)
    assert sorted(found.estimate.sizes) == [1, 1, 2, 3]
    assert found.estimate.sample.population == pytest.approx(70)
    assert (found.rows, found.weight, found.quasi) == (7, None, ("age", "city"))


def test_weights_are_added_up_by_group() -> None:
    found = population_risk(bb.read(PEOPLE), ["age", "city"], weight="weight")
    sums = dict(zip(found.estimate.sizes.tolist(), found.estimate.weight_sums.tolist(), strict=True))
    assert (sums[2], sums[3]) == (30.5, 30)
    assert found.estimate.sample.fraction == 7 / 74.5
    assert found.weight == "weight"


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.floats(1, 50)), min_size=1, max_size=30))
def test_the_risk_of_each_record_is_that_of_its_group(rows: list[tuple[str, str, float]]) -> None:
    data = bb.read(pl.DataFrame(rows, schema=["p", "q", "w"], orient="row"))
    size = Counter((p, q) for p, q, _ in rows)
    total: Counter[tuple[str, str]] = Counter()
    for p, q, weight in rows:
        total[p, q] += weight

    table = population_risk(data, ["p", "q"], weight="w").records()

    assert table["row"].to_list() == list(range(len(rows)))
    assert table["size"].to_list() == [size[p, q] for p, q, _ in rows]
    expected = [float(individual_risk(size[p, q], total[p, q])) for p, q, _ in rows]
    assert table["individual_risk"].to_list() == pytest.approx(expected)


def test_the_risk_of_each_record_agrees_with_its_distribution() -> None:
    for given_by in ({"fraction": 0.1}, {"weight": "weight"}):
        found = population_risk(bb.read(PEOPLE), ["age", "city"], **given_by)
        table = found.records()
        assert table["individual_risk"].mean() == pytest.approx(found.estimate.by_benedetti_franconi.mean)
        assert table["pitman_risk"].mean() == pytest.approx(found.estimate.marketer)
        assert found.individual_risk.mean == pytest.approx(found.estimate.by_benedetti_franconi.mean)
        assert found.pitman_risk.mean == pytest.approx(found.estimate.marketer)


def test_rows_with_invalid_values_are_left_out_with_their_weights() -> None:
    described = schema(age=bb.ColumnSchema(role="quasi", invalid=frozenset({"33"})), city=bb.ColumnSchema(role="quasi"))
    data = bb.read(PEOPLE, described, columns=["age", "city", "weight"])
    found = population_risk(data, weight="weight")
    assert (found.rows, found.dropped.rows) == (4, 3)
    assert found.estimate.weight_sums.sum() == 44.5
    assert found.records()["row"].to_list() == [0, 1, 2, 3]
    assert sorted(population_risk(data, fraction=0.5).estimate.sizes) == [1, 1, 2]


def test_the_weight_of_the_schema_is_used() -> None:
    described = bb.Schema({"age": bb.ColumnSchema(role="quasi")}, weight="weight")
    data = bb.read(PEOPLE, described, columns=["age", "weight"])
    assert population_risk(data).weight == "weight"
    assert population_risk(data, fraction=0.1).weight is None


def test_nothing_about_the_population_is_refused() -> None:
    with refused("population.no-fraction"):
        population_risk(bb.read(PEOPLE), ["age"])


def test_a_fraction_and_weights_are_refused() -> None:
    with refused("population.fraction-and-weight", "weight"):
        population_risk(bb.read(PEOPLE), ["age"], fraction=0.1, weight="weight")


def test_a_weight_that_is_quasi_is_refused() -> None:
    with refused("population.weight-is-quasi", "weight"):
        population_risk(bb.read(PEOPLE), ["age", "weight"], weight="weight")


def test_a_weight_column_that_is_not_there_is_refused() -> None:
    with refused("column.missing-close", "wieght", "weight"):
        population_risk(bb.read(PEOPLE), ["age"], weight="wieght")


@pytest.mark.parametrize("wrong", ["many", "0", "-3", "inf", None, ""])
def test_a_weight_that_is_no_number_above_zero_is_refused(wrong: str | None) -> None:
    people = PEOPLE.with_columns(pl.Series("weight", ["10", "10", wrong, "10", "10", "10", "10"]))
    with refused("population.weight-value", "weight", "3", repr(wrong or None)):
        population_risk(bb.read(people), ["age"], weight="weight")


def test_weights_that_stand_for_less_than_the_records_are_refused() -> None:
    people = PEOPLE.with_columns(pl.Series("weight", [10.0, 10.0, 10.0, 0.25, 10.0, 10.0, 10.0]))
    with refused("population.weight-sum", "weight", "25", "4"):
        population_risk(bb.read(people), ["age"], weight="weight")


def test_a_person_with_several_records_is_refused() -> None:
    described = bb.Schema({"age": bb.ColumnSchema(role="quasi")}, person="id")
    once = bb.read(PEOPLE, described, columns=["age", "id"])
    twice = bb.read(PEOPLE.with_columns(id=pl.Series(list("1123456"))), described, columns=["age", "id"])
    assert population_risk(once, fraction=0.1).rows == 7
    with refused("population.repeated", "id", "6", "7"):
        population_risk(twice, fraction=0.1)


def test_more_columns_than_a_sweep_takes_are_one_question() -> None:
    wide = bb.read(pl.DataFrame({f"c{i}": ["a", "b"] for i in range(20)}))
    assert population_risk(wide, list(wide.columns), fraction=0.5).estimate.sample_uniques == 2


def test_a_continuous_column_is_binned_first() -> None:
    described = schema(income=bb.ColumnSchema(role="quasi", type="continuous"))
    found = population_risk(bb.read(pl.DataFrame({"income": [i / 7 for i in range(200)]}), described), fraction=0.1)
    assert found.estimate.sample_uniques == 0
    assert found.binnings[0].column == "income"
