"""Every criterion against its definition in plain Python."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isinf

import plain_criteria as plain
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb

TOLERANCE = 1e-9
DISEASES = {"lung": ["flu", "asthma"], "belly": ["colic", "ulcer"], "skin": ["rash"]}
HIERARCHY = bb.Hierarchy.by_hand(DISEASES)
PARENT = {value: parent for parent, values in DISEASES.items() for value in values}
INCOMES = ["9", "10", "200", None]

row = st.tuples(
    st.sampled_from(["x", "y", None]),
    st.sampled_from(["1", "2"]),
    st.sampled_from(sorted(PARENT)),
    st.sampled_from(INCOMES),
)
tables = st.lists(row, min_size=1, max_size=25)
QUASI, DISEASE, INCOME = (0, 1), 2, 3


def read(rows: Sequence[plain.Row]) -> bb.Dataset:
    names = ["a", "b", "disease", "income"]
    return bb.read(pl.DataFrame({n: pl.Series([r[i] for r in rows], dtype=pl.String) for i, n in enumerate(names)}))


def equal(a: object, b: object) -> Fraction:
    return Fraction(a != b)


def by_level(a: object, b: object) -> Fraction:
    if a == b:
        return Fraction(0)
    return Fraction(1, 2) if PARENT[str(a)] == PARENT[str(b)] else Fraction(1)


def by_rank(everything: plain.Values) -> plain.Distance:
    order = [value for value in INCOMES if value in everything]
    return lambda a, b: Fraction(abs(order.index(a) - order.index(b)), max(len(order) - 1, 1))


def column(rows: Sequence[plain.Row], place: int) -> list[object]:
    return [row[place] for row in rows]


Measure = Callable[[list[plain.Row], Sequence[plain.Row]], float]


def measure_of(criterion: bb.Criterion) -> tuple[Measure, Callable[[float], bool]]:
    """What the definition measures of a group and the whole table, and when that will do."""
    match criterion:
        case bb.KAnonymity(k=k):
            return lambda group, _: len(group), lambda value: value >= k
        case bb.LDiversity(kind="distinct", l=l):
            return lambda group, _: plain.distinct(column(group, DISEASE)), lambda value: value >= l
        case bb.LDiversity(kind="entropy", l=l):
            return lambda group, _: plain.entropy_diversity(column(group, DISEASE)), lambda v: v >= l - TOLERANCE
        case bb.LDiversity(l=l, c=float(c)):
            return lambda group, _: plain.top_to_tail(column(group, DISEASE), int(l)), lambda v: v < c - TOLERANCE
        case bb.TCloseness(kind=kind, t=t):
            return lambda group, all_rows: distance(kind, group, all_rows), lambda value: value <= t + TOLERANCE
        case bb.Deassociation(alpha=alpha, values=named):
            return lambda group, _: share_of(column(group, DISEASE), named), lambda v: v <= alpha + TOLERANCE
        case bb.BetaLikeness(beta=beta, kind=kind):
            gained = plain.gain if kind == "basic" else plain.limited_gain
            return lambda group, rows: gained(column(group, DISEASE), column(rows, DISEASE)), (
                lambda v: v <= beta + TOLERANCE
            )
        case bb.DeltaDisclosure(delta=delta):
            return lambda group, rows: plain.log_ratio(column(group, DISEASE), column(rows, DISEASE)), (
                lambda v: v < delta - TOLERANCE
            )
        case bb.Vulnerability(max=most):
            return lambda group, _: float(plain.top_share(column(group, DISEASE))), lambda v: v <= most + TOLERANCE
        case bb.Leakage(max=most):
            return lambda group, all_rows: gain(criterion, group, all_rows), lambda value: value <= most + TOLERANCE
    raise AssertionError(criterion)


def distance(kind: str, group: list[plain.Row], everything: Sequence[plain.Row]) -> float:
    place = INCOME if kind == "ordered" else DISEASE
    ground = {"equal": equal, "hierarchical": by_level, "ordered": by_rank(column(everything, INCOME))}[kind]
    return float(plain.earth_movers_distance(column(group, place), column(everything, place), ground))


def share_of(values: list[object], named: Sequence[str] | None) -> float:
    return float(plain.share_of(values, values if named is None else named))


def gain(criterion: bb.Leakage, group: list[plain.Row], everything: Sequence[plain.Row]) -> float:
    share, prior = (plain.top_share(column(rows, DISEASE)) for rows in (group, everything))
    return float(share - prior if criterion.form == "additive" else share / prior)


CRITERIA = [
    bb.KAnonymity(1),
    bb.KAnonymity(3),
    bb.LDiversity(2),
    bb.LDiversity(3),
    bb.LDiversity(1.5, kind="entropy"),
    bb.LDiversity(2, kind="entropy"),
    bb.LDiversity(2, kind="recursive", c=1.0),
    bb.LDiversity(2, kind="recursive", c=2.5),
    bb.LDiversity(3, kind="recursive", c=2.0),
    bb.TCloseness(0.25),
    bb.TCloseness(0.5),
    bb.TCloseness(0.2, kind="ordered", column="income"),
    bb.TCloseness(0.3, kind="hierarchical", hierarchy=HIERARCHY),
    bb.Deassociation(0.5),
    bb.Deassociation(1 / 3, values=["flu", "rash"]),
    bb.BetaLikeness(0.5, kind="basic"),
    bb.BetaLikeness(2.0, kind="basic"),
    bb.BetaLikeness(0.5),
    bb.BetaLikeness(2.0),
    bb.DeltaDisclosure(0.5),
    bb.DeltaDisclosure(1.0),
    bb.Vulnerability(0.5),
    bb.Vulnerability(2 / 3),
    bb.Leakage(0.2),
    bb.Leakage(1.5, form="multiplicative"),
]


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
@examples(40)
@given(rows=tables)
def test_every_group_is_judged_as_the_definition_says(criterion: bb.Criterion, rows: list[plain.Row]) -> None:
    measure, will_do = measure_of(criterion)
    values = {key: measure(group, rows) for key, group in plain.groups_of(rows, QUASI).items()}
    failing = {key for key, value in values.items() if not will_do(value)}

    judged = bb.judge(read(rows), criterion, quasi=["a", "b"], sensitive="disease")

    verdict = judged.verdicts[0]
    worst = (min if criterion.lowest_is_worst else max)(values.values())
    assert verdict.achieved == pytest.approx(worst)
    assert verdict.holds == judged.holds == (not failing)
    assert verdict.groups == len(failing)
    assert verdict.records == sum(row[:2] in failing for row in rows)
    assert judged.failing_rows().tolist() == [row[:2] in failing for row in rows]
    listed = {tuple(group.values.values()): group.value for group in verdict.worst(len(values))}
    assert listed == pytest.approx(values)
    assert {tuple(group.values.values()) for group in verdict.worst(len(values)) if not group.holds} == failing


OVER_THE_TABLE = [
    bb.Vulnerability(0.6, over="table"),
    bb.Leakage(0.1, over="table"),
    bb.Leakage(1.25, form="multiplicative", over="table"),
]


@pytest.mark.parametrize("criterion", OVER_THE_TABLE, ids=str)
@given(rows=tables)
def test_a_bound_over_the_table_is_on_the_posterior(criterion: bb.Criterion, rows: list[plain.Row]) -> None:
    groups = [column(group, DISEASE) for group in plain.groups_of(rows, QUASI).values()]
    posterior, prior = plain.posterior(groups), plain.top_share(column(rows, DISEASE))
    expected = posterior
    if isinstance(criterion, bb.Leakage):
        expected = posterior - prior if criterion.form == "additive" else posterior / prior

    judged = bb.judge(read(rows), criterion, quasi=["a", "b"], sensitive="disease")

    verdict = judged.verdicts[0]
    assert verdict.achieved == pytest.approx(float(expected))
    assert verdict.holds == (float(expected) <= criterion.max + TOLERANCE)
    assert (verdict.groups, verdict.records, judged.failing_rows().any()) == (0, 0, False)


@examples(40)
@given(rows=tables)
def test_of_several_sensitive_columns_the_worst_counts(rows: list[plain.Row]) -> None:
    for criterion in (bb.LDiversity(2), bb.TCloseness(0.3), bb.Vulnerability(0.6), bb.Leakage(0.2)):
        each = [bb.judge(read(rows), criterion, quasi=["a", "b"], sensitive=name) for name in ("disease", "income")]

        both = bb.judge(read(rows), criterion, quasi=["a", "b"], sensitive=["disease", "income"])

        worst = min if criterion.lowest_is_worst else max
        # A distance is a sum, and in which order values are added up depends on the other column.
        assert both.verdicts[0].achieved == pytest.approx(worst(one.verdicts[0].achieved for one in each), abs=1e-12)
        assert both.failing_rows().tolist() == (each[0].failing_rows() | each[1].failing_rows()).tolist()


def test_fewer_values_than_l_make_the_recursive_ratio_infinite() -> None:
    rows = [("x", "1", "flu", "9")] * 3
    criterion = bb.LDiversity(2, kind="recursive", c=100.0)
    verdict = bb.judge(read(rows), criterion, quasi=["a", "b"], sensitive="disease").verdicts[0]
    assert verdict.achieved is not None
    assert isinf(verdict.achieved)
    assert not verdict.holds
