"""Laplace and geometric noise between declared bounds."""

from collections import Counter
from math import exp

import polars as pl
import pyarrow as pa
import pytest
from goodness_of_fit import assert_follows
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused

import biombo as bb


def noised(values: list[object], operation: bb.Operation) -> pl.Series:
    return bb.apply(pl.DataFrame({"x": values}), bb.Plan([operation]), keep_order=True).data["x"]


def clamped_chances(epsilon: float, low: int, high: int, value: int) -> dict[int, float]:
    weights = {z: exp(-abs(z) * epsilon / (high - low)) for z in range(-300, 301)}
    chances = dict.fromkeys(range(low, high + 1), 0.0)
    for z, weight in weights.items():
        chances[min(max(value + z, low), high)] += weight / sum(weights.values())
    return chances


@pytest.mark.parametrize(("value", "taken_for"), [(1, 1), (4, 4), (10**9, 4), (-(10**9), 0)])
def test_noise_has_the_chances_of_the_clamped_geometric_and_values_beyond_the_bounds_lie_on_them(
    value, taken_for
) -> None:
    released = noised([value] * 40_000, bb.Geometric("x", 2.0, (0, 4)))

    assert_follows(released, clamped_chances(2.0, 0, 4, taken_for))


def test_laplace_noise_is_geometric_on_the_steps_of_its_decimals() -> None:
    released = noised([0.1] * 40_000, bb.Laplace("x", 2.0, (0, 0.4), decimals=1))

    assert_follows((released * 10).round().cast(int), clamped_chances(2.0, 0, 4, 1))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20),
    st.integers(-1000, 1000),
    st.integers(1, 1000),
    st.integers(0, 4),
    st.floats(0.01, 100),
)
def test_results_lie_between_the_bounds_with_the_decimals_asked_for(values, low, width, decimals, epsilon) -> None:
    released = noised(values, bb.Laplace("x", epsilon, (low, low + width), decimals=decimals)).to_list()

    assert len(released) == len(values)
    assert all(low <= value <= low + width for value in released)
    assert all(round(value, decimals) == value for value in released)


@pytest.mark.parametrize(
    ("values", "marks"),
    [(["070,5", "1.234,25"], {"decimal": ",", "thousands": "."}), (["70.5", "1234.25"], {}), ([70.5, 1234.25], {})],
)
def test_the_marks_in_numbers_are_declared(values, marks) -> None:
    operation = bb.Laplace("x", 1, (0, 2000), decimals=2, **marks)

    assert operation.grid.steps(pa.array(values), "x").tolist() == [7050, 123425]


def test_what_a_number_is_read_as_does_not_depend_on_other_records() -> None:
    with refused("privacy.not-numbers", "'x'", "1.234,50"):
        noised(["1.234,50", "12,5"], bb.Laplace("x", 1, (0, 2000)))


def test_dates_move_by_whole_days_and_stay_dates() -> None:
    days = ["1980-02-29", "1999-12-31T10:00"]
    written = noised(days, bb.Geometric("x", 1, ("1970-01-01", "2020-01-01")))
    typed = noised(
        pl.Series(["1980-02-29"]).str.to_date().to_list(), bb.Geometric("x", 1, ("1970-01-01", "2020-01-01"))
    )

    assert written.dtype == typed.dtype == pl.Date
    assert written.is_between(pl.date(1970, 1, 1), pl.date(2020, 1, 1)).all()


def test_a_dictionary_and_several_batches_are_read_as_they_are() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), ["3", "5", "not a number"][:2])
    plan = bb.Plan([bb.Geometric("x", 100, (0, 10))])

    assert bb.apply([pa.table({"x": column}), pa.table({"x": ["7"]})], plan).rows == 4


def test_bounds_may_come_from_the_schema_and_never_from_the_data() -> None:
    table = pl.DataFrame({"x": [1, 2, 3]})
    schema = bb.Schema({"x": bb.ColumnSchema(type="discrete", bounds=(0, 5))})

    assert bb.apply(table, bb.Plan([bb.Geometric("x", 1)]), schema=schema).data["x"].is_between(0, 5).all()
    with refused("privacy.no-bounds", "'x'"):
        bb.apply(table, bb.Plan([bb.Geometric("x", 1)]))


