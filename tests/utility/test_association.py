"""How strongly columns go together, against definitions, and against scipy."""

import numpy as np
import plain_utility
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from biombo._utility import correlation_ratio, cramers_v, pearson, spearman

pairs = st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0, 1, 2, 7])), min_size=1, max_size=30)
amounts = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: round(x, 3))
two_amounts = st.lists(st.tuples(amounts, amounts), min_size=2, max_size=25)


def columns(rows: list[tuple[float, float]], *types: type) -> list[np.ndarray]:
    return [np.array(column, kind) for column, kind in zip(zip(*rows, strict=True), types, strict=True)]


@given(pairs)
def test_cramers_v_is_what_its_definition_says(rows: list[tuple[int, int]]) -> None:
    first, second = columns(rows, int, int)

    assert cramers_v(first, second) == pytest.approx(plain_utility.cramers_v(*zip(*rows, strict=True)), abs=1e-6)
    assert cramers_v(first, second) == pytest.approx(cramers_v(second, first), abs=1e-6)


@given(pairs)
def test_large_tables_of_two_columns_are_counted_alike(rows: list[tuple[int, int]]) -> None:
    first, second = columns(rows, int, int)
    expected = cramers_v(first, second)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._utility.associations._DENSE", 0)
        assert cramers_v(first, second) == pytest.approx(expected, abs=1e-6)


def test_cramers_v_without_the_correction_is_that_of_scipy() -> None:
    first, second = np.random.default_rng(0).integers(0, 3, (2, 200))
    table = np.zeros((3, 3), int)
    np.add.at(table, (first, second), 1)
    phi2 = stats.contingency.association(table, method="cramer") ** 2 * 2
    bias = 4 / 199

    assert cramers_v(first, second) == pytest.approx(np.sqrt(max(0, phi2 - bias) / (3 - bias - 1)))


def test_columns_that_have_nothing_to_do_with_each_other_are_near_zero_however_many_values_they_have() -> None:
    random = np.random.default_rng(1)
    first, second = random.integers(0, 40, 500), random.integers(0, 30, 500)

    assert cramers_v(first, second) < 0.1
    assert np.sqrt(plain_utility.chi_squared(first.tolist(), second.tolist()) / 500 / 29) > 0.25


@given(st.lists(st.tuples(st.integers(0, 4), amounts), min_size=1, max_size=25))
def test_the_correlation_ratio_is_what_its_definition_says(rows: list[tuple[int, float]]) -> None:
    groups, numbers = columns(rows, int, float)

    assert correlation_ratio(groups, numbers) == pytest.approx(
        plain_utility.correlation_ratio(*zip(*rows, strict=True)), abs=1e-6
    )


@given(two_amounts)
def test_correlations_are_those_of_scipy(rows: list[tuple[float, float]]) -> None:
    first, second = columns(rows, float, float)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert pearson(first, second) == spearman(first, second) == 0
        return

    assert spearman(first, second) == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    if first.std() > 1e-3 and second.std() > 1e-3:
        assert pearson(first, second) == pytest.approx(np.corrcoef(first, second)[0, 1], abs=1e-6)


def test_nothing_goes_together_with_a_column_of_one_value_or_without_records() -> None:
    one, many, none = np.zeros(4, int), np.arange(4), np.zeros(0, int)

    assert cramers_v(one, many) == cramers_v(none, none) == cramers_v(many[:1], many[:1]) == 0
    assert correlation_ratio(many, one.astype(float)) == correlation_ratio(none, none.astype(float)) == 0
    assert pearson(none.astype(float), none.astype(float)) == 0


def test_a_constant_column_of_large_numbers_is_constant() -> None:
    assert pearson(np.full(7, 0.1) * 1e9, np.arange(7.0)) == 0
