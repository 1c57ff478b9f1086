"""Means tell of nobody what counts do not: tried on all tiny data, and on columns that are counted too."""

from collections import Counter, defaultdict
from itertools import chain, permutations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._query import Amounts, Outcome, SumsTold, mean_of
from biombo._tabulate import Rules

K = 2
SCHEMA = {"columns": {"city": {"domain": ["A", "B"]}, "ill": {"domain": ["0", "1"]}}}


def groups(cities: str, *names: str) -> list[np.ndarray]:
    """Groups of cities by the letters of these."""
    return [np.array([city in name for city in cities]) for name in names]


def told_of(order, amounts: Amounts) -> list[float | str]:
    """What is said of groups, one after the other."""
    sums, said = SumsTold(), []
    for group in order:
        mean = mean_of(group, Outcome("answered", "told", 9), sums, amounts, Rules(K))
        sums.learn(group, mean)
        said.append(mean.status if mean.value is None else mean.value)
    return said


def transcripts(order, sizes) -> dict[tuple[float | str, ...], list[np.ndarray]]:
    """By what is said: how many people of each city are ill, in all data where that is said."""
    found = defaultdict(list)
    for ill in product(*(range(size + 1) for size in sizes)):
        had = [each for size, number in zip(sizes, ill, strict=True) for each in [1] * number + [0] * (size - number)]
        amounts = Amounts(np.repeat(np.arange(len(sizes)), sizes), np.array(had, float), 2)
        found[tuple(told_of(order, amounts))].append(np.array(ill))
    return found


@pytest.mark.parametrize("order", [*permutations(groups("AB", "A", "B", "AB"))])
def test_of_all_tiny_data_a_mean_of_ones_and_noughts_tells_of_no_few_people(order) -> None:
    sizes = np.array([4, 5])
    found = transcripts(order, sizes)
    for said, data in found.items():
        for group, each in zip(order, said, strict=True):
            have = {int(ill[group].sum()) for ill in data}
            if isinstance(each, float):
                assert all(K <= number <= sizes[group].sum() - K for number in have)
            else:
                assert len(have) > 1
    assert any(isinstance(each, float) for said in found for each in said)


OVERLAPPING = [("AB", "BC", "AC"), ("AB", "BC", "ABC"), ("AB", "BC", "B")]


@pytest.mark.parametrize("order", [order for names in OVERLAPPING for order in permutations(names)], ids="-".join)
def test_of_all_tiny_data_overlapping_means_tell_of_no_few_people_asked_for_or_not(order) -> None:
    sizes = np.array([5, 6, 5])
    asked = groups("ABC", *order, "A", "B", "C")
    found = transcripts(asked, sizes)
    everything = [ill for data in found.values() for ill in data]
    for said in found:
        told = [(group, each) for group, each in zip(asked, said, strict=True) if isinstance(each, float)]
        agree = [
            ill for ill in everything if all(round(ill[of].sum() / sizes[of].sum(), 2) == each for of, each in told)
        ]
        for group in groups("ABC", "A", "B", "C", "AB", "BC", "AC", "ABC"):
            have = {int(ill[group].sum()) for ill in agree}
            assert len(have) > 1 or K <= min(have) <= sizes[group].sum() - K
    assert any(all(isinstance(each, float) for each in said) for said in found)


def tells_too_much(had) -> bool:
    """Have fewer than K another amount than most, or can whoever has second most tell what the first has?"""
    first, _, *others = sorted([*had, 0, 0], reverse=True)
    return len(had) - max(Counter(had).values(), default=0) < K or sum(others) < 0.1 * first


@given(
    st.lists(st.lists(st.sampled_from([0, 1, 2, 30]), max_size=7), min_size=4, max_size=4),
    st.lists(st.sampled_from([*product([False, True], repeat=4)][1:]), min_size=2, max_size=6),
)
@settings(max_examples=500)
def test_no_group_whose_sum_follows_from_means_tells_too_much(had, asked) -> None:
    amounts = Amounts(np.repeat(np.arange(4), [*map(len, had)]), np.array([*chain(*had)], float), 2)
    said = told_of([np.array(group) for group in asked], amounts)
    told = [group for group, each in zip(asked, said, strict=True) if isinstance(each, float)]
    for group in product([False, True], repeat=4):
        follows = np.linalg.matrix_rank([*told, group]) == np.linalg.matrix_rank([*told, [0] * 4])
        if any(group) and follows:
            assert not tells_too_much([each for mine, city in zip(group, had, strict=True) if mine for each in city])


def test_three_means_of_two_cities_each_do_not_tell_the_one_who_is_ill(tmp_path) -> None:
    ill = [1] + [0] * 19 + [0, 1] * 20
    people = pl.DataFrame({"city": ["A"] * 20 + ["B"] * 20 + ["C"] * 20, "ill": ill})
    schema = {"columns": {"city": {"domain": ["A", "B", "C"]}}}
    said = [
        bb.query(people, [], where={"city": [*pair]}, mean="ill", history=tmp_path / "desk.jsonl", k=5, schema=schema)
        for pair in ("AB", "BC", "AC")
    ]
    assert [each.to_frame()["records"].item() for each in said] == [40, 40, 40]
    assert [each.to_frame()["ill: mean"].item() for each in said] == [0.28, None, None]


@pytest.fixture
def ask(tmp_path):
    people = pl.DataFrame({"city": ["A"] * 50 + ["B"] * 60, "ill": [1] * 3 + [0] * 47 + [1] * 20 + [0] * 40})

    def asked(by, **told):
        return bb.query(people, by, history=tmp_path / "desk.jsonl", k=10, schema=SCHEMA, **told)

    return asked


def test_no_mean_is_told_of_a_column_that_was_counted_by(ask) -> None:
    assert ask(["city"]).to_frame()["records"].to_list() == [50, 60]
    assert ask(["ill"], where={"city": ["A"]}).of("suppressed") == 2
    with pytest.raises(bb.BiomboError, match="'ill' was asked by before"):
        ask(["city"], mean="ill")


def test_a_column_whose_mean_was_asked_for_is_not_counted_by(ask) -> None:
    assert ask(["city"], mean="ill").to_frame()["ill: mean"].to_list() == [None, 0.33]
    for told in ({"by": ["ill"]}, {"by": [], "where": {"ill": ["1"]}}):
        with pytest.raises(bb.BiomboError, match="means of the column 'ill' were asked for before"):
            ask(**told)


@pytest.mark.parametrize(
    ("amounts", "mean"),
    [
        ([0] * 9, None),
        ([7] * 9, None),
        ([7] * 8 + [8], None),
        ([0] * 7 + [5] * 3, 1.5),
        ([7] * 7 + [7.001, 7.004], None),
        ([1, 2, 3], 2.0),
    ],
)
def test_a_mean_is_told_where_k_people_have_another_amount_than_most(amounts, mean) -> None:
    of = Amounts(np.zeros(len(amounts), int), np.array(amounts, float), 2)
    assert mean_of(np.array([True]), Outcome("answered", "told", 9), SumsTold(), of, Rules(K)).value == mean
