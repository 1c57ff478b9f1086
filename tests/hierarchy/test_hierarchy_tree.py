import pytest

import biombo as bb


def test_a_tree_shows_the_first_branches_and_how_many_more() -> None:
    assert bb.Hierarchy.by_order(list("abcdefgh"), 4).tree(branches=2) == "\n".join(
        [
            "a … h (8)",
            "├── a … d (4)",
            "│   ├── a",
            "│   ├── b",
            "│   └── … (+2)",
            "└── e … h (4)",
            "    ├── e",
            "    ├── f",
            "    └── … (+2)",
        ]
    )


def test_a_tree_has_several_roots_where_there_is_no_top() -> None:
    assert bb.Hierarchy.load({"x": ["a"], "y": ["b", "c"]}).tree() == "\n".join(
        ["├── x (1)", "│   └── a", "└── y (2)", "    ├── b", "    └── c"]
    )


def test_a_tree_of_a_rule_is_drawn_from_values_and_their_counts() -> None:
    ages = bb.Hierarchy.by_interval(10).with_top()
    assert ages.tree(["7", "12", "15"], [100, 20, 1000]) == "\n".join(
        [
            "* (1,120)",
            "├── [0, 10) (100)",
            "│   └── 7 (100)",
            "└── [10, 20) (1,020)",
            "    ├── 12 (20)",
            "    └── 15 (1,000)",
        ]
    )
    with pytest.raises(bb.UsageError, match="give some to draw"):
        ages.tree()


def test_a_tree_shows_unknown_values_apart() -> None:
    drawn = bb.Hierarchy.load({"x": ["a"]}).with_top().tree(["a", "?"])
    assert drawn == "\n".join(["* (2)", "├── x (1)", "│   └── a", "└── ? (1)"])


def test_a_tree_names_the_groups_of_codes() -> None:
    assert "├── 1 Norte (450)" in bb.Hierarchy.built_in("municipality").with_top().tree().splitlines()


def test_a_tree_passes_over_levels_that_repeat_a_value() -> None:
    assert bb.Hierarchy.load({"I": {"A09": ["A09"]}}).tree() == "I (1)\n└── A09 (1)"


def test_numbers_are_written_in_the_language() -> None:
    bb.set_language("pt")
    assert bb.Hierarchy.built_in("municipality").with_top().tree(branches=1).startswith("* (5.570)")


def test_a_tree_without_branches_is_refused() -> None:
    with pytest.raises(bb.UsageError, match="At least one branch"):
        bb.Hierarchy.load({"x": ["a"]}).tree(branches=0)
