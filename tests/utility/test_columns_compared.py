"""The distance of each column, at the level of detail that the release has."""

from dataclasses import replace
from datetime import date

import numpy as np
import plain_utility
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._utility import ColumnDistance

TENS = bb.Hierarchy.by_interval(10)


def distance(before: list[object], after: list[object], *operations: bb.Operation, **column: object) -> ColumnDistance:
    schema = bb.Schema({"x": bb.ColumnSchema(**column)}) if column else None  # type: ignore[arg-type]
    plan = bb.Plan(operations) if operations else None
    found = bb.utility(pl.DataFrame({"x": before}), pl.DataFrame({"x": after}), plan=plan, schema=schema)
    return found.distances[0]


@given(*[st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=12)] * 2)
def test_categories_are_compared_by_their_shares(before: list[str], after: list[str]) -> None:
    after = [value for value in after if value in before] or before[:1]
    found = distance(before, after)

    assert found.total_variation == pytest.approx(plain_utility.total_variation(before, after), abs=1e-9)
    assert found.hellinger == pytest.approx(plain_utility.hellinger(before, after), abs=1e-7)
    assert (found.earth_movers, found.reasons) == (None, ("not-ordered",))


@given(*[st.lists(st.integers(0, 9), min_size=1, max_size=12)] * 2)
def test_amounts_are_compared_by_how_far_they_moved_as_well(before: list[int], after: list[int]) -> None:
    found = distance(before, after, type="discrete")

    assert found.total_variation == pytest.approx(plain_utility.total_variation(before, after), abs=1e-9)
    assert found.earth_movers == pytest.approx(plain_utility.earth_movers(before, after), abs=1e-9)
    reach = max(before) - min(before)
    assert found.earth_movers_share == (pytest.approx(found.earth_movers / reach) if reach else None)


def test_the_original_is_generalised_before_it_is_compared() -> None:
    found = distance(["31", "37", "42", "48"], ["[30, 40)", "[40, 50)"], bb.Generalise("x", TENS, 1), type="discrete")

    assert (found.total_variation, found.earth_movers, found.generalised) == (0, 0, True)


def test_a_generalised_value_lies_where_the_original_ones_do_on_average() -> None:
    found = distance(["31", "37", "42", "48"], ["[40, 50)"], bb.Generalise("x", TENS, 1), type="discrete")

    assert found.total_variation == 0.5
    assert found.earth_movers == pytest.approx((45 - 34) / 2)


def test_without_the_plan_a_generalised_column_is_not_compared() -> None:
    found = distance(["31", "37"], ["[30, 40)", "[30, 40)"], type="discrete")

    assert (found.total_variation, found.earth_movers, found.reasons) == (None, None, ("other-detail",))


def test_masked_values_are_values_but_have_no_place() -> None:
    found = distance(["1", "2", "3", "3"], ["1", "*", "*", "3"], type="discrete")

    assert found.total_variation == 0.5
    assert found.unplaced == 0.5
    assert found.earth_movers == pytest.approx(plain_utility.earth_movers([1, 2, 3, 3], [1, 3]))


def test_ends_that_are_coded_lie_where_the_original_ones_do() -> None:
    ages = ["20", "60", "90", "100"]
    plan = bb.TopBottomCode("x", top=90)

    assert distance(ages, ["20", "60", "≥ 90", "≥ 90"], plan, type="discrete").earth_movers == 0
    assert distance(ages, ["≥ 90"] * 4, plan, type="discrete").earth_movers == pytest.approx((75 + 35) / 4)


def test_rounded_numbers_are_compared_with_the_original_ones() -> None:
    found = distance([1, 4, 6], [0, 5, 5], bb.Round("x", 5), type="discrete")

    assert found.earth_movers == pytest.approx(1)
    assert not found.generalised


def test_noisy_numbers_that_are_never_equal_are_compared_in_intervals() -> None:
    random = np.random.default_rng(0)
    before = random.normal(0, 1, 2000)
    near, far = before + random.normal(0, 0.01, 2000), before + 3

    assert distance(before.tolist(), near.tolist()).total_variation < 0.05
    assert distance(before.tolist(), far.tolist()).total_variation > 0.8


def test_values_that_the_schema_calls_invalid_are_no_amounts() -> None:
    found = distance(["1", "2", "999"], ["1", "2", "2"], type="discrete", invalid=frozenset({"999"}))

    assert found.earth_movers < 1


def test_dates_are_moved_by_days() -> None:
    found = distance([date(2024, 1, 1), date(2024, 1, 3)], [date(2024, 1, 3), date(2024, 1, 3)])

    assert found.earth_movers == 1


def test_synonyms_are_one_value() -> None:
    table = pl.DataFrame({"city": ["A"] * 4, "illness": ["flu", "flu", "gout", "gout"]})
    plan = bb.Plan(
        [bb.Diversify("illness", {"flu": ["grippe", "influenza"]}, groups_below=3, missing="leave")],
        quasi=["city"],
        sensitive=["illness"],
    )
    release = table.with_columns(illness=pl.Series(["flu", "influenza", "gout", "gout"]))

    found = bb.utility(table, release, plan=plan)

    assert (found.distances[1].total_variation, found.distances[1].generalised) == (0, False)


def test_identifiers_are_not_compared(people: pl.DataFrame, plan: bb.Plan) -> None:
    found = bb.utility(people, people, plan=plan)

    assert [each.column for each in found.distances] == ["age", "sex", "cost", "dose"]
    assert found.removed == ()


def test_a_plan_that_is_not_the_one_of_the_release_is_noticed(people: pl.DataFrame, plan: bb.Plan) -> None:
    found = bb.utility(people, people.with_columns(sex=pl.lit("?")), plan=plan)

    assert found.distances[1].reasons == ("other-plan",)
    with refused("utility.not-of-plan", "sex"):
        bb.utility(people, people, plan=bb.Plan([bb.SuppressColumn("sex")]))


def test_new_values_of_a_column_that_is_no_longer_true_are_compared() -> None:
    found = distance(["a", "a", "b"], ["c", "a", "b"], bb.RandomisedResponse("x", epsilon=1, domain=("a", "b", "c")))

    assert found.total_variation == pytest.approx(1 / 3)


def test_numbers_are_alike_however_they_are_written() -> None:
    assert distance(["1", "2,50"], ["1,0", "2,5"], type="continuous").total_variation == 0


def test_pseudonyms_are_not_compared_and_need_no_key(people: pl.DataFrame, plan: bb.Plan) -> None:
    keyed = bb.Pseudonymise("cost", "keyed", key="0" * 16, dataset="made up")
    pseudonymised = replace(plan, operations=(keyed, *plan.operations))

    found = bb.utility(people, bb.apply(people, plan).data, plan=pseudonymised, predict="dose", folds=2, seed=0)

    assert [each.column for each in found.distances] == ["age", "sex", "dose"]
    assert found.plan_hash == pseudonymised.hash
    assert found.classification is not None
    assert found.classification.for_new_records.tree > 0.95


def test_groups_may_be_counted_in_people(people: pl.DataFrame, plan: bb.Plan) -> None:
    by_person = replace(plan, identifiers=(), person="name")

    assert bb.utility(people, people, plan=by_person).measures == bb.utility(people, people, plan=plan).measures
