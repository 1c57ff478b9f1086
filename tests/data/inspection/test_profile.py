from collections import Counter
from importlib import import_module
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import dataset

from biombo._data import ColumnProfile
from biombo._data.inspection import profile, value_counts

profile_module = import_module("biombo._data.inspection.profile")


def profile_of(values: list[Any]) -> ColumnProfile:
    column = dataset({"x": values})["x"]
    return profile(column, value_counts(column))


@given(st.lists(st.sampled_from(["a", "b", "c", "d", None]), min_size=1))
def test_the_profile_is_what_counting_one_by_one_gives(values):
    counts = Counter(values)

    assert profile_of(values) == ColumnProfile(
        name="x",
        distinct=len(counts),
        missing=counts[None],
        min_frequency=min(counts.values()),
        median_frequency=median(counts.values()),
        max_frequency=max(counts.values()),
        unique_share=sum(1 for count in counts.values() if count == 1) / len(values),
    )


def test_a_missing_value_is_a_value_of_its_own():
    found = profile_of(["F", "F", None])

    assert (found.distinct, found.missing, found.min_frequency) == (2, 1, 1)
    assert found.unique_share == pytest.approx(1 / 3)


def test_counting_in_slices_gives_the_counts_of_the_whole(monkeypatch):
    values = [number % 7 for number in range(1000)]
    whole = value_counts(dataset({"x": values})["x"])
    monkeypatch.setattr(profile_module, "_ROWS_AT_ONCE", 13)

    assert value_counts(dataset({"x": values})["x"]).tolist() == whole.tolist()


def test_a_column_without_rows_has_an_empty_profile():
    assert profile_of([]) == ColumnProfile("x", 0, 0, 0, 0.0, 0, 0.0)
