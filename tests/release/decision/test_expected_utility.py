"""What the data must be good for, and the factors of 17.8 (PDPC 2018), are on record with the decision."""

from dataclasses import replace

import pytest
from refusal import refused

import biombo as bb

CONTROLLED = bb.ControlledRelease(
    harm="medium",
    controls_counted=True,
    insider=bb.DeliberateInsider("low", "high"),
    recognition=bb.InadvertentRecognition(150, 0.0001),
    breach=bb.DataBreach(0.02),
)
FACTORS = {"well-known-people": "none", "contract": "signed, with a fine."}
PLAN = bb.Plan([bb.SuppressColumn("name")], quasi=["age"])
CONDITIONS = {
    "release_model": "controlled",
    "harm": "medium",
    "motivation": "low",
    "controls": "high",
    "acquaintances": 150,
    "prevalence": 0.0001,
    "breach": 0.02,
}


@pytest.mark.parametrize("model", [bb.PublicRelease(harm="low"), CONTROLLED], ids=["public", "controlled"])
def test_steps_two_and_eight_tell_what_is_expected(model) -> None:
    expecting = replace(model, expected_utility=" cases by age. ")
    steps = bb.ten_steps(PLAN, bb.Decision(expecting, 10), utility_assessed=True)
    without = bb.ten_steps(PLAN, bb.Decision(model, 10), utility_assessed=True)

    told = [step.number for step in steps if "Expected of the data: cases by age." in step.sentence]
    assert told == [2, 8]
    assert [step.number for step, other in zip(steps, without, strict=True) if step != other] == [2, 8]


def test_the_first_step_tells_the_factors_in_the_order_of_the_guide() -> None:
    decision = bb.Decision(replace(CONTROLLED, factors=FACTORS), 10)
    (first, *_) = bb.ten_steps(PLAN, decision)

    assert first.sentence.endswith(
        "Whether the recipient would break the contract: signed, with a fine. Well-known people in the data: none."
    )
    assert any("signed, with a fine" in sentence for sentence in decision.sentences())


def test_neither_changes_a_number() -> None:
    plain, told = (
        bb.Decision(CONTROLLED, 10),
        bb.Decision(replace(CONTROLLED, factors=FACTORS, expected_utility="a"), 10),
    )

    assert (told.attempt, told.threshold, told.reidentification) == (
        plain.attempt,
        plain.threshold,
        plain.reidentification,
    )
    model = told.as_json()["release_model"]
    assert (model["expected_utility"], model["factors"]) == ("a", FACTORS)


def test_both_are_entries_of_the_request() -> None:
    asked = bb.PublishRequest(
        files=["a.csv"], out="b", factor=("contract=signed = sealed",), expected_utility="counts", **CONDITIONS
    )

    assert asked.model() == replace(CONTROLLED, factors={"contract": "signed = sealed"}, expected_utility="counts")


@pytest.mark.parametrize("typed", ["contract", "contract=", "weather=fine", "=x"])
def test_what_is_no_factor_is_told(typed) -> None:
    with refused("release.factor", "contract", "technical-measures"):
        bb.PublishRequest(files=["a.csv"], out="b", factor=(typed,), **CONDITIONS).model()


def test_without_a_release_model_nothing_can_be_on_record() -> None:
    with refused("release.model-unsaid", "expected_utility"):
        bb.PublishRequest(files=["a.csv"], out="b", expected_utility="counts").model()
    with refused("release.model-extra", "factor"):
        bb.PublishRequest(files=["a.csv"], out="b", release_model="public", factor=("contract=a",)).model()
    with refused("decision.texts", "expected_utility"):
        bb.PublicRelease(harm="low", expected_utility=" ")
