"""Who is who: namesakes are told apart by ids, and nobody takes two parts that control each other."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from negotiations import (
    ANA,
    CELIA,
    COLUMNS,
    DAVI,
    MODEL,
    OTTO,
    REQUESTER,
    RITA,
    SCHEMA,
    Clock,
    asked,
    begun,
    decades,
    led_to,
    preparation,
    table,
)

import biombo as bb

RITA_7, RITA_8 = bb.Actor("requester", "Rita Lima", id="7"), bb.Actor("requester", "Rita Lima", id="8")


def with_id(home: Path, id_: str = "7", **agency: object) -> bb.Negotiation:
    """A negotiation of a requester with an id."""
    request = asked(requester=replace(REQUESTER, id=id_))
    return bb.Negotiation.begin(request, table(), home=home, agency=bb.Agency("A", **agency), clock=Clock())  # type: ignore[arg-type]


def test_a_namesake_with_another_id_sees_and_does_nothing(tmp_path: Path) -> None:
    talk = with_id(tmp_path)
    talk.act(ANA, preparation())
    for stranger in (RITA_8, RITA):
        with pytest.raises(bb.UsageError, match="somebody else's"):
            talk.view(stranger)
        with pytest.raises(bb.UsageError, match="somebody else's"):
            talk.act(stranger, bb.Accept([decades(2)]))
    talk.act(RITA_7, bb.Accept([decades(2)]))
    assert talk.act(bb.Actor("requester", "Rita Lima Souza", id="7"), bb.Message("married")).name == "applying"


def test_an_id_is_part_of_what_is_committed_to(tmp_path: Path) -> None:
    talk = with_id(tmp_path)
    talk.act(RITA_7, bb.Message("hello"))
    file = talk.folder / "events.jsonl"
    assert bb.Negotiation.load(talk.folder, table()).events[-1].actor == RITA_7
    file.write_text(file.read_text().replace('"actor-id": "7"', '"actor-id": "8"', 1))
    assert [fault.number for fault in talk.verify()] == [1]


def test_two_namesakes_of_the_committee_both_vote_and_each_once(tmp_path: Path) -> None:
    first, second = bb.Actor("committee", "Ana Souza", id="1"), bb.Actor("committee", "Ana Souza", id="2")
    talk = led_to(tmp_path, "report", votes=2)
    talk.act(bb.Actor("manager", "Otto Reis", id="3"), bb.WriteReport("d"))
    with pytest.raises(bb.UsageError, match="does not vote"):
        talk.act(first, bb.Vote(True, "Ana without an id was manager"))
    talk = with_id(tmp_path / "ids", votes=2)
    ana = bb.Actor("manager", "Ana Souza", id="9")
    talk.act(ana, bb.Prepare(COLUMNS, SCHEMA, MODEL, k=3))
    talk.act(RITA_7, bb.Accept([decades(2)]))
    for actor, act in (
        (ana, bb.CarryOut()),
        (ana, bb.AskDiversity(2)),
        (ana, bb.SendMetrics()),
        (RITA_7, bb.Review(True)),
        (ana, bb.WriteReport("d")),
        (first, bb.Vote(True, "fine")),
    ):
        talk.act(actor, act)  # type: ignore[arg-type]
    assert talk.view(first).state.votes == {"Ana Souza": True}
    assert talk.view(second).state.votes == {} == talk.view(ana).state.votes
    assert [each.act for each in talk.view(second).said].count("vote") == 0
    with pytest.raises(bb.UsageError, match="voted already"):
        talk.act(first, bb.Vote(True, "again"))
    with pytest.raises(bb.UsageError, match="does not vote"):
        talk.act(bb.Actor("committee", "Somebody", id="9"), bb.Vote(True, "my own"))
    assert talk.act(second, bb.Vote(True, "fine")).name == "ready"


def test_whoever_asked_takes_no_other_part(tmp_path: Path) -> None:
    talk = begun(tmp_path)
    for role in ("manager", "committee", "auditor", "administrator"):
        rita = bb.Actor(role, "rita  LIMA")  # type: ignore[arg-type]
        with pytest.raises(bb.UsageError, match="no other part"):
            talk.view(rita)
        with pytest.raises(bb.UsageError, match="no other part"):
            talk.act(rita, preparation())
        with pytest.raises(bb.UsageError, match="no other part"):
            talk.values_below(rita, 2)
    talk = with_id(tmp_path / "ids")
    assert talk.act(bb.Actor("manager", "Rita Lima", id="8"), preparation()).name == "manipulations"


def test_a_manager_of_a_request_does_not_vote_on_it(tmp_path: Path) -> None:
    talk = led_to(tmp_path, "report", votes=2)
    talk.act(OTTO, bb.WriteReport("d"))
    for manager in (ANA, OTTO):
        with pytest.raises(bb.UsageError, match="does not vote"):
            talk.act(bb.Actor("committee", manager.name), bb.Vote(True, "fine"))
    talk.act(CELIA, bb.Vote(True, "fine"))
    assert talk.act(DAVI, bb.Vote(True, "fine")).name == "ready"


def test_the_one_who_refused_is_known_by_the_id(tmp_path: Path) -> None:
    talk = with_id(tmp_path)
    talk.act(bb.Actor("manager", "Ana Souza", id="1"), bb.Reject("no"))
    talk.act(RITA_7, bb.Appeal("please"))
    with pytest.raises(bb.UsageError, match="Somebody else"):
        talk.act(bb.Actor("manager", "Ana S.", id="1"), bb.DecideAppeal(True, "fine"))
    assert talk.act(bb.Actor("manager", "Ana Souza", id="2"), bb.DecideAppeal(True, "fine")).name == "requested"


def test_another_document_under_the_same_id_has_the_same_measurements(tmp_path: Path) -> None:
    for document in ("123.456.789-09", "MG-22.333.444"):
        request = asked(requester=replace(REQUESTER, id="7", document=document))
        talk = bb.Negotiation.begin(request, table(), home=tmp_path, clock=Clock())
        talk.act(ANA, preparation())
        before = talk.view(RITA_7).measurements_left
        talk.act(RITA_7, bb.Accept([decades(1 if document.startswith("1") else 2)]))
        assert talk.view(RITA_7).measurements_left == before - 1
    assert before == 29


def test_an_appeal_is_possible_until_its_day_is_over(tmp_path: Path) -> None:
    """In Brasília, where it ends three hours after that of the clock."""
    for moment, is_late in (("2026-03-12T12:30", False), ("2026-03-13T02:59", False), ("2026-03-13T03:00", True)):
        talk = begun(tmp_path / moment.replace(":", "-"))
        talk.act(ANA, bb.Reject("no"))
        talk.clock.now = datetime.fromisoformat(f"{moment}+00:00")  # type: ignore[attr-defined]
        assert is_late or not talk.expire()
        if is_late:
            with pytest.raises(bb.UsageError, match="An appeal was possible until 2026-03-12"):
                talk.act(RITA, bb.Appeal("please"))
        else:
            assert talk.act(RITA, bb.Appeal("please")).name == "appealed"
