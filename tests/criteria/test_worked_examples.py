"""Examples that were worked out elsewhere, or by hand."""

from math import inf, log, log2

import polars as pl
import pytest

import biombo as bb

TAXI = pl.DataFrame(
    [
        (21, "F", "lawyer"),
        (38, "M", "data privacy officer"),
        (25, "F", "banker"),
        (44, "F", "database administrator"),
        (25, "F", "administrative assistant"),
        (31, "M", "data privacy officer"),
        (42, "F", "programmer"),
        (22, "F", "administrative assistant"),
        (30, "F", "lawyer"),
    ],
    schema=["age", "sex", "occupation"],
    orient="row",
)
"""People who take taxis: PDPC (2018), 16.8."""

IT = {"database administrator": "IT", "programmer": "IT"}
AS_PRINTED = TAXI.with_columns((pl.col("age") - 1) // 10)
AS_DESCRIBED = AS_PRINTED.with_columns(pl.col("occupation").replace(IT))


def k_anonymity_of(table: pl.DataFrame) -> bb.Verdict:
    return bb.judge(bb.read(table), bb.KAnonymity(2), quasi=table.columns).verdicts[0]


def test_the_taxi_table_is_2_anonymous_once_the_text_is_followed() -> None:
    before = k_anonymity_of(TAXI)
    assert (before.achieved, before.groups, before.records) == (1, 9, 9)
    generalised = k_anonymity_of(AS_DESCRIBED)
    assert TAXI.filter(pl.Series(generalised.failing_rows()))["occupation"].to_list() == ["banker"]
    after = k_anonymity_of(AS_DESCRIBED.filter(pl.col("occupation") != "banker"))
    assert (after.holds, after.achieved) == (True, 2)


def test_the_taxi_table_as_printed_is_not_2_anonymous() -> None:
    # It still shows the banker and two jobs in information technology that the text generalises.
    printed = k_anonymity_of(AS_PRINTED)
    assert (printed.holds, printed.achieved, printed.records) == (False, 1, 3)


# Nine patients, grouped in two ways. Li, Li & Venkatasubramanian 2007 work out the distances of these salaries: three
# thousand to eleven thousand against the lowest three (0.375) and against six, eight and eleven thousand (0.167).
SALARIES = [3, 4, 5, 6, 11, 8, 7, 9, 10]
DISEASES = [
    *("gastric ulcer", "gastritis", "stomach cancer", "gastritis", "flu"),
    *("bronchitis", "bronchitis", "pneumonia", "stomach cancer"),
]
DIVERSE, CLOSE = "AAABBBCCC", "ACABBBCAC"
LUNG = {
    "infection": ["flu", "pneumonia", "bronchitis"],
    "vascular": ["pulmonary edema", "pulmonary embolism"],
}
DIGESTION = {
    "stomach": ["gastric ulcer", "stomach cancer", "gastritis"],
    "colon": ["colitis", "colon cancer"],
}
ILLNESSES = bb.Hierarchy.by_hand({"any": {"respiratory": LUNG, "digestive": DIGESTION}})


def patients(groups: str) -> bb.Dataset:
    return bb.read(pl.DataFrame({"group": list(groups), "salary": SALARIES, "disease": DISEASES}))


def test_salaries_that_are_diverse_but_all_low() -> None:
    by_rank = bb.TCloseness(0.2, kind="ordered", column="salary")
    diverse, close = bb.judge(patients(DIVERSE), [bb.LDiversity(3, column="salary"), by_rank], quasi=["group"]).verdicts
    assert diverse.holds
    assert [(group.values["group"], group.value, group.holds) for group in close.worst()] == [
        ("A", pytest.approx(0.375), False),
        ("C", pytest.approx(17 / 72), False),  # seven, nine and ten: 1 + 2 + 3 + 4 + 2 + 3 + 1 + 1 ninths over 8 steps
        ("B", pytest.approx(1 / 6), True),
    ]
    assert bb.judge(patients(CLOSE), by_rank, quasi=["group"]).verdicts[0].achieved == pytest.approx(1 / 6)


def test_diseases_are_apart_by_the_level_at_which_they_meet() -> None:
    # Ninths of Σ |p − q| at the levels disease, organ and system, over 2 · 3:
    #   B (gastritis, flu, bronchitis)               8 + 4 + 4 = 16
    #   A (gastric ulcer, stomach cancer, pneumonia) 10 + 2 + 2 = 14
    #   C (gastritis, bronchitis, stomach cancer)    6 + 2 + 2 = 10
    by_level = bb.TCloseness(0.26, kind="hierarchical", column="disease", hierarchy=ILLNESSES)
    verdict = bb.judge(patients(CLOSE), by_level, quasi=["group"]).verdicts[0]
    assert [(group.values["group"], group.value, group.holds) for group in verdict.worst()] == [
        ("B", pytest.approx(16 / 54), False),
        ("A", pytest.approx(14 / 54), True),
        ("C", pytest.approx(10 / 54), True),
    ]


def test_a_group_of_four_is_as_diverse_as_its_shares_are_even() -> None:
    even = bb.read(pl.DataFrame({"q": ["x"] * 4 + ["y"] * 4, "s": list("abcd") + list("aabc")}))
    verdict = bb.judge(even, bb.LDiversity(3, kind="entropy"), quasi=["q"], sensitive="s").verdicts[0]
    # ½, ¼, ¼ have an entropy of 1.5 bits, like 2^1.5 equally frequent values.
    assert [(group.values["q"], group.value) for group in verdict.worst()] == [
        ("y", pytest.approx(2**1.5)),
        ("x", pytest.approx(4)),
    ]


@pytest.mark.parametrize("quasi", [["sex"], ["age"], ["age", "city"], ["sex", "age", "city"]])
def test_what_an_adversary_gains_over_the_table_is_what_the_attack_finds(clinic: bb.Dataset, quasi: list[str]) -> None:
    attack = bb.attribute_inference(clinic, quasi).subsets.row(-1, named=True)
    criteria = [
        bb.Vulnerability(1, over="table"),
        bb.Leakage(1, over="table"),
        bb.Leakage(9, form="multiplicative", over="table"),
    ]
    found = [verdict.achieved for verdict in bb.judge(clinic, criteria, quasi=quasi).verdicts]
    assert found == pytest.approx([attack["posterior"], attack["leakage"], attack["multiplicative"]])


# Six patients by postcode: HIV is one of four in the one, flu two of four; flu and fever are one of two in the other.
POSTCODES = ["4350", "4350", "5432", "5432", "4350", "4350"]
ILLNESSES_OF_SIX = ["HIV", "flu", "flu", "fever", "flu", "fever"]


def six(criteria: bb.Criterion | list[bb.Criterion]) -> tuple[bb.Verdict, ...]:
    table = bb.read(pl.DataFrame({"postcode": POSTCODES, "illness": ILLNESSES_OF_SIX}))
    return bb.judge(table, criteria, quasi=["postcode"], sensitive="illness").verdicts


def test_no_illness_has_more_than_half_of_a_postcode_with_two_or_more_patients() -> None:
    asked = [bb.KAnonymity(2), bb.Deassociation(0.5), bb.Deassociation(0.25, values=["HIV"])]
    assert [(verdict.holds, verdict.achieved) for verdict in six(asked)] == [(True, 2), (True, 0.5), (True, 0.25)]
    assert six(bb.Deassociation(0.24, values=["HIV"]))[0].values() == {"illness": {"HIV": 1, "fever": 1, "flu": 2}}


def test_gains_are_relative_to_the_whole_table() -> None:
    # HIV is 1/6 of the table and 1/4 of a postcode: (1/4 − 1/6) / (1/6) = 1/2. Flu is a half everywhere. Fever is 1/3
    # of the table and a half of the other postcode: 1/2 again. −ln q is 1.79 for HIV, 1.10 for fever, 0.69 for flu.
    basic, enhanced = six([bb.BetaLikeness(0.5, kind="basic"), bb.BetaLikeness(0.5)])
    assert (basic.holds, basic.achieved) == (True, pytest.approx(0.5))
    assert (enhanced.holds, enhanced.achieved) == (True, pytest.approx(0.5))


def test_a_frequent_value_must_not_become_certain_however_large_beta_is() -> None:
    # b is ⅘ of the table and all of one group: a gain of ¼, which is above −ln ⅘ = 0.223.
    table = bb.read(pl.DataFrame({"q": list("xxxxxyyyyy"), "s": list("aabbbbbbbb")}))
    asked = [bb.BetaLikeness(9, kind="basic"), bb.BetaLikeness(9)]
    basic, enhanced = bb.judge(table, asked, quasi=["q"], sensitive="s").verdicts
    assert (basic.holds, basic.achieved) == (True, pytest.approx(1))
    assert [(group.values["q"], group.value) for group in enhanced.worst()] == [("y", inf), ("x", pytest.approx(1))]


def test_a_group_that_lacks_a_value_discloses_that_without_bound() -> None:
    # In 4350, HIV is 1/4 to 1/6: log₂ 3/2 bits; fever 1/4 to 1/3: log₂ 4/3 bits; flu as in the table. 5432 has no HIV.
    (verdict,) = six(bb.DeltaDisclosure(1))
    found = [(group.values["postcode"], group.value, group.holds) for group in verdict.worst()]
    assert found == [("5432", inf, False), ("4350", pytest.approx(log2(1.5)), True)]


def test_a_change_must_stay_below_delta() -> None:
    table = bb.read(pl.DataFrame({"q": list("xxxyyy"), "s": list("aabbba")}))  # ⅔ to ½ and ⅓ to ½: log₂ 3/2 at most
    exactly = log2(1.5)
    for delta, holds in ((exactly, False), (exactly + 1e-6, True)):
        assert bb.judge(table, bb.DeltaDisclosure(delta), quasi=["q"], sensitive="s").holds is holds


def test_a_group_of_two_of_a_tenth_of_the_people_counts_as_twelve() -> None:
    # Benedetti and Franconi with π = 1/10: E(1/F) is 0.256 for a group of one, 0.083 for two, 0.046 for three.
    assert [bb.KMap(k, population=1000).fewest(100) for k in (3, 4, 12, 13, 21, 22)] == [1, 2, 2, 3, 3, 4]
    assert bb.KMap(7, population=100).fewest(100) == 7  # everybody is there


SEVEN = pl.DataFrame({"q": [*"aaabbcd"]})
"""Groups of three, two, one and one."""


@pytest.mark.parametrize(
    ("criterion", "found"),
    [
        (bb.AverageRisk(0.5), 4 / 7),  # one right pick in each of four groups, of seven
        (bb.Uniqueness(0.5), 2 / 7),
        # Zayatz, N = 14: P(f = 1 | F = 1, 2, 3) is 1/2, 2 · 7/26 and 3 · 7 · 6 / (2 · 13 · 12), of which there are two,
        # one and one. So of those who are alone 1 / (1 + 7/13 + 21/52) = 52/101 are in the population, 2 · 52/101 of 7.
        (bb.PopulationUniqueness(0.5, population=14, model="zayatz"), 104 / 707),
        (bb.PopulationUniqueness(0.5, population=7), 2 / 7),  # everybody is there
        # Benedetti and Franconi with p = 1/2: E(1/F) is log 2 for one, 1 − log 2 for two and log 2 − 1/2 for three.
        (bb.Presence(0.7, population=14), log(2)),
        (bb.KMap(2, population=14), 1 / log(2)),
        (
            bb.Presence(0.7, population=14, over="table"),
            (3 * 3 * (log(2) - 0.5) + 2 * 2 * (1 - log(2)) + 2 * log(2)) / 7,
        ),
    ],
    ids=str,
)
def test_whom_an_adversary_finds_among_seven(criterion: bb.Criterion, found: float) -> None:
    assert bb.judge(SEVEN, criterion, quasi=["q"]).verdicts[0].achieved == pytest.approx(found)
