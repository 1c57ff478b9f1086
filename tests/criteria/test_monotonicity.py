"""What generalising a column does to criteria, with and without suppression."""

from typing import Any

import plain_criteria as plain
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._criteria import Verdict

ORDERED = bb.Schema({"s": bb.ColumnSchema(domain=("a", "b", "c", "d"))})
HIERARCHY = bb.Hierarchy.by_hand({"left": ["a", "b"], "right": ["c", "d"]})
GROUP_LEVEL = [
    bb.KAnonymity(3),
    bb.LDiversity(2),
    bb.LDiversity(2, kind="entropy"),
    bb.LDiversity(2, kind="recursive", c=1.5),
    bb.LDiversity(3, kind="recursive", c=3.0),
    bb.TCloseness(0.3),
    bb.TCloseness(0.2, kind="ordered"),
    bb.TCloseness(0.3, kind="hierarchical", hierarchy=HIERARCHY),
    bb.Vulnerability(0.6),
    bb.Leakage(0.2),
    bb.Leakage(1.4, form="multiplicative"),
    bb.Deassociation(0.6),
    bb.Deassociation(0.3, values=["a", "d"]),
    bb.BetaLikeness(0.8, kind="basic"),
    bb.BetaLikeness(0.8),
    bb.DeltaDisclosure(1.2),
]
TABLE_LEVEL = [
    bb.Vulnerability(0.6, over="table"),
    bb.Leakage(0.2, over="table"),
    bb.AverageRisk(0.4),
    bb.Uniqueness(0.2),
    bb.Presence(0.5, population=100, over="table"),
]
STILL_WITH_SUPPRESSION = {bb.KAnonymity(3), bb.LDiversity(2)}

row = st.tuples(st.integers(0, 4), st.sampled_from("xy"), st.sampled_from("abcd"))
tables = st.lists(row, min_size=1, max_size=30)
merges = st.lists(st.integers(0, 2), min_size=5, max_size=5)


def verdict_on(rows: list[plain.Row], criterion: bb.Criterion, **options: object) -> Verdict:
    table = pl.DataFrame(rows, schema=["q", "r", "s"], orient="row")
    return bb.judge(bb.read(table, ORDERED), criterion, quasi=["q", "r"], sensitive="s", **options).verdicts[0]


def generalised(rows: list[plain.Row], merge: list[int]) -> list[plain.Row]:
    return [(merge[q], r, s) for q, r, s in rows]


@pytest.mark.parametrize("criterion", GROUP_LEVEL + TABLE_LEVEL, ids=str)
@examples(40)
@given(rows=tables, merge=merges)
def test_without_suppression_generalising_makes_nothing_worse(
    criterion: bb.Criterion, rows: list[plain.Row], merge: list[int]
) -> None:
    before, after = verdict_on(rows, criterion), verdict_on(generalised(rows, merge), criterion)

    assert criterion.monotonic(suppression=False)
    assert after.holds or not before.holds
    assert before.achieved is not None
    assert after.achieved is not None
    if criterion.lowest_is_worst:
        assert after.achieved >= before.achieved - 1e-9
    else:
        assert after.achieved <= before.achieved + 1e-9


@pytest.mark.parametrize("criterion", [c for c in GROUP_LEVEL if c in STILL_WITH_SUPPRESSION], ids=str)
@given(rows=tables, merge=merges)
def test_k_and_distinct_l_never_suppress_more_after_generalising(
    criterion: bb.Criterion, rows: list[plain.Row], merge: list[int]
) -> None:
    assert criterion.monotonic(suppression=True)
    assert verdict_on(generalised(rows, merge), criterion).records <= verdict_on(rows, criterion).records


# The group 1 has one a and one b, the group 2 one a, the group 3 two b. Generalising brings 1 and 2 together: two a and
# one b, which fails although group 1 did not, so that its two records are suppressed as well.
THREE_GROUPS: list[plain.Row] = [(1, "x", "a"), (1, "x", "b"), (2, "x", "a"), (3, "x", "b"), (3, "x", "b")]
ONE_AND_TWO = [0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    "criterion",
    [
        bb.LDiversity(2, kind="entropy"),  # entropy of (⅔, ⅓): 0.92 bits, below 1
        bb.LDiversity(2, kind="recursive", c=1.5),  # 2 is not below 1.5 · 1
        bb.TCloseness(0.1),  # the table has two a in five: 0.1 from (½, ½), 0.27 from (⅔, ⅓)
        bb.TCloseness(0.1, kind="ordered"),  # the same where there are two values
        bb.TCloseness(0.1, kind="hierarchical", hierarchy=bb.Hierarchy.by_hand({"any": ["a", "b"]})),
        bb.Vulnerability(0.5),  # ⅔ is above ½
        bb.Leakage(0),  # the prior is ⅗
        bb.Leakage(1, form="multiplicative"),
        bb.Deassociation(0.5),  # as vulnerability
        bb.Deassociation(0.5, values=["a", "b"]),
        bb.BetaLikeness(0.25, kind="basic"),  # ½ is ¼ above ⅖, ⅔ is ⅔
        bb.BetaLikeness(0.25),
        bb.DeltaDisclosure(0.4),  # ½ to ⅖: 0.32 bits, ⅔ to ⅖: 0.74
    ],
    ids=str,
)
def test_with_suppression_generalising_can_suppress_more(criterion: bb.Criterion) -> None:
    assert not criterion.monotonic(suppression=True)
    assert verdict_on(THREE_GROUPS, criterion).records == 3
    assert verdict_on(generalised(THREE_GROUPS, ONE_AND_TWO), criterion).records == 5


