from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from refusal import refused

from biombo._attack import PopulationEstimate
from biombo._attack.population import Reason, Uniques
from biombo._i18n import LANGUAGES, set_language

SIZES = st.lists(st.integers(1, 40), min_size=1, max_size=40).map(np.array)
FRACTIONS = st.one_of(st.just(1.0), st.floats(1e-7, 1))


def models(estimate: PopulationEstimate) -> list[Uniques]:
    return [estimate.zayatz, estimate.snb, estimate.pitman, estimate.dankar]


def test_prosecutor_risk_by_hand() -> None:
    estimate = PopulationEstimate.of(np.array([2, 3, 5]), 0.1)
    assert (estimate.prosecutor.highest, estimate.prosecutor.mean) == (1 / 2, 3 / 10)
    assert estimate.sample_uniques == 0


def test_matching_risk_with_weights_by_hand() -> None:
    """Two groups wholly in the sample, one of f = 1 with ten people: risks 1/2, 1/3 and log(10)/9."""
    estimate = PopulationEstimate.weighted(np.array([2, 3, 1]), np.array([2.0, 3.0, 10.0]))
    risks = [1 / 2, 1 / 3, np.log(10) / 9]
    assert estimate.individual_risk.tolist() == pytest.approx(risks)
    assert estimate.by_benedetti_franconi.highest == 1 / 2
    assert estimate.by_benedetti_franconi.mean == pytest.approx((2 / 2 + 3 / 3 + np.log(10) / 9) / 6)
    assert estimate.sample.fraction == 6 / 15


@given(SIZES, FRACTIONS)
def test_every_estimate_lies_within_its_bounds(sizes: NDArray[np.int64], fraction: float) -> None:
    estimate = PopulationEstimate.of(sizes, fraction)
    almost = 1 + 1e-9
    for by in (estimate.by_pitman, estimate.by_benedetti_franconi):
        assert 0 < by.mean <= by.highest * almost
        assert by.highest <= estimate.prosecutor.highest * almost
        assert by.mean <= estimate.prosecutor.mean * almost
    for found in models(estimate):
        if found.number is None:
            assert found.note
        else:
            assert 0 <= found.number <= estimate.sample_uniques / fraction * almost
            assert found.share == pytest.approx(found.number / estimate.sample.population)
            assert 0 <= found.of_sample_uniques <= almost


@given(SIZES)
def test_a_sample_that_is_the_population_is_counted(sizes: NDArray[np.int64]) -> None:
    estimate = PopulationEstimate.of(sizes, 1.0)
    uniques = int((sizes == 1).sum())
    for found in models(estimate):
        assert found.number == uniques
        assert found.reason == "census"
    assert estimate.by_pitman == estimate.by_benedetti_franconi == estimate.prosecutor
    assert estimate.groups == len(sizes)


@given(st.lists(st.integers(2, 40), min_size=1, max_size=40).map(np.array), st.floats(1e-7, 0.999))
def test_without_sample_uniques_there_are_no_population_uniques(sizes: NDArray[np.int64], fraction: float) -> None:
    estimate = PopulationEstimate.of(sizes, fraction)
    for found in models(estimate):
        assert (found.number, found.of_sample_uniques, found.reason) == (0, 0, "no-uniques")
    assert estimate.journalist < 1 / 2


@given(st.integers(1, 200), st.floats(1e-7, 0.999))
def test_only_sample_uniques_bound_nothing(records: int, fraction: float) -> None:
    estimate = PopulationEstimate.of(np.ones(records, np.int64), fraction)
    for found in models(estimate):
        assert found.number == pytest.approx(records / fraction)
        assert found.share == pytest.approx(1)
        assert found.reason == "all-unique"
    assert estimate.journalist == pytest.approx(1)
    assert estimate.marketer == pytest.approx(1)


