"""Process 15: how the data are made available, and what the decision counts on."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from negotiations import ANA, EVA, MODEL, RITA, decades, led_to, preparation

import biombo as bb
from biombo._negotiate import WAYS, fact_of, plain_fact, unkept
from biombo._release import TECHNICAL_CONTROLS, released_rows

VISIT = bb.RecordVisit("Rita Lima", date(2025, 3, 7), "room 2", "Ana Souza")


def ready(tmp_path, *, control=()) -> bb.Negotiation:
    """A release that was reported on, under a model that counts on controls."""
    talk = led_to(tmp_path, "requested")
    model = MODEL | ({"control": list(control)} if control else {})
    steps = (
        (ANA, preparation(model=model)),
        (RITA, bb.Accept([decades(2)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.AskDiversity(2)),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (ANA, bb.WriteReport(department="Surveillance")),
    )
    for actor, act in steps:
        talk.act(actor, act)
    talk.act(RITA, bb.AcceptTerms(talk.view(RITA).terms))
    return talk


@pytest.mark.parametrize("way", WAYS)
def test_the_way_is_in_the_chain_and_the_requester_reads_it(tmp_path, way):
    talk = ready(tmp_path)
    assert talk.view(RITA).way is None

    talk.act(ANA, bb.MakeAvailable(way))

    view = talk.view(RITA)
    assert (view.way, talk.state.way, view.said[-1].content.get("way", "download")) == (way, way, way)
    assert (view.release is not None) == (way in ("download", "encrypted"))
    assert talk.record.released is not None
    talk.act(ANA, bb.Revoke("a mistake"))
    assert (talk.view(RITA).way, talk.view(RITA).release, talk.record.released) == (None, None, None)


def test_a_way_that_nobody_knows_is_refused():
    with pytest.raises(bb.UsageError, match="download, encrypted, view-only, on-site"):
        bb.MakeAvailable("by-pigeon")


def test_a_way_without_what_the_decision_counts_on_needs_a_reason(tmp_path):
    talk = ready(tmp_path, control=["limited-recipients", "view-only"])

    with pytest.raises(bb.UsageError, match=r"view only.*say why"):
        talk.act(ANA, bb.MakeAvailable("download"))
    assert talk.state.name == "ready"
    assert talk.act(ANA, bb.MakeAvailable("view-only")).name == "available"


def test_with_a_reason_it_goes_another_way(tmp_path):
    talk = ready(tmp_path, control=["on-site"])

    assert talk.act(ANA, bb.MakeAvailable("encrypted", message="the room is closed")).name == "available"


def test_no_way_keeps_what_needs_a_curator_and_each_keeps_what_its_name_says():
    for way in WAYS:
        assert "curated-queries" in unkept(TECHNICAL_CONTROLS, way)
        assert way not in unkept(TECHNICAL_CONTROLS, way)
        assert unkept(("subset", "physical"), way) == ()


def test_visits_on_site_are_in_the_chain_for_the_requester_and_the_auditor(tmp_path):
    talk = ready(tmp_path)
    talk.act(ANA, bb.MakeAvailable("on-site"))

    talk.act(ANA, VISIT)

    assert talk.state.visits == (VISIT,)
    for viewer in (RITA, EVA):
        assert talk.view(viewer).said[-1].content["watched-by"] == "Ana Souza"
    assert talk.record.verify() == []
    ahead = bb.RecordVisit("Rita Lima", datetime.now(UTC).date() + timedelta(days=3), "room 2", "Ana Souza")
    with pytest.raises(bb.UsageError, match="must not lie ahead"):
        talk.act(ANA, ahead)
    with pytest.raises(bb.UsageError, match="may not do"):
        talk.act(RITA, VISIT)


def test_visits_need_data_that_are_on_site(tmp_path):
    talk = ready(tmp_path)
    talk.act(ANA, bb.MakeAvailable("view-only"))

    with pytest.raises(bb.UsageError, match="on site only"):
        talk.act(ANA, VISIT)


def test_a_visit_is_the_same_when_it_is_read_again():
    assert fact_of(json.loads(json.dumps(plain_fact(VISIT)))) == VISIT


def test_rows_of_a_release_are_read_by_place(tmp_path):
    talk = ready(tmp_path)
    talk.act(ANA, bb.MakeAvailable("view-only"))
    folder = talk.record.released
    assert folder is not None
    whole = released_rows(folder, 0, 10**6)

    assert whole.total == len(whole.rows) > 4
    assert "name" not in whole.columns
    some = released_rows(folder, 2, 2)
    assert (some.rows, some.total, some.columns) == (whole.rows[2:4], whole.total, whole.columns)
    assert released_rows(folder, whole.total, 5).rows == ()
