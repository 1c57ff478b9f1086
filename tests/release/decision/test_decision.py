from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._i18n import LANGUAGES, set_language
from biombo._release.decision import changes_that_pass, smallest_group

HARMS = ("low", "medium", "high")
LEVELS = ("none", "low", "medium", "high")
PROBABILITIES = st.decimals(0, 1, places=3).map(float)


@st.composite
def controlled_releases(draw):
    return bb.ControlledRelease(
        harm=draw(st.sampled_from(HARMS)),
        own_threshold=draw(st.none() | st.decimals("0.001", 1, places=3).map(float)),
        controls_counted=draw(st.booleans()),
        insider=bb.DeliberateInsider(draw(st.sampled_from(HARMS)), draw(st.sampled_from(LEVELS))),
        recognition=bb.InadvertentRecognition(draw(st.integers(0, 300)), draw(PROBABILITIES)),
        breach=bb.DataBreach(draw(PROBABILITIES)),
    )


RELEASES = controlled_releases() | st.builds(bb.PublicRelease, harm=st.sampled_from(HARMS))


@pytest.mark.parametrize(("group", "passes"), [(9, False), (10, True), (11, True)])
def test_a_risk_that_equals_the_threshold_passes(group, passes):
    assert bb.Decision(bb.PublicRelease(harm="medium"), group).passes is passes


@pytest.mark.parametrize("attempt", ["0.3", "0.7", "0.07", "0.29"])
def test_equality_is_decided_in_decimals(controlled, attempt):
    insider = bb.DeliberateInsider("low", "low", own_probability=float(attempt))
    threshold = float(Fraction(attempt) / 10)

    assert bb.Decision(controlled(insider=insider, own_threshold=threshold), 10).passes


def test_an_own_threshold_replaces_that_of_the_harm(controlled):
    model = controlled("low", "high", harm="low", own_threshold=0.001)

    assert model.threshold == 0.001
    assert not bb.Decision(model, 10).passes
    assert "0.001" in bb.Decision(model, 10).worded()


def test_controls_that_do_not_count_do_not_lower_the_risk(controlled):
    counted, alone = (bb.Decision(controlled("low", "high", controls_counted=each), 10) for each in (True, False))

    assert counted.reidentification == 0.003
    assert alone.reidentification == 0.1
    assert "no controls counted" in alone.worded()
    assert "no controls counted" not in counted.worded()


@given(st.integers(0, 200), PROBABILITIES)
def test_recognition_is_the_chance_that_not_every_acquaintance_is_missing(known, prevalence):
    nobody = Fraction(1)
    for _ in range(known):
        nobody *= 1 - Fraction(str(prevalence))

    assert bb.InadvertentRecognition(known, prevalence).attempt == pytest.approx(float(1 - nobody), abs=1e-12)


def test_recognition_of_rare_people_keeps_its_digits():
    assert bb.InadvertentRecognition(1, 1e-20).attempt == pytest.approx(1e-20)


@given(RELEASES, st.integers(1, 40))
def test_the_k_that_is_named_is_the_smallest_that_passes(model, group):
    decision = bb.Decision(model, group)
    named = [change.k for change in changes_that_pass(decision) if isinstance(change, bb.LargerGroups)]
    tried = range(1, 1100)

    if decision.passes:
        assert named == []
    else:
        assert named == [next(k for k in tried if bb.Decision(model, k).passes)]


@given(controlled_releases(), st.integers(1, 40))
def test_the_level_of_controls_that_is_named_is_the_lowest_that_passes(model, group):
    def passes(level):
        insider = bb.DeliberateInsider(model.insider.motivation, level)
        entries = {name: getattr(model, name) for name in ("harm", "own_threshold", "controls_counted")}
        scenarios = {"insider": insider, "recognition": model.recognition, "breach": model.breach}
        return bb.Decision(bb.ControlledRelease(**entries, **scenarios), group).passes

    decision = bb.Decision(model, group)
    cheapest = bb.cheapest_change(decision)
    helping = [level for level in LEVELS if passes(level)]
    if decision.passes:
        assert cheapest is None
    elif helping:
        assert cheapest == bb.StrongerControls(helping[0])
    else:
        assert isinstance(cheapest, bb.LargerGroups)


