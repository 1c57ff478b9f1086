"""The arithmetic of PDPC (2018), section 17, with the numbers that it prints."""

import pytest

import biombo as bb
from biombo._release.decision import INSIDER_ATTEMPT, THRESHOLDS


def test_the_thresholds_of_17_3():
    assert THRESHOLDS == {"low": 0.2, "medium": 0.1, "high": 0.01}


@pytest.mark.parametrize(
    ("controls", "printed"),
    [("high", (0.03, 0.05, 0.1)), ("medium", (0.2, 0.25, 0.3)), ("low", (0.4, 0.5, 0.6)), ("none", (1, 1, 1))],
)
def test_the_table_of_17_8_with_its_third_column_read_as_high(controlled, controls, printed):
    attempts = [controlled(motivation, controls).attempt for motivation in ("low", "medium", "high")]

    assert tuple(attempts) == printed


def test_in_the_table_of_17_8_more_controls_or_less_motivation_never_raise_the_risk():
    rows = [list(INSIDER_ATTEMPT[level].values()) for level in ("none", "low", "medium", "high")]

    assert all(row == sorted(row) for row in rows)
    assert all(list(column) == sorted(column, reverse=True) for column in zip(*rows, strict=True))


@pytest.mark.parametrize(("smallest", "chance"), [(1, 1.0), (2, 0.5), (5, 0.2), (10, 0.1), (100, 0.01)])
def test_an_attempt_succeeds_with_one_over_the_smallest_group_17_6(smallest, chance):
    assert bb.Decision(bb.PublicRelease(harm="low"), smallest).given_attempt == chance


def test_the_likeliest_of_the_three_scenarios_counts_17_11(controlled):
    insider = controlled("low", "high")
    recognised = controlled("low", "high", recognition=bb.InadvertentRecognition(acquaintances=1, prevalence=0.3))
    breached = controlled("low", "high", breach=bb.DataBreach(0.27))

    assert (insider.attempt, breached.attempt) == (0.03, 0.27)
    assert recognised.attempt == pytest.approx(0.3)


def test_put_together_as_in_17_12(controlled):
    decision = bb.Decision(controlled("medium", "medium"), smallest_group=5)

    assert decision.reidentification == 0.05  # 1/5 × 0.25
    assert decision.passes


def test_a_public_release_counts_on_an_attempt_17_2():
    assert bb.PublicRelease(harm="low").attempt == 1


def test_the_smallest_k_of_several_sets_of_columns_counts_16_3():
    data = bb.read(bb.samples.clinic())
    criteria = [bb.KAnonymity(2, quasi=["city"]), bb.KAnonymity(2, quasi=["age", "city"])]
    judgement = bb.judge(data, criteria)
    decision = bb.decide(bb.PublicRelease(harm="low"), judgement)

    assert decision.smallest_group == min(verdict.achieved for verdict in judgement.verdicts)
