"""What a plan did is measured, never what it would do another time."""

import stat

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from refusal import refused
from small_tables import SmallTable, criteria_lists, small_tables

import biombo as bb
from biombo._plan import OUTCOME, Outcome
from biombo._utility import NAMES

ROWS = 400
DRAWN = {
    "sample": bb.Sample(0.5),
    "noise": bb.AddNoise("age", 3),
    "swap": bb.Swap(["age"]),
}
DRAW = st.sampled_from(sorted(DRAWN))


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    chance = np.random.default_rng(4)
    ages = chance.geometric(0.08, ROWS) + 20
    return pl.DataFrame({"age": ages, "sex": chance.choice(["F", "M"], ROWS), "disease": chance.integers(0, 5, ROWS)})


def plan_with(*operations: bb.Operation) -> bb.Plan:
    return bb.Plan([*operations, bb.SuppressGroups()], [bb.KAnonymity(4)], ["age", "sex"], ["disease"])


def measured(found: bb.Utility) -> dict[str, float]:
    return {name: getattr(found.measures, name) for name in NAMES}


@pytest.mark.parametrize("drawn", DRAWN)
def test_a_random_plan_is_measured_as_it_came_out(people, drawn) -> None:
    plan = plan_with(DRAWN[drawn])
    applied = bb.apply(people, plan)
    found = bb.utility(people, applied.data, plan=plan, outcome=applied.outcome)
    asked_for = people.height - applied.not_drawn

    assert found.measures.completeness == pytest.approx(applied.rows / asked_for)
    assert measured(found) == measured(bb.utility(people, applied.data, plan=plan, outcome=applied.outcome))


@pytest.mark.parametrize("drawn", DRAWN)
def test_without_its_outcome_what_the_release_does_not_show_is_said_to_be_unknown(people, drawn) -> None:
    plan = plan_with(DRAWN[drawn])
    applied = bb.apply(people, plan)
    found = bb.utility(people, applied.data, plan=plan).measures
    known = set() if drawn == "sample" else {"completeness"}

    assert {name for name in NAMES if getattr(found, name) is not None} == known
    assert found.reasons == dict.fromkeys(set(NAMES) - known, "drawn")
    assert drawn == "sample" or found.completeness == pytest.approx(applied.rows / people.height)


@pytest.mark.parametrize("code", ["en", "pt"])
def test_the_reason_is_told(code) -> None:
    from biombo._utility import worded

    bb.set_language(code)

    assert "outcome" in worded("drawn")


@settings(max_examples=40)
@given(small_tables(), criteria_lists, st.booleans())
def test_of_a_plan_that_draws_nothing_both_say_the_same(table: SmallTable, criteria, masking) -> None:
    group = bb.MaskGroups() if masking else bb.SuppressGroups()
    for ranked in bb.search(table.data, criteria, max_suppression=1, plans=2, **table.options):
        operations = [each for each in ranked.plan.operations if not isinstance(each, bb.SuppressGroups)]
        plan = bb.Plan([*operations, group], ranked.plan.criteria, ranked.plan.quasi, ranked.plan.sensitive)
        try:
            applied = bb.apply(table.data.decoded(), plan)
        except bb.BiomboError:  # nothing is left, or what is masked cannot be hidden
            continue
        again = bb.utility(table.data.decoded(), applied.data, plan=plan)
        known = bb.utility(table.data.decoded(), applied.data, plan=plan, outcome=applied.outcome)

        assert measured(known) == pytest.approx(measured(again))
        assert known.measures.column_loss == pytest.approx(again.measures.column_loss)


@pytest.mark.parametrize("drawn", [None, *DRAWN])
def test_it_adds_up_to_what_is_told_of_the_records(people, drawn) -> None:
    applied = bb.apply(people, plan_with(*([] if drawn is None else [DRAWN[drawn]])))
    total = applied.outcome.total

    assert total.total == people.height
    assert (total.total - total.out, total["suppressed"]) == (applied.rows, applied.suppressed)
    ages = applied.outcome.original["age"]
    records = np.bincount(ages.codes, weights=applied.outcome.original.counts)
    assert dict(zip(ages.values.to_list(), records.tolist(), strict=True)) == dict(people.group_by("age").len().rows())


def test_it_is_kept_in_the_private_folder_and_read_from_there(people, tmp_path) -> None:
    plan = plan_with(bb.Sample(0.5))
    source = tmp_path / "people.parquet"
    people.write_parquet(source)
    release = bb.publish(source, plan, tmp_path / "release", accept={"disease": "a test"})
    file = release.private / OUTCOME
    found = bb.utility(source, release.out / "data.csv", plan=plan, outcome=file)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not (release.out / OUTCOME).exists()
    assert Outcome.load(file).total == release.applied.outcome.total
    assert found.measures.completeness == pytest.approx(release.applied.rows / (ROWS - release.applied.not_drawn))


def test_the_outcome_of_another_plan_or_table_is_refused(people, tmp_path) -> None:
    plan = plan_with()
    applied = bb.apply(people, plan)
    with refused("utility.other-outcome"):
        bb.utility(people, applied.data, plan=plan_with(bb.Sample(0.5)), outcome=applied.outcome)
    with refused("utility.other-outcome"):
        bb.utility(people.head(300), applied.data, plan=plan, outcome=applied.outcome)
    (tmp_path / "no.parquet").write_text("nothing")
    with refused("plan.no-outcome", "no.parquet"):
        bb.utility(people, applied.data, plan=plan, outcome=tmp_path / "no.parquet")
