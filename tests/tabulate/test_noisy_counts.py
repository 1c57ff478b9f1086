"""Counts with differential privacy: over public categories, adding up, with no more told than ε as an audit sees it."""

import numpy as np
import polars as pl
import pytest
from count_tables import flat
from epsilon_bound import lower_bound
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._engine import Randomness
from biombo._tabulate import Contributions, Counted, counted, kept, whole_counts

LISTS = {"x": ["a", "b"], "y": ["1", "2"]}
TABLE = pl.DataFrame({"x": [*"aab"], "y": [*"121"], "who": [1, 2, 3]})
ONE_MORE = pl.concat([TABLE, pl.DataFrame({"x": [*"bbb"], "y": [*"222"], "who": [4, 4, 4]})])


@examples(60)
@given(drawn=st.lists(st.integers(-9, 30), min_size=1, max_size=9))
def test_counts_are_the_nearest_that_are_not_negative_with_the_same_sum(drawn: list[int]) -> None:
    """Against a level found by halving: what is above it has the right sum."""
    found = whole_counts(np.array(drawn))
    total = max(0, sum(drawn))
    low, high = min(drawn) - total - 1.0, float(max(drawn))
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(np.array(drawn) - middle, 0).sum() > total else (low, middle)
    near = np.maximum(np.array(drawn) - high, 0)

    assert found.sum() == total
    assert (found >= 0).all()
    assert np.abs(found - near).max() <= 1 + 1e-6


def test_no_more_records_of_a_person_are_kept_than_ε_is_for() -> None:
    person, times = np.array([0, 0, 1, 2]), np.array([3, 2, 1, 4])
    given = Contributions([np.zeros(4, np.int64)], times, person, {})
    seen = np.zeros(4)
    for seed in range(300):
        found = kept(given, 2, Randomness.seeded(seed))
        assert [found[:2].sum(), found[2], found[3]] == [2, 1, 2]
        assert (found <= times).all()
        seen += found
    assert seen[0] / 300 == pytest.approx(2 * 3 / 5, abs=0.15)


def test_totals_add_up_and_rows_tell_nothing_of_the_data() -> None:
    strange = TABLE.with_columns(x=pl.lit("?"), y=pl.lit(None, pl.String))
    frames = [
        bb.tabulate(table, ["x", "y"], categories=LISTS, protection=bb.NoisyCounts(1)).to_frame()
        for table in (TABLE, ONE_MORE, strange)
    ]
    assert frames[0].select("x", "y", "cell").equals(frames[1].select("x", "y", "cell"))
    assert frames[0].select("x", "y", "cell").equals(frames[2].select("x", "y", "cell"))
    leaves = frames[0].filter((pl.col("x") != "Total") & (pl.col("y") != "Total"))
    assert leaves["records"].sum() == frames[0]["records"][-1]
    assert leaves["records"].min() >= 0


def test_the_noise_by_hand() -> None:
    """Two records of a person and ε = 0.5: P(z) falls by e^(-1/4) with every step, a deviation of about 4 √2."""
    noise = bb.NoisyCounts(0.5, 2)

    assert noise.scale == pytest.approx(4)
    assert "5.7" in " ".join(noise.sentences(10))


def outputs(table: pl.DataFrame, protection: bb.NoisyCounts, draws: int) -> np.ndarray:
    """What tells the added person best: how many there seem to be where she is."""
    leaves = [table[name].replace_strict(LISTS[name], [0, 1]).to_numpy() for name in ("x", "y")]
    given = Contributions(leaves, np.ones(len(table), np.int64), table["who"].to_numpy(), {})
    cube = counted([flat("x", 2), flat("y", 2)], given, 2)
    made = Counted(cube, given, bb.read(table), "who", 1)
    return np.array([protection.disguised(made, Randomness())[1][1, 1] for _ in range(draws)], np.int64)


def told(protection: bb.NoisyCounts, draws: int = 1200) -> list[np.ndarray]:
    return [outputs(table, protection, draws) for table in (TABLE, ONE_MORE)]


class ForgetsRecords(bb.NoisyCounts):
    """Noise for one record of a person, of whom three are counted."""

    scale = property(lambda self: 1 / self.epsilon)


def test_an_audit_finds_no_more_than_is_claimed_and_catches_a_mechanism_with_too_little_noise() -> None:
    assert lower_bound(told(bb.NoisyCounts(1.0, 3))) <= 1.0
    assert lower_bound(told(ForgetsRecords(1.0, 3))) > 1.0


@pytest.mark.parametrize(
    ("epsilon", "records", "how", "said"),
    [
        (0, 1, {}, "above 0"),
        (-1, 1, {}, "above 0"),
        (float("inf"), 1, {}, "above 0"),
        (1, 0, {}, "1 or more"),
        (1, 1, {"categories": None}, "Nothing says which categories"),
        (1, 1, {"categories": {"x": "data", "y": ["1"]}}, "not to be taken from the data"),
    ],
)
def test_what_guarantees_nothing_is_refused(epsilon, records, how, said) -> None:
    with pytest.raises(bb.BiomboError, match=said):
        bb.tabulate(TABLE, ["x", "y"], **({"categories": LISTS} | how), protection=bb.NoisyCounts(epsilon, records))
