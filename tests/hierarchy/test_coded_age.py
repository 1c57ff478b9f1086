"""Ages as health records code them."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

import biombo as bb

AGES = bb.Hierarchy.built_in("coded-age")


def years_of(code: str) -> int | None:
    """The age in completed years, said slowly."""
    unit, number = code[0], int(code[1:])
    if code in ("000", "0000") or unit in "6789":
        return None
    years = {"0": 0, "1": 0, "2": 0, "3": number // 12, "4": number, "5": 100 + number}[unit]
    return years if years <= 130 else None


@given(st.integers(0, 999).map("{:03}".format) | st.integers(0, 9999).map("{:04}".format))
def test_a_code_is_its_age_in_years_and_then_its_bands(code):
    years = years_of(code)
    bands = None if years is None else bb.Hierarchy.built_in("age").ancestors(str(years))
    assert AGES.ancestors(code) == (None if bands is None else (str(years), *bands))


@pytest.mark.parametrize("value", ["", "4", "48", "48a", "48200", "-482", "999", "000"])
def test_what_is_no_age_has_no_place(value):
    assert not AGES.knows(value)


def test_its_levels_have_names_and_words():
    assert AGES.level_names == ("years", "width 5", "width 10", "width 20", "width 40")
    assert [AGES.level_label(level) for level in (1, 2)] == ["completed years", "bands of 5 years"]
