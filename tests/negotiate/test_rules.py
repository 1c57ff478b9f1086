"""Who may do what in which state: nothing that the table does not allow, and the docs have it as it is."""

import re
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from negotiations import (
    ANA,
    CELIA,
    EVA,
    FABIO,
    OTTO,
    RITA,
    Clock,
    asked,
    begun,
    decades,
    led_to,
    preparation,
    table,
)

import biombo as bb
from biombo._negotiate import (
    ACTS,
    FINDINGS,
    OVER,
    PERMISSIONS,
    STANDS,
    ActorRole,
    acts_allowed,
    always_table,
    diagram,
    fact_of,
    last_moment,
    permission,
    rules_table,
    sentence_of,
)

PAGE = Path(__file__).parents[2] / "docs" / "negotiation.md"
EXAMPLES = {
    "ask-for-more": bb.AskForMore("which year?"),
    "supplement": bb.Supplement("2023"),
    "extend": bb.Extend("many requests"),
    "reject": bb.Reject("not ours"),
    "appeal": bb.Appeal("it is yours"),
    "decide-appeal": bb.DecideAppeal(True, "it is ours"),
    "withdraw": bb.Withdraw(),
    "message": bb.Message("hello"),
    "note": bb.Note("look at age"),
    "accept-terms": bb.AcceptTerms("0" * 64),
    "prepare": preparation(),
    "accept": bb.Accept([decades()]),
    "propose": bb.Propose(k=2),
    "ask-for-plans": bb.AskForPlans(),
    "carry-out": bb.CarryOut(),
    "suggest": bb.Suggest([decades(2)]),
    "set-condition": bb.SetCondition(2, 0.5),
    "answer": bb.Answer(True),
    "decline": bb.Decline("no"),
    "override": bb.Override("the committee wants it"),
    "ask-diversity": bb.AskDiversity(2),
    "waive": bb.Waive(2, "harmless", {"disease": {"flu": "low"}}),
    "give-synonyms": bb.GiveSynonyms({}),
    "send-metrics": bb.SendMetrics(),
    "review": bb.Review(True),
    "write-report": bb.WriteReport(department="Surveillance"),
    "vote": bb.Vote(True, "fine"),
    "make-available": bb.MakeAvailable(),
    "record-visit": bb.RecordVisit("Rita Lima", date(2025, 3, 7), "room 2", "Ana Souza"),
    "revoke": bb.Revoke("it was a mistake"),
}
ACTORS = {"requester": RITA, "manager": ANA, "committee": CELIA, "auditor": EVA, "administrator": FABIO}


@pytest.mark.parametrize(("name", "written"), [("rules", rules_table), ("always", always_table), ("diagram", diagram)])
def test_the_docs_have_the_table_and_the_diagram_as_they_are(name, written):
    """After a change: python tools/write_negotiation_rules.py."""
    found = re.search(f"(?s)<!-- {name} -->\n(.*?)\n<!-- /{name} -->", PAGE.read_text("utf-8"))

    assert found is not None
    assert found[1] == written()


def test_permissions_name_what_there_is():
    known = {kind.name for kind in (*ACTS, *FINDINGS)}

    assert {each.act for each in PERMISSIONS} <= known
    assert len({(each.state, each.role, each.act) for each in PERMISSIONS}) == len(PERMISSIONS)


def test_whoever_has_the_turn_can_do_something_of_their_own():
    for state, stand in STANDS.items():
        if stand.owner is None:
            assert state in OVER
        else:
            own = {*acts_allowed(state, stand.owner)} - {"message", "note", "withdraw", "reject", "override"}
            assert own, state


def test_an_auditor_changes_nothing():
    assert not [each for each in PERMISSIONS if each.role == "auditor"]


@pytest.mark.parametrize(
    "state", ["requested", "manipulations", "applying", "diversity", "utility", "review", "report"]
)
def test_what_the_table_does_not_allow_is_refused_and_leaves_no_trace(tmp_path, state):
    talk = led_to(tmp_path, state)
    before = (talk.folder / "events.jsonl").read_bytes()

    for role, act in product(ACTORS, EXAMPLES.values()):
        if permission(state, role, act.name) is None:
            with pytest.raises(bb.UsageError, match="may not do"):
                talk.act(ACTORS[role], act)
    assert (talk.folder / "events.jsonl").read_bytes() == before
    assert {*ACTORS} == {*get_args(ActorRole)} - {"system"}


