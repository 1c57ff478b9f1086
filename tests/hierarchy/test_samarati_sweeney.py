"""The hierarchies of Samarati and Sweeney (1998), by every kind that can express them."""

from pathlib import Path

import pytest

import biombo as bb

ETHNICITY = {"asian": ["person"], "black": ["person"], "white": ["person"]}
ZIP = {
    "02138": ["0213*", "021**"],
    "02139": ["0213*", "021**"],
    "02141": ["0214*", "021**"],
    "02142": ["0214*", "021**"],
}
MARITAL = {
    "married": ["been married", "not released"],
    "divorced": ["been married", "not released"],
    "widow": ["been married", "not released"],
    "single": ["never married", "not released"],
}
SEX = {"male": ["not released"], "female": ["not released"]}
BIRTH = {
    "1964-09-27": ["1964-09", "1964", "1960-1964"],
    "1964-09-30": ["1964-09", "1964", "1960-1964"],
    "1965-02-13": ["1965-02", "1965", "1965-1969"],
}
BY_HAND = {
    "E": (ETHNICITY, {"person": ["asian", "black", "white"]}),
    "Z": (ZIP, {"021**": {"0213*": ["02138", "02139"], "0214*": ["02141", "02142"]}}),
    "marital": (
        MARITAL,
        {"not released": {"been married": ["married", "divorced", "widow"], "never married": ["single"]}},
    ),
    "sex": (SEX, {"not released": ["male", "female"]}),
    "birth": (
        BIRTH,
        {
            "1960-1964": {"1964": {"1964-09": ["1964-09-27", "1964-09-30"]}},
            "1965-1969": {"1965": {"1965-02": ["1965-02-13"]}},
        },
    ),
}


def says(hierarchy: bb.Hierarchy, table: dict[str, list[str]]) -> bool:
    return all(hierarchy.ancestors(value) == tuple(above) for value, above in table.items())


@pytest.mark.parametrize("name", BY_HAND)
def test_by_hand(name: str) -> None:
    table, tree = BY_HAND[name]
    assert says(bb.Hierarchy.load(tree), table)


@pytest.mark.parametrize("name", BY_HAND)
def test_by_csv_and_by_hand_are_the_same_hierarchy(name: str, tmp_path: Path) -> None:
    table, tree = BY_HAND[name]
    file = tmp_path / f"{name}.csv"
    file.write_text("".join(";".join([value, *above]) + "\n" for value, above in table.items()))
    listed = bb.Hierarchy.from_csv(file)
    assert says(listed, table)
    assert listed == bb.Hierarchy.load(tree)
    assert listed.content_hash() == bb.Hierarchy.load(tree).content_hash()


def test_zip_codes_by_mask() -> None:
    assert says(bb.Hierarchy.by_prefix([4, 3], pad="*"), ZIP)
    assert says(bb.Hierarchy.by_prefix([4, 3], pad="*", digits=5), ZIP)


def test_birth_dates_by_date() -> None:
    assert says(bb.Hierarchy.by_date(["month", "year", "5 years"]), BIRTH)


def test_birth_dates_keep_their_type() -> None:
    dates = bb.Hierarchy.by_date(["month", "year", "5 years"], keep_type=True)
    assert dates.ancestors("1964-09-27") == ("1964-09-01", "1964-01-01", "1960-01-01")


@pytest.mark.parametrize(
    "zips",
    [
        bb.Hierarchy.by_order(list(ZIP), 2),
        bb.Hierarchy.by_interval(10, [10]),
        bb.Hierarchy.by_bounds([[2100, 2140, 2200], [2100, 2200]]),
    ],
    ids=["order", "interval", "bounds"],
)
def test_zip_codes_have_the_same_groups_by_other_kinds(zips: bb.Hierarchy) -> None:
    by_hand = bb.Hierarchy.load(BY_HAND["Z"][1])
    assert zips.recode(list(ZIP)).codes.tolist() == by_hand.recode(list(ZIP)).codes.tolist()
