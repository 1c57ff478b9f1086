"""The hierarchies of the quasi columns as trees: the first branches, and what the plan leaves."""

import re

import polars as pl

import biombo as bb

_SPACES = re.compile(r"\s+")


def tree_of(page_html, column):
    """The tree as nested lists, and what is set apart in it."""
    html = page_html.split(f">Hierarchy of {column}</p>")[1].split('<div class="tree">')[0].split("<section")[0]
    lines = re.findall(r"(?:<li[^>]*>)(?:<details[^>]*><summary>)?(.*?)(?:</summary>|</li>)", _SPACES.sub(" ", html))
    return [re.sub(r"<[^>]+>", "", line).strip() for line in lines], re.findall(r"<b>(.*?)</b>", html)


def search(table, hierarchy, k=2, **options):
    return bb.search(bb.read(table), bb.KAnonymity(k), quasi=["x"], hierarchies={"x": hierarchy}, **options)


def test_a_tree_goes_from_the_top_to_the_values_in_order(html):
    table = pl.DataFrame({"x": [31, 9, 10, 38, 9, 10, 12]})
    lines, apart = tree_of(html(search(table, bb.Hierarchy.by_interval(10))), "x")

    assert lines == [
        "* 5 values",
        "[0, 10) 1 value",
        "9",
        "[10, 20) 2 values",
        "10",
        "12",
        "[30, 40) 2 values",
        "31",
        "38",
    ]
    assert apart == ["[0, 10)", "[10, 20)", "[30, 40)"], "what stands in the protected table"


def test_where_nothing_is_generalised_the_values_are_set_apart(html):
    table = pl.DataFrame({"x": ["a", "a", "b", "b"]})

    assert tree_of(html(search(table, bb.Hierarchy.all_or_nothing())), "x")[1] == ["a", "b"]


def test_a_level_that_only_repeats_a_value_is_one_node(html):
    table = pl.DataFrame({"x": ["A09", "A09", "B1", "B2"]})
    hierarchy = bb.Hierarchy.by_hand({"I": {"A09": ["A09"], "B": ["B1", "B2"]}})
    lines, apart = tree_of(html(search(table, hierarchy)), "x")

    assert lines == ["I 3 values", "A09", "B 2 values", "B1", "B2"]
    assert apart == ["A09", "B"]


def test_missing_and_unlisted_values_have_their_place(html):
    table = pl.DataFrame({"x": ["a", None, "?", "a", None, "?"]})
    found = search(table, bb.Hierarchy.by_hand({"letter": ["a", "b"]}), missing="own-branch")
    lines, _ = tree_of(html(found), "x")

    assert lines == ["* 3 values", "?", "letter 1 value", "a", "(missing)"]


def test_codes_have_their_names(html):
    table = pl.DataFrame({"x": ["120040", "120040", "355030", "355030"]})
    lines, _ = tree_of(html(search(table, "municipality")), "x")

    assert "12 Acre 1 value" in lines


def test_of_many_branches_the_first_are_drawn_and_the_others_counted(html):
    table = pl.DataFrame({"x": [f"{n:04d}" for n in range(3000)]})
    lines, _ = tree_of(html(search(table, bb.Hierarchy.by_prefix([3, 2, 1]), max_suppression=1.0)), "x")

    assert len(lines) < 500
    assert "… and 7 more" in lines
    assert lines[0] == "* 3,000 values"


def test_without_a_plan_nothing_is_set_apart(html):
    table = pl.DataFrame({"x": ["a", "b"]})
    found = search(table, bb.Hierarchy.all_or_nothing(), bounds={"x": 0})

    assert not found
    assert tree_of(html(found), "x") == (["* 2 values", "a", "b"], [])
    assert "The plan uses level" not in html(found)
