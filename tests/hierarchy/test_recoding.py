from typing import Any

import numpy as np
import pytest

import biombo as bb

ZIP = bb.Hierarchy.load({"021**": {"0213*": ["02138", "02139"], "0214*": ["02141", "02142"]}})


def test_a_column_is_coded_at_every_level() -> None:
    codes = ZIP.recode(["02142", "02138", "02141"])
    assert codes.codes.tolist() == [[0, 1, 2], [0, 1, 0], [0, 0, 0]]
    assert codes.labels == (("02142", "02138", "02141"), ("0214*", "0213*"), ("021**",))
    assert (codes.height, codes.cardinalities, codes.single_top, codes.unknown) == (2, (3, 2, 1), True, ())


def test_codes_take_the_smallest_type() -> None:
    numbers = bb.Hierarchy.by_interval(10)
    assert numbers.recode([str(n) for n in range(256)]).codes.dtype == np.uint8
    assert numbers.recode([str(n) for n in range(257)]).codes.dtype == np.uint16


def test_leaves_count_what_the_hierarchy_lists_and_not_what_the_column_holds() -> None:
    codes = ZIP.recode(["02142", "02138"])
    assert [leaves.tolist() for leaves in codes.leaves] == [[1, 1], [2, 2], [4]]
    assert codes.domain == 4


def test_leaves_of_a_rule_are_the_values_of_the_column() -> None:
    codes = bb.Hierarchy.by_interval(10).with_top().recode(["1", "2", "11"])
    assert [leaves.tolist() for leaves in codes.leaves] == [[1, 1, 1], [2, 1], [3]]
    assert codes.domain == 3


def test_a_missing_value_only_becomes_the_top() -> None:
    codes = ZIP.with_top().recode(["02138", None])
    assert codes.labels == (("02138", None), ("0213*", None), ("021**", None), ("*",))
    assert codes.leaves[3].tolist() == [5]


def test_a_missing_value_stays_where_there_is_no_top() -> None:
    assert ZIP.recode(["02138", None]).labels[-1] == ("021**", None)


def test_values_apart_are_treated_like_missing_ones() -> None:
    ages = bb.Hierarchy.built_in("age").with_top()
    codes = ages.recode(["042", "999", None], apart={"999"})
    assert codes.labels[1] == ("40-44", "999", None)
    assert codes.labels[-1] == ("*",)
    assert codes.unknown == ()


def test_unknown_values_are_listed_with_counts() -> None:
    found = ZIP.unknown(["02138", "99999", None, "00000"], [10, 3, 5, 7])
    assert [(each.value, each.count) for each in found] == [("00000", 7), ("99999", 3)]
    assert [each.count for each in ZIP.unknown(["99999"])] == [1]


def test_unknown_values_stop_unless_an_answer_is_given() -> None:
    with pytest.raises(bb.ColumnError, match="lacks 2 of the values: '00000' × 7, '99999' × 3; add them"):
        ZIP.recode(["02138", "99999", "00000"], counts=[10, 3, 7])
    with pytest.raises(bb.ColumnError, match="column 'zip' lacks 1 of its values: '99999'; add"):
        ZIP.recode(["99999"], column="zip")


def test_an_unknown_value_may_have_a_branch_of_its_own() -> None:
    codes = ZIP.with_top().recode(["02138", "99999"], counts=[10, 3], missing="own-branch")
    assert codes.labels == (("02138", "99999"), ("0213*", "99999"), ("021**", "99999"), ("*",))
    assert [(each.value, each.count) for each in codes.unknown] == [("99999", 3)]
    assert codes.domain == 5


def test_an_unknown_value_may_be_suppressed_from_level_1() -> None:
    codes = ZIP.recode(["02138", "99999", "00000"], missing="suppress")
    assert codes.labels == (("02138", "99999", "00000"), ("0213*", "*"), ("021**", "*"))
    assert [leaves.tolist() for leaves in codes.leaves] == [[1, 1, 1], [2, 2], [4, 2]]


def test_a_value_called_like_a_group_is_not_taken_for_a_part_of_it() -> None:
    with pytest.raises(bb.ColumnError, match=r"'0213\*' .* called like one of its groups"):
        ZIP.recode(["02138", "0213*"], missing="own-branch")
    assert ZIP.recode(["02138", "0213*"], missing="suppress").labels[1] == ("0213*", "*")


def test_levels_at_which_nothing_changes_are_reported() -> None:
    cid = bb.Hierarchy.load({"I": {"A09": {"A09": ["A09"]}, "A00": {"A00": ["A000", "A001"]}}})
    assert cid.recode(["A09", "A000", "A001"]).idle_levels == (2,)
    assert cid.recode(["A09", "A000"]).idle_levels == (1, 2)


def test_a_column_without_values_is_coded() -> None:
    codes = ZIP.recode([])
    assert codes.codes.shape == (3, 0)
    assert codes.domain == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [({"missing": "guess"}, "stop, own-branch, suppress"), ({"counts": [1]}, "1 count for 2 values")],
)
def test_calls_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(bb.UsageError, match=words):
        ZIP.recode(["02138", "02139"], **options)


def test_an_unknown_value_is_not_generalised() -> None:
    with pytest.raises(bb.ColumnError, match="'99999'"):
        ZIP.generalised("99999", 1)
    assert ZIP.generalised("99999", 0) == "99999"
