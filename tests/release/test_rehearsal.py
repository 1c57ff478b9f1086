"""Publishing, rehearsed: what it would come to is known before anything is there."""

from pathlib import Path

import polars as pl
import pytest

import biombo as bb

ROWS = 400
AGES = bb.Hierarchy.by_interval(10)


@pytest.fixture
def people() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [str(20 + number % 40) for number in range(ROWS)],
            "sex": [("F", "M")[number % 2] for number in range(ROWS)],
            "town": [f"T{number // 4}" for number in range(ROWS)],
            "disease": [("flu", "none", "cold")[number % 3] for number in range(ROWS)],
        }
    )


def asked(folder: Path, **more) -> bb.PublishRequest:
    schema = {
        "columns": {
            "age": {"role": "quasi", "hierarchy": AGES.to_tree()},
            "sex": {"role": "quasi", "hierarchy": bb.Hierarchy.all_or_nothing().to_tree()},
            "disease": {"role": "sensitive"},
        },
    }
    told = {"out": str(folder / "release"), "schema": schema, "k": 10, "release_model": "public", "harm": "low"}
    return bb.PublishRequest(**told | more)


def test_what_is_rehearsed_is_what_is_published(people, tmp_path):
    tried = asked(tmp_path).rehearse(people)

    assert tried.holds
    assert list(tmp_path.iterdir()) == []
    tried.rehearsal.plan.save(tmp_path / "plan.yaml")
    release = asked(tmp_path, k=None, plan=str(tmp_path / "plan.yaml")).run(people).release
    assert release.plan.hash == tried.rehearsal.plan.hash
    assert release.decision == tried.rehearsal.decision
    assert release.applied.rows == tried.rehearsal.applied.rows
    utility = tried.rehearsal.utility
    assert utility.measures == bb.utility(people, release.data, plan=release.plan, schema=None).measures


def test_a_risk_above_the_threshold_is_told_and_not_raised(people, tmp_path):
    tried = asked(tmp_path, harm="high").rehearse(people)

    assert not tried.holds
    decision = tried.rehearsal.decision
    assert not decision.allowed
    assert bb.cheapest_change(decision).k == 100
    assert tried.as_json()["cheapest_change"] == str(bb.cheapest_change(decision))
    assert asked(tmp_path, harm="high").run(people).refused is not None


def test_columns_that_tell_too_much_are_told_until_they_are_accepted(people, tmp_path):
    telling = asked(tmp_path, other=["town"]).rehearse(people).rehearsal

    assert telling.telling == ("town",)
    assert len(telling.told()) == len(telling.findings) > 0
    assert not telling.allowed
    accepted = asked(tmp_path, other=["town"], accept_column=["town"], reason="made up").rehearse(people)
    assert accepted.holds


def test_what_nobody_can_accept_is_why_there_is_no_rehearsal(people, tmp_path):
    tried = asked(tmp_path, k=201).rehearse(people)

    assert tried.rehearsal is None or tried.rehearsal.decision.smallest_group >= 201
    hopeless = asked(tmp_path, k=10, l=4).rehearse(people)  # there are three diseases
    assert hopeless.rehearsal is None
    assert hopeless.refused


def test_its_part_says_what_is_lost_without_styles_or_scripts(people, tmp_path):
    part = asked(tmp_path, predict="disease").rehearse(people).rehearsal.part()

    assert part.name == "lost"
    assert "<table" in part.html
    assert "<svg" in part.html
    assert not any(mark in part.html for mark in ("style=", "<script", "<style", "onclick"))
