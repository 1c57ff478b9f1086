"""Randomised response and the exponential mechanism over a declared domain."""

from math import exp

import numpy as np
import polars as pl
import pytest
from goodness_of_fit import assert_follows
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused

import biombo as bb

DOMAIN = ("a", "b", "c", None)
TREE = bb.Hierarchy.load({"north": {"AM": ["Manaus", "Tefé"], "PA": ["Belém"]}, "south": {"RS": ["Canela"]}})
CITIES = ("Manaus", "Tefé", "Belém", "Canela")


def released(values: list[object], operation: bb.Operation) -> pl.Series:
    return bb.apply(pl.DataFrame({"x": values}), bb.Plan([operation]), keep_order=True).data["x"]


@pytest.mark.parametrize("own", DOMAIN)
def test_the_own_value_is_kept_as_often_as_kairouz_says(own: str | None) -> None:
    epsilon = 1.2
    total = exp(epsilon) + len(DOMAIN) - 1
    chances = {value: (exp(epsilon) if value == own else 1) / total for value in DOMAIN}
    table = pl.DataFrame({"x": pl.Series([own] * 30_000, dtype=pl.String)})

    drawn = bb.apply(table, bb.Plan([bb.RandomisedResponse("x", epsilon, DOMAIN)])).data["x"]
    assert_follows(drawn, chances)


def test_mcsherry_and_talwars_weights_are_drawn() -> None:
    operation = bb.Exponential("x", 3, ("low", "middle", "high", "highest"), distance="order")
    weights = {value: exp(-3 * abs(1 - place) / (2 * 3)) for place, value in enumerate(operation.domain)}
    chances = {value: weight / sum(weights.values()) for value, weight in weights.items()}

    assert_follows(released(["middle"] * 30_000, operation), chances)


def test_the_distance_by_a_hierarchy_is_the_level_where_values_meet() -> None:
    operation = bb.Exponential("x", 2, CITIES, distance="hierarchy", hierarchy=TREE)
    distances = [0, 1, 2, 3]  # itself, the same state, the same region, nothing
    weights = np.exp(-2 * np.array(distances) / (2 * 3))

    assert operation.channel.chances[0] == pytest.approx(weights / weights.sum())


def test_a_missing_value_of_the_domain_is_as_far_from_all_as_any_can_be() -> None:
    weights = bb.Exponential("x", 2, ("1", "2", "3", None), distance="order").channel.weights

    assert weights[3].tolist() == pytest.approx([exp(-1)] * 3 + [1])
    assert weights[:, 3].tolist() == pytest.approx([exp(-1)] * 3 + [1])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 12), st.floats(0.01, 100), st.sampled_from(["equal", "order", "response"]))
def test_no_output_is_more_than_e_to_the_epsilon_times_as_likely_for_one_value_as_for_another(k, epsilon, kind) -> None:
    domain = tuple(f"v{i}" for i in range(k))
    operation = (
        bb.RandomisedResponse("x", epsilon, domain)
        if kind == "response"
        else bb.Exponential("x", epsilon, domain, distance=kind)
    )
    chances = operation.channel.chances

    assert (chances > 0).all()
    assert chances.sum(axis=1) == pytest.approx(np.ones(k))
    ratios = [chances[a, y] / chances[b, y] for a in range(k) for b in range(k) for y in range(k)]
    assert max(ratios) <= exp(epsilon) * (1 + 1e-9)
    assert operation.channel.loss <= epsilon + 1e-9
    if kind == "response":
        assert operation.channel.loss == pytest.approx(epsilon)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(DOMAIN), min_size=1, max_size=30))
def test_with_a_huge_epsilon_everything_stays_and_in_its_row(values) -> None:
    table = pl.DataFrame({"x": pl.Series(values, dtype=pl.String)})
    applied = bb.apply(table, bb.Plan([bb.RandomisedResponse("x", 100, DOMAIN)]), keep_order=True)

    assert applied.data["x"].to_list() == values


def test_codes_stay_text_and_numbers_are_taken_as_they_are_written() -> None:
    assert released(["007", "01"], bb.RandomisedResponse("x", 100, ("007", "01"))).to_list() == ["007", "01"]
    assert released([7, 1], bb.RandomisedResponse("x", 100, ("7", "1"))).to_list() == ["7", "1"]


def test_the_domain_may_come_from_the_schema_and_never_from_the_data() -> None:
    table = pl.DataFrame({"x": ["a", "b"]})
    schema = bb.Schema({"x": bb.ColumnSchema(domain=("a", "b", "c"))})

    for operation in (bb.RandomisedResponse("x", 1), bb.Exponential("x", 1)):
        assert set(bb.apply(table, bb.Plan([operation]), schema=schema).data["x"]) <= {"a", "b", "c"}
        with refused("privacy.no-domain", "'x'"):
            bb.apply(table, bb.Plan([operation]))


def test_values_outside_the_domain_and_missing_ones_are_refused() -> None:
    with refused("privacy.stranger", "'x'", "'z'"):
        released(["a", "z"], bb.RandomisedResponse("x", 1, ("a", "b")))
    with refused("privacy.missing", "'x'", "null"):
        released(["a", None], bb.RandomisedResponse("x", 1, ("a", "b")))


def test_bad_entries_are_refused_in_one_sentence() -> None:
    for domain in ((), ("a",), ("a", "a", "b")):
        with refused("privacy.domain", "'x'"):
            bb.RandomisedResponse("x", 1, domain)
    with refused("usage.string-for-list", "domain"):
        bb.RandomisedResponse("x", 1, "ab")
    with refused("privacy.epsilon", "'x'"):
        bb.Exponential("x", 0, ("a", "b"))
    with refused("privacy.distance-hierarchy", "'x'"):
        bb.Exponential("x", 1, ("a", "b"), distance="hierarchy")
    with refused("privacy.distance-hierarchy", "'x'"):
        bb.Exponential("x", 1, CITIES, hierarchy=TREE)
    with refused("privacy.no-place", "'x'", "'Paris'"):
        bb.Exponential("x", 1, ("Manaus", "Paris"), distance="hierarchy", hierarchy=TREE)
    with refused("document.entry-choice", "distance", "near"):
        bb.Exponential("x", 1, ("a", "b"), distance="near")


def test_plans_are_written_and_read_again(tmp_path) -> None:
    plan = bb.Plan(
        [
            bb.RandomisedResponse("r", 1, DOMAIN),
            bb.Exponential("h", 2, CITIES, distance="hierarchy", hierarchy=TREE),
            bb.ExponentialAsPublished("p", 1),
        ]
    )
    plan.save(tmp_path / "plan.yaml")

    assert bb.Plan.load(tmp_path / "plan.yaml") == plan
    assert bb.Plan.load(tmp_path / "plan.yaml").hash == plan.hash


def test_as_published_draws_by_the_frequencies_of_the_data_whatever_the_own_value() -> None:
    values = ["a"] * 30_000 + ["b"] * 10_000
    weights = {"a": exp(8 * 0.75 / 2), "b": exp(8 * 0.25 / 2)}
    chances = {value: weight / sum(weights.values()) for value, weight in weights.items()}
    drawn = released(values, bb.ExponentialAsPublished("x", 8)).to_list()

    assert_follows(drawn[:30_000], chances)
    assert_follows(drawn[30_000:], chances)


def test_as_published_knows_no_value_that_does_not_occur_and_keeps_missing_ones_as_values() -> None:
    drawn = released(["a", None, "a"] * 200, bb.ExponentialAsPublished("x", 1)).to_list()

    assert set(drawn) == {"a", None}