def test_another_requester_neither_sees_nor_acts(tmp_path):
    talk, stranger = begun(tmp_path), bb.Actor("requester", "Somebody Else")

    with pytest.raises(bb.UsageError, match="somebody else's"):
        talk.view(stranger)
    with pytest.raises(bb.UsageError, match="somebody else's"):
        talk.act(stranger, bb.Message("hello"))
    with pytest.raises(bb.UsageError, match="sees no negotiations"):
        talk.view(FABIO)


def test_asking_for_more_and_adding_it(tmp_path):
    talk = begun(tmp_path)

    assert talk.act(ANA, bb.AskForMore("which year?")).name == "supplement"
    assert talk.view(RITA).turn.owner == "requester"
    assert talk.act(RITA, bb.Supplement("2023")).name == "requested"


def test_somebody_else_decides_on_an_appeal(tmp_path):
    talk = led_to(tmp_path, "applying")
    talk.act(ANA, bb.Reject("not ours"))
    talk.act(RITA, bb.Appeal("it is yours"))

    with pytest.raises(bb.UsageError, match="Somebody else than who refused"):
        talk.act(ANA, bb.DecideAppeal(False, "no"))
    assert talk.act(OTTO, bb.DecideAppeal(True, "it is ours")).name == "applying"


def test_an_appeal_that_is_not_granted_is_the_end(tmp_path):
    talk = begun(tmp_path)
    for actor, act in ((ANA, bb.Reject("no")), (RITA, bb.Appeal("yes")), (OTTO, bb.DecideAppeal(False, "no"))):
        talk.act(actor, act)

    assert talk.state.name == "refused"
    assert talk.view(RITA).turn.owner is None


def test_days_count_from_when_a_request_came_in(tmp_path):
    """It may wait until its table is found; the chain says both when it came in and when it was begun."""
    clock = Clock()
    came_in = clock.now - timedelta(days=12)
    talk = bb.Negotiation.begin(asked(), table(), home=tmp_path, clock=clock, received=came_in)
    again = bb.Negotiation.load(talk.folder, table(), clock=clock)

    assert again.verify() == []
    assert (again.events[0].at - again.state.began).days == 12
    assert again.view(ANA).turn.due == last_moment(came_in, 20)
    assert came_in.date().isoformat() in sentence_of(again.events[0].fact)
    assert bb.DataRequest.from_tree(again.events[0].fact.request) == asked()


@pytest.mark.parametrize("received", ["yesterday", "2026-03-01", "2026-03-01T10:00:00"])
def test_when_a_request_came_in_is_a_moment_with_its_zone(received):
    with pytest.raises(bb.InputError, match=f"zone: {received}"):
        fact_of({"ask": {"request": asked().to_tree(), "received": received}})


def test_days_pass(tmp_path):
    """LAI gives the agency 20 days and 10 more for a reason, and a requester 10 to appeal."""
    talk = begun(tmp_path)
    began = talk.state.began

    assert (talk.view(ANA).turn.due - began).days == 20
    talk.act(ANA, bb.Extend("many requests"))
    assert (talk.view(ANA).turn.due - began).days == 30
    with pytest.raises(bb.UsageError, match="extended already"):
        talk.act(ANA, bb.Extend("again"))
    talk.act(ANA, bb.Reject("not ours"))
    assert (talk.view(RITA).turn.due - talk.state.since).days == 10
    talk.clock.wait(9)
    assert not talk.expire()
    talk.clock.wait(2)
    assert talk.expire()
    assert talk.state.name == "refused"


def test_a_requester_who_never_answers_lets_it_expire(tmp_path):
    talk = led_to(tmp_path, "manipulations")
    talk.clock.wait(61)

    assert talk.expire()
    assert talk.state.name == "expired"


def test_a_manager_who_never_answers_does_not_end_it(tmp_path):
    talk = led_to(tmp_path, "applying")
    talk.clock.wait(500)

    assert not talk.expire()
