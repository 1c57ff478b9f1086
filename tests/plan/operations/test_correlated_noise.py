"""Noise on several columns together: what it does to means, variances and correlations, and what it leaves alone."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused
from seeded import applied

import biombo as bb

ROWS = 40_000
CHANCE = np.random.default_rng(3)
MIXED = CHANCE.normal(size=(ROWS, 3)) @ np.array([[3, 1, 0], [0, 2, -1], [0, 0, 1]]) + [100, 50, 20]
TABLE = pl.DataFrame(MIXED, schema=["x", "y", "z"])
FEW = TABLE.head(50)


def noised(table: pl.DataFrame, seed: int = 0, **entries: object) -> pl.DataFrame:
    operation = bb.CorrelatedNoise(**{"columns_": table.columns, "share": 0.5, "decimals": 6, **entries})
    return applied(bb.Plan([operation], sensitive=table.columns), table, seed).data


def test_covariances_grow_alike_so_that_correlations_and_means_stay() -> None:
    """A correlation of so many records is off by 0.03 once in a billion draws."""
    after = noised(TABLE).to_numpy()

    assert np.corrcoef(after.T) == pytest.approx(np.corrcoef(MIXED.T), abs=0.03)
    assert np.cov(after.T) == pytest.approx(1.5 * np.cov(MIXED.T), abs=0.6)
    assert after.mean(axis=0) == pytest.approx(MIXED.mean(axis=0), abs=0.1)


def test_the_noise_itself_has_a_share_of_the_datas_covariances() -> None:
    noise = noised(TABLE, share=0.2).to_numpy() - MIXED

    assert np.cov(noise.T) == pytest.approx(0.2 * np.cov(MIXED.T), abs=0.12)
    assert np.corrcoef(noise[:, 0], MIXED[:, 0])[0, 1] == pytest.approx(0, abs=0.03)


def test_noise_on_each_column_by_itself_would_not_keep_them() -> None:
    """What the operation is for: independent noise of the same size shrinks every correlation by 1.5."""
    plan = bb.Plan([bb.AddNoise(name, (0.5 * TABLE[name].var()) ** 0.5, "normal", 6) for name in "xy"])
    after = applied(plan, TABLE.select("x", "y"), 0).data

    assert np.corrcoef(after.to_numpy().T)[0, 1] == pytest.approx(np.corrcoef(MIXED[:, :2].T)[0, 1] / 1.5, abs=0.03)


def test_factors_keep_the_correlations_of_logarithms_and_the_means() -> None:
    table = TABLE.select(pl.all() / 20).select(pl.all().exp())
    after, logs = noised(table, kind="multiplicative", share=0.3), np.log(table.to_numpy())

    assert (after.to_numpy() > 0).all()
    assert np.corrcoef(np.log(after.to_numpy()).T) == pytest.approx(np.corrcoef(logs.T), abs=0.03)
    assert np.cov(np.log(after.to_numpy()).T) == pytest.approx(1.3 * np.cov(logs.T), abs=0.01)
    assert (after.to_numpy() / table.to_numpy()).mean(axis=0) == pytest.approx(np.ones(3), abs=0.01)


def test_columns_of_which_one_tells_another_still_do() -> None:
    table = FEW.select("x", twice=2 * pl.col("x"), same=pl.lit(7.0))
    after = noised(table)

    moved = {name: (after[name] - table[name]).to_numpy() for name in table.columns}
    assert moved["twice"] == pytest.approx(2 * moved["x"], abs=1e-4)
    assert after["same"].to_list() == pytest.approx([7.0] * 50, abs=1e-4)


@given(st.lists(st.tuples(st.sampled_from(["1,5", "20", None, "999"]), st.integers(0, 9)), min_size=4, max_size=20))
@settings(max_examples=25, deadline=None)
def test_what_is_missing_or_apart_stays_and_the_rest_gets_noise(rows) -> None:
    rows = [*rows, ("3", 1), ("4", 5)]
    table = pl.DataFrame({"x": [x for x, _ in rows], "y": [y for _, y in rows]})
    after = noised(table, apart=["999"], decimal=",", decimals=2)

    for before, now in zip(table["x"], after["x"], strict=True):
        if before in (None, "999"):
            assert now == before
        else:
            assert now.count(",") == 1


def test_records_that_do_not_come_out_say_nothing_about_the_noise() -> None:
    table = pl.DataFrame({"x": [1.0, 2.0, 3.0, 1e9], "out": ["no", "no", "no", "yes"]})
    operation = bb.CorrelatedNoise(["x"], 0.5, decimals=3)
    plan = bb.Plan([bb.SuppressRecords({"out": "yes"}), operation], sensitive=["x"])

    assert all(abs(value) < 100 for value in applied(plan, table, 1).data["x"])


def test_dates_move_by_whole_days_and_whole_numbers_stay_whole() -> None:
    days = pl.Series(["2024-01-01", "2024-03-01", "2024-06-01", "2024-12-01"])
    after = noised(pl.DataFrame({"day": days, "n": [1, 50, 70, 90]}), decimals=0)

    assert after["n"].dtype == pl.Int64
    assert after["day"].str.to_date("%Y-%m-%d").null_count() == 0
    assert after["day"].to_list() != days.to_list()


def test_each_run_draws_anew() -> None:
    plan = bb.Plan([bb.CorrelatedNoise(["x", "y"], 0.1, decimals=3)], sensitive=["x", "y"])
    first, second = (bb.apply(FEW.select("x", "y"), plan, keep_order=True).data for _ in range(2))

    assert not first.equals(second)


def test_no_k_is_asked_beside_it() -> None:
    for kind in ("additive", "multiplicative"):
        with refused("plan.k-of-noise", "'x'", "correlated-noise"):
            bb.Plan([bb.CorrelatedNoise(["x"], 0.1, kind)], [bb.KAnonymity(2)], quasi=["x"])


@pytest.mark.parametrize(
    "criterion",
    [
        bb.AverageRisk(0.5),
        bb.Uniqueness(0.1),
        bb.PopulationUniqueness(0.1, population=99),
        bb.KMap(2, population=99),
        bb.Presence(0.5, population=99),
    ],
    ids=str,
)
def test_nor_anything_else_that_counts_who_is_alike(criterion: bb.Criterion) -> None:
    noise = bb.CorrelatedNoise(["x"], 0.1)
    with refused("plan.k-of-noise", "'x'", "correlated-noise"):
        bb.Plan([noise], [criterion], quasi=["x"])
    bb.Plan([noise], [bb.Deassociation(0.5, column="s")], quasi=["x"], sensitive=["s"])


def test_mistakes() -> None:
    for columns in ([], ["x", "x"]):
        with refused("plan.several-columns"):
            bb.CorrelatedNoise(columns, 0.1)
    for share in (0, -1, 101, float("nan")):
        with refused("plan.correlated-share", "x"):
            bb.CorrelatedNoise(["x"], share)
    with refused("plan.noise-decimals", "'x'"):
        bb.CorrelatedNoise(["x"], 0.1, decimals=10)
    with refused("plan.correlated-few", "x, y"):
        noised(pl.DataFrame({"x": [1, None], "y": [None, 2]}))
    with refused("plan.not-numbers", "'x'", "'low'"):
        noised(pl.DataFrame({"x": ["1", "low"]}))
    for values in ([1.0, 0.0], [1.0, -2.0], ["2024-01-01", "2024-01-02"]):
        with refused("plan.no-factor", "'x'"):
            noised(pl.DataFrame({"x": values}), kind="multiplicative")
