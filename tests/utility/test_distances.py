"""Distances between distributions against their definitions, and against scipy."""

import numpy as np
import plain_utility
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from biombo._utility import earth_movers, hellinger, total_variation

columns = st.lists(st.sampled_from([1.0, 2.0, 5.0, 11.0]), min_size=1, max_size=12)


def as_shares(*tables: list[float]) -> tuple[np.ndarray, ...]:
    places = np.array(sorted({value for table in tables for value in table}, reverse=True))
    return places, *(np.array([table.count(place) / len(table) for place in places]) for table in tables)


@given(columns, columns)
def test_distances_are_what_their_definitions_say(before: list[float], after: list[float]) -> None:
    places, p, q = as_shares(before, after)

    assert total_variation(p, q) == pytest.approx(plain_utility.total_variation(before, after), abs=1e-9)
    assert hellinger(p, q) == pytest.approx(plain_utility.hellinger(before, after), abs=1e-7)
    assert earth_movers(places, p, q) == pytest.approx(plain_utility.earth_movers(before, after), abs=1e-9)


@given(columns, columns)
def test_the_earth_movers_distance_is_that_of_scipy(before: list[float], after: list[float]) -> None:
    assert earth_movers(*as_shares(before, after)) == pytest.approx(wasserstein_distance(before, after), abs=1e-9)


@given(columns, columns)
def test_hellinger_lies_between_what_total_variation_allows(before: list[float], after: list[float]) -> None:
    _, p, q = as_shares(before, after)

    assert hellinger(p, q) ** 2 <= total_variation(p, q) + 1e-9
    assert total_variation(p, q) <= hellinger(p, q) * 2**0.5 + 1e-9
