from typing import Any

import pytest

import biombo as bb


def test_neighbours_are_merged_until_one_group_is_left() -> None:
    ordered = bb.Hierarchy.by_order(["a", "b", "c", "d", "e"], 2)
    assert ordered.height == 3
    assert ordered.ancestors("c") == ("c … d", "a … d", "a … e")
    assert ordered.ancestors("e") == ("e", "e", "a … e")


def test_a_large_step_takes_one_level() -> None:
    assert bb.Hierarchy.by_order(["a", "b", "c"], 10).ancestors("b") == ("a … c",)


@pytest.mark.parametrize(
    ("values", "every", "words"),
    [
        (["a", "b"], 1, "At least 2"),
        (["a"], 2, "at least two values"),
        ("abc", 2, "at least two values"),
        (["a", "b", "a"], 2, "'a' stands twice"),
        (["a", "b … c"], 2, "rename it"),
    ],
)
def test_orders_that_make_no_sense_are_refused(values: Any, every: int, words: str) -> None:
    with pytest.raises(bb.UsageError, match=words):
        bb.Hierarchy.by_order(values, every)
