"""The made-up vaccinations: what they look like, and that the case study takes the same course with them."""

from datetime import date

import polars as pl
import pytest
from case_study import (
    AGE,
    BORN,
    CEP,
    DAY,
    GROUP,
    HARMLESS,
    PATIENT,
    PROACTIVE,
    QUASI,
    RACE,
    ROUND_1,
    ROUND_2,
    ROWS,
    SEX,
    alone,
    plan,
    proactive,
    requested,
    small,
)

import biombo as bb
from biombo._errors import UsageError
from biombo._samples import vaccination

OLDEST = 106


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    return vaccination()


def after(people: pl.DataFrame, operations: tuple[bb.Operation, ...]) -> pl.DataFrame:
    return bb.apply(people, plan(operations)).data


def near(document: int, share: float = 0.1) -> object:
    return pytest.approx(document, rel=share)


def test_the_columns_are_those_of_the_case_study_as_opendatasus_writes_them(people: pl.DataFrame) -> None:
    assert people.columns == [PATIENT, *QUASI, GROUP]
    assert people.height == ROWS
    assert (people[BORN].dtype, people[DAY].dtype) == (pl.Date, pl.Date)
    assert people[PATIENT].str.contains("^[0-9a-f]{64}$").all()
    assert people[CEP].str.contains("^[0-9]{8}$").all()
    assert set(people[SEX]) == {"F", "M"}
    assert set(people[RACE]) == {"PARDA", "BRANCA", "PRETA", "AMARELA", "INDIGENA", "SEM INFORMACAO"}


def test_everybody_has_one_record(people: pl.DataFrame) -> None:
    assert people[PATIENT].is_unique().all()


def years_between(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


@pytest.mark.parametrize("seed", [0, 1])
def test_the_age_is_that_on_the_day_of_vaccination(seed: int) -> None:
    people = vaccination(20_000, seed)
    assert people[AGE].to_list() == [years_between(*dates) for dates in people.select(BORN, DAY).rows()]


def test_the_same_seed_gives_the_same_people_and_another_one_others() -> None:
    first, again, other = (vaccination(3_000, seed) for seed in (5, 5, 6))
    assert first.equals(again)
    assert not first.equals(other)


@pytest.mark.parametrize("rows", [1, 2, 100, 300_000])
def test_there_are_as_many_people_as_asked_for_and_one_is_older_than_all_others(rows: int) -> None:
    people = vaccination(rows)
    assert people.height == rows
    assert people.filter(pl.col(AGE) > 104)[AGE].to_list() == [OLDEST]


def test_the_group_suits_the_age(people: pl.DataFrame) -> None:
    ages = people.group_by(GROUP).agg(pl.col(AGE).min().alias("youngest"), pl.col(AGE).max().alias("oldest"))
    found = {name: (youngest, oldest) for name, youngest, oldest in ages.rows()}
    for name in HARMLESS - {"Faixa Etária", "Pessoas de 80 anos ou mais"}:
        _, _, first, _, last, _ = name.split()
        assert found[name] == (int(first), int(last))
    assert found["Pessoas de 80 anos ou mais"] == (80, OLDEST)
    assert found["Trabalhadores de Saúde"][0] >= 18


def test_only_women_are_called_for_a_pregnancy(people: pl.DataFrame) -> None:
    assert set(people.filter(pl.col(GROUP).is_in(["Gestante", "Puérpera"]))[SEX]) == {"F"}


def test_children_are_not_vaccinated_before_adolescents_nor_these_before_adults(people: pl.DataFrame) -> None:
    first = [
        people.filter(pl.col(AGE).is_between(*ages))[DAY].min() for ages in ((0, 4), (5, 11), (12, 13), (18, OLDEST))
    ]
    assert first == sorted(first, reverse=True)


def test_illnesses_are_rare_and_each_is_there(people: pl.DataFrame) -> None:
    share = dict(people[GROUP].value_counts(normalize=True).rows())
    named = {"Pneumopatias Crônicas Graves", "Neoplasias", "Doenças Cardiovasculares e Cerebrovasculares"}
    assert share.keys() > HARMLESS | named
    assert all(0 < share[illness] < 0.01 for illness in named)
    assert sum(share[name] for name in HARMLESS) > 0.8


def test_as_many_groups_are_below_seven_as_in_the_document(people: pl.DataFrame) -> None:
    """Process 3."""
    below = {column: len(small(people, column, 7)) for column in (AGE, BORN, CEP)}
    assert below == {AGE: pytest.approx(13, abs=3), BORN: near(9_263), CEP: near(452)}
    assert len(small(people, QUASI, 7)) == near(11_275)


def test_as_many_records_are_alone_as_in_the_document(people: pl.DataFrame) -> None:
    """Section 5.1."""
    found = {column: alone(people, column) for column in (AGE, BORN, CEP, DAY)}
    assert found == {AGE: 3, BORN: near(7_357), CEP: near(304), DAY: near(69, 0.2)}


def test_round_1_leaves_one_record_alone_with_its_age(people: pl.DataFrame) -> None:
    released = after(people, ROUND_1)
    assert alone(released, AGE) == 1
    assert released.filter(pl.len().over(AGE) == 1)[AGE].to_list() == ["[105, 110)"]


def test_round_2_leaves_nobody_alone_with_the_age_and_thousands_of_groups_below_five(people: pl.DataFrame) -> None:
    released = after(people, ROUND_2)
    assert alone(released, AGE) == 0
    assert len(small(released, QUASI, 5)) == near(2_080)


def test_three_to_a_group_costs_nearly_a_fifth_of_the_records(people: pl.DataFrame) -> None:
    done = bb.apply(people, requested())
    assert done.holds
    assert done.suppressed == near(2_126)


def test_groups_of_one_value_have_harmless_ones_and_all_of_these(people: pl.DataFrame) -> None:
    """Process 7."""
    released = bb.apply(people, requested()).data
    uniform = released.filter(pl.col(GROUP).n_unique().over(QUASI) < 2)
    assert set(uniform[GROUP]) == HARMLESS


def test_the_proactive_release_leaves_as_many_alone_before_it_masks(people: pl.DataFrame) -> None:
    known = [column for column in QUASI if column != BORN]
    assert alone(after(people, PROACTIVE), known) == near(468)

    masked = bb.apply(people, proactive())
    assert masked.holds
    assert masked.suppressed == 0
    assert small(masked.data, known, 10).is_empty()


@pytest.mark.parametrize("seed", range(3))
def test_the_course_is_no_accident_of_the_seed(seed: int) -> None:
    people = vaccination(seed=seed)
    assert alone(people, BORN) == near(7_357)
    assert alone(after(people, ROUND_1), AGE) == 1
    assert len(small(after(people, ROUND_2), QUASI, 5)) == near(2_080, 0.15)


@pytest.mark.parametrize(("argument", "options"), [("rows", {"rows": 0}), ("seed", {"seed": -1})])
def test_numbers_that_make_no_people_are_refused_by_name(argument: str, options: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=argument):
        vaccination(**options)
