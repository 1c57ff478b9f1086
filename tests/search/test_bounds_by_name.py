"""Bounds as people say them: "age at most 10-year bands", "born no finer than a month"."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb

BORN = ["1964-09-27", "1971-02-03", "1971-08-30", "1985-12-01"]
TABLE = bb.read(pl.DataFrame({"age": ["31", "35", "42", "57"], "born": BORN, "town": ["120040"] * 3 + ["120001"]}))
HIERARCHIES = {"age": "age", "born": "date", "town": "municipality"}


def levels_of(column: str, bounds: object) -> list[int]:
    """The levels that the bounds leave."""
    found = bb.search(
        TABLE, bb.KAnonymity(1), quasi=[column], hierarchies={column: HIERARCHIES[column]}, bounds={column: bounds}
    )
    return sorted(found.question.nodes[:, 0].tolist())


@pytest.mark.parametrize(
    ("column", "bounds", "expected"),
    [
        ("age", (None, "width 10"), [0, 1, 2]),
        ("age", "width 20", [3]),
        ("age", ("width 40", None), [4, 5]),
        ("age", ("width 41", None), [5]),
        ("age", (None, "width 3"), [0]),
        ("age", "*", [5]),
        ("born", (None, "year"), [0, 1, 2]),
        ("born", ("month", "5 years"), [1, 2, 3]),
        ("born", (2, "10 years"), [2, 3, 4]),
        ("town", (None, "mesoregion"), [0, 1, 2]),
        ("town", "state", [3]),
    ],
)
def test_levels_have_names(column: str, bounds: object, expected: list[int]) -> None:
    assert levels_of(column, bounds) == expected


@given(st.integers(1, 90).map(lambda tenths: tenths / 2))
def test_a_width_bounds_the_width_of_intervals(width: float) -> None:
    widths = [0, 5, 10, 20, 40]
    allowed = [level for level, own in enumerate(widths) if own <= width]
    assert levels_of("age", (None, f"width {width}")) == allowed
    assert levels_of("age", (f"width {width}", None)) == [
        *(level for level, own in enumerate(widths) if own >= width),
        5,
    ]
