"""Which categories a column has is settled without any one person, and what their being listed tells is counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.examples import examples

import biombo as bb
from biombo._query import Categories, SumsTold
from biombo._tabulate import Program, System

K = 3
BY_TEN = bb.Hierarchy.by_interval(10)


def found(ages: list[str], hierarchy=BY_TEN) -> Categories:
    values = [*dict.fromkeys(ages)]
    codes = np.array([values.index(age) for age in ages])

    def people(group):
        return np.bincount(group[codes], minlength=int(group.max()) + 1)

    return Categories.found("age", values, hierarchy, K, people)


def labels(categories: Categories, level: int) -> list[str]:
    return [label for label, _ in categories.at(level)]


def test_what_few_have_is_counted_with_others_of_the_same_band() -> None:
    categories = found(["21"] * 3 + ["25"] * 2 + ["26"] + ["47"])
    assert labels(categories, 0) == ["21", "(others) · [20, 30)", "(missing)", "(others)"]
    assert labels(categories, 1) == ["[20, 30)", "(missing)", "(others)"]
    assert categories.of("25") == categories.of("29") != categories.of("21")
    assert categories.of("47") == categories.of("99") == categories.of("no age")


def test_others_are_there_whether_anybody_is_or_not() -> None:
    assert found(["21"] * 3).leaves == found(["21"] * 3 + ["25"]).leaves


def test_what_is_declared_is_there_and_a_complete_list_has_nothing_else() -> None:
    tree = bb.Hierarchy.by_hand({"north": ["A", "B"], "south": ["C"]})
    assert labels(Categories.declared("city", ["A", "B", "C"], tree), 1) == ["north", "south", "(missing)", "(others)"]
    complete = Categories.complete("city", ["A", "C", ""], tree)
    assert labels(complete, 0) == ["A", "C", "(missing)"]
    assert complete.least(frozenset(complete.names), K) == 0
    with pytest.raises(bb.BiomboError, match="does not list"):
        complete.of("B")


def test_what_was_written_down_is_read_back() -> None:
    categories = found(["21"] * 3 + ["25"])
    again = Categories.from_tree(categories.to_tree())
    assert again == categories
    assert again.of("25") == categories.of("25")


@examples(20)
@given(ages=st.lists(st.integers(0, 39), max_size=40), chosen=st.sets(st.integers(0, 60)))
def test_how_many_people_a_set_has_since_categories_are_listed(ages, chosen) -> None:
    categories = found([str(age) for age in ages])
    names = categories.names
    some = frozenset(names[place % len(names)] for place in chosen)
    listed = [group for level in range(2) for label, group in categories.at(level) if "(" not in label]
    sums = [np.array([names.index(leaf) for leaf in group]) for group in listed if group <= some]
    low, size = np.full(len(sums), float(K)), len(names)
    program = Program(System.of_sums(sums, low, np.full(len(sums), np.inf), np.zeros(size), np.full(size, np.inf)))
    least = program.least(np.array([names.index(leaf) for leaf in some], int)) if some else 0
    assert categories.least(some, K) == pytest.approx(least)


@examples(30)
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=2, max_size=5))
def test_a_mean_is_refused_where_another_would_follow_by_adding_and_subtracting(groups) -> None:
    wanted, asked, *told = (np.array(group) for group in groups)
    gives_away = SumsTold(told=told, not_told=[wanted]).gives_away(asked)
    _, sizes, directions = np.linalg.svd(np.array([*told, asked], float))
    free = directions[np.count_nonzero(sizes > 1e-9) :]
    assert gives_away == (not np.array_equal(wanted, asked) and bool(np.allclose(free @ wanted, 0)))
