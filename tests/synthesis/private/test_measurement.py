"""What is asked of records under ε: no more is spent than there is, and no more told, as far as an audit sees."""

from math import log, sqrt

import numpy as np
import polars as pl
import pytest

import biombo as bb
from biombo._plan.privacy import highest_chance, lowest_chance, telling_event
from biombo._synthesis import Pairs
from biombo._synthesis.private import Budget, measured, public_scale

COLUMNS = {"a": ("x", "y"), "b": ("x", "y"), "c": ("x", "y")}
RECORDS = pl.DataFrame({"a": ["x"] * 3 + ["y"] * 3, "b": ["x", "y"] * 3, "c": ["y"] * 6})
ONE_MORE = pl.concat([RECORDS, pl.DataFrame({"a": ["x"], "b": ["x"], "c": ["x"]})])


def pairs_of(table: pl.DataFrame) -> Pairs:
    data = bb.read(table)
    return Pairs(
        {name: public_scale(data[name], bb.ColumnSchema(), domain, 9) for name, domain in COLUMNS.items()}, None
    )


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (3.0, 0.0), (0.5, 1e-6), (2.0, 1e-9)])
@pytest.mark.parametrize("most", [1, 3])
def test_no_more_is_spent_than_there_is(epsilon, delta, most):
    budget = Budget(epsilon, delta)
    found = measured(pairs_of(RECORDS), budget, most)

    assert found.spent <= budget.total * (1 + 1e-9)
    assert found.spent == pytest.approx(budget.total, rel=1e-6)
    assert len(found.marginals) == 5
    assert len(found.pairs) == 2


def test_the_noise_by_hand():
    """A third of ε = 3 on three columns of which a person changes one count each: Laplace of scale 3."""
    deviation = measured(pairs_of(RECORDS), Budget(3.0, 0.0), 1).marginals[0].deviation

    assert deviation == pytest.approx(3 * sqrt(2), rel=1e-6)
    assert measured(pairs_of(RECORDS), Budget(3.0, 0.0), 4).marginals[0].deviation == pytest.approx(12 * sqrt(2))


def test_concentrated_privacy_is_what_epsilon_and_delta_allow():
    """ρ + 2 √(ρ ln(1 / δ)) = ε is a bound by Bun and Steinke (2016), which OpenDP improves upon."""
    rho = Budget(1.0, 1e-6).total

    assert rho > (sqrt(log(1e6) + 1) - sqrt(log(1e6))) ** 2
    assert rho < 0.1


def outputs(table: pl.DataFrame, budget: Budget, draws: int) -> np.ndarray:
    """A number for each draw that tells the added person best: how many x there seem to be, everywhere together."""
    pairs = pairs_of(table)
    return np.array([sum(int(each.counts[0]) for each in measured(pairs, budget, 1).marginals) for _ in range(draws)])


def lower_bound(budget: Budget, draws: int = 400) -> float:
    """ε is at least this, at 99%: half of the draws choose an event, the others bound its chances."""
    both = [outputs(table, budget, 2 * draws) for table in (RECORDS, ONE_MORE)]
    low = min(each.min() for each in both)
    size = int(max(each.max() for each in both) - low + 1)
    counts = [[np.bincount(part - low, minlength=size) for part in np.split(each, 2)] for each in both]
    event, likelier = telling_event(counts[0][0], counts[1][0])
    seen, other = (int(counts[side][1][event].sum()) for side in (likelier, 1 - likelier))
    lowest, highest = lowest_chance(seen, draws, 0.005), highest_chance(other, draws, 0.005)
    return log(lowest / highest) if lowest > highest else 0.0


def test_an_audit_finds_no_more_than_is_claimed():
    assert lower_bound(Budget(2.0, 0.0)) <= 2.0


class Broken(Budget):
    """Claims its ε and forgets that several marginals are asked for."""

    def noised(self, counts, distance, share):
        return super().noised(counts, distance / 12, share)


def test_an_audit_catches_a_mechanism_that_adds_too_little_noise(monkeypatch):
    monkeypatch.setattr(Broken, "_within", lambda _self, make, scale, *_: ((make(scale, True), scale), 0.0))

    assert lower_bound(Broken(2.0, 0.0)) > 2.0


def test_choosing_prefers_pairs_that_go_together():
    random = np.random.default_rng(1)
    a, c = random.choice(["x", "y"], 4000), random.choice(["x", "y"], 4000)
    found = measured(pairs_of(pl.DataFrame({"a": a, "b": a, "c": c})), Budget(5.0, 0.0), 1)

    assert ("a", "b") in found.pairs
