"""The lattice is drawn when it is small: what satisfies, what is minimal, what was chosen."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._report.charts import Look, Node, lattice

EVERY_NODE = "Every combination of levels, the lowest first"
WORDS = dict.fromkeys(Look, "…")


def nodes_of(found, page):
    return {row["Levels"]: row["What it is"] for row in page(found).table(EVERY_NODE)}


def drawn_values(nodes):
    """The lines and the boxes of a picture."""
    chart = lattice(nodes, WORDS)
    return chart["layer"][0]["data"]["values"], chart["data"]["values"]


@pytest.mark.parametrize(
    ("share", "minimal"),
    [(0, {"11"}), (0.125, {"10", "02"}), (0.25, {"10", "01"}), (0.375, {"10", "01"}), (0.5, {"00"})],
)
def test_the_example_of_samarati_and_sweeney_is_drawn_as_it_is_there(example, samarati_sweeney, share, minimal, page):
    found = bb.search(example, bb.KAnonymity(2), max_suppression=share, prefer="absolute-distance", **samarati_sweeney)
    seen = nodes_of(found, page)
    suppressed = {"00": 4, "01": 2, "10": 1, "02": 1, "11": 0, "12": 0}

    chosen = "".join(str(level) for level in found[0].levels.values())
    assert chosen in minimal
    for label, what in seen.items():
        satisfies = suppressed[label] <= share * 8
        expected = "satisfies what was asked" if satisfies else "does not satisfy it"
        assert what == ("chosen" if label == chosen else "minimal" if label in minimal else expected)


def test_what_each_node_suppresses_is_told(example, samarati_sweeney, page):
    found = bb.search(example, bb.KAnonymity(2), max_suppression=0.125, prefer="precision", **samarati_sweeney)

    told = {row["Levels"]: row["Suppressed"] for row in page(found).table(EVERY_NODE)}
    assert told.pop("00") in ("4", "–"), "what must suppress too much is not always counted"
    assert told == {"01": "2", "10": "1", "02": "1", "11": "0", "12": "0"}


def test_the_picture_names_all_nodes_and_is_described(found, page):
    seen = page(found)
    chart = next(svg for svg in seen.svgs if svg["title"] == [f"The lattice of {found.lattice} combinations of levels"])
    heights = [column.height for column in found[0].columns]
    labels = {"".join(map(str, levels)) for levels in product(*(range(height + 1) for height in heights))}

    assert labels <= set(chart["text"])
    assert {"chosen", "minimal", "satisfies what was asked", "does not satisfy it"} <= set(chart["text"])
    chosen = "".join(str(level) for level in found[0].levels.values())
    assert f"Chosen: {chosen}." in chart["desc"][0]
    minimal = ["".join(map(str, levels.values())) for levels in found.minimal]
    assert set(minimal) - {chosen} == set(re.findall(r"Minimal: (.*)\.", chart["desc"][0])[0].split(", ")) - {chosen}


def test_nodes_that_the_search_could_leave_open_are_decided_for_the_picture(data, three_columns, page):
    found = bb.search(data, bb.KAnonymity(5), prefer="relative-distance", **three_columns)

    assert "not decided" not in nodes_of(found, page).values()


def test_sets_that_share_columns_have_one_picture(data, two_columns, page):
    criteria = [bb.KAnonymity(5, quasi=["idade"]), bb.KAnonymity(20, quasi=["idade", "sexo"])]
    found = bb.search(data, criteria, **two_columns)
    satisfying = found.explored.satisfying(0)

    rows = page(found).table(EVERY_NODE)
    assert sum(row["What it is"] != "does not satisfy it" for row in rows) == satisfying.sum()
    assert {row["Suppressed"] for row in rows if row["What it is"] == "does not satisfy it"} == {"–"}


def test_a_large_lattice_is_not_drawn(data, page):
    hierarchies = {
        "idade": bb.Hierarchy.by_interval(1, [2, 4, 8, 16, 32, 64, 128, 256]),
        "sexo": bb.Hierarchy.by_order(["F", "M"], 2),
        "doenca": bb.Hierarchy.by_order(["asma", "diabetes", "gripe"], 2),
        "cidade": bb.Hierarchy.all_or_nothing(),
    }
    found = bb.search(
        data, bb.KAnonymity(2), quasi=list(hierarchies), hierarchies=hierarchies, bounds={"idade": (0, 9)}
    )
    larger = bb.search(
        data,
        bb.KAnonymity(2),
        quasi=[*hierarchies, "pessoa"],
        hierarchies=hierarchies | {"pessoa": bb.Hierarchy.by_prefix([3, 2, 1])},
    )

    assert found.lattice <= 200 < larger.lattice
    assert EVERY_NODE in page(found).tables
    assert EVERY_NODE not in page(larger).tables
    assert f"There are {larger.lattice} combinations of levels, too many to draw" in page(larger).text


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_there_is_a_line_for_every_step_of_one_level_and_rows_go_by_the_sum(heights):
    nodes = [Node(levels, Look.FAILING) for levels in product(*(range(height + 1) for height in heights))]
    steps, boxes = drawn_values(nodes)
    placed = {tuple(map(int, box["label"])): (box["x"], box["y"]) for box in boxes}

    one_level = [
        (lower, upper)
        for lower, upper in product(placed, placed)
        if sorted(b - a for a, b in zip(lower, upper, strict=True)) == [0] * (len(heights) - 1) + [1]
    ]
    drawn = sorted((step["x"], step["x2"], step["y"] - step["y2"] > 0) for step in steps)
    assert drawn == sorted((placed[lower][0], placed[upper][0], True) for lower, upper in one_level)
    assert all((placed[a][1] > placed[b][1]) == (sum(a) < sum(b)) for a, b in product(placed, placed))
    assert len(set(placed.values())) == len(placed)


def test_levels_of_two_digits_are_told_apart():
    assert Node((0, 12, 1), Look.FAILING).label == "0·12·1"
    assert Node((0, 2, 1), Look.FAILING).label == "021"
