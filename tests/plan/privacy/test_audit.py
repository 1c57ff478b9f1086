"""The ε audit finds nothing wrong with the mechanisms, and finds out broken ones."""

from math import comb, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._plan.privacy import Channel, Grid, highest_chance, lowest_chance, telling_event

TREE = bb.Hierarchy.load({"north": ["Manaus", "Belém"], "south": ["Canela"]})
LONELY = bb.Hierarchy.load({"one": ["a"], "many": list("bcdefgh")})
DOMAIN = ("a", "b", "c")
DRAWS = 40_000
SURE = 1 - 1e-7
"""One audit in ten million refutes a sound mechanism: all of them are right in practice, and nothing is tried twice."""

SOUND = [
    (bb.Geometric("x", 1, (0, 5)), 0, 5),
    (bb.Geometric("x", 2, (0, 1000)), 0, 1000),
    (bb.Geometric("x", 0.5, ("2020-01-01", "2020-12-31")), "2020-01-01", "2020-12-31"),
    (bb.Laplace("x", 1, (0, 1), decimals=3), 0.0, 1.0),
    (bb.Laplace("x", 1, (0, 1)), -1e6, 1e6),
    (bb.RandomisedResponse("x", 1, DOMAIN), "a", "b"),
    (bb.RandomisedResponse("x", 3, (*DOMAIN, None)), "a", "c"),
    (bb.Exponential("x", 2, DOMAIN), "a", "c"),
    (bb.Exponential("x", 2, DOMAIN, distance="order"), "a", "c"),
    (bb.Exponential("x", 2, ("Manaus", "Belém", "Canela"), distance="hierarchy", hierarchy=TREE), "Manaus", "Canela"),
]


@pytest.mark.parametrize(("operation", "a", "b"), SOUND, ids=lambda each: getattr(each, "name", str(each)))
def test_no_mechanism_is_found_to_spend_more_than_it_claims(operation, a, b) -> None:
    assert not bb.audit_epsilon(operation, a, b, DRAWS, confidence=SURE).refuted


@pytest.mark.parametrize(("operation", "a", "b"), [SOUND[0], SOUND[3], SOUND[5]], ids=["geometric", "laplace", "k-ary"])
def test_the_bound_comes_near_to_what_is_really_spent(operation, a, b) -> None:
    assert bb.audit_epsilon(operation, a, b, DRAWS).at_least > 0.8 * operation.epsilon


class HalfTheSensitivity(bb.Laplace):
    """The classic mistake: noise for half of the range."""

    scale = property(lambda self: self.grid.scale(self.epsilon) / 2)


class NotClampedBefore(bb.Laplace):
    """Noise for the bounds, on values that do not keep to them."""

    @property
    def grid(self) -> Grid:
        class Unclamped(Grid):
            def noised(self, steps, scale):
                from biombo._plan.privacy import noised

                return noised(steps, scale)

            def steps(self, chunk, _column):
                return np.rint(np.asarray(chunk.to_numpy()) * 10**self.decimals).astype(np.int64)

        sound = Grid.of(self.column, self.bounds, self.decimals, bb.Laplace("x", 1, (0, 1)).grid.numerals)
        return Unclamped(sound.low, sound.high, sound.decimals)


class ForgottenHalf(bb.Exponential):
    """exp(ε u / Δ) instead of exp(ε u / 2Δ), which only shows where values have more or fewer neighbours."""

    def channel_over(self, domain):
        return Channel(domain, super().channel_over(domain).weights ** 2)


class KeepsTooOften(bb.RandomisedResponse):
    """The chance of two values used for three."""

    def channel_over(self, domain):
        weights = super().channel_over(domain).weights
        return Channel(domain, weights * np.where(np.eye(len(domain)) == 1, 3, 1))


@pytest.mark.parametrize(
    ("broken", "a", "b"),
    [
        (HalfTheSensitivity("x", 1, (0, 1)), 0.0, 1.0),
        (NotClampedBefore("x", 1, (0, 1)), 0.0, 5.0),
        (ForgottenHalf("x", 2, tuple("abcdefgh"), distance="hierarchy", hierarchy=LONELY), "a", "b"),
        (KeepsTooOften("x", 1, DOMAIN), "a", "b"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_planted_broken_mechanism_is_found_out(broken, a, b) -> None:
    assert bb.audit_epsilon(broken, a, b, DRAWS, confidence=SURE).refuted


def test_with_more_confidence_less_is_claimed() -> None:
    """On the same draws, which are all alike here: both values lead to their own output for sure."""
    sure = bb.RandomisedResponse("x", 100, DOMAIN)
    bounds = [bb.audit_epsilon(sure, "a", "b", 1000, confidence=share).at_least for share in (0.5, 0.99, SURE)]

    half = 500
    expected = [
        log(((1 - share) / 2) ** (1 / half) / (1 - ((1 - share) / 2) ** (1 / half))) for share in (0.5, 0.99, SURE)
    ]
    assert bounds == pytest.approx(expected)
    assert bounds == sorted(bounds, reverse=True)


def test_a_rare_output_is_not_chosen_for_being_rare() -> None:
    a, b = np.full(1002, 10), np.full(1002, 10)
    a[0], b[0] = 10_000, 3_700
    a[500], b[500] = 0, 21  # as happens by chance among a thousand outputs

    event, likelier = telling_event(a, b)
    assert (event[0], event[500], likelier) == (True, False, 0)


@given(st.integers(1, 40), st.data())
def test_clopper_and_pearsons_bounds_are_where_the_tail_has_the_chance_of_an_error(draws, data) -> None:
    happened = data.draw(st.integers(0, draws))

    def at_least(chance: float) -> float:
        return sum(comb(draws, i) * chance**i * (1 - chance) ** (draws - i) for i in range(happened, draws + 1))

    def at_most(chance: float) -> float:
        return sum(comb(draws, i) * chance**i * (1 - chance) ** (draws - i) for i in range(happened + 1))

    low, high = lowest_chance(happened, draws, 0.005), highest_chance(happened, draws, 0.005)
    assert 0 <= low <= happened / draws <= high <= 1
    assert low == 0 if happened == 0 else at_least(low) == pytest.approx(0.005, rel=1e-6)
    assert high == 1 if happened == draws else at_most(high) == pytest.approx(0.005, rel=1e-6)


def test_too_few_draws_are_refused() -> None:
    with refused("privacy.draws", "10"):
        bb.audit_epsilon(SOUND[0][0], 0, 5, 10)


@pytest.mark.parametrize("confidence", [0, 1, 99, -0.1, float("nan")])
def test_a_confidence_is_between_none_and_all(confidence) -> None:
    with refused("privacy.confidence", str(confidence)):
        bb.audit_epsilon(SOUND[0][0], 0, 5, confidence=confidence)
