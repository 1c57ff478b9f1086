"""Which categories a table has is what everybody may know beforehand, or what enough people have."""

from pathlib import Path

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given

import biombo as bb

ILL = pl.DataFrame({"ill": ["flu"] * 9 + ["gout"] * 8 + ["Ana's own"] * 2})


def labels(table: bb.Tabulation) -> list[str]:
    return table.to_frame()[table.cube.classifications[0].column].to_list()


def test_a_list_is_shown_whole_and_all_else_is_counted_together() -> None:
    """Nobody has the plague, and Ana's disease is in no list: five rows by hand."""
    found = bb.tabulate(ILL, ["ill"], k=5, categories={"ill": ["gout", "plague", "flu"]}).to_frame()

    assert found.rows() == [
        ("(others)", None, "suppressed"),
        ("flu", 9, "shown"),
        ("gout", None, "suppressed"),
        ("plague", 0, "shown"),
        ("Total", 19, "shown"),
    ]


@given(
    values=st.lists(st.sampled_from([*"abcdef", None]), min_size=1, max_size=30),
    listed=st.sets(st.sampled_from([*"abcxy", None]), min_size=1),
)
def test_which_categories_there_are_tells_nothing_of_the_data_where_a_list_is_given(values, listed) -> None:
    table = bb.tabulate(pl.DataFrame({"x": values}, {"x": pl.String}), ["x"], k=3, categories={"x": [*listed]})
    named = {"(missing)" if value is None else value for value in listed}

    assert {*labels(table)} == named | {"(others)", "Total"}
    for label, records in zip(labels(table), table.cube.records.tolist(), strict=True):
        if label in named:
            assert records == sum(label == ("(missing)" if value is None else value) for value in values)


def test_codes_that_a_schema_names_are_there_and_others_if_enough_people_have_them() -> None:
    schema = bb.Schema({"ill": bb.ColumnSchema("sensitive", values={"flu": "influenza", "plague": "plague"})})

    assert labels(bb.tabulate(ILL, ["ill"], k=5, schema=schema)) == ["(others)", "flu", "gout", "plague", "Total"]
    strict = bb.tabulate(ILL, ["ill"], k=5, schema=schema, categories={"ill": "public"})
    assert labels(strict) == ["(others)", "flu", "plague", "Total"]
    assert labels(bb.tabulate(ILL, ["ill"], k=5, schema=schema, categories={"ill": "data"})) == [
        "(others)",
        "flu",
        "gout",
        "Total",
    ]


def test_a_built_in_hierarchy_says_which_states_there_are_and_no_municipality() -> None:
    table = pl.DataFrame({"city": ["330455"] * 20 + ["355030"] * 3})
    how = {"hierarchies": {"city": bb.Hierarchy.built_in("municipality")}, "k": 5}

    assert len(labels(bb.tabulate(table, {"city": ["state"]}, **how))) == 28 + 1
    assert len(labels(bb.tabulate(table, {"city": ["region", "state"]}, **how))) == 27 + 5 + 1
    assert len(labels(bb.tabulate(table, {"city": [0]}, **how))) == 3
    assert len(labels(bb.tabulate(table, {"city": [0]}, **how, categories={"city": "public"}))) > 5570


def test_a_tree_of_somebodys_own_takes_their_word() -> None:
    """It may list what the table has: Ana's disease among the rare ones."""
    tree = bb.Hierarchy.by_hand({"common": ["flu", "gout"], "rare": ["Ana's own", "plague"]})
    how = {"hierarchies": {"ill": tree}, "k": 5}

    assert labels(bb.tabulate(ILL, {"ill": [1]}, **how)) == ["(others)", "common", "Total"]
    assert labels(bb.tabulate(ILL, {"ill": [1]}, **how, categories={"ill": "public"})) == [
        "(others)",
        "common",
        "rare",
        "Total",
    ]


def test_intervals_between_ends_are_all_there() -> None:
    table = pl.DataFrame({"age": [21] * 5 + [44] * 5})
    bands = bb.Hierarchy.by_interval(10, bottom=20, top=50)

    assert labels(bb.tabulate(table, {"age": [1]}, k=3, hierarchies={"age": bands})) == [
        "< 20",
        "[20, 30)",
        "[30, 40)",
        "[40, 50)",
        "≥ 50",
        "Total",
    ]


@pytest.mark.parametrize(
    ("categories", "said"),
    [
        ({"ill": "public"}, "Nothing says which categories"),
        ({"ill": "flu"}, "no list of texts"),
        ({"ill": []}, "no list of texts"),
        ({"ill": [1, 2]}, "no list of texts"),
        ({"town": ["A"]}, "by which nothing is counted"),
    ],
)
def test_what_is_no_list_is_refused(categories, said) -> None:
    with pytest.raises(bb.BiomboError, match=said):
        bb.tabulate(ILL, ["ill"], categories=categories)


def test_lists_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lists.yaml"
    file.write_text("ill: ['flu', 'plague', null]\n")
    done = bb.TabulateRequest(by=["ill"], k=5, categories=str(file)).run(ILL)

    assert labels(done.table) == ["(missing)", "(others)", "flu", "plague", "Total"]
    file.write_text("flu, plague\n")
    with pytest.raises(bb.BiomboError, match="no lists of categories"):
        bb.TabulateRequest(by=["ill"], categories=str(file)).run(ILL)
