"""What is written for "missing" and "unknown" is proposed as invalid, with the reason, and only with evidence."""

import pytest
from made_up import dataset

from biombo._data import inspect
from biombo._i18n import set_language


def column(name, values):
    return inspect(dataset({name: values})).schema[name]


def codes(*some, times=20):
    return [code for code in some for _ in range(times)]


@pytest.mark.parametrize(
    "mark", ["NULL", "N/A", "nan", "-", ".", "NA", "Ignorado", "sem informação", "Não informado", "unknown", "#N/D"]
)
@pytest.mark.parametrize("name", ["escolaridade", "setor"])
def test_marks_for_a_missing_value_are_invalid(mark, name):
    found = column(name, [*codes("fundamental", "médio", "superior"), mark])

    assert found.invalid == {mark}
    assert f"{mark} is written for no value" in found.reason


@pytest.mark.parametrize(
    ("name", "values", "invalid"),
    [
        ("idade", [*map(str, range(100)), "999"], {"999"}),
        ("PA_SEXO", codes("F", "M", "0"), {"0"}),
        ("CS_SEXO", codes("F", "M", "I"), {"I"}),
        ("PA_RACACOR", codes("01", "02", "03", "99", "00"), {"99", "00"}),
        ("CODMUNRES", codes("170210", "172100", "170000", "999999"), {"170000", "999999"}),
        ("OCUP", codes("622020", "999992", "999999"), {"999999"}),
        ("CNES", codes("2001578", "6861849", "0000000"), {"0000000"}),
    ],
)
def test_codes_that_can_only_mean_unknown_are_invalid(name, values, invalid):
    assert column(name, values).invalid == invalid


@pytest.mark.parametrize(
    ("name", "values", "last"),
    [
        ("ESTCIV", codes("1", "2", "3", "4", "5", "9"), "9"),
        ("febre", codes("1", "2", "9"), "9"),
        ("QTDFILVIVO", codes("00", "01", "02", "10", "99"), "99"),
        ("IDADEMAE", [*map(str, range(13, 55)), "99"], "99"),
    ],
)
def test_nines_after_a_gap_are_invalid_and_the_gap_is_told(name, values, last):
    found = column(name, values)

    assert found.invalid == {last}
    assert f"{last} seems to mean unknown: the other codes end at" in found.reason


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("escolaridade", codes("1", "3", "5", "7", "8", "9")),  # no gap: a code like the others
        ("nota", codes(*"0123456789")),
        ("idade", [*map(str, range(100))]),  # people of 99 years
        ("renda", codes("10", "20", "99")),
        ("valor", ["10.5", "20.1", "30.7", "99", "999"] * 10),  # amounts
        ("visitas", codes("1", "2", "12", "99")),  # numbers of any length: amounts
        ("CODMUNRES", codes("170210", "172100")),
        ("pais", codes("BR", "NA", "AR")),  # Namibia
        ("resposta", [*codes("1", "2"), *codes("9", times=200)]),  # what most rows say
    ],
)
def test_without_evidence_a_number_stays_a_value(name, values):
    assert column(name, values).invalid == frozenset()


def test_few_empty_values_of_a_quasi_column_are_invalid_and_many_are_not():
    few, many = [*codes("F", "M"), None], [*codes("F", "M"), *[None] * 30]

    assert column("sexo", few).invalid == {None}
    assert "rows without a value: 1" in column("sexo", few).reason
    assert column("sexo", many).invalid == frozenset()
    assert column("resultado", few).invalid == frozenset(), "a result may not be there because there is none"


def test_identifiers_have_none():
    names = [f"pessoa {n}" for n in range(40)]

    assert column("nome", [*names, "N/A"]).invalid == frozenset()


def test_reasons_are_worded_in_the_language_in_use():
    set_language("pt")

    assert "9 parece significar ignorado: os outros códigos vão até 5" in column("ESTCIV", codes(*"123459")).reason
