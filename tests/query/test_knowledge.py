"""Refusals follow from questions and answers alone, and what was not told stays in doubt: tried on all tiny data."""

from collections import defaultdict
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.examples import examples

from biombo._errors import BiomboError
from biombo._query import Fact, Knowledge, Members, Outcome, decided
from biombo._tabulate import Program, System

K = 2
COLUMNS = {"sex": "FM", "city": "AB"}
ALL, F, A, FA = {}, {"sex": frozenset("F")}, {"city": frozenset("A")}, {"sex": frozenset("F"), "city": frozenset("A")}


def all_groups(columns):
    """Every conjunction of sets of values."""
    sets = [
        [None, *(frozenset(some) for size in range(1, len(values)) for some in combinations(values, size))]
        for values in columns.values()
    ]
    chosen = product(*sets)
    return [{name: some for name, some in zip(columns, each, strict=True) if some is not None} for each in chosen]


def said(members, people, k=K) -> tuple[Knowledge, list[Outcome]]:
    """What is said of all groups, one after the other, where so many people of each kind are there."""
    knowledge, outcomes = Knowledge(members, k), []
    for cell in range(len(members.marks)):
        outcomes.append(knowledge.learned(cell, decided(knowledge, cell, knowledge.foreseen(cell), people)))
    return knowledge, outcomes


def consistent(knowledge, most):
    """All data with which the facts agree."""
    data = np.array(list(product(range(most + 1), repeat=knowledge.members.marks.shape[1])))
    for fact in knowledge.facts:
        inside = data[:, fact.group].sum(axis=1)
        data = data[(inside >= fact.low) & (inside <= fact.high)]
    return data


def table(groups, columns=COLUMNS, **people):
    members = Members.of(groups, columns)
    counts = np.zeros(members.marks.shape[1], int)
    for cell, number in people.items():
        (kind,) = members.kinds({"sex": [cell[0]], "city": [cell[1]]}, 1)
        counts[kind] += number
    return members, counts


@pytest.mark.parametrize(
    ("groups", "people", "expected"),
    [
        ([ALL, F], {"FA": 9, "MB": 9}, ["told", "told"]),
        ([ALL, F], {"FA": 1, "MB": 9}, ["told", "few"]),
        ([ALL, F], {"FA": 9, "MB": 1}, ["told", "left-over"]),
        ([ALL, F], {"FA": 9}, ["told", "left-over"]),
        ([F, F], {"FA": 9}, ["told", "follows"]),
        ([F, {"sex": frozenset("M")}, ALL], {"FA": 1, "MB": 1}, ["few", "few", "gives-away"]),
        ([F, {"sex": frozenset("M")}, ALL], {}, ["few", "few", "gives-away"]),
        ([F, {"sex": frozenset("M")}, ALL], {"FA": 1, "MB": 9}, ["few", "told", "left-over"]),
    ],
)
def test_what_is_said(groups, people, expected) -> None:
    _, outcomes = said(*table(groups, **people))
    assert [outcome.reason for outcome in outcomes] == expected


@examples(12)
@given(
    questions=st.lists(st.sampled_from(all_groups(COLUMNS)), min_size=3, max_size=6),
    people=st.lists(st.sampled_from([0, 0, 1, 2, 3, 6]), min_size=4, max_size=4),
    k=st.sampled_from([2, 3]),
)
def test_nobody_can_tell_that_somebody_is_in_a_group_that_was_not_told(questions, people, k) -> None:
    members = Members.of(questions, COLUMNS)
    counts = np.array((people + [0] * 4)[: members.marks.shape[1]])
    knowledge, outcomes = said(members, counts, k)
    data = consistent(knowledge, 12)
    assert (data == counts).all(axis=1).any()
    for group in knowledge.small:
        inside = data[:, group].sum(axis=1)
        assert inside.min() == 0
        assert inside.max() >= 1
    for group in knowledge.unasked:
        assert data[:, group].sum(axis=1).max() >= k
    assert all(outcome.count >= k for outcome in outcomes if outcome.count is not None)


def can_be(knowledge, group, low: float, high: float) -> bool:
    """Are there whole numbers of people with which the facts agree, and so many in the group?"""
    facts = [*knowledge.facts, Fact(group, low, high)]
    ends = (np.array([getattr(fact, end) for fact in facts], float) for end in ("low", "high"))
    kinds = len(group)
    system = System.of_sums([fact.places for fact in facts], *ends, np.zeros(kinds), np.full(kinds, 99.0))
    try:
        Program(system, whole=True).least(np.arange(kinds))
    except BiomboError:
        return False
    return True


@examples(5)
@given(
    questions=st.lists(st.sampled_from(all_groups(COLUMNS | {"ill": "ny"})), min_size=5, max_size=10),
    people=st.lists(st.sampled_from([0, 1, 2, 3, 5, 6, 9]), min_size=8, max_size=8),
)
def test_whole_numbers_tell_no_more_in_three_columns(questions, people) -> None:
    members = Members.of(questions, COLUMNS | {"ill": "ny"})
    knowledge, _ = said(members, np.array(people[: members.marks.shape[1]]), 3)
    for group in knowledge.small:
        assert can_be(knowledge, group, 0, 0)
        assert can_be(knowledge, group, 1, np.inf)
    for group in knowledge.unasked:
        assert can_be(knowledge, group, 3, np.inf)


def test_data_that_gave_the_same_answers_get_the_same_refusal() -> None:
    questions = [{"city": frozenset("A")}, {"city": frozenset("B")}, {"city": frozenset("AB")}, {}]
    members = Members.of(questions, {"city": "ABC"})
    refusals = defaultdict(set)
    for counts in product(range(4), repeat=3):
        _, outcomes = said(members, np.array(counts))
        for place, outcome in enumerate(outcomes):
            before = tuple((each.status, each.count, each.tested) for each in outcomes[:place])
            refusals[before].add(outcome.status == "refused")
    assert len(refusals) > 10
    assert {True} in refusals.values()
    assert all(len(each) == 1 for each in refusals.values())
