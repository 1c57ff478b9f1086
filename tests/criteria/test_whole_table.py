"""Criteria on whom an adversary finds in the table as a whole."""

from collections import Counter

import numpy as np
import plain_criteria as plain
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._attack import PopulationEstimate

row = st.tuples(st.sampled_from("xyz"), st.integers(1, 4), st.sampled_from(["Ana", "Beto", "Caio", None]))
tables = st.lists(row, min_size=1, max_size=30)


def read(rows: list[tuple[str, int, str | None]], person: str | None = None) -> bb.Dataset:
    return bb.read(pl.DataFrame(rows, schema=["a", "b", "name"], orient="row"), bb.Schema({}, person=person))


def achieved(data: bb.Dataset, criterion: bb.Criterion, **options: object) -> float:
    value = bb.judge(data, criterion, quasi=["a", "b"], **options).verdicts[0].achieved  # type: ignore[arg-type]
    assert value is not None
    return value


@given(tables)
def test_the_average_risk_and_the_unique_records_are_what_the_attack_finds(rows) -> None:
    data = read(rows)
    with bb.Watch(warning=str):  # a column may have a different value in each row
        attack = bb.reidentification(data, ["a", "b"]).subsets.row(-1, named=True)

    assert achieved(data, bb.AverageRisk(0.5)) == pytest.approx(attack["posterior"])
    assert achieved(data, bb.Uniqueness(0.5)) == pytest.approx(attack["unique"] / len(rows))


@examples(40)
@given(tables)
def test_the_estimate_is_what_is_estimated_of_a_sample(rows) -> None:
    data, population = read(rows), 10 * len(rows)
    estimate = bb.population_risk(data, ["a", "b"], fraction=0.1).estimate

    for model in ("dankar", "zayatz", "pitman", "snb"):
        share = getattr(estimate, model).share
        share = estimate.sample_uniques / len(rows) if share is None else share
        verdict = bb.judge(data, bb.PopulationUniqueness(0.2, population=population, model=model), quasi=["a", "b"])
        assert verdict.holds == (share <= 0.2 + 1e-9)
        assert verdict.verdicts[0].achieved == pytest.approx(share)


@given(tables)
def test_people_are_counted_where_they_are_named(rows) -> None:
    people = {key: {name for *at, name in rows if tuple(at) == key} for key in {each[:2] for each in rows}}
    records = Counter(each[:2] for each in rows)
    data = read(rows, person="name")

    risk = sum(records[key] / len(people[key]) for key in people) / len(rows)
    alone = sum(records[key] for key in people if len(people[key]) == 1) / len(rows)
    assert achieved(data, bb.AverageRisk(0.5)) == pytest.approx(risk)
    assert achieved(data, bb.Uniqueness(0.5)) == pytest.approx(alone)
    everybody = {name for *_, name in rows}
    fewest = plain.risk_of_population(min(map(len, people.values())), len(everybody) / 100)
    assert achieved(data, bb.KMap(2, population=100)) == pytest.approx(1 / fewest)


@examples(40)
@given(tables, st.integers(2, 9), st.sampled_from([0.15, 0.2, 0.4, 0.7]))
def test_what_is_estimated_of_groups_is_a_smallest_group(rows, k, chance) -> None:
    data, share = read(rows), 1 / 8
    asked = {
        bb.KMap(k, population=8 * len(rows)): lambda size: plain.risk_of_population(size, share) <= 1 / k + 1e-9,
        bb.Presence(chance, population=8 * len(rows)): lambda size: (
            size * plain.risk_of_population(size, share) <= chance + 1e-9
        ),
    }
    for criterion, will_do in asked.items():
        least = next(size for size in range(1, 1000) if will_do(size))
        expected = bb.judge(data, bb.KAnonymity(least), quasi=["a", "b"])
        found = bb.judge(data, criterion, quasi=["a", "b"])
        assert found.holds == expected.holds
        assert found.failing_rows().tolist() == expected.failing_rows().tolist()


@examples(40)
@given(tables)
def test_the_mean_chance_to_be_in_the_table_is_over_its_people(rows) -> None:
    sizes = Counter(each[:2] for each in rows).values()
    mean = sum(size * size * plain.risk_of_population(size, 1 / 4) for size in sizes) / len(rows)
    everybody = bb.Presence(1, population=4 * len(rows), over="table")
    assert achieved(read(rows), everybody) == pytest.approx(mean)
    # With the whole population in the table, everybody is in it for certain; and nobody is less than was sampled.
    assert achieved(read(rows), bb.Presence(1, population=len(rows), over="table")) == pytest.approx(1)
    assert mean >= 1 / 4 - 1e-12


def test_nobody_is_less_likely_in_the_table_than_was_sampled() -> None:
    data = read([("x", 1, None)] * 10)
    with refused("criteria.presence-below-share", "25", "20"):
        bb.judge(data, bb.Presence(0.2, population=40), quasi=["a", "b"])
    assert not bb.judge(data, bb.Presence(0.2, population=40, over="table"), quasi=["a", "b"]).holds
    assert bb.judge(data, bb.Presence(1, population=10), quasi=["a", "b"]).holds


