"""Noise on groups that fail, from the command line: told before, told afterwards, decided on and put on record."""

from pathlib import Path

import polars as pl
import pytest

import biombo as bb

AGES = bb.Hierarchy.by_interval(10)
BANDS = AGES.domain(1, bounds=(0, 99))
PLAN = bb.Plan(
    [
        bb.Generalise("age", AGES, 1),
        bb.NoiseSmallGroups(3, [bb.RandomisedResponse("age", 1, BANDS)]),
        bb.NoiseUniformGroups(2, bb.RandomisedResponse("disease", 1, ("flu", "gout"))),
    ],
    quasi=["age"],
    sensitive=["disease"],
)
MODEL = ("--release-model", "controlled", "--harm", "medium", "--motivation", "low", "--controls", "high")
SCENARIOS = ("--acquaintances", 0, "--prevalence", 0, "--breach", 0.01)


@pytest.fixture
def given(tmp_path) -> tuple[Path, Path]:
    """A table with two people who are alone in their bands, and a plan."""
    ages = [20 + n % 20 for n in range(60)] + [75, 85]
    pl.DataFrame({"age": ages, "disease": ["flu", "gout"] * 31}).write_csv(tmp_path / "people.csv")
    PLAN.save(tmp_path / "plan.yaml")
    return tmp_path / "people.csv", tmp_path / "plan.yaml"


def test_a_preview_says_that_nothing_is_guaranteed_and_groups_mean_nothing(biombo, given) -> None:
    table, plan = given
    shown = biombo("apply", table, "--plan", plan, "--preview")
    words = " ".join(shown.out.split())

    assert shown.code == 0
    assert "guarantee: none, because which records are noised depends on the data" in words
    assert "how large they are says nothing about how many people are alike" in words


def test_apply_says_for_how_many_records_values_were_drawn(biombo, given, tmp_path) -> None:
    table, plan = given
    applied = biombo("apply", table, "--plan", plan, "--out", tmp_path / "out.csv")
    words = " ".join((applied.out + applied.err).split())

    assert applied.code == 0
    assert "Values of age were drawn anew for 2 records (3.23%): noise on small groups" in words
    assert "guarantee: none" in words


def test_it_is_published_by_its_measured_risk_and_on_record_without_k(biombo, given, tmp_path) -> None:
    table, plan = given
    url, out = f"sqlite:///{tmp_path}/register.db", tmp_path / "release"
    about = ("--department", "Health", "--review", "2027-01-31", "--recipient", "University", "--register", url)
    undecided = biombo("publish", table, "--plan", plan, "--out", out)
    published = biombo("publish", table, "--plan", plan, "--out", out, *MODEL, *SCENARIOS, *about, "--full")
    shown = biombo("register", "show", 1, "--register", url)

    assert undecided.code == 2
    assert "--release-model" in undecided.err
    assert published.code == 0, published.err
    assert "No k is claimed" in " ".join(published.out.split())
    assert bb.Register.open(url).get(1).entry.smallest_group is None
    assert "no k is claimed, and the risk was measured against the truth" in " ".join(
        shown.out.replace("│", " ").split()
    )
    assert biombo("verify", out, "--register", url).code == 0
