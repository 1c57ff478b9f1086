from datetime import date, datetime

import pytest
from made_up import dataset

from biombo._data import column_type, value_sample
from biombo._data.inspection import dates, value_counts


def sample_of(values):
    column = dataset({"x": values})["x"]
    return value_sample(column, value_counts(column))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["red", "green", None], "categorical"),
        (["1", "2", "3"], "categorical"),
        (["034", "101", "007"], "categorical"),
        (["120040", "130260"], "categorical"),
        (["8", "9", "10", "-3"], "discrete"),
        ([8, 9, 12], "discrete"),
        ([8.0, 9.0, None, 120.0], "discrete"),
        ([120040, 130260], "categorical"),
        ([f"{n},{n:02}" for n in range(50)], "continuous"),
        ([f"1.{n:03},50" for n in range(50)], "continuous"),
        ([n / 7 for n in range(50)], "continuous"),
        (["0.5", "1.0", "1.5"], "discrete"),
        (["2024-01-31", "2023-02-28"], "date"),
        (["2024-01-31T10:11:12", "2023-02-28 00:00:00"], "date"),
        (["31/01/2024", "1/2/2023"], "date"),
        (["01/31/2024", "12/25/2023"], "date"),
        (["20240131", "19991231"], "date"),
        ([date(2024, 1, 31), None], "date"),
        ([datetime(2024, 1, 31, 10)], "date"),
        (["20241331", "20240132"], "categorical"),
        ([True, False], "categorical"),
        ([None, None], "categorical"),
    ],
)
def test_the_type_is_told_from_how_the_values_look(values, expected):
    assert column_type(sample_of(values)) == expected


def test_a_name_decides_between_codes_and_numbers():
    padded_ages = sample_of(["034", "101", "007"])
    numbered_sexes = sample_of([1, 2, 10])

    assert column_type(padded_ages, "discrete") == "discrete"
    assert column_type(numbered_sexes, "categorical") == "categorical"


def test_a_few_typing_errors_do_not_hide_a_column_of_dates():
    values = [f"2024-01-{day:02}" for day in range(1, 30)] + ["31.1.24"]

    assert column_type(sample_of(values)) == "date"
    assert len(dates(sample_of(values))) == 29
