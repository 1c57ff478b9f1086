"""Numbers that change places with near ones."""

from collections import Counter
from math import floor

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from refusal import refused
from seeded import applied

import biombo as bb


def swapped(values: list[object], at_most: float, seed: int = 0, dropped: list[bool] | None = None, **options: object):
    operation = bb.RankSwap("x", at_most, **options)
    out = [False] * len(values) if dropped is None else dropped
    table = pl.DataFrame({"x": values, "dropped": out}, strict=False)
    plan = bb.Plan([bb.SuppressRecords({"dropped": "true"}), operation], sensitive=["x"])
    return applied(plan, table, seed).data["x"].to_list()


@given(st.permutations(range(40)), st.integers(2, 40), st.integers(0, 99))
def test_no_value_moves_farther_than_the_bound_and_none_stays(values, most, seed) -> None:
    """Different values are ranks: nobody is farther than ⌊p · n⌋ from the own, and nobody keeps it."""
    after = np.array(swapped(values, most / 40, seed))

    assert sorted(after) == sorted(values)
    assert np.abs(after - np.array(values)).max() <= most
    assert (after != np.array(values)).all()


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=60), st.floats(0.05, 1))
def test_the_bound_holds_for_ties_and_among_the_released(records, at_most) -> None:
    """A value has the ranks of all its ties: one of the new value is within the bound of one of the old."""
    values, dropped = [r[0] for r in records], [r[1] for r in records]
    kept = sorted(value for value, out in records if not out)
    most = floor(round(at_most, 6) * len(kept))
    assume(most >= 2)
    after = swapped(values, round(at_most, 6), 7, dropped)

    assert Counter(after) == Counter(kept)
    for before, now in zip([value for value, out in records if not out], after, strict=True):
        ranks = [[rank for rank, value in enumerate(kept) if value == each] for each in (before, now)]
        assert max(0, ranks[1][0] - ranks[0][-1], ranks[0][0] - ranks[1][-1]) <= most


def test_values_use_the_room_that_the_bound_gives() -> None:
    moves = np.abs(np.array(swapped(list(range(20_000)), 0.01)) - np.arange(20_000))

    assert moves.max() > 180
    assert 40 < moves.mean() < 70


def test_where_the_cuts_are_is_not_to_be_foreseen() -> None:
    """Each pair of neighbours changes places over a cut for some draws, and none for all."""
    partner = np.array([swapped(list(range(60)), 0.1, seed) for seed in range(300)])
    over = np.array([[(row[: rank + 1] > rank).any() for rank in range(59)] for row in partner])

    assert (over.mean(axis=0) > 0.1).all()
    assert (over.mean(axis=0)[8:-8] < 0.98).all()


@pytest.mark.parametrize(
    ("values", "options"),
    [
        (["9", "10", "11", "100"], {}),
        (["9,5", "10,5", "1.000,0", "2.000,0"], {"decimal": ",", "thousands": "."}),
        (["1999-12-31", "2000-01-01", "2000-01-10", "2001-01-01"], {}),
        ([1.5, 2.5, -3.5, 100.0], {}),
        (pl.Series(["1999-12-31", "2000-01-01", "2000-01-10", "2001-01-01"]).str.to_date().to_list(), {}),
    ],
)
def test_numbers_and_dates_are_ranked_by_what_they_mean(values, options) -> None:
    """Of ten times four, at most four ranks: a value can only be taken for the one next to it."""
    rank = {value: place for place, value in enumerate(sorted(values, key=_meant))}
    before = [value for value in values for _ in range(10)]

    for old, new in zip(before, swapped(before, 0.1, **options), strict=True):
        assert abs(rank[old] - rank[new]) <= 1


def _meant(value: object) -> object:
    if isinstance(value, str) and value.count("-") < 2:
        return float(value.replace(".", "").replace(",", "."))
    return value


def test_missing_values_and_those_apart_stay() -> None:
    values = ["1", None, "2", "999", "3", "4"]
    after = swapped(values, 1, apart=["999"])

    assert (after[1], after[3]) == (None, "999")
    assert sorted(value for value in after if value not in (None, "999")) == ["1", "2", "3", "4"]


def test_it_draws_from_a_secure_source_and_numbers_stay_numbers() -> None:
    table = pl.DataFrame({"x": pl.Series(range(2000), dtype=pl.Int32)})
    plan = bb.Plan([bb.RankSwap("x", 0.5)])
    results = [bb.apply(table, plan, keep_order=True).data["x"] for _ in range(2)]

    assert results[0].dtype == pl.Int64
    assert not results[0].equals(results[1])


@pytest.mark.parametrize("at_most", [0, -0.1, 1.1, float("nan")])
def test_a_share_that_is_none(at_most) -> None:
    with refused("plan.share-of-ranks", "'x'"):
        bb.RankSwap("x", at_most)


def test_too_few_ranks() -> None:
    with refused("plan.too-few-ranks", "'x'", "10", "1"):
        swapped(list(range(10)), 0.19)
    with refused("plan.too-few-ranks", "'x'", "0"):
        swapped(["999"] * 5, 0.5, apart=["999"])


def test_what_is_no_number() -> None:
    with refused("plan.not-numbers", "'x'", "'low'"):
        swapped(["1", "low", "3", "4"], 0.5)
    with refused("plan.not-numbers", "'x'", "'1,5'"):
        swapped(["1,5", "2", "3", "4"], 0.5)
    with refused("column.missing", "'y'"):
        bb.apply(pl.DataFrame({"x": [1]}), bb.Plan([bb.RankSwap("y", 0.5)]))
