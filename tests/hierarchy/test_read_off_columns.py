"""Hierarchies that other columns of a table tell."""

import json
from collections import defaultdict

import hypothesis.strategies as st
import pytest
from hypothesis import given

import biombo as bb

ROWS = [("2000733", "120040", "AC"), ("2001586", "120033", "AC"), ("2000733", "120040", "AC"), ("3001", "130260", "AM")]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz"), st.sampled_from("12")), max_size=12))
def test_a_value_becomes_what_stands_beside_it_in_every_row_or_is_refused(rows):
    together, upwards = defaultdict(set), defaultdict(set)
    for value, middle, high in rows:
        together[value].add((middle, high))
        upwards[middle].add(high)
    nested = all(len(each) == 1 for each in (*together.values(), *upwards.values()))
    if nested:
        read = bb.Hierarchy.from_columns(["m", "h"], rows=rows)
        assert {value: read.ancestors(value) for value in together} == {v: next(iter(s)) for v, s in together.items()}
        assert list(read.values) == list(dict.fromkeys(value for value, *_ in rows))
    else:
        with pytest.raises(bb.BiomboError):
            bb.Hierarchy.from_columns(["m", "h"], rows=rows)


def test_the_last_column_may_go_on_in_another_hierarchy():
    read = bb.Hierarchy.from_columns(["city"], then="municipality", rows=[row[:2] for row in ROWS])
    assert read.ancestors("2000733") == ("120040", "12004", "1202", "12", "1")
    assert read.level_names == ("city", "microregion", "mesoregion", "state", "region")
    assert read.name_of("12") == "Acre"
    assert read.level_label(1) == "as column city says"


def test_what_is_missing_becomes_nothing_from_there_on():
    read = bb.Hierarchy.from_columns(["city", "state"], rows=[("a", None, "AC"), ("b", "x", None), (None, "y", "AM")])
    assert (read.ancestors("a"), read.ancestors("b")) == (("*", "*"), ("x", "*"))


def test_a_place_that_the_other_hierarchy_lacks_stays_what_it_is():
    read = bb.Hierarchy.from_columns(["city"], then=bb.Hierarchy.built_in("municipality").with_top(), rows=[("a", "?")])
    assert read.ancestors("a") == ("?", "?", "?", "?", "?", "*")


def test_before_it_is_read_it_names_no_value_and_afterwards_the_document_has_them_all():
    unread = bb.Hierarchy.from_columns(["city", "state"])
    assert unread.to_tree() == {"kind": "columns", "columns": ["city", "state"]}
    assert bb.Hierarchy.load(unread.to_tree()) == unread
    with pytest.raises(bb.BiomboError, match="city, state"):
        unread.ancestors("2000733")
    read = unread.read_off(ROWS)
    again = bb.Hierarchy.load(json.loads(json.dumps(read.to_tree())))
    assert again == read
    assert again.content_hash() == read.content_hash()
    assert (
        read.content_hash()
        == bb.Hierarchy.by_hand(
            {"AC": {"120040": ["2000733"], "120033": ["2001586"]}, "AM": {"130260": ["3001"]}}
        ).content_hash()
    )


@pytest.mark.parametrize(
    "entries",
    [
        {"columns": []},
        {"columns": ["a", "a"]},
        {"columns": ["a"], "of": {"x": ["y", "z"]}},
        {"columns": ["a"], "of": 3},
    ],
)
def test_documents_that_make_no_sense_are_refused(entries):
    with pytest.raises(bb.BiomboError):
        bb.Hierarchy.load({"kind": "columns", **entries})
