import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._utility import numbers_of


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("31", 31),
        ("-5", -5),
        ("[20, 30)", 25),
        ("[-10, 0)", -5),
        ("[2.5, 3.5)", 3),
        ("20-29", 24.5),
        ("-5--1", -3),
        ("< 20", None),
        ("≥ 90", None),
        ("*", None),
        ("x", None),
        (None, None),
    ],
)
def test_a_number_stands_for_itself_and_an_interval_for_its_middle(value: str | None, number: float | None) -> None:
    found = numbers_of(pl.Series([value], dtype=pl.String))[0]

    assert np.isnan(found) if number is None else found == number


def test_intervals_with_decimal_commas_are_read() -> None:
    assert numbers_of(pl.Series(["[2,5; 3,5)", "1,5", "[3,5; 4,5)"])).tolist() == [3, 1.5, 4]


@given(st.integers(-500, 500), st.sampled_from([1, 5, 10]), st.sampled_from(["interval", "inclusive"]))
def test_what_hierarchies_write_is_read(value: int, width: int, labels: str) -> None:
    hierarchy = bb.Hierarchy.load({"kind": "interval", "width": width, "labels": labels})

    middle = numbers_of(pl.Series([hierarchy.generalised(str(value), 1)]))[0]

    assert abs(middle - value) <= width / 2


def test_numbers_that_are_no_text_stay() -> None:
    assert numbers_of(pl.Series([1, 2, None]))[:2].tolist() == [1, 2]
