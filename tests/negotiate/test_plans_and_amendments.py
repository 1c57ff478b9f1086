"""Which manipulations would do, who asked for what, and what an amendment adds."""

import os
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from negotiations import ANA, MODEL, REQUESTER, RITA, asked, begun, decades, led_to, preparation, table

import biombo as bb
from biombo._i18n import speaking
from biombo._negotiate import Offer


def test_the_requester_is_told_which_manipulations_would_do(tmp_path):
    talk = led_to(tmp_path, "manipulations")
    talk.act(RITA, bb.AskForPlans(weights={"city": 4}))

    first, *_ = talk.view(RITA).plans
    assert first["levels"] == {"age": 1, "city": 0}
    assert first["labels"]["age"]
    assert (first["suppressed"], first["loss"]) == (None, None)  # 60 records are too few for shares
    assert talk.state.name == "manipulations"
    assert "plan" not in first
    exact, *_ = talk.best_plans(ANA)
    assert exact["levels"] == {"age": 1, "city": 0}
    assert bb.Plan.from_tree(exact["plan"]).criteria == (bb.KAnonymity(3),)
    with pytest.raises(bb.UsageError, match="Only a manager"):
        talk.best_plans(RITA)


def test_bounds_of_the_requester_hold(tmp_path):
    talk = led_to(tmp_path, "manipulations")
    talk.act(RITA, bb.AskForPlans(bounds={"age": [None, 1]}, max_suppression=0.0))

    assert all(each["levels"]["age"] <= 1 for each in talk.view(RITA).plans)


def test_every_offer_says_who_asked_for_what(tmp_path):
    talk = led_to(tmp_path, "applying")
    talk.act(ANA, bb.Suggest([decades(3)], message="by forty years"))
    talk.act(RITA, bb.Accept([decades(3)]))

    (asked,) = talk.offers[-1].asked_by
    assert "age" in asked[0]
    assert asked[1] == "manager"
    assert talk.offers[1].asked_by[0][1] == "requester"


def test_who_asked_for_what_is_told_in_the_language_of_whoever_reads(tmp_path):
    talk = led_to(tmp_path, "diversity")
    told = {}
    for language in ("en", "pt"):
        bb.set_language(language)
        told[language] = talk.offers[-1].asked_by[0][0]
    bb.set_language("en")
    assert told["en"].startswith("age: generalisation")
    assert told["pt"].startswith("age: generalização")


