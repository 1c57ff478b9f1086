"""Made-up values that show what a hierarchy does."""

import pytest

from biombo import Hierarchy

OF_ALL_KINDS = [
    Hierarchy.by_interval(5, [2]),
    Hierarchy.by_interval(1000, origin=500),
    Hierarchy.by_interval(0.25),
    Hierarchy.by_interval(10, labels="inclusive", lowest=18, highest=65),
    Hierarchy.by_interval(10, decimal=","),
    Hierarchy.by_bounds([[12, 18, 65], [18]]),
    Hierarchy.by_bounds([[50_000]]),
    Hierarchy.by_date(),
    Hierarchy.by_date(["year"], format="MM/YYYY"),
    Hierarchy.by_prefix([3, 2]),
    Hierarchy.by_prefix([12, 4]),
    Hierarchy.by_prefix([2], digits=3),
    *map(Hierarchy.built_in, Hierarchy.built_in_sources()),
]


@pytest.mark.parametrize("hierarchy", OF_ALL_KINDS, ids=lambda each: str(each.to_tree())[:60])
def test_examples_have_a_place_and_differ(hierarchy: Hierarchy):
    examples = hierarchy.examples

    assert len(examples) >= 2
    assert all(map(hierarchy.knows, examples))
    assert len({hierarchy.generalised(each, 1) for each in examples}) >= 2, "they would show nothing"


@pytest.mark.parametrize("hierarchy", OF_ALL_KINDS[:3], ids=str)
def test_a_changed_hierarchy_has_the_same_examples(hierarchy: Hierarchy):
    assert hierarchy.with_top().examples == hierarchy.examples
    assert hierarchy.answering("own-branch").picked([1]).examples == hierarchy.examples


def test_values_that_somebody_listed_are_no_examples():
    """They may be those of a table, and examples are shown to strangers."""
    own = Hierarchy.by_hand({"rare": ["a disease that one person has"], "usual": ["flu"]})

    assert own.examples == ()
    assert own.answering("own-branch").with_top().examples == ()
    assert Hierarchy.from_columns(["city"], rows=[("clinic", "Lima")]).examples == ()
    assert Hierarchy.all_or_nothing().examples == ()


def test_bounds_that_leave_no_whole_number_leave_no_examples():
    assert Hierarchy.by_interval(0.1, lowest=0.2, highest=0.8).examples == ()
