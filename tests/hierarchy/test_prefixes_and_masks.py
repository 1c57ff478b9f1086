from typing import Any

import pytest

import biombo as bb


def test_a_prefix_is_cut() -> None:
    assert bb.Hierarchy.by_prefix([6, 4, 2]).ancestors("0304020346") == ("030402", "0304", "03")


def test_a_mask_keeps_the_length() -> None:
    cnes = bb.Hierarchy.by_prefix([4, 2, 0], pad="*")
    assert cnes.ancestors("2001578") == ("2001***", "20*****", "*******")


def test_separators_stay_in_a_mask_and_are_not_counted() -> None:
    cep = bb.Hierarchy.by_prefix([6, 5, 2], pad="*", separators="-")
    assert cep.ancestors("01310-100") == ("01310-1**", "01310-***", "01***-***")
    assert cep.ancestors("01310100") == ("013101**", "01310***", "01******")


def test_separators_at_the_cut_go() -> None:
    cep = bb.Hierarchy.by_prefix([6, 5, 0], separators="-")
    assert cep.ancestors("01310-100") == ("01310-1", "01310", "*")


def test_a_short_code_stays_until_it_is_cut() -> None:
    assert bb.Hierarchy.by_prefix([4, 2], pad="*").ancestors("A0") == ("A0", "A0")


@pytest.mark.parametrize("value", ["0131010", "01310-10", "01310-10A", "013101000", "", "०१३१०१००"])
def test_codes_of_another_length_are_not_known_where_digits_are_declared(value: str) -> None:
    cep = bb.Hierarchy.built_in("cep")
    assert cep.knows("01310-100")
    assert not cep.knows(value)


@pytest.mark.parametrize("lengths", [[], [2, 4], [4, 4], [2, -1]])
def test_prefixes_must_get_shorter(lengths: list[int]) -> None:
    with pytest.raises(bb.UsageError, match="shorter"):
        bb.Hierarchy.by_prefix(lengths)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"pad": "**"}, "single"), ({"pad": "-", "separators": "-"}, "separator"), ({"digits": 4}, "keep fewer")],
)
def test_masks_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(bb.UsageError, match=words):
        bb.Hierarchy.by_prefix([4, 2], **options)
