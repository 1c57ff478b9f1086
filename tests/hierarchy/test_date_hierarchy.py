from datetime import date

import polars as pl
import pytest

import biombo as bb


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("YYYY-MM-DD", "1964-09-27"),
        ("YYYY-MM-DD", "1964-09-27 10:30:00.000000"),
        ("YYYY-MM-DD", "1964-09-27T10:30"),
        ("DD/MM/YYYY", "27/09/1964"),
        ("YYYYMMDD", "19640927"),
        ("YYYYMM", "196409"),
        ("MM.YYYY", "09.1964"),
    ],
)
def test_dates_become_months_years_and_decades(form: str, value: str) -> None:
    assert bb.Hierarchy.by_date(format=form).ancestors(value) == ("1964-09", "1964", "1960-1964", "1960-1969")


@pytest.mark.parametrize(
    ("form", "value", "first_days"),
    [
        ("YYYY-MM-DD", "1967-09-27", ("1967-09-01", "1967-07-01", "1967-01-01", "1965-01-01", "1960-01-01")),
        ("DD/MM/YYYY", "27/09/1967", ("01/09/1967", "01/07/1967", "01/01/1967", "01/01/1965", "01/01/1960")),
        ("YYYYMM", "196709", ("196709", "196707", "196701", "196501", "196001")),
    ],
)
def test_dates_stay_dates_on_request(form: str, value: str, first_days: tuple[str, ...]) -> None:
    levels = ["month", "quarter", "year", "5 years", "decade"]
    assert bb.Hierarchy.by_date(levels, format=form, keep_type=True).ancestors(value) == first_days


def test_a_time_loses_its_hours_first() -> None:
    times = bb.Hierarchy.by_date(["day", "quarter"])
    assert times.ancestors("1964-09-27 10:30:00") == ("1964-09-27", "1964-Q3")


def test_the_first_years_of_all_stay_dates() -> None:
    dates = bb.Hierarchy.by_date(["10 years"], keep_type=True)
    assert dates.ancestors("0003-05-05") == ("0001-01-01",)


@pytest.mark.parametrize("value", ["1964-02-30", "1964-13-01", "0000-01-01", "27/09/1964", "1964", "", "1964-09-27x"])
def test_what_is_no_date_is_not_known(value: str) -> None:
    assert not bb.Hierarchy.by_date().knows(value)


def test_a_column_of_dates_is_read_as_it_is() -> None:
    data = bb.read(pl.DataFrame({"born": [date(1964, 9, 27), date(1964, 10, 1)]}))
    assert bb.through(data, "born", bb.Hierarchy.built_in("date"), 1)["born"].decoded().to_list() == [
        "1964-09",
        "1964-10",
    ]


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ([], "coarser"),
        (["year", "month"], "coarser"),
        (["2 years", "5 years"], "whole periods"),
        (["week"], "'week'"),
        (["0 years"], "'0 years'"),
    ],
)
def test_levels_that_do_not_nest_are_refused(levels: list[str], words: str) -> None:
    with pytest.raises(bb.UsageError, match=words):
        bb.Hierarchy.by_date(levels)


@pytest.mark.parametrize("form", ["", "DD/YYYY", "YY-MM-DD", "YYYY-MM-MM", "DD/MM"])
def test_formats_that_say_no_date_are_refused(form: str) -> None:
    with pytest.raises(bb.UsageError, match="date format"):
        bb.Hierarchy.by_date(format=form)