@pytest.mark.parametrize("model", ["zayatz", "pitman", "snb"])
def test_estimates_near_the_whole_population_tend_to_the_count(model: str) -> None:
    sizes = np.array([1] * 60 + [2] * 20 + [3] * 8 + [4] * 3)
    near = getattr(PopulationEstimate.of(sizes, 0.9999), model).number
    assert near == pytest.approx(60, rel=0.07)


@given(SIZES.filter(lambda sizes: len(sizes) > 1), st.floats(0.001, 0.8))
def test_a_smaller_sampling_fraction_means_less_risk_of_a_match(sizes: NDArray[np.int64], fraction: float) -> None:
    smaller, larger = (PopulationEstimate.of(sizes, f) for f in (fraction, fraction * 1.2))
    for name in ("by_pitman", "by_benedetti_franconi"):
        assert getattr(smaller, name).mean <= getattr(larger, name).mean * (1 + 1e-9)
        assert getattr(smaller, name).highest <= getattr(larger, name).highest * (1 + 1e-9)


@given(SIZES, st.floats(0.001, 1))
def test_equal_weights_are_a_sampling_fraction(sizes: NDArray[np.int64], fraction: float) -> None:
    plain, weighted = PopulationEstimate.of(sizes, fraction), PopulationEstimate.weighted(sizes, sizes / fraction)
    assert weighted.marketer == pytest.approx(plain.marketer, rel=1e-9)
    assert weighted.by_benedetti_franconi.mean == pytest.approx(plain.by_benedetti_franconi.mean, rel=1e-9)
    assert weighted.zayatz.of_sample_uniques == pytest.approx(plain.zayatz.of_sample_uniques, rel=1e-6)


def test_the_marketer_expects_the_share_of_groups(
    pitman_population: Callable[[float, float, int], NDArray[np.int64]],
    drawn: Callable[[NDArray[np.int64], float, int], NDArray[np.int64]],
) -> None:
    """(1/n) Σ f_j/F_j is the number of groups over N on average; Pitman's model finds it in a population of its own."""
    population = pitman_population(300, 0.6, 20_000)
    truths, estimates = [], []
    for seed in range(10):
        sizes = drawn(population, 0.1, seed)
        seen = sizes > 0
        truths.append((sizes[seen] / population[seen]).sum() / sizes.sum())
        estimates.append(PopulationEstimate.of(sizes[seen], 0.1).marketer)

    assert np.mean(truths) == pytest.approx(len(population) / 20_000, rel=0.03)
    assert np.mean(estimates) == pytest.approx(np.mean(truths), rel=0.06)


def test_groups_with_heavier_weights_are_less_at_risk() -> None:
    estimate = PopulationEstimate.weighted(np.array([1, 1, 2]), np.array([5.0, 50.0, 10.0]))
    assert estimate.individual_risk[0] > estimate.individual_risk[1]
    assert estimate.pitman_risk[0] > estimate.pitman_risk[1]
    assert estimate.journalist == estimate.pitman_risk[0]


@pytest.mark.parametrize("fraction", [0.0, -0.1, 1.01, float("nan"), float("inf")])
def test_an_impossible_sampling_fraction_is_refused(fraction: float) -> None:
    with refused("population.fraction", str(fraction)):
        PopulationEstimate.of(np.array([1, 2]), fraction)


@pytest.mark.parametrize("sizes", [[], [0, 1], [-1]])
def test_impossible_group_sizes_are_refused(sizes: list[int]) -> None:
    with refused("population.sizes"):
        PopulationEstimate.of(np.array(sizes, np.int64), 0.5)
    with refused("population.sizes"):
        PopulationEstimate.weighted(np.array(sizes, np.int64), np.full(len(sizes), 10.0))


def test_weights_for_other_groups_are_refused() -> None:
    with refused("population.sizes"):
        PopulationEstimate.weighted(np.array([1, 2]), np.array([10.0]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words(language: str) -> None:
    set_language(language)
    notes = {reason: Uniques("snb", None, None, None, reason).note for reason in get_args(Reason)}

    assert [reason for reason, note in notes.items() if not note.endswith(".")] == []
