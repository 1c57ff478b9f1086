"""What a plan did is measured, never what it would do another time."""

import stat
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from pyarrow import parquet
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
    return bb.Plan([*operations, bb.SuppressGroups()], [bb.LDiversity(3)], ["age", "sex"], ["disease"])


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


def test_the_outcome_of_another_draw_or_of_other_people_is_refused(people) -> None:
    plan = plan_with(bb.Sample(0.5))
    applied, other_draw = bb.apply(people, plan), bb.apply(people, plan)
    others = people.with_columns((pl.col("age") + 1).alias("age"))
    for wrong in (other_draw.outcome, bb.apply(others, plan).outcome):
        with refused("utility.other-outcome"):
            bb.utility(people, applied.data, plan=plan, outcome=wrong)


DAMAGE = {
    "records as amounts": pl.col("records").cast(pl.Float64),
    "records as text": pl.col("records").cast(pl.String),
    "no records": pl.lit(None, pl.Int64).alias("records"),
    "negative": pl.lit(-1, pl.Int64).alias("records"),
    "no fate": pl.lit(None, pl.String).alias("fate"),
    "a fate that there is not": pl.lit("lost").alias("fate"),
    "fates as numbers": pl.lit(1).alias("fate"),
    "other fates": pl.lit("suppressed").alias("fate"),
    "other originals": pl.lit(5, pl.Int64).alias("original age"),
    "other releases": pl.lit(5, pl.Int64).alias("released age"),
    "an original without its name": pl.col("original age").alias("original years"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_outcome_is_refused(people, damage, tmp_path) -> None:
    plan = plan_with()
    applied = bb.apply(people, plan)
    applied.outcome.write(tmp_path / OUTCOME)
    table = parquet.read_table(tmp_path / OUTCOME)
    damaged = pl.DataFrame(table).with_columns(DAMAGE[damage]).to_arrow()
    parquet.write_table(damaged.replace_schema_metadata(table.schema.metadata), tmp_path / OUTCOME)
    with pytest.raises(bb.BiomboError, match="outcome"):
        bb.utility(people, applied.data, plan=plan, outcome=tmp_path / OUTCOME)


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.permutations(["patient", "visit", "age", "city", "disease", "ward"]), st.booleans())
def test_which_duplicate_stays_is_the_same_whenever_it_is_asked(seed, order, kept) -> None:
    chance = np.random.default_rng(seed)
    table = pl.DataFrame(
        {
            "patient": chance.integers(0, 30, 80),
            "visit": chance.permutation(80),
            "age": chance.integers(20, 24, 80),
            "city": chance.choice(["A", "B"], 80),
            "disease": chance.choice(["x", "y"], 80),
            "ward": chance.integers(0, 3, 80),
        }
    )
    identifiers = ["patient", "visit"]
    dropping = [bb.DropDuplicates(["patient"]), bb.SuppressGroups()]
    plan = bb.Plan(dropping, [bb.KAnonymity(2)], ["age", "city"], ["disease"], identifiers)
    keep = ["ward"] if kept else []
    applied, again = bb.apply(table, plan, keep=keep), bb.apply(table.select(order), plan, keep=keep)

    assert sorted(applied.data.rows()) == sorted(again.data.select(applied.data.columns).rows())
    found = bb.utility(table, applied.data, plan=plan)
    assert measured(found) == measured(bb.utility(table, applied.data, plan=plan, outcome=applied.outcome))
    assert found.measures.completeness == pytest.approx(applied.rows / (applied.rows + applied.suppressed))


def test_a_plan_that_gives_another_release_is_not_measured_by_what_it_gives(people) -> None:
    plan = plan_with()
    found = bb.utility(people, bb.apply(people, plan).data.head(100), plan=plan).measures

    assert found.reasons["discernibility"] == "other-release"
    assert (found.discernibility, found.completeness) == (None, 100 / ROWS)


ODD = {
    "text": st.sampled_from(["a", " a", "=1", "-5", "'x", "1", "01", "*", ""]),
    "whole": st.integers(-3, 3),
    "amount": st.sampled_from([0.1, 1.0, -0.0, 1e22, 5e-324, float("nan"), float("inf")]),
    "day": st.sampled_from([date(1999, 12, 31), date(1, 1, 1)]),
    "time": st.sampled_from([datetime(1999, 12, 31), datetime(1970, 1, 1, 0, 0, 0, 1)]),
    "yes": st.booleans(),
}


@settings(max_examples=60)
@given(st.data(), st.sampled_from([".csv", ".parquet"]))
def test_values_of_every_type_are_found_again_in_the_release(drawn, format) -> None:
    kinds = drawn.draw(st.lists(st.sampled_from(sorted(ODD)), min_size=1, max_size=2, unique=True))
    columns = {kind: drawn.draw(st.lists(ODD[kind] | st.none(), min_size=12, max_size=12)) for kind in kinds}
    table = pl.DataFrame(columns, strict=False)
    group = drawn.draw(st.sampled_from([bb.SuppressGroups(), bb.MaskGroups(if_failing="drop")]))
    plan = bb.Plan([group], [bb.KAnonymity(2)], kinds)
    with TemporaryDirectory() as folder:
        out = Path(folder) / f"out{format}"
        try:
            applied = bb.apply(table, plan, out)
        except bb.BiomboError:  # nothing is left
            return
        known = bb.utility(table, out, plan=plan, outcome=applied.outcome)
        again = bb.utility(table, out, plan=plan)

    assert measured(known) == measured(again)
    assert known.measures.completeness == pytest.approx(applied.rows / 12)


def test_the_outcome_knows_the_quasi_columns_that_only_a_schema_named(people) -> None:
    schema = bb.Schema({name: bb.ColumnSchema(role="quasi") for name in ("age", "sex")})
    plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(4)], sensitive=["disease"])
    applied = bb.apply(people, plan, schema=schema)
    known = bb.utility(people, applied.data, plan=plan, schema=schema, outcome=applied.outcome)

    assert measured(bb.utility(people, applied.data, plan=plan, outcome=applied.outcome)) == measured(known)


def test_quasi_columns_that_the_original_lacks_leave_nothing_to_measure() -> None:
    days = [date(2020, 1, 1)] * 8
    table = pl.DataFrame({"came": days, "left": days, "disease": ["x", "y"] * 4})
    plan = bb.Plan([bb.DeriveDuration("came", "left", into="stay")], [bb.KAnonymity(2)], ["stay"], ["disease"])
    applied = bb.apply(table, plan)
    for outcome in (None, applied.outcome):
        found = bb.utility(table, applied.data, plan=plan, outcome=outcome).measures

        assert (found.completeness, found.loss, found.reasons["loss"]) == (1, None, "no-quasi")


@pytest.mark.parametrize("columns", [60, 63, 64, 65, 130])
def test_tables_may_be_wide(columns) -> None:
    chance = np.random.default_rng(1)
    table = pl.DataFrame({f"c{place}": chance.integers(0, 2, 40) for place in range(columns)})
    table = pl.concat([table, table])
    dropping = bb.DropDuplicates(["c0", "c1", "c2"])
    plan = bb.Plan([dropping], quasi=table.columns)
    applied = bb.apply(table, plan)
    known = bb.utility(table, applied.data, plan=plan, outcome=applied.outcome)

    assert applied.rows == table.select("c0", "c1", "c2").n_unique()
    assert measured(known) == measured(bb.utility(table, applied.data, plan=plan))


def test_amounts_may_be_huge() -> None:
    table = pl.DataFrame({"a": [1e200, 2e200, 3e200], "b": [1e200, 3e200, 2e200]})

    assert bb.utility(table, table).release_rows == 3
