"""Noise on numbers and dates (PDPC 2018, section 12)."""

from datetime import date, datetime
from decimal import Decimal
from statistics import NormalDist

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb
from biombo._engine import Randomness
from biombo._hierarchy import Numerals
from biombo._plan import Context
from biombo._plan.values import Mover

DRAWS = 50_000


def noisy(values: object, spread: float, **options: object) -> pl.Series:
    table = pl.DataFrame({"x": values}, strict=False)
    return bb.apply(table, bb.Plan([bb.AddNoise("x", spread, **options)]), keep_order=True).data["x"]


def distance(sample: np.ndarray, share_up_to: np.ndarray) -> float:
    """Kolmogorov's distance between a sorted sample and a distribution."""
    n = len(sample)
    return float(max(np.abs(share_up_to - np.arange(n) / n).max(), np.abs(share_up_to - np.arange(1, n + 1) / n).max()))


def noise(operation: bb.AddNoise, seed: int) -> np.ndarray:
    step = operation.start(Context(random=Randomness.seeded(seed)))
    return np.sort(step._noise(DRAWS))


BOUND = 1.95 / DRAWS**0.5
"""Kolmogorov's distance of a sample from its own distribution exceeds it once in a thousand times."""


class TestTheDistribution:
    def test_uniform_noise(self) -> None:
        sample = noise(bb.AddNoise("x", 3), seed=1)

        assert distance(sample, (sample + 3) / 6) < BOUND

    def test_normal_noise(self) -> None:
        sample = noise(bb.AddNoise("x", 3, "normal"), seed=2)

        assert distance(sample, np.vectorize(NormalDist(0, 3).cdf)(sample)) < BOUND

    def test_the_test_tells_another_distribution_apart(self) -> None:
        narrow = noise(bb.AddNoise("x", 2.9), seed=3)
        wide = noise(bb.AddNoise("x", 3.2, "normal"), seed=3)

        assert distance(narrow, (narrow + 3) / 6) > BOUND
        assert distance(wide, np.vectorize(NormalDist(0, 3).cdf)(wide)) > BOUND

    def test_what_comes_out_of_a_plan_is_value_plus_noise_of_that_kind(self) -> None:
        """End to end from the secure source, at a bound that fails once in a million times."""
        start = np.linspace(-50, 50, DRAWS)
        moved = np.sort(noisy(start, 3, kind="normal", decimals=9).to_numpy() - start)

        assert distance(moved, np.vectorize(NormalDist(0, 3).cdf)(moved)) < 2.7 / DRAWS**0.5

    def test_each_record_has_noise_of_its_own(self) -> None:
        assert noisy([0.0] * 1000, 1, decimals=9).n_unique() == 1000


@given(
    st.lists(st.tuples(st.decimals(-9999, 9999, places=2), st.floats(-50, 50)), min_size=1),
    st.integers(0, 3),
    st.sampled_from(".,"),
)
def test_text_is_moved_and_rounded_like_the_number_that_it_is(pairs, decimals, mark) -> None:
    text = [str(value).replace(".", mark) for value, _ in pairs]
    by = np.array([amount for _, amount in pairs])
    moved = Mover("x", decimals, Numerals(mark))(pl.Series(text).to_arrow(), by)

    for (value, amount), result in zip(pairs, moved, strict=True):
        whole, _, after = result.partition(mark)
        assert (len(after), whole == "-0" and not after.strip("0")) == (decimals, False)
        wrong = abs(Decimal(result.replace(mark, ".")) - (value + Decimal(amount)))
        assert wrong <= Decimal(10) ** -decimals / 2 + Decimal("1e-9")


def test_types_stay_and_missing_values_and_those_apart_too() -> None:
    cases = [
        ([10, None, 999], pl.Int64, {}),
        ([10.5, None, 999.5], pl.Float64, {"decimals": 1}),
        (["10", None, "999"], pl.String, {}),
        ([Decimal("10.5"), None, Decimal("999.25")], pl.Decimal(38, 2), {"decimals": 2}),
    ]
    for values, kind, options in cases:
        found = noisy(values, 3, apart=["999", "999.5", "999.25"], **options)
        assert found.dtype == kind
        assert (found[1], found[2]) == (values[1], values[2])
        assert abs(float(found[0]) - 10.25) <= 3.5


def test_whole_numbers_get_decimals_where_asked_for() -> None:
    found = noisy([10] * 50, 2, decimals=2)

    assert found.dtype == pl.Float64
    assert (found != found.round()).any()


def test_dates_move_by_whole_days_and_keep_their_time() -> None:
    days = noisy([date(2024, 2, 28)] * 500, 2)
    assert sorted(days.unique()) == [date(2024, 2, day) for day in (26, 27, 28, 29)] + [date(2024, 3, 1)]

    text = noisy(["2024-02-28", None] * 250, 2)
    assert sorted(text.drop_nulls().unique()) == ["2024-02-26", "2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01"]
    assert text.null_count() == 250

    moments = noisy([datetime(2024, 2, 28, 13, 45)] * 50, 2)
    assert set(moments.dt.time()) == {datetime(2024, 2, 28, 13, 45).time()}
    assert moments.n_unique() > 1


def test_not_a_number_stays_missing() -> None:
    assert noisy([float("nan"), 1.0], 1).is_nan().to_list() in ([True, False], [None, False])


def test_parts_and_dictionaries() -> None:
    parts = [pl.DataFrame({"x": ["1", "2"]}), pl.DataFrame({"x": [None, "3"]}, {"x": pl.String})]
    found = bb.apply(parts, bb.Plan([bb.AddNoise("x", 0.1)]), keep_order=True).data["x"]
    assert found.to_list() == ["1", "2", None, "3"]

    coded = pl.DataFrame({"x": pl.Series(["1", "2", None, "1"], dtype=pl.Categorical)})
    assert bb.apply(coded, bb.Plan([bb.AddNoise("x", 0.1)]), keep_order=True).data["x"].to_list() == [
        "1",
        "2",
        None,
        "1",
    ]


