"""Whether a column tells what was done away with in another."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._release.measure import Hidden, is_told_by

SEEDS = st.integers(0, 10_000)


def told(table: pl.DataFrame, hidden: str, column: str, shown: list[str] | None = None) -> bool:
    own = bb.read(table, columns=[])
    after = None if shown is None else bb.read(pl.DataFrame({hidden: shown}), columns=[])[hidden]
    return is_told_by(Hidden(hidden, own[hidden], after), own[column])


def people(seed: int, rows: int = 400) -> tuple[np.random.Generator, pl.DataFrame, list[str]]:
    """Ages, and what a release by tens shows of them."""
    random = np.random.default_rng(seed)
    ages = random.integers(20, 90, rows)
    return random, pl.DataFrame({"age": ages}), [f"[{age // 10 * 10}, {age // 10 * 10 + 10})" for age in ages]


@settings(max_examples=25)
@given(SEEDS)
def test_what_has_nothing_to_do_with_it_tells_nothing(seed) -> None:
    random, table, tens = people(seed)
    table = table.with_columns(
        disease=pl.Series(random.choice(["flu", "gout", "tb", "hiv"], table.height)),
        rare=pl.Series(random.integers(0, 150, table.height)),
        own=pl.Series(random.permutation(table.height)),
    )
    for column in ("disease", "rare", "own"):
        assert not told(table, "age", column, tens)
        assert not told(table, "age", column)


@settings(max_examples=15)
@given(SEEDS)
def test_what_goes_together_as_in_every_table_is_no_telling(seed) -> None:
    """Each disease has ages at which it is frequent, and some are of one sex only."""
    random, table, tens = people(seed)
    centre = random.integers(30, 80, 12)
    chances = np.exp(-(((table["age"].to_numpy()[:, None] - centre) / 25.0) ** 2))
    disease = [random.choice(12, p=row / row.sum()) for row in chances]
    sex = ["F" if each == 0 else random.choice(["F", "M"]) for each in disease]
    table = table.with_columns(disease=pl.Series([f"D{each}" for each in disease]), sex=pl.Series(sex))

    assert not told(table, "age", "disease", tens)
    assert not told(table, "age", "disease")
    assert not told(table, "sex", "disease")


@settings(max_examples=15)
@given(SEEDS, st.sampled_from(["the same", "other words", "half as fine", "with typing errors"]))
def test_a_copy_tells(seed, kind) -> None:
    random, table, tens = people(seed)
    ages = table["age"].to_list()
    copies = {
        "the same": ages,
        "other words": [f"code-{age * 7919 % 1000}" for age in ages],
        "half as fine": [f"{age // 5 * 5} to {age // 5 * 5 + 4}" for age in ages],
        "with typing errors": [age if random.random() > 0.02 else 99 for age in ages],
    }
    table = table.with_columns(copy=pl.Series([str(each) for each in copies[kind]]))

    assert told(table, "age", "copy", tens)
    assert told(table, "age", "copy")


@settings(max_examples=15)
@given(SEEDS)
def test_a_value_that_names_an_age_group_tells_beside_ages_by_ten(seed) -> None:
    random, table, tens = people(seed)
    groups = [
        "Trabalhadores de saúde" if age < 60 or random.random() < 0.2 else f"Pessoas de {age // 5 * 5} anos ou mais"
        for age in table["age"]
    ]
    one = ["Pessoas de 70 a 74 anos" if 70 <= age < 75 else "outro" for age in table["age"]]
    table = table.with_columns(groups=pl.Series(groups), one=pl.Series(one))

    assert told(table, "age", "groups", tens)
    assert told(table, "age", "one", tens)


@pytest.mark.parametrize("written", ["%Y-%m-%d", "%d/%m/%Y", "%d%m%Y", "%Y%m%d"])
def test_dates_of_birth_tell_beside_age_bands(written) -> None:
    random, table, tens = people(1)
    born = [date(2026, 1, 1) - timedelta(days=int(age * 365.25 + random.integers(0, 365))) for age in table["age"]]
    table = table.with_columns(born=pl.Series([day.strftime(written) for day in born]))

    assert told(table, "age", "born", tens)


def test_a_town_tells_its_state() -> None:
    random = np.random.default_rng(3)
    towns = random.integers(0, 40, 300)
    table = pl.DataFrame({"town": [f"t{town}" for town in towns], "state": [f"s{town % 5}" for town in towns]})

    assert told(table, "state", "town")


def test_only_records_count_whose_value_is_not_shown() -> None:
    """All but some masked ones are released as they are."""
    ages = [str(20 + n % 5) for n in range(100)]
    table = pl.DataFrame({"age": ages, "copy": ages})

    assert not told(table, "age", "copy", ages)
    assert told(table, "age", "copy", ["*"] * 10 + ages[10:])
