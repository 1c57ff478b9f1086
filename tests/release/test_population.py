"""Releases whose criteria are counted in a table of the population: what goes out, and what can be proved by whom."""

import json
import random
from pathlib import Path

import polars as pl
import pytest
from refusal import refused

import biombo as bb

chance = random.Random(5)
CENSUS = pl.DataFrame(
    {
        "age": [str(chance.randrange(20, 60)) for _ in range(1200)],
        "city": [chance.choice("ABBBCCC") for _ in range(1200)],
        "disease": [chance.choice(["flu", "gout", "colic"]) for _ in range(1200)],
        "study": [chance.choice("ynn") for _ in range(1200)],
    }
)
STUDY = CENSUS.filter(pl.col("study") == "y").drop("study")
PLAN = bb.Plan(
    [bb.Generalise("age", bb.Hierarchy.by_interval(10), 1), bb.SuppressGroups()],
    [bb.KMap(30), bb.Presence(0.35), bb.Absence(1.0)],
    quasi=["age", "city"],
    sensitive=["disease"],
)


def looks(table: pl.DataFrame) -> pl.DataFrame:
    """How many records show the same decade and city, counted by nothing of Biombo's."""
    decade = pl.col("age").str.slice(0, 1)
    return table.group_by(decade.alias("decade"), "city").len()


def decades(released: pl.DataFrame) -> pl.DataFrame:
    return released.with_columns(age=pl.col("age").str.slice(1, 1) + "0")


@pytest.fixture(scope="module")
def release(tmp_path_factory) -> bb.Release:
    return bb.publish(STUDY, PLAN, tmp_path_factory.mktemp("population") / "release", population=CENSUS)


def details(found: bb.Verification) -> list[str]:
    return [check.detail for check in found.checks if check.claim == "criterion"]


def test_all_and_only_the_groups_that_fail_are_dropped(release: bb.Release) -> None:
    beside = looks(STUDY).join(looks(CENSUS), on=["decade", "city"], suffix="_there")
    meets = beside.filter((pl.col("len_there") >= 30) & (pl.col("len") / pl.col("len_there") <= 0.35))
    assert 0 < meets.height < beside.height

    released = looks(decades(pl.read_csv(release.out / "data.csv", infer_schema=False)))

    order = ["decade", "city"]
    assert released.sort(order).rows() == meets.select(*order, "len").sort(order).rows()


def test_without_the_population_it_can_only_be_believed(release: bb.Release) -> None:
    for known in ({}, {"private": release.private}):
        found = bb.verify(release.out, **known)
        assert found.holds
        assert all("only a table of the population shows it" in each for each in details(found))


def test_with_the_population_and_the_plan_it_is_recomputed(release: bb.Release, tmp_path: Path) -> None:
    CENSUS.write_parquet(tmp_path / "census.parquet")
    found = bb.verify(release.out, private=release.private, population=tmp_path / "census.parquet")
    fewer = pl.concat([STUDY.select("age", "city"), CENSUS.select("age", "city")[:100]])

    assert found.holds
    assert all(", as claimed, by age, city." in each for each in details(found))
    assert not bb.verify(release.out, private=release.private, population=fewer).holds
    with refused("release.population-private"):
        bb.verify(release.out, population=CENSUS)


def test_nothing_of_the_population_is_in_the_release(release: bb.Release) -> None:
    """A population with others in it than people of the table makes the same release, but for what is drawn."""
    strangers = pl.DataFrame({"age": ["97"] * 40, "city": ["Xapuri"] * 40})
    twin = pl.concat([CENSUS.select("age", "city"), strangers])
    other = bb.publish(STUDY, PLAN, release.out.parent / "twin", population=twin, title=release.out.name)

    told = [json.loads((each.out / "manifest.json").read_text())["claims"] for each in (release, other)]
    of_criteria = [[claim for claim in claims if claim["claim"] == "criterion"] for claims in told]
    assert of_criteria[0] == of_criteria[1]
    assert all(claim["value"] is None and claim["kind"] == "attested" for claim in of_criteria[0])
    everything = b"".join(path.read_bytes() for path in other.out.rglob("*") if path.is_file())
    assert b"Xapuri" not in everything


def test_people_are_counted_and_then_nobody_else_can_recompute_it(tmp_path: Path) -> None:
    named = STUDY.with_columns(person=pl.int_range(pl.len()).cast(pl.String))
    people = bb.Plan(PLAN.operations, [bb.KMap(30)], quasi=PLAN.quasi, sensitive=PLAN.sensitive, person="person")
    made = bb.publish(pl.concat([named, named]), people, tmp_path / "release", population=CENSUS)

    found = bb.verify(made.out, private=made.private, population=CENSUS)

    assert found.holds
    assert all("only a table of the population shows it" in each for each in details(found))


def test_a_prediction_cannot_be_judged_on_parts(tmp_path: Path) -> None:
    with refused("release.predict-population", "predict=..."):
        bb.publish(STUDY, PLAN, tmp_path / "release", population=CENSUS, predict="disease")
