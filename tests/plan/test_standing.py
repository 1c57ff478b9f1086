"""A plan that was found on one table, judged on the next."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._cli import main

CITIES = bb.Hierarchy.by_hand({"*": {"north": ["Acre", "Amapá"], "south": ["Paraná"]}})


def found(**options) -> bb.Plan:
    """The plan of a search on the first month."""
    first = pl.DataFrame({"age": ["31", "34", "36", "38"] * 5, "city": ["Acre", "Amapá", "Acre", "Paraná"] * 5})
    asked = {"age": bb.Hierarchy.by_interval(10), "city": CITIES}
    return bb.search(
        bb.read(first), bb.KAnonymity(5), quasi=["age", "city"], hierarchies=asked, max_suppression=0.1, **options
    )[0].plan


def month(ages: list[str], cities: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"age": ages, "city": cities})


GOOD = month(["32"] * 6 + ["35"] * 6, ["Acre"] * 6 + ["Paraná"] * 6)
THIN = month(["32"] * 6 + ["75"] * 6, ["Acre"] * 6 + ["Paraná"] * 4 + ["Acre"] * 2)
NEW = month(["32"] * 6 + ["35"] * 6, ["Acre"] * 6 + ["Natal"] * 6)
NEW_AND_THIN = month(["32"] * 6 + ["35"] * 3 + ["old"] * 3, ["Acre"] * 6 + ["Natal"] * 6)


@pytest.fixture
def plan(tmp_path: Path) -> bb.Plan:
    return found(bounds={"age": 1, "city": 1})


def test_a_plan_holds_on_a_month_like_its_own(plan: bb.Plan) -> None:
    stands = bb.standing(GOOD, plan)
    assert stands.holds
    assert (stands.out, stands.records, stands.limit) == (0, 12, 1)


def test_too_much_suppression_is_said_with_the_remedy(plan: bb.Plan) -> None:
    stands = bb.standing(THIN, plan)
    assert not stands.holds
    assert stands.out == 6
    lines = list(stands.lines())
    assert "does not hold" in lines[0]
    assert "6 of 12 records" in lines[1]
    assert "at most 1 may be" in lines[1]
    assert lines[-1].startswith("Search for a plan for this table")


def test_values_that_a_hierarchy_does_not_know_are_named_with_what_would_help(plan: bb.Plan) -> None:
    stands = bb.standing(NEW, plan)
    assert not stands.holds
    assert list(stands.unknown) == ["city"]
    assert "'Natal' × 6" in str(stands.unknown["city"])
    assert "it would hold" in list(stands.lines())[-1]
    with pytest.raises(bb.ColumnError, match="Natal"):
        bb.apply(NEW, plan)


def test_all_columns_with_unknown_values_are_named_at_once(plan: bb.Plan) -> None:
    stands = bb.standing(NEW_AND_THIN, plan)
    assert set(stands.unknown) == {"age", "city"}
    assert "Also with a branch of its own" in list(stands.lines())[-1]


def test_groups_with_levels_of_their_own_are_formed_anew_and_judged(tmp_path: Path) -> None:
    columns = [bb.RecodedColumn("age", bb.Hierarchy.by_interval(10)), bb.RecodedColumn("city", CITIES)]
    plan = bb.Plan([bb.RecodeLocally(columns)], [bb.KAnonymity(5)], quasi=["age", "city"])
    assert bb.standing(THIN, plan).holds
    stands = bb.standing(NEW, plan)
    assert not stands.holds
    assert [*stands.unknown] == ["city"]
    assert stands.meets_criteria  # with a branch of their own


def test_where_nothing_is_suppressed_more_suppression_is_not_advised() -> None:
    few = month(["31", "45"], ["Acre", "Paraná"])
    locally = bb.RecodeLocally([bb.RecodedColumn("age", bb.Hierarchy.by_interval(10))])
    stands = bb.standing(few, bb.Plan([locally], [bb.KAnonymity(5)], quasi=["age"], max_suppression=0))
    verdict, *reasons = stands.lines()

    assert verdict.startswith("The plan does not hold on")
    assert [line for line in reasons if "suppress" in line] == []
    assert reasons[-1] == "Search for a plan for this table (biombo.search)."


def test_a_plan_without_criteria_cannot_be_judged() -> None:
    with pytest.raises(bb.UsageError, match="no criteria"):
        bb.standing(GOOD, bb.Plan(quasi=["age"]))


def test_nothing_left_is_no_plan_that_holds(plan: bb.Plan) -> None:
    stands = bb.standing(month(["31", "45"], ["Acre", "Paraná"]), plan)
    assert not stands.holds
    assert stands.refused is not None


values = st.lists(st.tuples(st.integers(18, 60), st.sampled_from(["Acre", "Amapá", "Paraná", "Natal"])), min_size=1)
PLAN = found(bounds={"age": 1, "city": 1})


@settings(max_examples=30)
@given(values)
def test_it_holds_exactly_where_applying_succeeds(people: list[tuple[int, str]]) -> None:
    table = month([str(age) for age, _ in people], [city for _, city in people])
    stands = bb.standing(table, PLAN)
    try:
        applied = bb.apply(table, PLAN)
    except (bb.SuppressionError, bb.ColumnError):
        assert not stands.holds
    else:
        assert stands.holds == applied.holds
        assert stands.out == applied.suppressed


@pytest.mark.parametrize(
    ("lang", "holds", "fails", "remedy"),
    [
        ("en", "The plan holds on next.csv.", "The plan does not hold on next.csv.", "Search for a plan"),
        ("pt", "O plano serve para next.csv.", "O plano não serve para next.csv.", "Busque um plano para esta tabela"),
    ],
)
def test_the_command_says_the_verdict_first_and_writes_only_what_holds(
    plan: bb.Plan, tmp_path: Path, capsys, lang: str, holds: str, fails: str, remedy: str
) -> None:
    (file := tmp_path / "plan.yaml").write_text(plan.to_yaml(), encoding="utf-8")
    table, out = tmp_path / "next.csv", tmp_path / "out.csv"
    typed = ["apply", str(table), "--plan", str(file), "--judge", "--lang", lang]
    GOOD.write_csv(table)
    assert main(typed) == 0
    assert capsys.readouterr().out.startswith(holds)
    assert not out.exists()
    assert main([*typed, "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith(holds)
    assert len(out.read_text("utf-8").splitlines()) == 13
    out.unlink()
    THIN.write_csv(table)
    assert main([*typed, "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith(fails)
    assert remedy in said.out
    assert said.err.strip() in ("Nothing was written.", "Nada foi gravado.")
    assert not out.exists()
    assert main([*typed, "--preview"]) == 2
