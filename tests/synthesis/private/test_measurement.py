"""What is asked of records under ε: no more is spent than there is, and no more told, as far as an audit sees."""

from collections.abc import Sequence
from itertools import pairwise
from math import log, sqrt

import numpy as np
import polars as pl
import pytest
from epsilon_bound import lower_bound

import biombo as bb
from biombo._synthesis import Pairs
from biombo._synthesis.private import Budget, Expected, Measured, adapted, measured, public_scale

COLUMNS = {"a": ("x", "y"), "b": ("x", "y"), "c": ("x", "y")}
RECORDS = pl.DataFrame({"a": ["x"] * 3 + ["y"] * 3, "b": ["x", "y"] * 3, "c": ["y"] * 6})
ONE_MORE = pl.concat([RECORDS, pl.DataFrame({"a": ["x"], "b": ["x"], "c": ["x"]})])


def independent(marginals: Sequence[Measured]) -> Expected:
    """A model that knows nothing but the last noised counts of each column by itself."""
    alone = {each.columns[0]: np.maximum(each.counts, 0) + 0.1 for each in marginals if len(each.columns) == 1}
    total = np.mean([counts.sum() for counts in alone.values()])

    def expected(columns: tuple[str, ...]) -> np.ndarray:
        shares = [alone[name] / alone[name].sum() for name in columns]
        return total * (shares[0] if len(shares) == 1 else np.outer(*shares))

    return expected


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


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (3.0, 0.0), (0.5, 1e-6)])
@pytest.mark.parametrize("most", [1, 3])
def test_round_by_round_no_more_is_spent_than_there_is(epsilon, delta, most):
    budget = Budget(epsilon, delta)
    found = adapted(pairs_of(RECORDS), budget, most, independent)

    assert found.spent <= budget.total * (1 + 1e-9)
    assert found.spent == pytest.approx(budget.total, rel=1e-6)
    assert {each.columns for each in found.marginals} >= {("a",), ("b",), ("c",)}


def test_rounds_that_tell_nothing_new_make_the_next_ones_sharper():
    """Of 48 rounds, each has a 48th of the budget at first, nine tenths of that for its counts. Where the model never
    moves, every round has half the deviation of the one before, until the last takes what is left.
    """
    found = adapted(pairs_of(RECORDS), Budget(3.0, 0.0), 1, lambda _: lambda columns: np.zeros([3] * len(columns)))
    deviations = [each.deviation for each in found.marginals[3:]]

    assert deviations[0] == pytest.approx(sqrt(2) * 48 / (0.9 * 3.0), rel=1e-6)
    assert [a / b for a, b in pairwise(deviations[:-1])] == pytest.approx([2.0] * (len(deviations) - 2), rel=1e-6)
    assert len(deviations) <= 6


def test_what_the_model_has_most_wrong_is_asked_first():
    random = np.random.default_rng(1)
    a, c = random.choice(["x", "y"], 4000), random.choice(["x", "y"], 4000)
    found = adapted(pairs_of(pl.DataFrame({"a": a, "b": a, "c": c})), Budget(20.0, 0.0), 1, independent)

    assert found.marginals[3].columns == ("a", "b")


def test_a_model_never_grows_beyond_what_is_allowed(monkeypatch):
    monkeypatch.setattr("biombo._synthesis.private.measurement._CELLS", 0)

    assert adapted(pairs_of(RECORDS), Budget(3.0, 0.0), 1, independent).pairs == ()


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


def by_tree(pairs: Pairs, budget: Budget) -> int:
    """A number that tells the added person best: how many x there seem to be, everywhere together."""
    return sum(int(each.counts[0]) for each in measured(pairs, budget, 1).marginals)


def by_rounds(pairs: Pairs, budget: Budget) -> int:
    """The same, of the answer that was asked for with most of the budget."""
    best = min(adapted(pairs, budget, 1, independent).marginals, key=lambda each: each.deviation)
    return int(best.counts[0])


def draws(budget: Budget, number: int = 800, told=by_tree) -> list[np.ndarray]:
    return [np.array([told(pairs, budget) for _ in range(number)]) for pairs in map(pairs_of, (RECORDS, ONE_MORE))]


def test_an_audit_finds_no_more_than_is_claimed():
    assert lower_bound(draws(Budget(2.0, 0.0))) <= 2.0
    assert lower_bound(draws(Budget(2.0, 0.0), 240, by_rounds)) <= 2.0


class Broken(Budget):
    """Claims its ε and forgets that several marginals are asked for."""

    def noised(self, counts, distance, share):
        return super().noised(counts, distance / 12, share)


def test_an_audit_catches_a_mechanism_that_adds_too_little_noise(monkeypatch):
    monkeypatch.setattr(Broken, "_within", lambda _self, make, scale, *_: ((make(scale, True), scale), 0.0))

    assert lower_bound(draws(Broken(2.0, 0.0))) > 2.0
    assert lower_bound(draws(Broken(2.0, 0.0), 800, by_rounds)) > 2.0


def test_choosing_prefers_pairs_that_go_together():
    random = np.random.default_rng(1)
    a, c = random.choice(["x", "y"], 4000), random.choice(["x", "y"], 4000)
    found = measured(pairs_of(pl.DataFrame({"a": a, "b": a, "c": c})), Budget(5.0, 0.0), 1)

    assert ("a", "b") in found.pairs
