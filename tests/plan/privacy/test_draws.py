"""What OpenDP draws for us has the chances that we rely on."""

from math import exp

import numpy as np
import pytest
from goodness_of_fit import assert_follows
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo._plan.privacy import Grid, drawn_yes, largest_loss, noised

DRAWS = 40_000


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5])
def test_noise_on_whole_numbers_is_two_sided_geometric(scale: float) -> None:
    draws = np.clip(noised(np.full(DRAWS, 7, np.int64), scale) - 7, -20, 20)
    weights = {z: exp(-abs(z) / scale) for z in range(-400, 401)}
    chances = dict.fromkeys(range(-20, 21), 0.0)
    for z, weight in weights.items():
        chances[max(-20, min(20, z))] += weight / sum(weights.values())

    assert_follows(draws.tolist(), chances)


@pytest.mark.parametrize("processors", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 3_999, 4_000, 10_007])
def test_every_value_gets_its_own_noise_however_many_processors_draw(n, processors, monkeypatch) -> None:
    """Values far apart beside the noise, so that each is known again."""
    monkeypatch.setattr("biombo._plan.privacy.draws._PROCESSORS", processors)
    values = np.arange(n, dtype=np.int64) * 10**6
    moved = noised(values, 3.0) - values

    assert len(moved) == n
    assert (np.abs(moved) < 10**3).all()
    assert n < 100 or len(np.unique(moved)) > 2


@pytest.mark.parametrize(("yes", "no"), [(1, 3), (3, 1), (1, 1), (0, 5), (5, 0), (1e-3, 1), (1, 1e-3)])
def test_answers_have_their_chance(yes: float, no: float) -> None:
    answers = drawn_yes(yes, no, DRAWS)

    assert_follows(answers.tolist(), {True: yes / (yes + no), False: no / (yes + no)})


def test_answers_are_as_many_as_asked_for_also_where_bytes_are_not_full() -> None:
    assert [len(drawn_yes(1, 2, n)) for n in (0, 1, 7, 8, 9)] == [0, 1, 7, 8, 9]


@settings(max_examples=40)
@given(st.integers(1, 10**6), st.floats(0.01, 100))
def test_the_scale_keeps_epsilon_for_values_at_both_bounds_and_wastes_nothing(width: int, epsilon: float) -> None:
    scale = Grid(0, width, 0).scale(epsilon)

    assert largest_loss(width, scale) <= epsilon
    assert scale == pytest.approx(width / epsilon, rel=1e-12)


@settings(max_examples=40)
@given(st.integers(1, 60), st.floats(0.05, 20))
def test_the_expected_move_is_that_of_the_value_that_moves_most(width: int, epsilon: float) -> None:
    grid = Grid(0, width, 0)
    scale = grid.scale(epsilon)
    reach = width + int(40 * scale) + 1
    noise = np.arange(-reach, reach + 1)
    chances = np.exp(-abs(noise) / scale)

    def move(value: int) -> float:
        return float(np.average(abs(np.clip(value + noise, 0, width) - value), weights=chances))

    assert grid.expected_move(scale) == pytest.approx(max(map(move, range(width + 1))), rel=1e-6)
