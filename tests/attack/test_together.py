"""Where no column alone helps, the fewest that must change together are found by a look through all sets."""

from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo._attack import Findings, Risk, fewest_together, risk
from biombo._data import read

QUASI = ["a", "b", "c", "d"]
SUBSETS = [list(chosen) for size in range(1, 5) for chosen in combinations(QUASI, size)]
posteriors = st.lists(st.integers(10, 100).map(lambda points: points / 100), min_size=15, max_size=15)


def slow(subsets: pl.DataFrame, prior: float) -> tuple[int, float]:
    """How many columns it takes, and the least that is left without so many."""
    rows = list(zip(subsets["quasi"].to_list(), subsets["posterior"].to_list(), strict=True))
    top = max(posterior for _, posterior in rows)
    for size in range(1, len(QUASI) + 1):
        left = [
            max([prior, *(posterior for known, posterior in rows if not {*known} & {*without})])
            for without in combinations(QUASI, size)
        ]
        if min(left) <= top - min(0.05, (top - prior) / 2):
            return size, min(left)
    raise AssertionError("without all columns nothing but the prior is left")


@given(posteriors)
def test_the_fewest_columns_are_those_of_a_look_through_all_sets(posteriors: list[float]) -> None:
    subsets, prior = pl.DataFrame({"quasi": SUBSETS, "posterior": posteriors}), 0.05
    found = fewest_together(subsets, QUASI, prior)

    assert (len(found.columns), found.posterior) == slow(subsets, prior)
    assert found.smallest
    assert found.fall == pytest.approx(max(posteriors) - found.posterior)


def attacked(rows: list[tuple[str, ...]]) -> Risk:
    return risk(read(pl.DataFrame(rows, schema=["a", "b", "s"], orient="row")), ["a", "b"], ["s"])


def test_two_columns_that_say_the_same_must_change_together() -> None:
    found = Findings.of_inference(
        attacked([("x", "1", "p"), ("x", "1", "p"), ("y", "2", "q"), ("y", "2", "q")]).attribute_inference, "s"
    )

    assert found.together is not None
    assert found.together.columns == ("a", "b")
    assert (found.posterior, found.together.posterior) == (1.0, 0.5)


@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
@settings(max_examples=50)
@given(st.lists(st.tuples(*(st.sampled_from("xy") for _ in range(3))), min_size=2, max_size=12))
def test_nothing_is_said_of_several_where_one_helps(rows: list[tuple[str, ...]]) -> None:
    found = Findings.of_inference(attacked(rows).attribute_inference, "s")

    alone = found.leakage > 0 and found.helps(found.falls[0].fall)
    assert (found.together is None) == (alone or found.leakage <= 0)


def test_a_fall_that_nobody_sees_is_no_help() -> None:
    found = Findings(prior=0.1, best=({"posterior": 1.0, "size": 1, "quasi": ["a"]},), falls=())

    assert not found.helps(0.0004), "from 100.0% to 100.0%"
    assert found.helps(0.02)


def test_very_many_columns_are_put_together_one_by_one() -> None:
    columns = [f"c{place}" for place in range(40)]
    single = pl.DataFrame({"quasi": [[name] for name in columns], "posterior": [0.9] * 40})
    found = fewest_together(single, columns, 0.1)

    assert set(found.columns) == set(columns)
    assert not found.smallest, "that was too much to try"
