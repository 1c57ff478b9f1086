from math import comb

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from biombo._attack.population import SampleGroups, zayatz_uniques


def test_an_example_by_hand() -> None:
    """N = 8, n = 4, groups 1, 1, 2: P(f=1|F=1) = 1/2, P(f=1|F=2) = 2·C(6,3)/C(8,4) = 4/7."""
    found = zayatz_uniques(SampleGroups.of(np.array([1, 1, 2]), 0.5))
    within = 2 * (1 / 2) / (2 * (1 / 2) + 1 * (4 / 7))
    assert found.of_sample_uniques == pytest.approx(within)
    assert found.number == pytest.approx(2 * within / 0.5)
    assert found.share == pytest.approx(2 * within / 0.5 / 8)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=20), st.integers(0, 60))
@example([1, 1, 6, 9], 8)  # 17 / (17 / 25) is a little less than 25
def test_it_is_bayes_rule_with_hypergeometric_counts(sizes: list[int], unsampled: int) -> None:
    n, s1 = sum(sizes), sizes.count(1)
    assume(0 < s1 < n and unsampled > 0)
    population = n + unsampled
    seen_once = [size * comb(population - size, n - 1) / comb(population, n) for size in sizes]
    within = s1 * (n / population) / sum(seen_once)

    found = zayatz_uniques(SampleGroups.of(np.array(sizes), n / population))

    assert found.of_sample_uniques == pytest.approx(within, rel=1e-9)


def test_the_share_tends_to_a_limit_for_tiny_samples() -> None:
    sizes = np.array([1] * 30 + [2] * 10 + [50])
    assert zayatz_uniques(SampleGroups.of(sizes, 1e-12)).share == pytest.approx((30 / 100) ** 2, rel=1e-3)


def test_large_groups_in_a_large_sample_are_no_obstacle() -> None:
    found = zayatz_uniques(SampleGroups.of(np.array([1] * 1000 + [2] * 100 + [40_000_000]), 0.2))
    assert found.of_sample_uniques == pytest.approx(1000 / (1000 + 100 * 2 * 0.8), rel=1e-5)
