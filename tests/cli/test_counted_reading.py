"""Commands read a table counted unless single records are asked for, and say the same either way."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

import biombo as bb
from biombo._report import render_search_report

COLUMNS = ("--quasi", "sex,age,city", "--sensitive", "disease", "--json")
COUNTS = ("certain", "found", "not_found", "absent", "unique", "unique_found", "unique_both")


@pytest.fixture
def clinics(tmp_path) -> Path:
    """A table in which every row stands three times."""
    path = tmp_path / "clinics.csv"
    table = bb.samples.clinic()
    table.vstack(table).vstack(table).write_csv(path)
    return path


def test_reading_counted_holds_each_combination_once(clinics, tmp_path) -> None:
    quasi = {"files": [clinics], "quasi": ["sex", "age", "city"], "sensitive": ["disease"]}
    counted = bb.RiskRequest(**quasi).run().data
    by_row = bb.RiskRequest(**quasi, records=["age"], private=tmp_path / "private").run().data
    combinations = bb.samples.clinic().select("sex", "age", "city", "disease").n_unique()
    assert (counted.records, counted.rows) == (36, combinations)
    assert (by_row.records, by_row.counts) == (36, None)


def test_risk_is_the_same_with_and_without_records(biombo, clinics, tmp_path) -> None:
    counted = biombo("risk", clinics, *COLUMNS)
    by_row = biombo("risk", clinics, *COLUMNS, "--records", "age", "--private", tmp_path / "private")
    assert json.loads(counted.out) == json.loads(by_row.out)
    assert (tmp_path / "private" / "records.csv").read_text("utf-8").count("\n") == 37


def test_membership_is_the_same_whether_or_not_people_could_be_counted_once(biombo, clinics, tmp_path) -> None:
    sample = tmp_path / "sample.csv"
    bb.samples.clinic().write_csv(sample)
    asked = ("risk", sample, *COLUMNS, "--population", clinics, "--repeated")
    one, other = (json.loads(biombo(*asked, how).out)["membership"] for how in ("refuse", "count-once"))
    assert (one["sampled"], one["people"]) == (other["sampled"], other["people"]) == (12, 36)
    for ours, theirs in zip(one["subsets"], other["subsets"], strict=True):
        assert ours["posterior"] == pytest.approx(theirs["posterior"])
        assert [ours[key] for key in COUNTS] == [theirs[key] for key in COUNTS]


@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_a_search_and_its_report_are_the_same_on_rows_and_on_combinations(clinics) -> None:
    asked = bb.SearchRequest(
        files=[clinics], quasi=["sex", "age", "city"], sensitive=["disease"], k=7, max_suppression=0.2, explain=True
    )
    columns = ["sex", "age", "city", "disease"]
    counted, by_row = asked.run(), asked.run(bb.read(clinics, columns=columns))
    assert counted.data.counts is not None
    assert by_row.data.counts is None
    assert counted.as_json() == by_row.as_json()
    assert counted.as_json()["records"] == 36
    made_at = datetime(2026, 1, 1, tzinfo=UTC)
    pages = [render_search_report(each.plans, source="clinics", made_at=made_at) for each in (counted, by_row)]
    assert pages[0] == pages[1]