def test_what_is_suppressed_is_not_in_the_table() -> None:
    data = read([("x", 1, None), ("x", 1, None), ("y", 1, None)])
    alone = bb.judge(data, bb.KAnonymity(2), quasi=["a", "b"]).failing_rows()
    assert achieved(data, bb.Uniqueness(0)) == pytest.approx(1 / 3)
    assert achieved(data, bb.Uniqueness(0), suppressed=alone) == 0
    assert achieved(data, bb.AverageRisk(0.5), suppressed=alone) == 0.5


@pytest.mark.parametrize("model", ["dankar", "pitman", "snb", "zayatz"])
def test_who_is_suppressed_was_sampled_as_well(model) -> None:
    """Who looks like a group that is kept was sampled at the same rate as all, whoever is left out."""
    sizes = [1] * 8 + [2] * 5 + [3] * 3 + [6]
    rows = [("x", group, None) for group, size in enumerate(sizes) for _ in range(size)]
    data, gone = read([*rows, *[("y", 99, None)] * 67]), np.arange(100) >= len(rows)

    for population in (300, 2_000):
        expected = getattr(PopulationEstimate.of(np.array(sizes), 100 / population), model).share
        asked = bb.PopulationUniqueness(0.5, population=population, model=model)
        assert achieved(data, asked, suppressed=gone) == pytest.approx(expected)
        chances = [size * plain.risk_of_population(size, 100 / population) for size in sizes]
        mean = sum(size * chance for size, chance in zip(sizes, chances, strict=True)) / len(rows)
        over_table = bb.Presence(0.9, population=population, over="table")
        assert achieved(data, over_table, suppressed=gone) == pytest.approx(mean)
        worst = achieved(data, bb.Presence(0.9, population=population), suppressed=gone)
        assert worst == pytest.approx(max(chances))


def test_with_suppression_generalising_can_leave_more_of_the_records_alone() -> None:
    # Where groups that fail go, a larger one may fail only after it was merged: then fewer records stay.
    apart = [("x", 1, None)] * 4 + [("y", 1, None)]
    data = read(apart)
    assert achieved(data, bb.Uniqueness(1)) == pytest.approx(1 / 5)
    gone = pl.Series([True] * 4 + [False]).to_numpy()
    assert achieved(data, bb.Uniqueness(1), suppressed=gone) == 1
    presence = bb.Presence(0.5, population=9, over="table")
    for criterion in (bb.AverageRisk(0.5), bb.Uniqueness(0.5), bb.PopulationUniqueness(0.5, population=9), presence):
        assert not criterion.monotonic(suppression=True)
    assert bb.KMap(3, population=9).monotonic(suppression=True)
    assert bb.Presence(0.5, population=9).monotonic(suppression=True)


@pytest.mark.parametrize("make", [bb.KMap, lambda k, **more: bb.PopulationUniqueness(1 / k, **more)])
def test_a_population_has_all_people_of_the_table(make) -> None:
    data = read([("x", 1, "Ana"), ("x", 1, "Ana"), ("y", 2, "Beto")])
    with refused("criteria.small-population", "3", "2"):
        bb.judge(data, make(2, population=2), quasi=["a", "b"])
    of_two = read([("x", 1, "Ana"), ("x", 1, "Ana"), ("y", 2, "Beto")], person="name")
    assert bb.judge(of_two, make(1, population=2), quasi=["a", "b"]).holds


def test_values_that_must_not_be_frequent_are_of_one_column() -> None:
    data = read([("x", 1, "Ana"), ("x", 1, "Ana")])
    with refused("criteria.values-column", "b, name"):
        bb.judge(data, bb.Deassociation(0.5, values=["Ana"]), quasi=["a"], sensitive=["b", "name"])


def test_values_that_nobody_has_are_remarked_on() -> None:
    remarks: list[str] = []
    asked = bb.Deassociation(0.5, values=["ana", "1"], column="name")
    with bb.Watch(remark=remarks.append):
        found = bb.judge(read([("x", 1, "Ana")]), asked, quasi=["a"])
    assert (found.holds, found.verdicts[0].achieved) == (True, 0)
    assert "'name'" in remarks[0]
    assert "'ana', '1'" in remarks[0]


def test_a_missing_value_is_an_empty_text_and_numbers_are_as_they_are_written() -> None:
    data = read([("x", 1, None), ("x", 1, None), ("x", 2, "Ana"), ("x", 2, "")])
    for column, values, share in (("name", [""], 0.75), ("b", ["2"], 0.5), ("name", ["Ana", ""], 0.75)):
        found = bb.judge(data, bb.Deassociation(0.9, values=values, column=column), quasi=["a"]).verdicts[0]
        assert found.achieved == share
