from collections.abc import Sequence
from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._data import Binning, Column, ColumnSchema, binned, read
from biombo._errors import ColumnError

CONTINUOUS = ColumnSchema(role="quasi", type="continuous")


def column(values: Sequence[object]) -> Column:
    return read(pl.DataFrame({"x": pl.Series(values, strict=False)}))["x"]


def labels(values: Sequence[object], schema: ColumnSchema = CONTINUOUS, bins: int = 20) -> list[str | None]:
    return binned(column(values), schema, bins)[0].decoded().to_list()


def slow_frequency_bin(values: Sequence[float], value: float, bins: int) -> tuple[float, float]:
    """The interval of ``value`` when the rows are sorted and an interval begins at every bins-th part of them."""
    rows = sorted(values)
    starts = sorted({rows[part * len(rows) // bins] for part in range(bins)})
    ends = [*starts[1:], rows[-1]]
    return next((low, high) for low, high in reversed(list(zip(starts, ends, strict=True))) if value >= low)


@given(st.lists(st.integers(-50, 50), min_size=6), st.integers(2, 5))
def test_intervals_without_bounds_agree_with_sorting_the_rows(values, bins):
    if len(set(values)) <= bins:
        return
    for value, label in zip(values, labels(values, bins=bins), strict=True):
        low, high = slow_frequency_bin(values, value, bins)
        assert label == f"[{low}, {high}{']' if high == max(values) and label.endswith(']') else ')'}"


@given(st.lists(st.floats(-150, 150), min_size=8, unique=True), st.integers(2, 6))
def test_intervals_within_bounds_agree_with_the_definition(values, bins):
    bounded = ColumnSchema(role="quasi", type="continuous", bounds=(-100, 100))
    result, binning = binned(column(values), bounded, bins)
    edges = np.linspace(-100, 100, bins + 1)
    assert binning == Binning("x", tuple(edges.tolist()), "equal-width")
    for value, label in zip(values, result.decoded().to_list(), strict=True):
        if value < -100:
            assert label == "(-∞, -100)"
        elif value > 100:
            assert label == "(100, ∞)"
        else:
            place = min(sum(value >= edge for edge in edges) - 1, bins - 1)
            assert label.startswith(f"[{edges[place]:.10g}, {edges[place + 1]:.10g}")


def test_intervals_are_written_half_open_and_the_last_one_closed():
    assert labels(range(40), ColumnSchema(bounds=(0, 40)), bins=4)[::10] == [
        "[0, 10)",
        "[10, 20)",
        "[20, 30)",
        "[30, 40]",
    ]


def test_no_more_values_than_bins_stay_apart():
    result, binning = binned(column(["1,5", "2"] * 3), CONTINUOUS)
    assert result.values.to_list() == ["1.5", "2"]
    assert binning == Binning("x", (1.5, 2.0), "each-value")


def test_the_same_number_written_in_two_ways_is_one_value():
    assert labels(["1,50", "1,5", "2"]) == ["1.5", "1.5", "2"]


def test_missing_values_keep_a_code_of_their_own():
    result, _ = binned(column([*map(str, range(100)), None]), CONTINUOUS, bins=4)
    assert result.values.null_count() == 1
    assert result.decoded()[-1] is None
    assert result.cardinality == 5


def test_invalid_values_stay_what_they_are_and_move_no_edge():
    schema = ColumnSchema(type="continuous", invalid=frozenset({"999", "unknown", None}))
    values = [*map(str, range(100)), *["999"] * 50, "unknown", None]
    result, binning = binned(column(values), schema, bins=4)
    assert binning.edges == (0, 25, 50, 75, 99)
    assert result.decoded().to_list()[100:] == [*["999"] * 50, "unknown", None]


def test_invalid_numbers_are_recognised_in_a_column_of_floats():
    schema = ColumnSchema(type="continuous", invalid=frozenset({"999"}))
    assert labels([1.0, 2.0, 999.0], schema) == ["1", "2", "999"]


def test_what_is_not_a_number_is_refused_with_column_and_example():
    with pytest.raises(ColumnError, match=r"'x'.*'ten'"):
        binned(column(["1", "ten"]), CONTINUOUS)


def test_dates_are_binned_by_day_and_labelled_as_dates():
    days = [date(2024, 1, day) for day in range(1, 29)]
    result, binning = binned(column(days), CONTINUOUS, bins=2)
    assert result.values.to_list() == ["[2024-01-01, 2024-01-15)", "[2024-01-15, 2024-01-28]"]
    assert binning.edges[0] == (date(2024, 1, 1) - date(1970, 1, 1)).days


def test_times_of_day_move_a_date_by_a_part_of_a_day():
    _, binning = binned(column([datetime(1970, 1, 2, 12), datetime(1970, 1, 3)]), CONTINUOUS)
    assert binning.edges == (1.5, 2.0)


def test_edges_that_look_alike_are_written_in_full():
    close = [1 + place * 1e-12 for place in range(30)]
    assert len(set(labels(close, bins=3))) == 3


def test_a_column_of_missing_values_only_is_left_alone():
    result, binning = binned(column([None, None]), CONTINUOUS)
    assert result.decoded().to_list() == [None, None]
    assert binning == Binning("x", (), "each-value")


def test_intervals_that_nobody_falls_into_are_no_values():
    bounded = ColumnSchema(type="continuous", bounds=(0, 1000))
    result, _ = binned(column(list(range(50))), bounded, bins=10)
    assert result.values.to_list() == ["[0, 100)"]
