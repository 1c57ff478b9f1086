"""A sample of the records."""

from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from refusal import refused
from seeded import applied as seeded

import biombo as bb

TABLE = pl.DataFrame({"x": range(100), "group": ["a"] * 60 + ["b"] * 39 + ["alone"]})


def test_exactly_as_many_as_asked_for_each_at_most_once() -> None:
    for operation, size in [(bb.Sample(records=7), 7), (bb.Sample(share=0.29), 29), (bb.Sample(share=1), 100)]:
        applied = bb.apply(TABLE, bb.Plan([operation], sensitive=["x"]))

        assert applied.rows == applied.data["x"].n_unique() == size
        assert (applied.not_drawn, applied.suppressed, applied.duplicates) == (100 - size, 0, 0)


def test_every_choice_is_equally_likely() -> None:
    table = TABLE.head(4)
    plan = bb.Plan([bb.Sample(records=2)], sensitive=["x"])
    drawn = Counter(tuple(seeded(plan, table, seed).data["x"]) for seed in range(1500))

    assert set(drawn) == set(combinations(range(4), 2))
    assert sum((seen - 250) ** 2 / 250 for seen in drawn.values()) < 20.5  # χ² with 5 degrees of freedom, 99.9%


def test_only_what_is_left_can_be_drawn() -> None:
    plan = bb.Plan([bb.SuppressGroups(), bb.Sample(share=1)], [bb.KAnonymity(2)], ["group"])
    applied = bb.apply(TABLE, plan)

    assert (applied.rows, applied.suppressed, applied.not_drawn) == (99, 1, 0)


def test_groups_are_those_of_the_sample_and_the_limit_is_a_share_of_it() -> None:
    """One of two is drawn from each of fifty pairs at most: what is left out does not count as suppressed."""
    table = pl.DataFrame({"group": ["big"] * 90 + [f"single {n}" for n in range(10)]})
    plan = bb.Plan([bb.Sample(records=95), bb.SuppressGroups()], [bb.KAnonymity(2)], ["group"], max_suppression=0.12)
    applied = bb.apply(table, plan)

    assert (applied.not_drawn, applied.rows + applied.suppressed) == (5, 95)
    assert applied.holds
    strict = bb.Plan([bb.Sample(share=0.5), bb.SuppressGroups()], [bb.KAnonymity(51)], ["group"], max_suppression=0.5)
    with refused("plan.too-much", "50", "25"):
        bb.apply(table, strict)


def test_masked_records_that_are_not_drawn_are_not_counted() -> None:
    table = pl.DataFrame({"group": ["big"] * 50 + ["a", "b"]})
    plan = bb.Plan([bb.MaskGroups(), bb.Sample(records=1)], [bb.KAnonymity(2)], ["group"])
    applied = bb.apply(table, plan)

    assert applied.masked == (applied.data["group"] == "*").sum()


@pytest.mark.parametrize("entries", [{}, {"share": 0.5, "records": 5}])
def test_one_way_to_say_how_many(entries) -> None:
    with refused("plan.sample-size", "share", "records"):
        bb.Sample(**entries)


def test_sizes_that_are_none() -> None:
    for share in (0, -0.5, 1.5):
        with refused("plan.sample-share"):
            bb.Sample(share=share)
    with refused("plan.sample-records", "0"):
        bb.Sample(records=0)
    with refused("plan.sample-impossible", "101", "100"):
        bb.apply(TABLE, bb.Plan([bb.Sample(records=101)]))
    with refused("plan.sample-impossible", "0", "100"):
        bb.apply(TABLE, bb.Plan([bb.Sample(share=0.001)]))
