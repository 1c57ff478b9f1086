"""A search whose tuples stay elsewhere finds what it finds on all of them, or is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nearby_tuples import NearbyTuples
from small_tables import (
    PREFERENCES,
    SINGLE_CRITERIA,
    SmallTable,
    bounds_of,
    criteria_lists,
    shares,
    small_tables,
    telling_tables,
)

import biombo as bb
from biombo._search import Policy, as_json, explanations, minimal_as_json

FAR = [name for name in PREFERENCES if not Policy.named(name).by_original]
ALL = 10_000
MANY = 1_000_000


def told(found: bb.SearchResult) -> dict[str, object]:
    """All but how many nodes were looked at on the way; sums of fractions differ with the order of the values."""
    return rounded({**as_json(found), "minimal": minimal_as_json(found), "checked": None})


def rounded(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: rounded(each) for name, each in told.items()}
    if isinstance(told, list):
        return [rounded(each) for each in told]
    return round(told, 9) if isinstance(told, float) else told


@given(small_tables(), st.integers(1, 6), criteria_lists, shares, st.sampled_from(FAR), st.data())
def test_it_finds_the_same_plans(table, k, criteria, share, policy, more) -> None:
    asked = [bb.KAnonymity(k), *(each for each in criteria if not isinstance(each, bb.KAnonymity))]
    bounds = dict(zip(table.quasi, more.draw(bounds_of(table)), strict=True))
    options = {**table.options, "max_suppression": share, "prefer": policy, "bounds": bounds, "plans": ALL}
    if k > len(table.rows):
        return

    far = bb.search(NearbyTuples.of(table.data, MANY), asked, **options)

    assert told(far) == told(bb.search(table.data, asked, **options))


@given(small_tables(), st.integers(2, 4), st.integers(2, 4), shares)
def test_it_finds_the_same_for_several_sets_of_columns(table, k, other_k, share) -> None:
    first, *others = table.quasi
    asked = [bb.KAnonymity(k, quasi=[first]), *([bb.KAnonymity(other_k, quasi=others)] if others else [])]
    if max(k, other_k) > len(table.rows):
        return
    options = {**table.options, "max_suppression": share, "plans": 5}

    far = bb.search(NearbyTuples.of(table.data, MANY), asked, **options)

    assert rounded(as_json(far)["plans"]) == rounded(as_json(bb.search(table.data, asked, **options))["plans"])


@pytest.mark.parametrize("table", telling_tables(), ids=["people", "plain"])
def test_all_people_count_where_their_number_is_asked_about(table) -> None:
    counting = [each for each in SINGLE_CRITERIA if each.counts_members and each.group_size is None]
    options = {**table.options, "max_suppression": 0.5, "plans": ALL, "missing": "own-branch"}
    for criterion in counting:
        far = bb.search(NearbyTuples.of(table.data, MANY), criterion, **options)
        assert told(far) == told(bb.search(table.data, criterion, **options))
    assert len(counting) >= 5


class TestLevelsThatOneColumnProvesHopeless:
    rows = tuple((city, sex, "flu", "9", "Ana") for city in "abcde" for sex in "xy" for _ in range(2))
    hierarchies = ({city: ("n" if city < "c" else "s", "*") for city in "abcde"}, dict.fromkeys("xy", ("*",)))
    table = SmallTable(hierarchies, rows)

    def found(self, most: int, **asked) -> bb.SearchResult:
        data = NearbyTuples.of(self.table.data, most)
        return bb.search(data, bb.KAnonymity(5), **{**self.table.options, **asked})

    def test_are_left_out_so_that_fewer_tuples_must_come(self) -> None:
        found = self.found(most=4)

        assert [column.hopeless for column in found.question.columns] == [1, 0]
        assert found.question.data.rows == 4
        assert found.lattice == 6

    def test_stay_where_so_much_may_be_suppressed(self) -> None:
        assert [column.hopeless for column in self.found(10, max_suppression=1).question.columns] == [0, 0]

    def test_too_many_tuples_even_so_are_refused(self) -> None:
        with pytest.raises(bb.InputError):
            self.found(most=3)

    def test_leave_no_table_to_explain(self) -> None:
        with pytest.warns(bb.BiomboWarning, match="stand in the way is not told"):
            assert explanations(self.found(most=4)) == []
