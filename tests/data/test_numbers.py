import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._data import parse_numbers


def parsed(*written: str | None) -> list[float | None]:
    return parse_numbers(pl.Series(written, dtype=pl.String)).to_list()


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        (["12,5", "7"], [12.5, 7.0]),
        (["12.5", "7"], [12.5, 7.0]),
        (["1.234,56"], [1234.56]),
        (["1,234.56"], [1234.56]),
        (["0,125"], [0.125]),
        (["1.234.567"], [1234567.0]),
        (["-3,5", "+2,0", ",5"], [-3.5, 2.0, 0.5]),
        (["1e5", "2.5E-3", "5."], [100000.0, 0.0025, 5.0]),
        ([" 7 ", "0000013"], [7.0, 13.0]),
    ],
)
def test_numbers_are_read_as_they_are_written(written, numbers):
    assert parsed(*written) == numbers


def test_a_doubtful_mark_is_read_like_the_certain_ones():
    assert parsed("1.234", "12,5") == [1234.0, 12.5]
    assert parsed("1,234", "12.5") == [1234.0, 12.5]


def test_a_single_kind_of_mark_without_other_evidence_is_the_decimal_one():
    assert parsed("1.234", "2.500") == [1.234, 2.5]
    assert parsed("1,234", "2,500") == [1.234, 2.5]


def test_with_both_marks_in_doubt_the_point_is_the_decimal_one():
    assert parsed("1,234", "1.234") == [1234.0, 1.234]


@pytest.mark.parametrize(
    "written", ["", "n/a", "12,34,5", "1 234", "--1", "nan", "inf", "1e999", "٣", "1.2.3", ".", ","]
)
def test_what_is_not_a_finite_number_is_null(written):
    assert parsed(written) == [None]


def test_a_value_in_the_minority_style_is_null_rather_than_wrong():
    assert parsed("1,5", "2,5", "3.75") == [1.5, 2.5, None]


def test_missing_values_stay_missing():
    assert parsed(None, "1") == [None, 1.0]


def test_numbers_stay_numbers_and_others_are_null():
    assert parse_numbers(pl.Series([1, None, 3])).to_list() == [1.0, None, 3.0]
    assert parse_numbers(pl.Series([0.5, float("nan"), float("inf")])).to_list() == [0.5, None, None]
    assert parse_numbers(pl.Series([True, False])).to_list() == [None, None]


@given(
    st.lists(st.integers(-(10**12), 10**12), min_size=1),
    st.sampled_from([(".", ","), (",", "."), (".", ""), (",", "")]),
)
def test_cents_survive_every_style(cents, marks):
    decimal, thousands = marks
    written = [f"{cent / 100:,.2f}".replace(",", "T").replace(".", decimal).replace("T", thousands) for cent in cents]
    assert parsed(*written) == [cent / 100 for cent in cents]
