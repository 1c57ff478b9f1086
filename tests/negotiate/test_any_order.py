"""Whatever people do, in any order: only what the table allows happens, and no release fails what it claims."""

import json
import tempfile
from datetime import date
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from negotiations import ANA, CELIA, DAVI, EVA, OTTO, RITA, asked, begun, decades, preparation

import biombo as bb
from biombo._negotiate import State, faults_of, permission, read_chain, terms_of

EVERYBODY = (RITA, ANA, OTTO, CELIA, DAVI, EVA)
ACTS = {
    "prepare": st.builds(preparation, st.integers(2, 4)),
    "ask-for-more": st.just(bb.AskForMore("which year?")),
    "supplement": st.just(bb.Supplement("2023")),
    "accept": st.builds(
        lambda level, share: bb.Accept([decades(level)], share), st.integers(0, 3), st.sampled_from([0.0, 0.5])
    ),
    "propose": st.builds(lambda k: bb.Propose(k=k), st.integers(2, 3)),
    "carry-out": st.builds(lambda k: bb.CarryOut(k=k), st.sampled_from([None, 2, 3])),
    "suggest": st.builds(lambda level: bb.Suggest([decades(level)]), st.integers(1, 3)),
    "set-condition": st.builds(lambda share: bb.SetCondition(2, share), st.sampled_from([0.5, 1.0])),
    "answer": st.builds(bb.Answer, st.booleans()),
    "decline": st.just(bb.Decline("no")),
    "ask-diversity": st.builds(bb.AskDiversity, st.integers(2, 3)),
    "waive": st.just(bb.Waive(3, "harmless", {"disease": {"asthma": "low", "flu": "low", "hiv": "high"}})),
    "give-synonyms": st.just(bb.GiveSynonyms({"disease": {"flu": ["grippe", "influenza"]}})),
    "send-metrics": st.just(bb.SendMetrics()),
    "review": st.builds(bb.Review, st.booleans()),
    "write-report": st.just(bb.WriteReport(department="Surveillance")),
    "vote": st.builds(bb.Vote, st.booleans(), st.just("looked at")),
    "accept-terms": st.just(bb.AcceptTerms(terms_of(asked(), "Health department").hash)),
    "make-available": st.builds(bb.MakeAvailable, st.sampled_from(["download", "view-only", "on-site"])),
    "record-visit": st.just(bb.RecordVisit("Rita Lima", date(2025, 3, 7), "sala 2", "Ana Souza")),
    "revoke": st.just(bb.Revoke("a mistake")),
    "reject": st.just(bb.Reject("not ours")),
    "appeal": st.just(bb.Appeal("it is")),
    "decide-appeal": st.builds(bb.DecideAppeal, st.booleans(), st.just("looked at")),
    "message": st.just(bb.Message("hello")),
}


@st.composite
def steps(draw) -> list[tuple[bb.Actor, str, int]]:
    """Somebody does something; mostly something that is allowed, since else nothing would ever happen."""
    return draw(
        st.lists(st.tuples(st.sampled_from(EVERYBODY), st.sampled_from([*ACTS]), st.integers(0, 9)), max_size=30)
    )


def likely(talk: bb.Negotiation, actor: bb.Actor, name: str, luck: int) -> tuple[bb.Actor, str]:
    """What was drawn, or with much luck what whoever has the turn may do."""
    owner = talk.state.stand.owner
    if luck < 2 or owner is None:
        return actor, name
    who = next((each for each in EVERYBODY if each.role == owner and each.name not in talk.state.votes), actor)
    may = [each for each in ACTS if permission(talk.state.name, who.role, each)]
    forward = [each for each in may if each not in ("message", "reject", "ask-for-more", "accept-terms", "withdraw")]
    return (who, forward[luck % len(forward)]) if forward else (actor, name)


@examples(12)
@given(steps(), st.data(), st.sampled_from([0, 2]))
def test_only_what_the_table_allows_happens(drawn, data, votes):
    with tempfile.TemporaryDirectory() as folder:
        talk = begun(Path(folder), votes=votes)
        for actor, name, luck in drawn:
            actor, name = likely(talk, actor, name, luck)
            _done(talk, actor, data.draw(ACTS[name]))
        _whole(talk)


def _done(talk: bb.Negotiation, actor: bb.Actor, act) -> None:
    before, file = talk.state, talk.folder / "events.jsonl"
    content, allowed = file.read_bytes(), permission(talk.state.name, actor.role, act.name)
    try:
        talk.act(actor, act)
    except bb.BiomboError:
        assert (talk.state, file.read_bytes()) == (before, content)
        return
    assert allowed is not None
    assert file.read_bytes().startswith(content)
    _followed(talk, len(content.splitlines()))
    if talk.state.name == "available" and before.name != "available":
        _sound(talk)


def _followed(talk: bb.Negotiation, already: int) -> None:
    """Each event leads where the table says."""
    for place in range(already, len(talk.events)):
        before, after, event = State.of(talk.events[:place]), State.of(talk.events[: place + 1]), talk.events[place]
        rule = permission(before.name, event.role, event.fact.name)
        if after.name != before.name and rule is not None:
            assert after.name in rule.to, (before.name, event.fact.name, after.name)


def _sound(talk: bb.Negotiation) -> None:
    """The release is what it claims, claims what was agreed, and says what was waived."""
    out, state = talk.view(RITA).release, talk.state
    assert bb.verify(out).holds
    claims = json.loads((out / "manifest.json").read_text())["claims"]
    met = [each["criterion"] for each in claims if each["claim"] == "criterion"]
    assert {"k-anonymity": {"k": state.levels.k}} in met
    waived = state.agreement.waived
    assert any("l-diversity" in each for each in met) == (waived is None)
    assert any(each["claim"] == "criterion-waived" for each in claims) == (waived is not None)
    assert state.terms is not None


def _whole(talk: bb.Negotiation) -> None:
    assert faults_of(read_chain(talk.folder), head=talk.head) == []
    assert bb.Negotiation.load(talk.folder, talk.source.table).state == talk.state


def test_a_way_to_the_end_exists(tmp_path):
    """Else the property above would hold of nothing."""
    talk = begun(tmp_path, votes=2)
    way = (
        (ANA, preparation(3)),
        (RITA, bb.Accept([decades(2)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.AskDiversity(2)),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (ANA, bb.WriteReport(department="Surveillance")),
        (CELIA, bb.Vote(True, "fine")),
        (DAVI, bb.Vote(True, "fine")),
        (RITA, bb.AcceptTerms(terms_of(asked(), "Health department").hash)),
        (ANA, bb.MakeAvailable()),
    )
    for actor, act in way:
        talk.act(actor, act)

    assert talk.state.name == "available"
    _sound(talk)


def test_votes_do_not_see_each_other(tmp_path):
    talk = begun(tmp_path, votes=2)
    for actor, act in (
        (ANA, preparation(3)),
        (RITA, bb.Accept([decades(2)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.AskDiversity(2)),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (ANA, bb.WriteReport(department="Surveillance")),
        (CELIA, bb.Vote(False, "too detailed")),
    ):
        talk.act(actor, act)

    for viewer in (ANA, DAVI, EVA):
        assert "too detailed" not in repr(talk.view(viewer))
        assert not talk.view(viewer).state.votes
    with pytest.raises(bb.UsageError, match="voted already"):
        talk.act(CELIA, bb.Vote(True, "after all"))
    talk.act(DAVI, bb.Vote(True, "fine"))
    assert talk.state.name == "report"  # all must approve
    assert "too detailed" in repr(talk.view(ANA))
