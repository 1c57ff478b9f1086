import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._attack import falling_root
from biombo._attack.population import harmonic, log_gamma_ratio


@given(st.floats(-0.999, 1e12), st.integers(0, 60))
def test_a_harmonic_sum_has_all_digits_of_the_exact_one(start: float, terms: int) -> None:
    exact = sum((1 / (Fraction(start) + i) for i in range(1, terms + 1)), Fraction(0))
    assert harmonic(start, terms) == pytest.approx(float(exact), rel=1e-13, abs=0)


def test_a_long_harmonic_sum_is_the_logarithm_and_eulers_constant() -> None:
    assert harmonic(0, 10**15) == pytest.approx(15 * math.log(10) + 0.57721566490153286, rel=1e-14)


@given(st.floats(0.01, 1e16), st.floats(-40, 40))
def test_a_ratio_of_gamma_functions_has_all_digits(x: float, step: float) -> None:
    """A whole step is a product; the rest of it is checked by going there in halves and back."""
    whole = math.floor(abs(step))
    product = sum(math.log(x + i) for i in range(whole))
    assert log_gamma_ratio(x, whole) == pytest.approx(product, rel=1e-12, abs=1e-12)
    assert log_gamma_ratio(x + whole, -whole) == pytest.approx(-product, rel=1e-12, abs=1e-12)
    half = abs(step) / 2
    two = log_gamma_ratio(x, half) + log_gamma_ratio(x + half, half)
    assert log_gamma_ratio(x, abs(step)) == pytest.approx(two, rel=1e-10, abs=1e-10)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_a_root_is_found_between_its_bounds(low: float, width: float) -> None:
    root = low + width / 3
    assert falling_root(lambda x: root - x, low, low + width) == pytest.approx(root, rel=1e-12, abs=1e-12)


@given(st.floats(0, 1e6), st.floats(1e-3, 1e6), st.floats(0.01, 0.99), st.sampled_from([0.2, 1, 3, 9]), st.booleans())
def test_a_root_is_found_however_steep_or_flat_the_function_is(
    low: float, width: float, part: float, power: float, jumps: bool
) -> None:
    root = low + part * width
    asked = 0

    def function(x: float) -> float:
        nonlocal asked
        asked += 1
        return math.copysign(1 if jumps else abs(root - x) ** power, root - x)

    assert falling_root(function, low, low + width) == pytest.approx(root, rel=1e-13, abs=1e-300)
    assert asked < 200


@pytest.mark.parametrize(
    "function", [lambda x: 2 - x * x, lambda x: math.cos(x) - x, lambda x: math.exp(-9 * x) - 0.01]
)
def test_a_smooth_function_is_asked_about_ten_times(function: Callable[[float], float]) -> None:
    asked: list[float] = []
    falling_root(lambda x: asked.append(x) or function(x), 0.0, 2.0)  # type: ignore[func-returns-value]
    assert len(asked) <= 15
