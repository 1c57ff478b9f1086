import pytest

from biombo._attack import moment_of, time_columns


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("year", ["2022", "2023"]),
        ("anything", ["2022", "2023"]),
        ("competencia", ["202201", "202312"]),
        ("x", ["2022-01", "2022-02"]),
        ("x", ["2022-01-31", "2022-02-28"]),
        ("ano", ["22", "23"]),
        ("PA_MES", ["1", "12"]),
        ("mês", ["01", "02"]),
    ],
)
def test_years_and_months_are_recognised(name, values):
    assert time_columns([name], [(value,) for value in values]) == [0]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("UF", ["AC", "AM"]),
        ("code", ["202213", "202214"]),
        ("age", ["22", "23"]),
        ("meses_de_gravidez", ["1", "2"]),
        ("year", ["2022", None]),
        ("town", ["110001", "355030"]),
    ],
)
def test_other_columns_are_not_taken_for_a_time(name, values):
    assert time_columns([name], [(value,) for value in values]) == []


def test_a_year_comes_before_its_month_and_both_sort():
    parts = [("AC", "2", "2023"), ("AC", "11", "2022")]
    places = time_columns(["UF", "month", "year"], parts)

    assert [moment_of(part, places) for part in parts] == ["2023-02", "2022-11"]
