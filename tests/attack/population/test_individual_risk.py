import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from biombo._attack.population import expected_inverse_size, individual_risk


def slow_expectation(size: int, share: float, alpha: float = 0.0) -> float:
    """Σ P(F=h | f)/h over the negative binomial posterior, until nothing is left of it."""
    more, left, total = 0, 1.0, 0.0
    probability = share ** (size - alpha)
    while left > 1e-12:
        total += probability / (size + more)
        left -= probability
        probability *= (1 - share) * (size - alpha + more) / (more + 1)
        more += 1
    return total


@pytest.mark.parametrize("p", [0.001, 0.1, 0.49, 0.5, 0.51, 0.9])
def test_the_closed_forms_hold(p: float) -> None:
    q, log = 1 - p, math.log(p)
    closed = [
        -p / q * log,
        p / q**2 * (q + p * log),
        p / (2 * q**3) * (q * (3 * q - 2) - 2 * p**2 * log),
    ]
    sizes = np.array([1, 2, 3])
    assert individual_risk(sizes, sizes / p).tolist() == pytest.approx(closed, rel=1e-9)


@given(st.integers(1, 60), st.floats(0.02, 1), st.sampled_from([0.0, 0.3, 0.95]))
def test_the_risk_is_the_expectation_under_the_posterior(size: int, share: float, alpha: float) -> None:
    found = expected_inverse_size(np.array([size]), np.array([share]), alpha)
    assert found[0] == pytest.approx(slow_expectation(size, share, alpha), rel=1e-9)


@given(st.integers(1, 100_000), st.floats(1e-12, 1))
def test_the_risk_lies_between_that_of_the_mean_and_that_of_the_sample(size: int, share: float) -> None:
    """1/E(F) ≤ E(1/F) ≤ 1/f, by Jensen's inequality and because F ≥ f."""
    risk = individual_risk(size, size / share)
    assert share / size * (1 - 1e-9) <= risk <= 1 / size * (1 + 1e-9)


@given(st.integers(1, 1000), st.floats(1e-9, 0.98))
def test_the_risk_falls_with_the_weights_and_with_the_size(size: int, share: float) -> None:
    lighter = individual_risk(size, size / (share * 1.02))
    assert individual_risk(size, size / share) < lighter
    assert individual_risk(size + 1, (size + 1) / share) < individual_risk(size, size / share)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 31, 32, 1000])
def test_the_limits_are_exact(size: int) -> None:
    assert individual_risk(size, size) == 1 / size
    assert individual_risk(size, math.inf) == 0
    assert individual_risk(size, 1e300) == pytest.approx(0, abs=1e-290)
    assert individual_risk(size, size * (1 + 1e-12)) == pytest.approx(1 / size, rel=1e-11)


@pytest.mark.parametrize("size", [1, 2, 5, 31])
def test_the_two_ways_to_compute_meet(size: int) -> None:
    below, above = individual_risk(size, size / np.array([0.5 - 1e-12, 0.5]))
    assert below == pytest.approx(above, rel=1e-10)


def test_sizes_and_weights_are_matched_like_arrays() -> None:
    found = individual_risk([[1], [2]], [10.0, 20.0, 30.0])
    assert found.shape == (2, 3)
    assert found[1, 2] == individual_risk(2, 30.0)


def test_weights_of_fewer_people_than_there_are_records_are_refused() -> None:
    with refused("population.weights-below-size", "3"):
        individual_risk([1, 3], [5.0, 2.5])
    with refused("population.weights-below-size"):
        individual_risk([1], [math.nan])


@pytest.mark.parametrize("frequency", [[0], [1.5]])
def test_sizes_that_are_none_are_refused(frequency: list[float]) -> None:
    with refused("population.sizes"):
        individual_risk(frequency, [10.0])
