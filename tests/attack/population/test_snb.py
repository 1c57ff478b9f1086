import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from biombo._attack.population import SampleGroups, shlosser_groups, snb_parameters, snb_uniques


def expected_groups(alpha: float, beta: float, fraction: float) -> tuple[float, float]:
    """P(f=1) and P(f=2) for a group of one person and a negative binomial number more, summed over that number."""
    once = twice = 0.0
    probability = beta**alpha
    for size in range(1, 4000):
        once += probability * size * fraction * (1 - fraction) ** (size - 1)
        twice += probability * size * (size - 1) / 2 * fraction**2 * (1 - fraction) ** (size - 2.0)
        probability *= (1 - beta) * (alpha + size - 1) / size
    return once, twice


@pytest.mark.parametrize("fraction", [0.1, 0.3, 0.7])
@pytest.mark.parametrize(("alpha", "beta"), [(0.4, 0.2), (1.0, 0.5), (3.0, 0.6)])
def test_the_equations_are_those_of_the_model(alpha: float, beta: float, fraction: float) -> None:
    """From the expected s₁ and s₂ and the right r, the right α is found."""
    once, twice = expected_groups(alpha, beta, fraction)
    scale = 10**9
    sizes = np.array([1, 2])
    sample = SampleGroups(sizes, np.array([round(once * scale), round(twice * scale)]), fraction)
    r = (1 - beta) / (beta + fraction * (1 - beta))

    assert snb_parameters(sample, -math.log1p(-fraction * r)) == pytest.approx((r, alpha), rel=1e-5)
    assert once == pytest.approx(fraction * (1 - fraction * r) ** alpha * (1 + alpha * (1 - fraction) * r), rel=1e-9)


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.3), (2.0, 0.6), (0.2, 0.1)])
def test_a_population_of_the_model_is_recovered(alpha: float, beta: float) -> None:
    rng = np.random.default_rng(11)
    population = 1 + rng.negative_binomial(alpha, beta, 8000)
    uniques = (population == 1).sum()
    numbers = []
    for _ in range(10):
        seen = rng.binomial(population, 0.6)
        numbers.append(snb_uniques(SampleGroups.of(seen[seen > 0], 0.6)).number)

    assert np.mean(numbers) == pytest.approx(uniques, rel=0.03)
    assert max(abs(number / uniques - 1) for number in numbers) < 0.12


@given(
    st.integers(1, 10_000),
    st.integers(1, 10_000),
    st.lists(st.integers(3, 500), max_size=20),
    st.floats(0.0001, 0.999),
)
@example(19, 1, [53], 0.125)
def test_an_estimate_lies_within_what_the_sample_allows(
    ones: int, twos: int, larger: list[int], fraction: float
) -> None:
    sample = SampleGroups(*np.unique([1] * ones + [2] * twos + larger, return_counts=True), fraction)
    found = snb_uniques(sample)
    if found.number is None:
        assert found.reason == "no-fit"
        assert found.share is None
        assert found.of_sample_uniques is None
        assert "no estimate" in found.note
    else:
        assert 0 <= found.number <= sample.uniques / fraction
        assert found.reason is None


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.floats(1e-6, 0.999))
def test_the_expected_uniques_fall_with_t_so_that_there_is_one_solution(ones: int, twos: int, fraction: float) -> None:
    sample = SampleGroups(np.array([1, 2]), np.array([ones, twos]), fraction)
    logs = []
    for t in np.geomspace(1e-6, 1e3, 60):
        r, alpha = snb_parameters(sample, t)
        logs.append(math.log1p(alpha * (1 - fraction) * r) - alpha * t)
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(logs))


def test_without_groups_of_two_there_is_no_estimate() -> None:
    found = snb_uniques(SampleGroups.of(np.array([1, 1, 3]), 0.5))
    assert (found.number, found.reason) == (None, "no-pairs")


def test_a_sample_that_no_parameters_fit_has_no_estimate() -> None:
    """At π = 0.2, a group that is seen at all is mostly seen once; here twice is more frequent, but thrice is not."""
    found = snb_uniques(SampleGroups.of(np.array([1] * 10 + [2] * 12 + [3] * 3), 0.2))
    assert (found.number, found.reason) == (None, "no-fit")


def test_the_number_of_groups_by_hand() -> None:
    """π = ½, s = (2, 1): u + s₁ · (½ + ½·¾)/(2·¼ + (9/16 − 1/4)) · ((1 + 1/4)/(1 + ½))²."""
    expected = 3 + 2 * (0.5 + 0.375) / (0.5 + 0.3125) * (1.25 / 1.5) ** 2
    sample = SampleGroups(np.array([1, 2]), np.array([2, 1]), 0.5)
    assert shlosser_groups(sample) == pytest.approx(min(expected, 3 + 4))


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=50), st.floats(1e-9, 1))
def test_the_number_of_groups_lies_within_what_is_possible(sizes: list[int], fraction: float) -> None:
    sample = SampleGroups.of(np.array(sizes), fraction)
    assert sample.groups <= shlosser_groups(sample) <= sample.groups + sample.population - sample.records


@given(st.integers(1, 1000), st.floats(0.001, 1))
def test_only_uniques_mean_that_each_person_is_a_group(records: int, fraction: float) -> None:
    assert shlosser_groups(SampleGroups.of(np.ones(records, np.int64), fraction)) == pytest.approx(records / fraction)


@given(st.integers(1, 40), st.integers(1, 40), st.floats(0.01, 0.9))
def test_uniques_seen_less_often_are_estimated_less_often(ones: int, twos: int, fraction: float) -> None:
    fewer = snb_uniques(SampleGroups.of(np.array([1] * ones + [2] * twos), fraction)).number
    more = snb_uniques(SampleGroups.of(np.array([1] * (ones + 1) + [2] * twos), fraction)).number
    assume(fewer is not None and more is not None)
    assert fewer <= more * (1 + 1e-9)
