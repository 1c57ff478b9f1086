import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from biombo._attack.population import PitmanModel, SampleGroups, expected_inverse_size, pitman_uniques

SIZES = st.lists(st.integers(1, 12), min_size=2, max_size=25)


def log_likelihood(sizes: list[int], theta: float, alpha: float) -> float:
    new = sum(math.log(theta + i * alpha) for i in range(1, len(sizes)))
    all_people = sum(math.log(theta + i) for i in range(1, sum(sizes)))
    joined = sum(math.log(i - alpha) for size in sizes for i in range(1, size))
    return new - all_people + joined


@settings(max_examples=60)
@given(SIZES)
def test_no_other_parameters_are_more_likely(sizes: list[int]) -> None:
    assume(len(sizes) < sum(sizes))
    model = PitmanModel.fit(SampleGroups.of(np.array(sizes), 0.5))
    best = log_likelihood(sizes, model.theta, model.alpha)
    for alpha in (*np.linspace(0, 0.99, 12), model.alpha * 0.999, min(model.alpha * 1.001, 0.999)):
        for above in (*np.geomspace(1e-3, 1e4, 15), (model.theta + alpha) * 0.99, (model.theta + alpha) * 1.01):
            if above > 0:
                assert log_likelihood(sizes, above - alpha, alpha) <= best + 1e-7


def test_two_groups_by_hand() -> None:
    """Sizes 2 and 1: log L = log(θ+α) − log(θ+1) − log(θ+2) + log(1−α), highest in α at (1−θ)/2.

    Along α = (1−θ)/2 it is 2 log((1+θ)/2) − log(θ+1) − log(θ+2), which rises with θ up to α = 0, θ = 1; from there on
    with α = 0 it is log θ − log(θ+1) − log(θ+2), highest at θ = √2.
    """
    model = PitmanModel.fit(SampleGroups.of(np.array([2, 1]), 0.5))
    assert model.alpha == 0
    assert model.theta == pytest.approx(math.sqrt(2))


@given(st.floats(0, 0.99), st.floats(0.01, 50), st.integers(1, 40))
def test_the_expected_uniques_are_those_of_newcomers_that_stay_alone(alpha: float, theta: float, people: int) -> None:
    alone = math.prod((theta + i - 1 + alpha) / (theta + i) for i in range(1, people))
    assert PitmanModel(theta, alpha).expected_uniques(people) == pytest.approx(people * alone, rel=1e-9)


def test_for_large_populations_it_is_hoshinos_formula() -> None:
    theta, alpha, people = 20.0, 0.7, 1e9
    asymptotic = math.gamma(theta + 1) / math.gamma(theta + alpha) * people**alpha
    assert PitmanModel(theta, alpha).expected_uniques(people) == pytest.approx(asymptotic, rel=1e-5)


@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_expected_inverse_size_is_close_to_that_of_the_exact_posterior(size: int) -> None:
    """The beta-binomial posterior, summed; the negative binomial stands for it up to about 1/n."""
    theta, alpha, records, people = 40.0, 0.5, 500, 5000
    a, b, more = size - alpha, theta + records - size + alpha, people - records

    def log_beta(x: float, y: float) -> float:
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)

    exact = sum(
        math.exp(log_beta(a + x, b + more - x) - log_beta(a, b) - log_beta(x + 1, more - x + 1))
        / (size + x)
        / (more + 1)
        for x in range(more + 1)
    )
    found = PitmanModel(theta, alpha).expected_inverse_size(np.array([size]), np.array([records / people]), people)
    assert found[0] == pytest.approx(exact, rel=0.005)


def test_without_tail_and_new_groups_it_is_benedetti_and_franconis_risk() -> None:
    sizes, shares = np.array([1, 2, 5]), np.array([0.1, 0.2, 0.7])
    found = PitmanModel(0.0, 0.0).expected_inverse_size(sizes, shares, 1000)
    assert found.tolist() == expected_inverse_size(sizes, shares).tolist()


@pytest.mark.parametrize(("theta", "alpha"), [(300.0, 0.6), (50.0, 0.8), (500.0, 0.0)])
def test_a_population_of_the_model_is_recovered(
    theta: float,
    alpha: float,
    pitman_population: Callable[[float, float, int], NDArray[np.int64]],
    drawn: Callable[[NDArray[np.int64], float, int], NDArray[np.int64]],
) -> None:
    population = pitman_population(theta, alpha, 20_000)
    uniques = (population == 1).sum()
    numbers, alphas = [], []
    for seed in range(10):
        sizes = drawn(population, 0.1, seed)
        sample = SampleGroups.of(sizes[sizes > 0], 0.1)
        model = PitmanModel.fit(sample)
        numbers.append(pitman_uniques(sample, model).number)
        alphas.append(model.alpha)

    assert np.mean(alphas) == pytest.approx(alpha, abs=0.05)
    assert np.mean(numbers) == pytest.approx(uniques, rel=0.2)


def test_a_sample_without_tail_says_so() -> None:
    sample = SampleGroups.of(np.array([1] * 8 + [5] * 40), 0.1)
    found = pitman_uniques(sample, PitmanModel.fit(sample))
    assert found.reason == "no-tail"


def test_an_estimate_beyond_what_the_sample_allows_is_brought_down_and_says_so() -> None:
    sample = SampleGroups.of(np.array([1, 2, 2]), 0.5)
    found = pitman_uniques(sample, PitmanModel(1e6, 0.5))
    assert (found.number, found.of_sample_uniques, found.reason) == (2.0, 1.0, "capped")


def test_a_national_sample_takes_no_time() -> None:
    """The sums are not summed term by term: 60 million records in 30 million groups."""
    sizes, counts = np.arange(1, 2001), (2e7 / np.arange(1, 2001) ** 2.5).astype(np.int64) + 1
    sample = SampleGroups(sizes, counts, 0.3)
    model = PitmanModel.fit(sample)
    assert 0 < model.alpha < 1
    assert 0 < pitman_uniques(sample, model).of_sample_uniques < 1
