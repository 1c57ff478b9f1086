"""What was waived cannot be turned into something that is met: not by a claim that was changed, nor by one besides."""

import json

import polars as pl
import pytest
from changed_json import changes
from hand_made_release import content_of, sign_anew, with_claim
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb

NAME = "criterion-waived"
TWO, CLOSE = bb.LDiversity(2, column="ill"), bb.TCloseness(0.05, column="ill")


@pytest.fixture(scope="module")
def published_waiving(tmp_path_factory) -> bb.Release:
    people = pl.DataFrame({"town": list("AAAABBBB"), "ill": [*["flu"] * 4, "flu", "gout", "gout", "gout"]})
    waivers = [
        bb.Waiver(each, reason="the term is signed", accepted_by="Ana", values={"flu": "low", "gout": "low"})
        for each in (TWO, CLOSE)
    ]
    plan = bb.Plan([], [bb.KAnonymity(4)], ["town"], ["ill"], waived=waivers)
    return bb.publish(people, plan, tmp_path_factory.mktemp("waiving") / "release")


@pytest.fixture
def release(published_waiving, copied, tmp_path) -> bb.Release:
    return copied(published_waiving, tmp_path)


def failed(release: bb.Release, **how) -> list[str]:
    return [check.claim for check in bb.verify(release.out, **how).failures]


def met(claim: dict, **changed) -> dict:
    """The same criterion, claimed as met."""
    kept = {name: claim[name] for name in ("criterion", "quasi", "sensitive")}
    return {"claim": "criterion", **kept, "value": None, "kind": "attested", **changed}


def besides(content: dict, *claims: dict) -> dict:
    return {**content, "claims": [*content["claims"], *claims]}


def claims_in(release: bb.Release) -> list[dict]:
    return [claim for claim in content_of(release.out)["claims"] if claim["claim"] == NAME]


def test_it_is_as_it_was_published(release) -> None:
    found = bb.verify(release.out, private=release.private)

    assert found.holds
    assert [check.holds for check in found.checks if check.waived] == [None, None]
    assert "waived" in found._repr_html_()


@pytest.mark.parametrize("kind", ["attested", "recomputable"])
@pytest.mark.parametrize("value", [None, 2.0, 1.0])
def test_a_waived_claim_that_becomes_one_of_being_met_is_refuted_by_the_data(release, kind, value) -> None:
    content = with_claim(content_of(release.out), NAME, lambda claim: met(claim, value=value, kind=kind))
    sign_anew(release.out, content)

    assert failed(release) == ["criterion"]


def test_and_it_shows_by_the_signature_alone(release) -> None:
    path = release.out / "manifest.json"
    path.write_text(path.read_text().replace(NAME, "criterion", 1))

    assert "signature" in failed(release)


@pytest.mark.parametrize("which", [0, 1], ids=["l-diversity", "t-closeness"])
@pytest.mark.parametrize("column", ["ill", None])
def test_what_is_waived_and_claimed_as_met_at_once_fails(release, which, column) -> None:
    """Also where only the original could refute it."""
    claim = claims_in(release)[which]
    ((name, entries),) = claim["criterion"].items()
    asked = {name: {entry: value for entry, value in entries.items() if entry != "column"}}
    if column is not None:
        asked[name] |= {"column": column, "quasi": ["town"]}
    sign_anew(release.out, besides(content_of(release.out), met(claim, criterion=asked)))

    assert NAME in failed(release)


def test_something_else_may_be_met(release) -> None:
    other = {"t-closeness": {"t": 0.9, "column": "ill"}}
    sign_anew(release.out, besides(content_of(release.out), met(claims_in(release)[1], criterion=other)))

    assert failed(release) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda claims: claims[1:],
        lambda claims: claims[:0],
        lambda claims: [*claims, claims[0] | {"criterion": {"leakage": {"max": 0.1, "column": "ill"}}}],
        lambda claims: [claims[0] | {"reason": "another"}, *claims[1:]],
        lambda claims: [claims[0] | {"criterion": {"l-diversity": {"l": 3, "column": "ill"}}}, *claims[1:]],
    ],
)
def test_whoever_has_the_plan_sees_that_the_manifest_tells_something_else(release, change) -> None:
    content = content_of(release.out)
    others = [claim for claim in content["claims"] if claim["claim"] != NAME]
    sign_anew(release.out, {**content, "claims": [*others, *change(claims_in(release))]})

    assert failed(release) == []
    assert failed(release, private=release.private) == ["waivers"]


@pytest.mark.parametrize(
    "change",
    [
        {"criterion": {"k-anonymity": {"k": 4}}},
        {"criterion": {"l-diversity": {"l": 2, "column": "ill", "k": 4}}},
        {"criterion": None},
        {"reason": " "},
        {"reason": None},
        {"value": None},
        {"value": [5]},
        {"quasi": "town"},
        {"further_values": "no"},
        {"kind": "recomputable", "reason": 5},
    ],
)
def test_a_claim_as_no_release_says_it_fails(release, change) -> None:
    sign_anew(release.out, with_claim(content_of(release.out), NAME, lambda claim: claim | change))

    assert len(failed(release)) == 1
    assert {*failed(release)} <= {"unreadable", "unknown"}


def test_what_it_is_marked_as_does_not_make_it_met(release) -> None:
    sign_anew(release.out, with_claim(content_of(release.out), NAME, lambda claim: claim | {"kind": "recomputable"}))

    assert [check.holds for check in bb.verify(release.out).checks if check.waived] == [None, None]


@settings(max_examples=60)
@given(data=st.data())
def test_however_the_claims_are_changed_nobody_reads_that_it_is_met(published_waiving, data, tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("changed")
    for path in published_waiving.out.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    content = content_of(folder)
    changed = data.draw(changes([claim for claim in content["claims"] if claim["claim"] == NAME]))
    others = [claim for claim in content["claims"] if claim["claim"] != NAME]
    try:
        sign_anew(folder, {**content, "claims": [*others, *changed]} if isinstance(changed, list) else content)
    except UnicodeEncodeError:  # what no file can say
        return
    try:
        found = bb.verify(folder)
    except bb.InputError:  # no manifest
        return
    assert all(check.holds is not True for check in found.checks if check.claim == NAME)
    assert json.dumps(found.as_json())
