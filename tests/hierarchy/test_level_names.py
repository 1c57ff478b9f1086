"""What levels are called."""

import pytest

from biombo import Hierarchy

TREE = {"person": ["asian", "black", "white"]}


def test_every_level_of_those_built_in_has_a_name_of_its_own() -> None:
    for name in Hierarchy.built_in_sources():
        hierarchy = Hierarchy.built_in(name)
        assert len(set(hierarchy.level_names)) == hierarchy.height, name
        assert None not in hierarchy.level_names, name


@pytest.mark.parametrize(
    ("hierarchy", "names"),
    [
        (Hierarchy.by_interval(2.5, [2, 4]), ("width 2.5", "width 5", "width 10")),
        (Hierarchy.by_interval(5, top=90, labels="inclusive"), ("width 5",)),
        (Hierarchy.by_bounds([[12, 18], [18]]), (None, None)),
        (Hierarchy.by_prefix([4, 2]), ("4 characters", "2 characters")),
        (Hierarchy.by_date(["quarter", "year"]), ("quarter", "year")),
        (Hierarchy.by_hand(TREE), (None,)),
        (Hierarchy.by_hand({"*": TREE}), (None, "*")),
        (Hierarchy.by_order(["low", "high"], 2), (None,)),
        (Hierarchy.all_or_nothing(), ("*",)),
    ],
    ids=lambda each: each.to_tree()["kind"] if isinstance(each, Hierarchy) else "",
)
def test_levels_are_called_by_what_they_are(hierarchy: Hierarchy, names: tuple[str | None, ...]) -> None:
    assert hierarchy.level_names == names
    topped = hierarchy.with_top()
    assert topped.level_names == (names if topped is hierarchy else (*names, "*"))


def test_names_are_no_part_of_what_a_hierarchy_does() -> None:
    towns = Hierarchy.built_in("municipality")
    assert "microregion" not in str(towns._content())
