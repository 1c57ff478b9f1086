"""Hierarchies that somebody typed or pasted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo import Hierarchy
from biombo._errors import InputError

INDENTED = """
Norte
    Acre
    Roraima
Sul
\tParaná

"""


def test_what_is_indented_belongs_to_what_stands_above_it():
    assert Hierarchy.from_text(INDENTED).levels == {"Acre": ("Norte",), "Roraima": ("Norte",), "Paraná": ("Sul",)}


def test_several_levels_and_any_width_of_indents():
    typed = "Brasil\n Norte\n    Acre\n    Roraima\n Sul\n  Paraná\n"
    assert Hierarchy.from_text(typed).ancestors("Paraná") == ("Sul", "Brasil")


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
def test_rows_are_read_as_those_of_a_file(mark: str):
    typed = f"Acre{mark}Norte{mark}*\nParaná{mark}Sul{mark}*"
    assert Hierarchy.from_text(typed).ancestors("Paraná") == ("Sul", "*")


def test_a_comma_in_an_indented_line_is_a_part_of_it():
    assert Hierarchy.from_text("[0, 10)\n  1,5\n  2,5").ancestors("1,5") == ("[0, 10)",)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "two levels"),
        ("Acre", "two levels"),
        ("Acre;Norte\nParaná", "line 2"),
        ("A\n  B\n    A", "circle"),
        ("x;a;b\ny;b;a", "circle"),
        ("A\n  x\nB\n  x", "line 4"),
        ("A\n  x\n  B\n    y", "line 4"),
        ("\n".join(" " * depth + f"g{depth}" for depth in range(300)), "levels"),
    ],
)
def test_what_is_no_hierarchy_is_told_with_its_line(typed: str, says: str):
    with pytest.raises(InputError, match=says):
        Hierarchy.from_text(typed)


LABELS = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=5)


@given(
    st.dictionaries(LABELS.map("g{}".format), st.lists(LABELS.map("v{}".format), min_size=1, unique=True), min_size=1)
)
def test_groups_that_are_written_down_are_read_as_they_were(groups: dict[str, list[str]]):
    once: set[str] = set()
    apart = {
        group: [each for each in values if not (each in once or once.add(each))] for group, values in groups.items()
    }
    apart = {group: values for group, values in apart.items() if values}
    typed = "\n".join(line for group, values in apart.items() for line in (group, *(f"  {each}" for each in values)))

    read = Hierarchy.from_text(typed)
    assert read.levels == Hierarchy.by_hand(apart).levels
    assert Hierarchy.from_text(read.to_text()) == read