def test_a_release_above_the_threshold_is_told_what_would_pass(controlled):
    told = bb.Decision(controlled("high", "none", harm="medium"), 5).worded()

    assert (
        "exceeds the threshold; what would pass: controls at level medium, or groups of at least 10 (k = 10)." in told
    )


def test_a_probability_of_ones_own_is_not_changed_by_a_level_of_controls(controlled):
    insider = bb.DeliberateInsider("low", "none", own_probability=0.9)

    assert bb.cheapest_change(bb.Decision(controlled(insider=insider), 5)) == bb.LargerGroups(9)


def test_an_override_lets_a_release_pass_on_record():
    refused_one = bb.Decision(bb.PublicRelease(harm="high"), 10)
    overridden = bb.Decision(bb.PublicRelease(harm="high"), 10, override="ordered by the court, case 17")

    assert (refused_one.allowed, overridden.allowed) == (False, True)
    assert not overridden.passes
    assert "ordered by the court, case 17" in overridden.worded()
    assert overridden.as_json()["override"] == "ordered by the court, case 17"


def test_a_reason_is_not_an_override_where_none_is_needed():
    decision = bb.Decision(bb.PublicRelease(harm="low"), 10, override="in any case")

    assert decision.allowed
    assert not decision.overridden
    assert "in any case" not in decision.worded()


@pytest.mark.parametrize("reason", ["", "  ", 5, True])
def test_an_override_needs_a_written_reason(reason):
    with refused("decision.override"):
        bb.Decision(bb.PublicRelease(harm="low"), 10, override=reason)


def test_somebody_alone_is_pointed_out_even_below_the_threshold(controlled):
    decision = bb.Decision(controlled("low", "high"), 1)

    assert decision.passes
    assert "alone in a group" in decision.worded()


def test_it_is_said_that_the_thresholds_are_not_made_for_public_releases():
    assert "controlled releases" in bb.Decision(bb.PublicRelease(harm="low"), 10).worded()
    assert "controlled releases" not in bb.Decision(bb.PublicRelease(harm="low", own_threshold=0.1), 10).worded()


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_number_is_told_in_every_language(controlled, code):
    set_language(code)
    model = controlled(breach=bb.DataBreach(0.0213), recognition=bb.InadvertentRecognition(1, 0.125))
    told = bb.Decision(model, 20).worded().replace(",", ".")

    assert all(number in told for number in ("0.25", "0.125", "0.0213", "1/20", "0.0125", "0.1"))


def test_a_decision_as_plain_values(controlled):
    model = controlled(controls=["on-site", "subset"], measures=["a contract"])
    told = bb.Decision(model, 2).as_json()

    assert told["release_model"]["scenarios"]["insider"]["attempt"] == 0.25
    assert told["release_model"]["controls"] == ["on-site", "subset"]
    assert told["release_model"]["measures"] == ["a contract"]
    assert (told["reidentification"], told["threshold"], told["passes"]) == (0.125, 0.1, False)
    assert told["changes_that_pass"] == [{"controls": "high"}, {"k": 3}]


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), "0.5", None, True])
def test_what_is_no_probability_is_refused(value):
    with refused("document.entry-between", "prevalence"):
        bb.DataBreach(value)


@pytest.mark.parametrize("value", [0, -0.1, 1.1, float("nan"), "0.5", True])
def test_what_is_no_threshold_is_refused(value):
    with refused("document.entry-above-to"):
        bb.PublicRelease(harm="low", own_threshold=value)


@pytest.mark.parametrize("group", [0, -1, 2.5, True])
def test_what_is_no_group_is_refused(group):
    with refused("document.entry-whole", "smallest_group"):
        bb.Decision(bb.PublicRelease(harm="low"), group)


