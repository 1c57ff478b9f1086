"""Refusals follow from questions and answers alone, and what was not told stays in doubt: tried on all tiny data."""

from collections import defaultdict
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.examples import examples

from biombo._errors import BiomboError
from biombo._query import Fact, Knowledge, Members, Outcome, Part, decided
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


def test_overlapping_answers_do_not_tell_who_is_in_the_corner_across() -> None:
    """By hand: of 71 people 50 are women and 50 live in A, 30 are both. One man lives in B: 71 - 50 - 50 + 30."""
    _, outcomes = said(*table([ALL, F, A, FA], FA=30, FB=20, MA=20, MB=1), 5)
    assert [outcome.reason for outcome in outcomes] == ["told", "told", "told", "left-over"]
    _, outcomes = said(*table([ALL, F, A, FA], FA=30, FB=20, MA=20, MB=5), 5)
    assert [outcome.count for outcome in outcomes] == [75, 50, 50, 30]


def test_no_order_of_three_questions_tells_of_a_small_corner() -> None:
    """Whatever is asked of women, men, A, B and those in both: no number of fewer than k follows by adding up."""
    groups = [each for each in all_groups(COLUMNS) if each]
    for asked in permutations(groups, 3):
        members, counts = table([ALL, *asked, *groups], FA=20, FB=20, MA=20, MB=1)
        assert not small_that_follow(members, counts, 4, 5), asked


def small_that_follow(members, counts, questions: int, k: int) -> list[int]:
    """The groups of fewer than k whose number follows from what is said of the first so many, by adding up."""
    knowledge = Knowledge(members, k)
    for cell in range(questions):
        knowledge.learned(cell, decided(knowledge, cell, knowledge.foreseen(cell), counts))
    told = members.marks[[*knowledge.told]].astype(float)
    rank = np.linalg.matrix_rank(told)
    small = [number for number, group in enumerate(members.marks) if counts[group].sum() < k]
    return [each for each in small if np.linalg.matrix_rank(np.vstack([told, members.marks[each]])) == rank]


@examples(8)
@given(
    questions=st.lists(st.sampled_from(all_groups({"sex": "FM", "city": "ABC", "ill": "ny"})), min_size=4, max_size=9),
    people=st.lists(st.sampled_from([0, 1, 3, 5, 8, 9, 20]), min_size=12, max_size=12),
)
def test_of_no_group_that_nobody_asked_for_a_small_number_follows(questions, people) -> None:
    """All groups that have some values in each column, whether anybody asks for them or not."""
    columns = {"sex": "FM", "city": "ABC", "ill": "ny"}
    members = Members.of([ALL, *questions, *all_groups(columns)], columns)
    assert not small_that_follow(members, np.array(people), 1 + len(questions), 4)


THREE = {"sex": "FM", "city": "ABC", "ill": "ny"}


@examples(25)
@given(
    questions=st.lists(st.sampled_from(all_groups(THREE)), min_size=3, max_size=9),
    people=st.lists(st.sampled_from([0, 1, 3, 5, 8, 9, 20]), min_size=12, max_size=12),
)
def test_whatever_can_follow_is_looked_at(questions, people) -> None:
    """Nothing is known of groups but what was asked: of all that have a side of each column none follows that is small,
    found by writing all vectors out.
    """
    members = Members.of([ALL, *questions], THREE)
    counts = np.bincount(members.kind_of, np.array(people)[of_atoms(members)], members.marks.shape[1])
    knowledge, _ = said(members, counts, 4)
    told = members.marks[[*knowledge.told]].astype(float)
    rank = np.linalg.matrix_rank(told)
    for group in sides_of_all(questions):
        cells = np.zeros(len(members.kind_of), bool)
        cells[members.atoms.base_cells(group)] = True
        whole = np.array([cells[members.kind_of == kind].all() for kind in range(members.marks.shape[1])])
        if whole[members.kind_of[cells]].all():
            follows = np.linalg.matrix_rank(np.vstack([told, whole])) == rank
            assert not follows or counts[whole].sum() >= 4, group


def of_atoms(members):
    """By base cell: the first of the twelve combinations of values that is in it."""
    rows = {name: [each[place] for each in product(*THREE.values())] for place, name in enumerate(THREE)}
    first = dict(reversed([*zip(members.atoms.base_cell_of(rows).tolist(), range(12), strict=True)]))
    return np.array([first[cell] for cell in range(len(members.kind_of))])


def sides_of_all(questions):
    """Every group with one side of each column: what was asked, what was not, and all."""
    sets = [
        {None}.union(
            *({each[name], frozenset(values) - each[name]} for each in questions if name in each),
        )
        for name, values in THREE.items()
    ]
    return [{name: some for name, some in zip(THREE, each, strict=True) if some} for each in product(*sets)]


def test_many_cells_of_other_columns_keep_nothing_from_being_looked_at() -> None:
    """By hand: of 1900 people 1450 are A and 1450 are X; how many are both tells how many are neither. A hundred cells
    by two other columns, and one by all four, change nothing about that.
    """
    digits = "0123456789"
    columns = dict.fromkeys(("town", "cause", "year", "age"), digits)
    first = frozenset("0")
    pairs = [{"year": frozenset(a), "age": frozenset(b)} for a, b in product(digits, repeat=2)]
    singles = [{name: frozenset(each)} for name in ("town", "cause") for each in digits]
    corner = {"town": first, "cause": first}
    asked = [ALL, *singles, *pairs, {**corner, "year": first, "age": first}, corner]
    members = Members.of(asked, columns)
    knowledge = Knowledge(members, 5)
    for number, each in enumerate(asked[:-2]):
        people = 1900 if not each else 1450 if first in each.values() else 50
        knowledge.learn(number, Outcome("answered", "told", 19 if len(each) == 2 else people))
    tested = knowledge.foreseen(len(asked) - 1).tested
    others = tuple(digits[1:])
    assert Part(named=(("town", others), ("cause", others))) in {Part(named=part.named) for part in tested}


def test_what_follows_of_others_is_read_back_from_a_history() -> None:
    """Also what was written before there was any of it: cells, and cells within these."""
    _, outcomes = said(*table([ALL, F, A, FA], FA=30, FB=20, MA=20, MB=1), 5)
    assert outcomes[-1].tested[-1] == Part(named=(("sex", ("M",)), ("city", ("B",))))
    assert Outcome.from_tree(outcomes[-1].to_tree()) == outcomes[-1]
    assert Part.from_tree([0], [2]) == Part((0,), (2,))
