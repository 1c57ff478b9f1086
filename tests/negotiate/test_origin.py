"""A request that starts from a release: its records are found by their trace ids, and the joint risk is measured."""

import json

import polars as pl
import pytest
from negotiations import ANA, RITA, SCHEMA, asked, decades, preparation, table

import biombo as bb


@pytest.fixture
def published(tmp_path):
    """A public release of the table, in which some records are suppressed."""
    table(120).write_parquet(tmp_path / "people.parquet")
    plan = bb.Plan(
        [bb.SuppressRecords({"age": {"below": 21}}), bb.Generalise("age", bb.Hierarchy.by_interval(20), 1)],
        [bb.KAnonymity(5)],
        quasi=["age", "city"],
        sensitive=["disease"],
        identifiers=["name"],
    )
    return bb.publish(tmp_path / "people.parquet", plan, tmp_path / "public")


def begun_from(published, tmp_path, ids=None) -> bb.Negotiation:
    request = asked(origin=bb.RequestOrigin(release=str(published.out), trace_ids=ids))
    return bb.Negotiation.begin(request, tmp_path / "people.parquet", home=tmp_path / "negotiations")


def found(talk: bb.Negotiation):
    return next(each.content for each in talk.view(ANA).said if each.act == "origin-found")


def test_the_records_of_the_release_are_found_checked_and_logged(published, tmp_path):
    talk = begun_from(published, tmp_path)
    talk.act(ANA, preparation())

    assert found(talk) == {"release": published.id, "records": published.applied.rows, "of": 120}
    assert talk.source.records(talk.state) == published.applied.rows < 120
    logged = [json.loads(line) for line in (published.private / "traces.jsonl").read_text().splitlines()]
    assert [(each["who"], each["found"]) for each in logged] == [("Ana Souza", published.applied.rows)]
    assert "origin-found" not in [each.act for each in talk.view(RITA).said]


def test_a_table_cannot_be_composed_record_by_record(published, tmp_path):
    """By whether TG is reached, whoever does that finds out about each."""
    ids = tuple(published.data["trace_id"].to_list())
    talk = begun_from(published, tmp_path, ids[:40])
    with pytest.raises(bb.UsageError, match="all records of a release"):
        talk.act(ANA, preparation())
    talk = begun_from(published, tmp_path, ids)
    talk.act(ANA, preparation())

    again = bb.Negotiation.load(talk.folder)
    assert again.source.records(again.state) == len(ids)
    assert again.state == talk.state


def test_the_joint_risk_is_measured_before_anybody_gets_the_data(published, tmp_path):
    talk = begun_from(published, tmp_path)
    for actor, act in (
        (ANA, preparation()),
        (RITA, bb.Accept([decades(2)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.AskDiversity(2)),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (ANA, bb.WriteReport(department="Surveillance")),
    ):
        talk.act(actor, act)

    assert talk.state.name == "ready"
    joint = talk.view(ANA).state.joint.joint
    assert joint["smallest_joint_group"] <= talk.state.levels.k * 100
    assert joint["records"] == published.applied.rows
    assert talk.view(RITA).release is None
    traced = bb.trace(
        talk.folder / "candidate",
        _ids(talk),
        reason="a test",
        who="Ana",
        private=talk.folder / "candidate.private",
    )
    ages = table(120)["age"].to_list()
    assert all(ages[each.number - 1] != "20" for each in traced.values())


def _ids(talk) -> list[str]:
    return pl.read_csv(talk.folder / "candidate" / "data.csv", infer_schema=False)["trace_id"].to_list()[:20]


def test_a_source_that_is_not_the_one_of_the_release_is_refused(published, tmp_path):
    request = asked(origin=bb.RequestOrigin(release=str(published.out)))
    talk = bb.Negotiation.begin(request, table(119), home=tmp_path / "negotiations")

    with pytest.raises(bb.BiomboError):
        talk.act(ANA, preparation())
    assert talk.state.name == "requested"


def test_ids_that_are_none_are_refused(published, tmp_path):
    talk = begun_from(published, tmp_path, ("0" * 32,))

    with pytest.raises(bb.UsageError, match="no trace id of the release"):
        talk.act(ANA, preparation(schema=SCHEMA))
