"""Columns that tell of somebody's health are known by their values, whatever they are called."""

import pytest
from made_up import dataset

from biombo._data import inspect


def proposed(values, name="campo_7"):
    return inspect(dataset({name: values * 10})).schema[name]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (["A90", "B24", "E11", "I10"], "ICD-10"),
        (["A90X", "B24", "E119", "I10X", None], "ICD-10"),
        (["A90", "E11.9", "J18.9", "k80.0"], "ICD-10"),
        (["*A419*J189", "*I219", "*I10X*E146", "*J960"], "ICD-10"),
        (["T71/X700", "I219/I10", "R54", "J189"], "ICD-10"),
        (["0000", "A90", "B24", "N188"], "ICD-10"),
        (["0301060118", "0301010072", "0411010034", "0310010039"], "SIGTAP"),
        (["301060118", "301010072", "411010034"], "SIGTAP"),
        (["Diabetes tipo 2", "hipertensão", "câncer de mama", "outra"], "names of diseases"),
        (["flu", "HIV", "heart disease", "asthma"], "names of diseases"),
    ],
)
def test_values_of_health_make_a_column_sensitive(values, reason):
    column = proposed(values)

    assert column.role == "sensitive"
    assert reason in column.reason


@pytest.mark.parametrize(
    "values",
    [
        ["A1", "B2", "C3", "D4"],
        ["U99", "U98", "U97", "U96"],  # no such codes
        ["A90", "B24"],  # two may be chance
        ["1234567890", "2345678901", "3456789012", "4567890123"],
        ["norte", "sul", "leste", "oeste"],
        ["0000", "000", "0", "00"],
    ],
)
def test_other_values_do_not(values):
    assert proposed(values).role != "sensitive"


def test_when_something_sensitive_happened_others_may_know():
    days = [f"{day:02}012024" for day in range(1, 29)]
    column = inspect(dataset({"dt_obito": days, "vacina_dataaplicacao": days})).schema

    assert column.quasi == ("dt_obito", "vacina_dataaplicacao")
    assert column["dt_obito"].type == "date"