def test_with_suppression_generalising_can_raise_what_an_adversary_gains_over_the_table() -> None:
    rows: list[plain.Row] = [(q, "x", s) for q, s in [*zip([0] * 4, "aabb", strict=True), (1, "a"), (2, "a"), (3, "b")]]
    merged = generalised(rows, [0, 1, 1, 2, 2])  # 1 and 2 are large enough now, and uniform
    for criterion in (bb.Vulnerability(0.5, over="table"), bb.Leakage(0, over="table")):
        assert not criterion.monotonic(suppression=True)
        for table, holds in ((rows, True), (merged, False)):
            too_small = verdict_on(table, bb.KAnonymity(2)).failing_rows()
            assert verdict_on(table, criterion, suppressed=too_small).holds is holds


def left(rows: list[plain.Row], criterion: bb.Criterion, group_level: bb.Criterion) -> float:
    """What a criterion on the table finds once the groups that fail another one are dropped."""
    found = verdict_on(rows, criterion, suppressed=verdict_on(rows, group_level).failing_rows()).achieved
    assert found is not None
    return found


@pytest.mark.parametrize("criterion", [bb.AverageRisk(0.15), bb.Presence(0.15, population=120, over="table")], ids=str)
def test_with_suppression_generalising_can_keep_small_groups_that_were_dropped(criterion: bb.Criterion) -> None:
    """Ten share a group, and two are alone: together they are enough for k = 2, and easier to find than the ten."""
    rows: list[plain.Row] = [(0, "x", "a")] * 10 + [(1, "x", "a"), (2, "x", "a")]
    merged = generalised(rows, [0, 1, 1, 2, 3])
    assert not criterion.monotonic(suppression=True)
    assert left(rows, criterion, bb.KAnonymity(2)) < left(merged, criterion, bb.KAnonymity(2))


def test_with_suppression_generalising_can_drop_everybody_but_who_is_alone() -> None:
    """Four have one a; with one a more that is above 0.3, and all five go, but not who is alone without one."""
    rows: list[plain.Row] = [(0, "x", s) for s in "abcd"] + [(1, "x", "a"), (2, "x", "b")]
    seldom_a = bb.Deassociation(0.3, values=["a"])
    assert not bb.Uniqueness(0.5).monotonic(suppression=True)
    assert left(rows, bb.Uniqueness(0.5), seldom_a) == pytest.approx(1 / 5)
    assert left(generalised(rows, [0, 0, 1, 2, 3]), bb.Uniqueness(0.5), seldom_a) == 1


@pytest.mark.parametrize(
    ("model", "apart", "merged", "population"),
    [
        ("zayatz", [1, 3, 4], [1, 7], 100),
        ("snb", [1, 2, 2, 4], [1, 2, 6], 1000),
        ("pitman", [1, 1, 4, 4], [1, 1, 8], 1000),
        ("dankar", [1, 2, 4], [1, 6], 50),
    ],
)
def test_also_without_suppression_a_model_may_estimate_more_of_larger_groups(
    model: Any, apart: list[int], merged: list[int], population: int
) -> None:
    """Who is alone stays alone, but beside larger groups the model expects more who are."""
    criterion = bb.PopulationUniqueness(0.5, population=population, model=model)
    before, after = (
        verdict_on([(group, "x", "a") for group, size in enumerate(sizes) for _ in range(size)], criterion).achieved
        for sizes in (apart, merged)
    )
    assert not criterion.monotonic(suppression=False)
    assert before is not None
    assert after is not None
    assert after > before


@examples(40)
@given(rows=tables, merge=merges)
def test_groups_that_are_large_enough_by_estimate_never_suppress_more_after_generalising(
    rows: list[plain.Row], merge: list[int]
) -> None:
    for criterion in (bb.KMap(4, population=60), bb.Presence(0.6, population=60)):
        assert criterion.monotonic(suppression=True)
        assert verdict_on(generalised(rows, merge), criterion).records <= verdict_on(rows, criterion).records


def test_the_claims_are_those_of_the_documentation() -> None:
    with_suppression = {criterion for criterion in GROUP_LEVEL[:5] if criterion.monotonic(suppression=True)}
    assert with_suppression == STILL_WITH_SUPPRESSION
    assert not any(criterion.monotonic(suppression=True) for criterion in GROUP_LEVEL[5:] + TABLE_LEVEL)
