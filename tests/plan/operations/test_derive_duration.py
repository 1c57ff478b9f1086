"""Durations instead of the times they are between (PDPC 2018, 6.5)."""

from datetime import date, datetime, timedelta

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb


def derived(start: list[object], end: list[object], **options: object) -> pl.DataFrame:
    operation = bb.DeriveDuration("start", "end", "stay", **options)
    table = pl.DataFrame({"start": start, "end": end, "ward": "A"})
    kept = [name for name in table.columns if name not in operation.removes]
    return bb.apply(table, bb.Plan([operation]), keep=kept, keep_order=True).data


def test_the_times_are_replaced_by_the_duration() -> None:
    stays = derived(["2024-02-28", "2024-02-28 23:00"], ["2024-03-01", "2024-03-01T22:59:59"])

    assert stays.to_dicts() == [{"ward": "A", "stay": 2}, {"ward": "A", "stay": 1}]
    assert stays["stay"].dtype == pl.Int64


def test_they_stay_where_that_is_asked_for() -> None:
    assert derived(["2024-02-28"], ["2024-03-01"], drop=False).columns == ["start", "end", "ward", "stay"]


MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, fold=0)
)
SECONDS = {"minutes": 60, "hours": 3600, "days": 86400}


@given(st.lists(st.tuples(MOMENTS, MOMENTS), min_size=1, max_size=10), st.sampled_from(list(SECONDS)), st.booleans())
def test_whole_units_have_passed(pairs, unit, as_text) -> None:
    start, end = ([str(moment) if as_text else moment for moment in column] for column in zip(*pairs, strict=True))

    def expected(first: datetime, last: datetime) -> int:
        if last < first:
            return -expected(last, first)
        return (last - first) // timedelta(seconds=SECONDS[unit])

    assert derived(start, end, unit=unit)["stay"].to_list() == [expected(*pair) for pair in pairs]


@given(MOMENTS, MOMENTS)
def test_years_are_birthdays(start, end) -> None:
    first, last = sorted((start, end))
    years = sum(1 for year in range(first.year + 1, last.year + 1) if _birthday(first, year) <= last)

    assert derived([start], [end], unit="years")["stay"].to_list() == [years if start <= end else -years]


def _birthday(born: datetime, year: int) -> datetime:
    try:
        return born.replace(year=year)
    except ValueError:  # born on 29 February; the day after 28 February counts
        return datetime(year, 3, 1)


def test_missing_times_give_missing_durations() -> None:
    assert derived(["2024-02-28", None], [None, "2024-03-01"])["stay"].to_list() == [None, None]


def test_dates_of_any_type_are_read() -> None:
    assert derived([date(2024, 1, 1)], [datetime(2024, 1, 3, 12)])["stay"].to_list() == [2]
    assert derived(["31/01/2024"], ["01/02/2024"], format="DD/MM/YYYY")["stay"].to_list() == [1]
    assert derived([20240131], [20240201], format="YYYYMMDD")["stay"].to_list() == [1]


def test_what_is_no_date_is_named() -> None:
    for strange in ("31/01/2024", "2024-02-30", "2024-01-31 25:00", "2024-01-31x"):
        with refused("plan.not-a-date", "'start'", repr(strange), "YYYY-MM-DD"):
            derived(["2024-01-01", strange], ["2024-01-31", "2024-01-31"])


def test_the_new_column_may_be_quasi(people) -> None:
    table = people.with_columns(born=pl.lit("1990-01-01"), seen=pl.lit("2024-06-01"))
    plan = bb.Plan(
        [bb.DeriveDuration("born", "seen", "years", "years"), bb.SuppressGroups()],
        [bb.KAnonymity(6)],
        ["years"],
        identifiers=["name", "born"],
    )
    applied = bb.apply(table, plan, keep=["sex"])

    assert applied.holds
    assert applied.data.columns == ["sex", "years"]
    assert applied.unspoken == ("age", "zip", "disease")
    assert applied.data["years"].to_list() == [34] * 6


def test_the_new_column_may_be_changed_further() -> None:
    plan = bb.Plan([bb.DeriveDuration("start", "end", "stay"), bb.TopBottomCode("stay", top=30)])
    table = pl.DataFrame({"start": ["2024-01-01"] * 2, "end": ["2024-01-05", "2024-12-31"]})

    assert bb.apply(table, plan, keep_order=True).data["stay"].to_list() == ["4", "≥ 30"]


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"to": "start"}, "plan.duration-columns"),
        ({"into": "start"}, "plan.duration-columns"),
        ({"unit": "weeks"}, "document.entry-choice"),
        ({"format": "DD/MM"}, "plan.date-format"),
    ],
)
def test_entries_that_make_no_sense_are_refused(options, key) -> None:
    with refused(key):
        bb.DeriveDuration(**{"from_": "start", "to": "end", "into": "stay", **options})


def test_a_column_that_exists_is_not_replaced(people) -> None:
    table = people.with_columns(born=pl.lit("1990-01-01"), seen=pl.lit("2024-06-01"))
    with refused("plan.added-exists", "'age'", "derive-duration"):
        bb.apply(table, bb.Plan([bb.DeriveDuration("born", "seen", "age")]))
    twice = bb.Plan([bb.DeriveDuration("born", "seen", "x", drop=False), bb.DeriveDuration("seen", "born", "x")])
    with refused("plan.added-exists", "'x'"):
        bb.apply(table, twice)


@pytest.mark.parametrize(
    "before",
    [
        bb.MaskGroups(),
        bb.Diversify("ward", {"A": ["a", "α"], "B": ["b", "β"]}, groups_below=2),
        bb.NoiseUniformGroups(2, bb.RandomisedResponse("ward", 1, ("A", "B"))),
    ],
    ids=lambda each: each.name,
)
def test_groups_cannot_be_formed_by_a_column_that_is_added_later(before) -> None:
    stays = pl.DataFrame({"in": ["2024-01-01"] * 2, "out": ["2024-01-03", "2024-01-04"], "ward": ["A", "B"]})
    duration = bb.DeriveDuration("in", "out", "stay")
    plan = bb.Plan([before, duration], [bb.LDiversity(2)], quasi=["stay"], sensitive=["ward"])

    with refused("plan.added-later", "stay", before.name, "derive-duration"):
        bb.apply(stays, plan)


def test_an_unknown_column_is_refused(people) -> None:
    with refused("column.missing", "'born'"):
        bb.apply(people, bb.Plan([bb.DeriveDuration("born", "age", "x")]))


def test_a_plan_reads_back_the_same() -> None:
    plan = bb.Plan([bb.DeriveDuration("a", "b", "c", "years", drop=False, format="YYYYMMDD")])

    assert bb.Plan.from_tree(plan.to_tree()) == plan
