"""Generalising columns as they stream by."""

import polars as pl
import pyarrow as pa
import pytest
from refusal import refused

import biombo as bb


def generalised(values: list[object], *parts: list[object], **options: object) -> list[str | None]:
    """The column after one operation, its values in one file or in several parts."""
    tables = [pl.DataFrame({"x": part}) for part in (values, *parts)]
    plan = bb.Plan([bb.Generalise("x", **options)])
    return bb.apply(tables, plan, keep_order=True).data["x"].to_list()


def test_values_become_what_they_are_at_the_level(zips) -> None:
    assert generalised(["02138", "02142", "02138"], hierarchy=zips, level=1) == ["0213*", "0214*", "0213*"]
    assert generalised(["02138", "02142", "02138"], hierarchy=zips, level=2) == ["021**"] * 3


def test_level_0_leaves_everything_as_it_is_whatever_the_hierarchy_knows(zips) -> None:
    assert generalised(["007", None, "x"], hierarchy=zips, level=0) == ["007", None, "x"]


def test_numbers_and_dates_are_taken_as_they_are_written() -> None:
    ages = bb.Hierarchy.by_interval(10)

    assert generalised([7, None, 12], hierarchy=ages, level=1) == ["[0, 10)", None, "[10, 20)"]
    assert generalised([7.0, float("nan"), 12.5], hierarchy=ages, level=1) == ["[0, 10)", None, "[10, 20)"]
    days = pl.Series(["1964-09-27", None]).str.to_date().to_list()
    assert generalised(days, hierarchy=bb.Hierarchy.by_date(), level=2) == ["1964", None]


def test_missing_values_and_those_apart_only_become_the_top(zips) -> None:
    known = {"hierarchy": zips.with_top(), "apart": ["99999"]}

    assert generalised(["02138", "99999", None], level=2, **known) == ["021**", "99999", None]
    assert generalised(["02138", "99999", None], level=3, **known) == ["*", "*", "*"]


def test_unknown_values_get_what_was_asked_for(zips) -> None:
    values = ["02138", "50000", None]

    assert generalised(values, hierarchy=zips, level=1, missing="own-branch") == ["0213*", "50000", None]
    assert generalised(values, hierarchy=zips, level=1, missing="suppress") == ["0213*", "*", None]


def test_unknown_values_are_all_listed_with_their_records_wherever_they_stand(zips) -> None:
    with refused("hierarchy.unknown-in-column", "'x'", "'50000' × 3, '7' × 1"):
        generalised(["02138", "50000"], ["50000", "7", None, "50000"], hierarchy=zips, level=1)


def test_values_of_a_dictionary_that_do_not_occur_are_no_matter(zips) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), ["02138", "02141", "unused"])
    plan = bb.Plan([bb.Generalise("x", zips, 1)])

    assert bb.apply(pa.table({"x": column}), plan, keep_order=True).data["x"].to_pylist() == ["0213*", "0214*", "0213*"]


@pytest.mark.parametrize("parts", [[["02138", "0213*"]], [["02138"], ["0213*"]], [["0213*"], ["02138"]]])
@pytest.mark.parametrize("options", [{"missing": "own-branch"}, {"apart": ["0213*"]}])
def test_a_value_called_like_a_group_is_not_taken_for_a_part_of_it(zips, parts, options) -> None:
    with refused("hierarchy.taken", "'0213*'"):
        generalised(*parts, hierarchy=zips, level=1, **options)


def test_columns_that_are_kept_have_their_values_and_types() -> None:
    table = pl.DataFrame({"age": ["31"], "code": ["007"], "pay": [1.5], "day": pl.Series(["2024-01-31"]).str.to_date()})
    plan = bb.Plan([bb.Generalise("age", bb.Hierarchy.built_in("age"), 1)])
    applied = bb.apply(table, plan, keep=["code", "pay", "day"])

    assert applied.data.drop("age").equals(table.drop("age"))


def test_more_values_than_are_remembered_are_looked_up_again(monkeypatch) -> None:
    monkeypatch.setattr("biombo._plan.operations.generalise._REMEMBERED", 2)
    tens = bb.Hierarchy.by_interval(10)

    assert generalised(["1", "2", "11"], ["2", "21"], ["1", "3"], hierarchy=tens, level=1) == [
        *("[0, 10)", "[0, 10)", "[10, 20)"),
        *("[0, 10)", "[20, 30)"),
        *("[0, 10)", "[0, 10)"),
    ]
