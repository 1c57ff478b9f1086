import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb


@given(st.lists(st.integers(0, 20), min_size=1), st.integers(1, 20))
def test_every_record_is_in_one_interval(twentieths: list[int], bins: int) -> None:
    found = bb.Distribution.of(np.array(twentieths) / 20)
    histogram = found.histogram(bins)
    for row in histogram.iter_rows(named=True):
        low, high = round(row["low"] * bins), round(row["high"] * bins)
        inside = [v for v in twentieths if low * 20 < v * bins <= high * 20 or (v == 0 and low == 0)]
        assert row["records"] == len(inside)
    assert histogram["records"].sum() == len(twentieths)


@given(st.lists(st.integers(0, 20), min_size=1), st.integers(0, 20))
def test_records_above_a_threshold_are_counted(twentieths: list[int], threshold: int) -> None:
    found = bb.Distribution.of(np.array(twentieths) / 20)
    assert found.count_above(threshold / 20) == sum(v > threshold for v in twentieths)
    assert found.mean == pytest.approx(sum(twentieths) / 20 / len(twentieths))
