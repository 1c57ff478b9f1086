"""Amounts between round edges, and nothing more extreme than k people."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_synthesis import synthesised

from biombo._synthesis import gauge_of


@pytest.mark.parametrize(
    "values",
    [
        ["1", "12", "-3"],
        ["1,50", "0,25"],
        ["1.5", "0.2"],
        ["8:05", "23:59"],
        ["08:05", "23:59"],
        ["2024-02-29", "1969-12-31"],
        [1, -7],
        [1.25, 3.5],
        [dt.date(2020, 1, 31)],
        [dt.datetime(2020, 1, 31, 23, 59)],
    ],
)
def test_amounts_are_written_as_they_were(values):
    series = pl.Series(values)
    gauge = gauge_of(series, np.ones(len(series), np.int64))

    written = gauge.values(gauge.units(series).to_numpy())
    assert written.cast(series.dtype).to_list() == values


@pytest.mark.parametrize("values", [["007", "12"], ["A01"], ["1,5", "2.5"], ["24:00"], ["2023-02-30"], [True, False]])
def test_names_and_codes_are_no_amounts(values):
    series = pl.Series(values)

    assert gauge_of(series, np.ones(len(series), np.int64)) is None


def test_extremes_of_single_people_do_not_come_out():
    """By hand: of incomes 1000 … 1999 and one of a million, the fifth from above is 1996, in steps of 5."""
    table = pl.DataFrame({"income": [*range(1000, 2000), 1_000_000]})
    made = synthesised(table, 1, records=5000)

    assert made.beyond == {"income": 1}
    assert made.data["income"].max() < 2000
    assert made.data["income"].min() >= 1000
    assert made.data["income"].mean() == pytest.approx(1500, abs=20)


@given(st.lists(st.integers(-1000, 1000), min_size=40, max_size=80, unique=True), st.integers(1, 9))
def test_nothing_is_drawn_far_beyond_the_kth_extreme(values, k):
    table = pl.DataFrame({"amount": values})
    drawn = synthesised(table, 1, k=k, bins=4, records=200).data["amount"]
    ranked = sorted(values)
    step = 20  # edges are multiples of at most 10, the smallest round number above 2000 / 200

    assert drawn.min() > ranked[k - 1] - step
    assert drawn.max() < ranked[-k] + step


def test_missing_and_invalid_values_stay_what_they_are():
    import biombo as bb

    table = pl.DataFrame({"age": [*range(100), *[None] * 50, *[999] * 50]})
    schema = bb.Schema({"age": bb.ColumnSchema("quasi", "discrete", invalid=frozenset({"999"}))})
    drawn = synthesised(table, 1, schema, records=2000).data["age"]

    assert drawn.null_count() / 2000 == pytest.approx(0.25, abs=0.05)
    assert (drawn == 999).sum() / 2000 == pytest.approx(0.25, abs=0.05)
    assert not drawn.is_between(100, 998).any()
