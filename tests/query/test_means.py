"""Means tell of nobody what counts do not: tried on all tiny data, and on columns that are counted too."""

from collections import defaultdict
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest

import biombo as bb
from biombo._query import Amounts, Outcome, SumsTold, mean_of
from biombo._tabulate import Rules

K = 2
PEOPLE = {"A": 4, "B": 5}
A, B, ALL = np.array([True, False]), np.array([False, True]), np.array([True, True])
SCHEMA = {"columns": {"city": {"domain": ["A", "B"]}, "ill": {"domain": ["0", "1"]}}}


def means(order, ill) -> tuple[float | str, ...]:
    """What is said of groups, one after the other, where so many people of each city are ill."""
    had = [
        each for city, number in zip(PEOPLE, ill, strict=True) for each in [1] * number + [0] * (PEOPLE[city] - number)
    ]
    amounts = Amounts(np.repeat([0, 1], [*PEOPLE.values()]), np.array(had, float), 2)
    sums, said = SumsTold(), []
    for group in order:
        mean = mean_of(group, Outcome("answered", "told", 9), sums, amounts, Rules(K))
        sums.learn(group, mean)
        said.append(mean.status if mean.value is None else mean.value)
    return tuple(said)


@pytest.mark.parametrize("order", [*permutations([A, B, ALL])])
def test_of_all_tiny_data_a_mean_of_ones_and_noughts_tells_of_no_few_people(order) -> None:
    transcripts = defaultdict(list)
    for ill in product(*(range(number + 1) for number in PEOPLE.values())):
        transcripts[means(order, ill)].append(np.array(ill))
    sizes = np.array([*PEOPLE.values()])
    for said, data in transcripts.items():
        for group, each in zip(order, said, strict=True):
            have = {int(ill[group].sum()) for ill in data}
            if isinstance(each, float):
                assert all(K <= number <= sizes[group].sum() - K for number in have)
            else:
                assert len(have) > 1
    assert any(isinstance(each, float) for said in transcripts for each in said)


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