def test_each_run_draws_anew_and_each_record_for_itself() -> None:
    operation = bb.Laplace("x", 1, (0, 1000), decimals=3)
    first, second = (noised([500] * 200, operation).to_list() for _ in range(2))

    assert first != second
    assert len(set(first)) > 50


def test_noise_is_drawn_once_when_later_operations_need_another_pass() -> None:
    table = pl.DataFrame({"x": list(range(50)) * 4, "key": range(200)})
    operations = [bb.Geometric("x", 1, (0, 49)), bb.SuppressGroups()]
    applied = bb.apply(table, bb.Plan(operations, [bb.LDiversity(3)], quasi=["x"], sensitive=["key"]))

    assert applied.holds
    assert min(Counter(applied.data["x"]).values()) >= 3


def test_bad_entries_are_refused_in_one_sentence() -> None:
    for epsilon in (0, -1, 101, float("nan")):
        with refused("privacy.epsilon", "'x'"):
            bb.Geometric("x", epsilon, (0, 1))
    with refused("privacy.bounds-order", "'x'"):
        bb.Laplace("x", 1, (5, 5))
    with refused("privacy.bounds-order", "'x'"):
        bb.Laplace("x", 1, (0, 1e15), decimals=9)
    with refused("privacy.bounds-shape", "'x'"):
        bb.Geometric("x", 1, (0, "2020-01-01"))
    with refused("privacy.bounds-shape", "'x'"):
        bb.Geometric("x", 1, (0, 1, 2))
    with refused("privacy.bound-off-grid", "0.005"):
        bb.Laplace("x", 1, (0.005, 1))
    with refused("privacy.bound-off-grid", "inf"):
        bb.Laplace("x", 1, (0, float("inf")))
    with refused("privacy.bound-date", "'2020-13-01'"):
        bb.Geometric("x", 1, ("2020-13-01", "2021-01-01"))
    with refused("privacy.laplace-dates", "geometric"):
        bb.Laplace("x", 1, ("2020-01-01", "2021-01-01"))
    with refused("privacy.decimals", "10"):
        bb.Laplace("x", 1, (0, 1), decimals=10)
    with refused("privacy.records-per-person", "0"):
        bb.Geometric("x", 1, (0, 1), records_per_person=0)


def test_what_is_no_number_no_date_or_missing_is_refused() -> None:
    with refused("privacy.not-numbers", "'x'", "n/a"):
        noised(["1", "n/a"], bb.Geometric("x", 1, (0, 1)))
    with refused("privacy.not-dates", "'x'", "31/12/1999"):
        noised(["31/12/1999"], bb.Geometric("x", 1, ("1990-01-01", "2020-01-01")))
    with refused("privacy.not-dates", "'x'"):
        noised([5], bb.Geometric("x", 1, ("1990-01-01", "2020-01-01")))
    with refused("privacy.dates", "'x'", "1999-12-31"):
        noised(["1999-12-31"], bb.Geometric("x", 1, (0, 1)))
    for values in (["1", None], [1.5, float("nan")], [None, 3]):
        with refused("privacy.missing-number", "'x'"):
            noised(values, bb.Geometric("x", 1, (0, 1)))


def test_plans_with_noise_are_written_and_read_again(tmp_path) -> None:
    plan = bb.Plan(
        [
            bb.Laplace("w", 0.5, (0, 200), decimals=1),
            bb.Geometric("d", 2, ("1990-01-01", "2020-01-01"), records_per_person=3),
        ]
    )
    plan.save(tmp_path / "plan.yaml")

    assert bb.Plan.load(tmp_path / "plan.yaml") == plan
    (tmp_path / "by-hand.yaml").write_text(
        "biombo-plan: 1\noperations:\n- geometric: {column: d, epsilon: 2, bounds: [1990-01-01, 2020-01-01]}\n"
    )
    assert bb.Plan.load(tmp_path / "by-hand.yaml").operations == (bb.Geometric("d", 2, ("1990-01-01", "2020-01-01")),)