@pytest.mark.parametrize("public", ["", "only bands of ages"])
def test_reasons_stay_in_the_agency_and_public_files_have_the_public_one(tmp_path, public):
    model = MODEL | {"harm": "high", "motivation": "high", "controls": "low", "breach": 0.9}
    talk = begun(tmp_path)
    everything = {"disease": dict.fromkeys(("asthma", "flu", "hiv"), "high")}
    for actor, act in (
        (ANA, preparation(3, model=model)),
        (RITA, bb.Accept([decades(2)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.Waive(2, "José Jatobá is known anyway", everything, public_reason=public)),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (ANA, bb.Override("Josefa Jatobá has insisted", public_reason=public)),
        (ANA, bb.WriteReport("Surveillance")),
        (RITA, bb.AcceptTerms(talk.view(RITA).terms)),
        (ANA, bb.MakeAvailable()),
    ):
        talk.act(actor, act)
    release = talk.view(RITA).release
    files = {path.name: path.read_text() for path in release.iterdir()}
    assert not [name for name, content in files.items() if "Jatobá" in content]
    told = public or "The publisher keeps the reason"
    assert [told in files[name] for name in ("manifest.json", "README.txt", "report.html")] == [True] * 3
    dialogue = (release.parent / "available.private" / "dialogue.html").read_text()
    assert "José Jatobá" in dialogue
    assert "Josefa Jatobá" in dialogue


def test_a_public_reason_is_as_short_as_public_files_have_it():
    with pytest.raises(bb.UsageError, match="public_reason"):
        bb.Waive(2, "fine", public_reason="x" * 2001)
    with pytest.raises(bb.UsageError, match="public_reason"):
        bb.Override("fine", public_reason="x" * 2001)


def test_offers_stand_side_by_side(tmp_path):
    talk = led_to(tmp_path, "diversity")
    compared = talk.compared()

    assert compared["offer"].to_list() == [1, 2]
    assert compared["groups_below"].to_list()[1] == 0 < compared["groups_below"].to_list()[0]


def test_offers_can_be_held_beside_plans(tmp_path):
    """What an offer loses once its small groups are suppressed is what a plan of the same levels loses."""
    alike = [table(1)] * 9  # a plan that drops everybody is none
    talk = led_to(tmp_path, "manipulations", data=pl.concat([table(61), *alike]))
    offered = talk.offers[-1].measured
    allowed = talk.best_plans(ANA, bb.AskForPlans(max_suppression=1.0), most=100)
    same = next(each for each in allowed if not any(each["levels"].values()))

    assert (offered.lost, offered.loss) == (0, 0)
    assert offered.records_below > 0
    assert offered.loss_at_k == pytest.approx(same["loss"])
    assert offered.records_below / offered.records == pytest.approx(same["suppressed"])


def test_offers_agree_with_what_applying_does(tmp_path):
    """By another way: the plan is carried out on the table itself."""
    talk = begun(tmp_path)
    talk.act(ANA, preparation())
    talk.act(RITA, bb.Accept([decades(1)], max_suppression=0.5))
    offer = talk.offers[-1]
    applied = bb.apply(table(), offer.of_plan)

    assert (applied.suppressed, applied.judgement.verdicts[0].achieved) == (
        offer.measured.lost,
        offer.measured.smallest_group,
    )
    sizes = applied.data.group_by("age", "city").len()["len"]
    assert offer.measured.reidentified == pytest.approx(len(sizes) / applied.rows)
    known = bb.Vulnerability(1, over="table", column="disease")
    (found,) = bb.judge(applied.data, known, quasi=["age", "city"]).verdicts
    assert offer.measured.posterior["disease"] == pytest.approx(found.achieved)
    lost = bb.utility(table(), applied.data, plan=offer.of_plan, outcome=applied.outcome, loss_domain="hierarchy")
    assert offer.measured.loss == pytest.approx(lost.measures.loss)


def test_an_amendment_starts_from_the_one_before(tmp_path):
    talk = led_to(tmp_path, "available")
    again = talk.amended("one more year is needed")

    assert again.state.name == "requested"
    assert again.folder != talk.folder
    assert talk.state.name == "available"
    assert talk.view(RITA).said[-1].act == "amend"


def noised(talk, epsilon):
    """The same in the structure dimension, up to the report."""
    talk.act(ANA, preparation(None, epsilon))
    talk.act(ANA, bb.AskDiversity(2))
    if talk.state.name == "rewording":  # not told to the requester again
        talk.act(ANA, bb.CarryOut())
    for actor, act in ((ANA, bb.SendMetrics()), (RITA, bb.Review(True)), (ANA, bb.WriteReport("Surveillance"))):
        talk.act(actor, act)
    talk.act(RITA, bb.AcceptTerms(talk.view(RITA).terms))
    return talk


def test_amendments_of_one_negotiation_are_measured_together(tmp_path):
    talk = noised(begun(tmp_path, dimension="structure"), 4.0)
    talk.act(ANA, bb.MakeAvailable())
    first, second = talk.amended("more"), talk.amended("still more")
    noised(first, 2.0)
    noised(second, 3.0)
    [joint] = first.state.joints
    assert joint.joint["first"]["out"] == str(talk.folder / "available")
    assert (first.epsilon_spent, second.epsilon_spent, first.state.report.epsilon_in_all) == (6.0, 7.0, 6.0)
    first.act(ANA, bb.MakeAvailable())

    assert second.epsilon_spent == 9.0 == bb.Negotiation.load(second.folder, table()).epsilon_spent
    with pytest.raises(bb.UsageError, match="measured together"):
        second.act(ANA, bb.MakeAvailable())
    second.act(ANA, bb.WriteReport("Surveillance"))
    beside = [joint.joint["first"]["out"] for joint in second.state.joints]
    assert beside == [str(each.folder / "available") for each in (talk, first)]
    assert second.state.report.epsilon_in_all == 9.0
    assert second.act(ANA, bb.MakeAvailable()).name == "available"
    third = second.amended("and more")
    first.act(ANA, bb.Revoke("whoever had it may still have it"))
    assert third.epsilon_spent == 9.0


def test_an_amendment_in_true_values_is_measured_with_what_it_amends(tmp_path):
    talk = led_to(tmp_path, "available")
    again = talk.amended("bands of forty years")
    for actor, act in (
        (ANA, preparation()),
        (RITA, bb.Accept([decades(3)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.Waive(2, "as before", {"disease": dict.fromkeys(("asthma", "flu", "hiv"), "high")})),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (ANA, bb.WriteReport("Surveillance", accept={"disease": "as before"})),
    ):
        again.act(actor, act)
    joint = again.view(ANA).state.joint.joint
    assert (joint["records"], joint["smallest_joint_group"]) == (60, talk.offers[-1].measured.smallest_group)


def test_no_epsilon_is_spent_where_nothing_gets_noise(tmp_path):
    talk = begun(tmp_path)
    talk.act(ANA, preparation(3, 2.0))
    assert (talk.epsilon_spent, talk.offers[-1].epsilon, talk.offers[-1].epsilon_in_all) == (0.0, None, None)


def test_nobody_else_amends_and_nothing_else_is_amended(tmp_path):
    talk = led_to(tmp_path, "available")
    other = asked(requester=replace(REQUESTER, name="Zed"))
    with pytest.raises(bb.UsageError, match="somebody else's"):
        talk.amended("mine", other)
    assert talk.view(RITA).said[-1].act == "make-available"
    with pytest.raises(bb.UsageError, match="table of the negotiation"):
        bb.Negotiation.begin(asked(), table(90), amends=talk)
    with pytest.raises(bb.UsageError, match="made none available"):
        bb.Negotiation.begin(asked(), table(), amends=led_to(tmp_path / "other", "review"))


def test_what_was_made_available_can_be_taken_back(tmp_path):
    talk = led_to(tmp_path, "available")
    assert talk.view(RITA).release is not None
    talk.act(ANA, bb.Revoke("it was a mistake"))

    assert talk.view(RITA).release is None
    assert not (talk.folder / "available").exists()


@pytest.mark.parametrize("stopped_at", [1, 2, 3])
@pytest.mark.parametrize("undone", ["make-available", "revoke"])
def test_a_program_that_was_stopped_while_it_named_folders_goes_on(tmp_path, monkeypatch, undone, stopped_at):
    talk = led_to(tmp_path, "available" if undone == "revoke" else "ready")
    if undone == "make-available":
        talk.act(RITA, bb.AcceptTerms(talk.view(RITA).terms))
    act = bb.Revoke("a mistake") if undone == "revoke" else bb.MakeAvailable()
    before, rename, opened, passed = talk.state.name, Path.rename, os.open, 0

    def stopping(done, *arguments):
        nonlocal passed
        passed += 1
        if passed == stopped_at:
            raise KeyboardInterrupt
        return done(*arguments)

    monkeypatch.setattr(Path, "rename", lambda *each: stopping(rename, *each))

    def opening(path, *more, **named):
        return stopping(opened, path, *more) if str(path).endswith("events.jsonl") else opened(path, *more, **named)

    monkeypatch.setattr(os, "open", opening)
    with pytest.raises(KeyboardInterrupt):
        talk.act(ANA, act)
    monkeypatch.undo()
    again = bb.Negotiation.load(talk.folder, table())
    assert again.state.name == before
    again.act(ANA, act)
    ended = "revoked" if undone == "revoke" else "available"
    assert again.state.name == ended
    assert {ended, f"{ended}.private"} == {path.name for path in talk.folder.iterdir() if path.is_dir()}


def test_a_waiver_of_what_was_met_claims_nothing(tmp_path):
    talk = led_to(tmp_path, "review")
    talk.act(RITA, bb.Review(False, "too coarse"))
    talk.act(RITA, bb.Accept([decades(3)]))
    talk.act(ANA, bb.CarryOut())
    talk.act(ANA, bb.AskDiversity(2))
    assert (talk.state.name, talk.state.diversity_met) == ("rewording", True)  # not told to the requester again
    talk.act(ANA, bb.Waive(2, "not needed"))
    assert talk.state.name == "utility"
    assert [each.name for each in talk.offers[-1].of_plan.criteria] == ["k-anonymity"]


def test_a_release_is_called_by_its_title_and_not_by_a_folder(tmp_path):
    release = led_to(tmp_path, "available").view(RITA).release
    assert "candidate" not in (release / "README.txt").read_text()


def test_nothing_is_available_before_the_terms_are_accepted(tmp_path):
    talk = led_to(tmp_path, "ready")

    with pytest.raises(bb.UsageError, match="has not accepted the terms"):
        talk.act(ANA, bb.MakeAvailable())
    assert talk.view(RITA).release is None


def test_a_return_from_the_review_voids_what_was_agreed_on_values(tmp_path):
    talk = led_to(tmp_path, "review")
    talk.act(RITA, bb.Review(False, "too coarse"))

    assert talk.state.name == "manipulations"
    assert (talk.state.levels.l, talk.state.metrics, talk.state.diversity_met) == (None, None, False)
    assert talk.view(RITA).metrics == {}


def test_a_risk_above_the_threshold_needs_a_reason(tmp_path):
    model = {
        "harm": "high",
        "motivation": "high",
        "controls": "low",
        "acquaintances": 100,
        "prevalence": 0.1,
        "breach": 0.1,
    }
    talk = begun(tmp_path)
    for actor, act in (
        (ANA, preparation(3, model=model)),
        (RITA, bb.Accept([decades(2)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.AskDiversity(2)),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
    ):
        talk.act(actor, act)
    assert talk.offers[-1].allowed is False
    with pytest.raises(bb.BiomboError, match="threshold"):
        talk.act(ANA, bb.WriteReport(department="Surveillance"))
    assert talk.state.name == "report"
    talk.act(ANA, bb.Override("the committee has accepted it"))
    talk.act(ANA, bb.WriteReport(department="Surveillance"))
    assert talk.state.name == "ready"


def test_a_decision_is_worded_for_whoever_reads_it(tmp_path):
    """Not in the language of whoever acted."""
    with speaking("pt"):
        talk = led_to(tmp_path, "applying")
        assert talk.offers[-1].decision[1].startswith("P(reidentificação) = 1/")

    assert talk.offers[-1].decision[1].startswith("P(re-identification) = 1/")
    assert "P(re" not in (talk.folder / "events.jsonl").read_text()


def test_a_decision_that_was_said_before_is_read_as_it_was_said(tmp_path):
    talk = led_to(tmp_path, "applying")
    tree = talk.offers[-1].to_tree()
    before = {name: each for name, each in tree.items() if name not in ("model", "override")}
    found = Offer.from_tree({**before, "decision": ["O risco não passa do limiar."]})

    assert found.decision == ("O risco não passa do limiar.",)
    assert Offer.from_tree(found.to_tree()) == found
    assert Offer.from_tree(tree) == talk.offers[-1]
    assert talk.offers[-1].decision