def test_all_passes_see_the_same_noise() -> None:
    """Groups are suppressed by the values that come out."""
    table = pl.DataFrame({"x": [0] * 300, "key": range(300)})
    plan = bb.Plan([bb.AddNoise("x", 40, "normal"), bb.SuppressGroups()], [bb.LDiversity(3)], ["x"], ["key"])
    applied = bb.apply(table, plan)

    assert 0 < applied.suppressed < 300
    assert applied.data["x"].value_counts()["count"].min() >= 3


class TestBounds:
    @given(st.lists(st.floats(-100, 100), min_size=1, max_size=20), st.integers(-50, 0), st.integers(1, 50))
    def test_what_would_leave_them_stays_on_the_nearest_one(self, values, low, high) -> None:
        by = np.linspace(-80, 80, len(values))
        numbers = pl.Series(values).to_arrow()
        free = bb.AddNoise("x", 9, decimals=1).mover(numbers, by)
        bounded = bb.AddNoise("x", 9, decimals=1, bounds=(low, high)).mover(numbers, by)

        assert bounded.to_list() == [min(max(value, low), high) for value in free]

    def test_types_and_text_stay_within_them_too(self) -> None:
        assert set(noisy([10] * 200, 5, bounds=(9, 11))) == {9, 10, 11}
        assert set(noisy(["9,5", None, "999"] * 200, 5, decimals=1, decimal=",", apart=["999"], bounds=(9.4, 9.5))) == {
            "9,4",
            "9,5",
            None,
            "999",
        }
        assert set(noisy([Decimal("1.5")] * 200, 5, decimals=1, bounds=(1.5, 1.6))) == {Decimal("1.5"), Decimal("1.6")}

    @pytest.mark.filterwarnings("ignore:Column 'x' is changed by more than half")
    def test_dates_stay_within_dates_and_keep_their_time(self) -> None:
        around = ("2024-02-28", "2024-02-29")
        days = {date(2024, 2, 28), date(2024, 2, 29)}
        assert set(noisy([date(2024, 2, 28)] * 200, 9, bounds=around)) == days
        assert set(noisy(["2024-02-28", None] * 200, 9, bounds=around)) == {*around, None}
        moments = noisy([datetime(2024, 2, 28, 13, 45), datetime(2024, 2, 29), None] * 100, 9, bounds=around)
        assert set(moments.dt.date()) == {*days, None}
        assert set(moments.dt.time()) == {datetime(2024, 2, 28, 13, 45).time(), datetime(2024, 2, 28).time(), None}

    def test_they_are_of_the_columns_kind(self) -> None:
        with refused("privacy.not-dates", "'x'", "'17'"):
            noisy(["17"], 1, bounds=("2024-01-01", "2024-12-31"))
        with refused("privacy.dates", "'x'", "2024-01-01"):
            noisy([date(2024, 1, 1)], 1, bounds=(0, 9))
        assert noisy([None, "999"], 1, apart=["999"], bounds=(0, 9)).to_list() == [None, "999"]

    def test_such_as_make_no_sense_are_refused(self) -> None:
        for key, bounds in [
            ("privacy.bounds-shape", (1,)),
            ("privacy.bounds-shape", (1, "2024-01-01")),
            ("privacy.bounds-order", (2, 1)),
            ("privacy.bound-date", ("2024-01-01", "2024-02-30")),
            ("privacy.bound-off-grid", (0, 0.5)),
        ]:
            with refused(key, "'x'"):
                bb.AddNoise("x", 1, bounds=bounds)
        with refused("usage.string-for-list", "bounds"):
            bb.AddNoise("x", 1, bounds="0-9")

    def test_a_plan_names_them(self) -> None:
        operation = bb.AddNoise("x", 1, bounds=[0, 9])
        assert operation.to_tree() == {"add-noise": {"column": "x", "spread": 1, "bounds": [0, 9]}}
        assert bb.Plan.from_tree(bb.Plan([operation]).to_tree()).operations == (operation,)


class TestBadEntries:
    @pytest.mark.parametrize("spread", [0, -1, float("inf"), float("nan"), 1e16])
    def test_no_spread(self, spread) -> None:
        with refused("plan.noise-spread", "'x'"):
            bb.AddNoise("x", spread)

    def test_an_unknown_kind(self) -> None:
        with refused("document.entry-choice", "kind", "gauss", "uniform, normal"):
            bb.AddNoise("x", 1, "gauss")

    def test_decimals_that_are_none(self) -> None:
        for decimals in (-1, 10):
            with refused("plan.noise-decimals", "'x'", str(decimals)):
                bb.AddNoise("x", 1, decimals=decimals)

    def test_marks_that_contradict_each_other(self) -> None:
        with refused("hierarchy.marks"):
            bb.AddNoise("x", 1, decimal=",", thousands=",")

    @pytest.mark.parametrize("values", [["1", "n/a"], ["2024-01-31", "7"], [True, False], ["1,5", "2"], [2**60, 1]])
    def test_what_is_no_number(self, values) -> None:
        with refused("plan.not-numbers", "'x'"):
            noisy(values, 1)

    def test_dates_beyond_the_calendar(self) -> None:
        with refused("plan.no-such-date", "'x'"):
            noisy([date(2024, 1, 1)] * 50, 10**7)

    def test_an_unknown_column(self) -> None:
        with refused("column.missing", "'y'"):
            bb.apply(pl.DataFrame({"x": [1]}), bb.Plan([bb.AddNoise("y", 1)]))