def test_a_risk_follows_from_a_group_or_from_what_was_measured():
    model = bb.PublicRelease(harm="low")
    with refused("decision.one-basis", "smallest_group", "measured"):
        bb.Decision(model)
    with refused("decision.one-basis"):
        bb.Decision(model, 5, measured=bb.MeasuredRisk(0.2))
    for surest in (0, -0.1, 1.1, float("nan"), True):
        with refused("document.entry-above-to", "surest"):
            bb.MeasuredRisk(surest)


@given(RELEASES, st.integers(1, 300))
def test_where_nothing_was_drawn_what_is_measured_decides_as_the_smallest_group_does(model, group):
    """1 / group cannot always be written down in decimals, so that what would be equal may just fail or pass."""
    by_group, measured = bb.Decision(model, group), bb.Decision(model, measured=bb.MeasuredRisk(1 / group))

    assert measured.reidentification == pytest.approx(by_group.reidentification)
    if by_group.reidentification != pytest.approx(model.threshold):
        assert measured.passes is by_group.passes


@given(RELEASES, st.floats(0.001, 1))
def test_the_chance_that_is_named_is_the_highest_that_passes(model, surest):
    decision = bb.Decision(model, measured=bb.MeasuredRisk(surest))
    changes = changes_that_pass(decision)
    by_noise = [each for each in changes if isinstance(each, bb.MoreNoise)]

    assert not any(isinstance(each, bb.LargerGroups) for each in changes)
    assert len(by_noise) == (0 if decision.passes else 1)
    for change in by_noise:
        assert change.surest < surest
        assert change.surest * decision.attempt == pytest.approx(model.threshold)


def test_that_no_k_is_claimed_is_said_and_no_group_is_spoken_of(controlled):
    decision = bb.Decision(controlled(), measured=bb.MeasuredRisk(0.5, alone=12), override="a court asked")
    words = decision.worded()

    assert "No k is claimed" in words
    assert "measured against the truth" in words
    assert "12 records are alone with their values" in words
    assert "P(re-identification) = 0.5 × 0.25 = 0.125" in words
    assert "the surest guess is right with a probability of at most 0.4" in words
    assert "k =" not in words
    assert "1/" not in words
    assert (decision.overridden, decision.allowed) == (True, True)
    told = decision.as_json()
    assert (told["smallest_group"], told["measured"]["surest"], told["reidentification"]) == (None, 0.5, 0.125)
    bound = bb.Decision(controlled(), measured=bb.MeasuredRisk(0.3, at_most=True))
    assert "P(re-identification) ≤ 0.3 × 0.25 = 0.075" in bound.worded()


def test_somebody_who_can_be_told_for_sure_is_pointed_out_even_below_the_threshold(controlled):
    decision = bb.Decision(controlled("low", "high"), measured=bb.MeasuredRisk(0.98))
    assert decision.passes
    assert "with near certainty" in decision.worded()
    assert "with near certainty" not in bb.Decision(controlled(), measured=bb.MeasuredRisk(0.5)).worded()


def test_unknown_choices_are_refused(controlled):
    with refused("document.entry-choice", "harm", "low, medium, high"):
        bb.PublicRelease(harm="extreme")
    with refused("document.entry-choice", "motivation"):
        bb.DeliberateInsider("none", "low")
    with refused("document.entry-choice", "controls", "revocable-access"):
        controlled(controls=["trust"])
    with refused("usage.string-for-list", "controls"):
        controlled(controls="on-site")
    with refused("decision.texts", "measures"):
        controlled(measures=[" "])


def test_whether_controls_count_must_be_said(controlled):
    with refused("decision.controls-counted"):
        controlled(controls_counted=None)


def test_without_group_sizes_there_is_no_risk_to_decide_on():
    data = bb.read(bb.samples.clinic())
    judgement = bb.judge(data, bb.LDiversity(2), quasi=["age"], sensitive="disease")

    with refused("decision.no-group-sizes"):
        smallest_group(judgement)
