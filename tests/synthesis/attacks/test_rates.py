"""Wilson's interval and what remains of an attack beside a control set."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._synthesis.attacks import residual, wilson

Z = 1.959963984540054


def test_wilson_by_hand():
    """8 of 10 at 95%: (8 + 1.9207) / 13.8415 = 0.7167, and 1.96 √(1.6 + 0.9604) / 13.8415 = 0.2266."""
    found = wilson(8, 10, 0.95)

    assert (found.value, found.error) == pytest.approx((0.71674, 0.22658), abs=1e-5)


@pytest.mark.parametrize(
    ("attack", "control", "tries", "confidence", "risk", "low", "high"),
    [
        (120, 80, 500, 0.95, 0.09480453841626077, 0.038289756120436516, 0.15131932071208504),
        (8, 2, 10, 0.95, 0.6047942395991728, 0.26487984612203525, 0.9447086330763104),
        (0, 0, 500, 0.99, 0.0, 0.0, 0.009321314798235487),
        (500, 20, 500, 0.9, 0.9971896459177039, 0.9943789657203685, 1.0),
    ],
)
def test_the_risk_is_the_one_that_anonymeter_gives(attack, control, tries, confidence, risk, low, high):
    """Numbers of anonymeter 1.1.0, which asks for an older NumPy and cannot be installed beside this package."""
    found = residual(wilson(attack, tries, confidence), wilson(control, tries, confidence))

    assert found.value == pytest.approx(risk)
    assert found.interval == pytest.approx((low, high))


@given(st.integers(1, 300), st.data())
def test_the_ends_solve_wilsons_equation(tries, data):
    """|s / n − p| = z √(p (1 − p) / n) at either end p."""
    successes = data.draw(st.integers(0, tries))
    found = wilson(successes, tries, 0.95)

    for end in (found.value - found.error, found.value + found.error):
        assert abs(successes / tries - end) == pytest.approx(Z * sqrt(max(end * (1 - end), 0) / tries), abs=1e-7)
