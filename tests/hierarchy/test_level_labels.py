"""What levels are for people, in their language."""

import pytest

import biombo as bb

TREE = {"been married": ["married", "divorced"], "never married": ["single"]}


@pytest.mark.parametrize(
    ("hierarchy", "english", "portuguese"),
    [
        (bb.Hierarchy.built_in("municipality"), "state", "unidade da federação"),
        (bb.Hierarchy.built_in("age"), "bands of 20 years", "faixa de 20 anos"),
        (bb.Hierarchy.by_date(["month", "year", "10 years"]), "decade", "década"),
        (bb.Hierarchy.by_date(["month", "year", "5 years"]), "periods of 5 years", "período de 5 anos"),
        (bb.Hierarchy.by_prefix([5, 4, 3]), "first 3 characters", "3 primeiros caracteres"),
        (bb.Hierarchy.by_interval(0.5, [2, 3000]), "bands of 1,500", "faixa de 1.500"),
        (bb.Hierarchy.by_interval(1, [2]).picked([2]).with_top().picked([1, 2]), "not shown (*)", "não informado (*)"),
    ],
)
def test_they_are_worded(hierarchy, english, portuguese):
    level = min(3, hierarchy.height)
    for code, expected in (("en", english), ("pt", portuguese)):
        bb.set_language(code)
        assert hierarchy.level_label(level) == expected


def test_groups_without_names_are_counted():
    assert bb.Hierarchy.by_hand(TREE).level_label(1) == "2 groups"
    assert bb.Hierarchy.by_bounds([[12, 18, 65]]).level_label(1) == "4 intervals"


def test_how_many_groups_a_list_makes_is_not_told_to_others():
    own = bb.Hierarchy.by_hand({"all": TREE})
    behind = bb.Hierarchy.from_columns(["city"], then=own)
    listed = [own, bb.Hierarchy.by_order(["low", "medium", "high"], 2), own.answering("suppress"), own.with_top()]
    assert [each.level_told(1) for each in listed] == ["level 1 of 2"] * 4
    assert [own.picked([2]).level_told(1), behind.level_told(3)] == ["level 2 of 2"] * 2
    assert [own.with_top().level_told(level) for level in (0, 3)] == ["as it is", "not shown (*)"]
    assert behind.level_told(1) == "as column city says"
    assert bb.Hierarchy.built_in("municipality").level_told(3) == "state"


@pytest.mark.parametrize("code", ["en", "pt"])
def test_none_is_empty_and_none_of_those_built_in_is_a_number_alone(code):
    bb.set_language(code)
    for name in bb.Hierarchy.built_in_sources():
        hierarchy = bb.Hierarchy.built_in(name).with_top()
        labels = [hierarchy.level_label(level) for level in range(hierarchy.height + 1)]
        assert all(labels)
        assert len(set(labels)) == len(labels), name
        assert not any(label.startswith(("level", "nível")) for label in labels)


def test_there_is_no_label_for_a_level_that_is_not_there():
    with pytest.raises(bb.BiomboError):
        bb.Hierarchy.by_hand(TREE).level_label(2)
