"""Small tables of which some records are asked for, and which these are by definition: slow and obvious."""

from collections.abc import Iterator
from typing import Any

import hypothesis.strategies as st
import polars as pl

Where = dict[str, Any]
Row = dict[str, Any]

COLUMNS = {"who": pl.String, "city": pl.String, "day": pl.String, "age": pl.Int64, "sex": pl.String, "ill": pl.String}
COMPARED = {
    "above": lambda value, limit: value > limit,
    "below": lambda value, limit: value < limit,
    "at-least": lambda value, limit: value >= limit,
    "at-most": lambda value, limit: value <= limit,
}

_rows = st.fixed_dictionaries(
    {
        "who": st.sampled_from(["Ana", "Bia", "Caio", "Davi", "Eva", "Fay"]),
        "city": st.sampled_from(["A", "B", "C", None]),
        "day": st.sampled_from(["2022-12-31", "2023-01-01", "2023-06-30", "2024-01-01", None]),
        "age": st.sampled_from([17, 18, 40, 41, None]),
        "sex": st.sampled_from(["F", "M"]),
        "ill": st.sampled_from(["flu", "gout", "999"]),
    }
)


def frames(rows: int = 25) -> st.SearchStrategy[pl.DataFrame]:
    """Tables of people."""
    return st.lists(_rows, min_size=1, max_size=rows).map(lambda found: pl.DataFrame(found, COLUMNS))


def _limits(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Where]:
    return st.dictionaries(st.sampled_from(sorted(COMPARED)), values, min_size=1, max_size=2)


wheres: st.SearchStrategy[Where] = st.fixed_dictionaries(
    {"city": st.lists(st.sampled_from(["A", "B", "C", ""]), min_size=1, max_size=3)},
    optional={
        "day": _limits(st.sampled_from(["2023-01-01", "2023-06-30", "2024-01-01"])) | st.just({"missing": False}),
        "age": _limits(st.integers(17, 41)),
    },
)
"""Conditions that some records meet, mostly."""


def meets(row: Row, where: Where) -> bool:
    """Does a record meet all conditions?"""
    return all(_holds(row[column], entry) for column, entry in where.items())


def _holds(value: Any, entry: Any) -> bool:
    if isinstance(entry, list):
        return (value or "") in entry
    if "missing" in entry:
        return (value is None) == entry["missing"]
    return value is not None and all(COMPARED[name](value, limit) for name, limit in entry.items())


def places(table: pl.DataFrame, where: Where) -> list[int]:
    """The numbers of the records that are asked for, from 0."""
    return [place for place, row in enumerate(table.iter_rows(named=True)) if meets(row, where)]


def beforehand(table: pl.DataFrame, where: Where) -> pl.DataFrame:
    """The table with no others than these."""
    return table[places(table, where)]


def numbers_in(text: str) -> Iterator[str]:
    """All numbers that a text tells, in their order."""
    import re

    yield from re.findall(r"\d[\d.,]*", text)
