"""What a search refuses, in one sentence that names the column or value and says what to do."""

from math import inf, nan
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from refusal import refused

import biombo as bb

BY_COLUMN = {"age": "age", "city": bb.Hierarchy.all_or_nothing()}
ASKED: dict[str, Any] = {"quasi": ["age", "city"], "hierarchies": BY_COLUMN}


@pytest.fixture
def plain_clinic() -> bb.Dataset:
    return bb.read(bb.samples.clinic())


@pytest.mark.parametrize(
    ("options", "key", "mentioned"),
    [
        ({"bounds": {"age": (2, 1)}}, "search.bounds-contradict", ["'age'", "2", "1"]),
        ({"bounds": {"age": 9}}, "search.bounds-height", ["'age'", "9", "5"]),
        ({"bounds": {"age": -1}}, "search.bounds-height", ["'age'", "-1"]),
        ({"bounds": {"age": (0, 1, 2)}}, "search.bounds-shape", ["'age'", "(0, 1, 2)"]),
        ({"bounds": {"age": 1.5}}, "search.bounds-shape", ["'age'", "1.5"]),
        ({"bounds": {"age": "1"}}, "search.no-such-level", ["'1'", "0 (34), 1 = ", "(30-34)", "(*) (*)"]),
        ({"bounds": {"city": "width 5"}}, "search.no-such-level", ["'city'", "'width 5'", "(*) (*)"]),
        ({"bounds": {"city": ("width 5", None)}}, "search.no-such-level", ["'city'", "'width 5'"]),
        ({"bounds": {"age": "width 7"}}, "search.no-such-level", ["'age'", "'width 7'", "2 = ", "(30-39)"]),
        ({"bounds": {"age": (None, "decade")}}, "search.no-such-level", ["'age'", "'decade'"]),
        ({"bounds": {"age": ("width 20", "width 10")}}, "search.bounds-contradict", ["'age'", "3", "2"]),
        ({"bounds": {"age": True}}, "search.bounds-shape", ["'age'", "True"]),
        ({"bounds": {"sex": 0}}, "search.not-quasi", ["'sex'", "age, city"]),
        ({"weights": {"sex": 1}}, "search.not-quasi", ["'sex'", "age, city"]),
        ({"weights": {"age": 0}}, "search.weights", ["'age'", "0"]),
        ({"weights": {"age": inf}}, "search.weights", ["'age'", "inf"]),
        ({"weights": {"age": "2"}}, "search.weights", ["'age'", "'2'"]),
        ({"max_suppression": 2}, "search.max-suppression", ["2"]),
        ({"max_suppression": -0.1}, "search.max-suppression", ["-0.1"]),
        ({"max_suppression": nan}, "search.max-suppression", ["nan"]),
        ({"max_suppression": "2%"}, "search.max-suppression", ["'2%'"]),
        ({"prefer": "best"}, "search.policy", ["'best'", "relative-distance"]),
        ({"prefer": None}, "search.policy", ["None"]),
        ({"plans": 0}, "search.plans", ["0"]),
        ({"plans": 1.5}, "search.plans", ["1.5"]),
        ({"seconds": -1}, "search.seconds", ["-1"]),
        ({"seconds": "1 minute"}, "search.seconds", ["'1 minute'"]),
        ({"sensitive": "age"}, "criteria.both-roles", ["'age'"]),
        ({"quasi": []}, "attack.no-quasi", []),
        ({"quasi": ["age", "age"]}, "attack.repeated", ["'age'"]),
        ({"quasi": "age"}, "usage.string-for-list", ["'age'"]),
        ({"quasi": ["aeg"]}, "column.missing-close", ["'aeg'", "'age'"]),
        ({"hierarchies": {"sex": "age"}}, "search.not-quasi", ["'sex'"]),
        ({"hierarchies": {"age": 5, "city": "age"}}, "hierarchy.source", ["int"]),
        ({"missing": "guess"}, "hierarchy.answer", ["'guess'"]),
    ],
    ids=str,
)
def test_options_that_make_no_sense(
    plain_clinic: bb.Dataset, options: dict[str, Any], key: str, mentioned: list[str]
) -> None:
    with refused(key, *mentioned):
        bb.search(plain_clinic, bb.KAnonymity(2), **{**ASKED, **options})


@pytest.mark.parametrize(
    ("criteria", "key", "mentioned"),
    [
        (bb.KAnonymity(13), "search.k-above-rows", ["13", "12"]),
        (bb.LDiversity(2), "criteria.no-sensitive", []),
        (bb.LDiversity(2, column="age"), "criteria.both-roles", ["'age'"]),
        (bb.LDiversity(2, column="diseas"), "column.missing-close", ["'diseas'", "'disease'"]),
        (bb.KAnonymity(2, quasi=["age", "sex"]), "search.not-quasi", ["'sex'", "age, city"]),
        ([], "criteria.none", []),
        (5, "criteria.not-one", ["int"]),
    ],
    ids=str,
)
def test_criteria_that_make_no_sense(plain_clinic: bb.Dataset, criteria: Any, key: str, mentioned: list[str]) -> None:
    with refused(key, *mentioned):
        bb.search(plain_clinic, criteria, **ASKED)


def test_a_table_that_was_not_read() -> None:
    with refused("search.not-read", "str"):
        bb.search("people.csv", bb.KAnonymity(2), **ASKED)


def test_a_person_is_no_quasi_column() -> None:
    data = bb.read(bb.samples.clinic(), bb.Schema({}, person="city"), columns=["age", "city"])
    with refused("attack.person", "'city'"):
        bb.search(data, bb.KAnonymity(2), **ASKED)


HIERARCHY_FILES = {
    "a circle": ("18-39;young\nyoung;18-39\n40-64;old\n65+;old\n", "hierarchy.cyclic", ["18-39 → young → 18-39"]),
    "overlap": ("18-39;x;p\n40-64;x;q\n65+;y;q\n", "hierarchy.not-nested", ["'x'", "'p' ('18-39'), 'q' ('40-64')"]),
    "two rows for a value": ("18-39;x\n18-39;y\n", "hierarchy.twice", ["'18-39'"]),
    "levels that are missing": ("18-39;x;*\n40-64;x\n", "hierarchy.width", ["2"]),
}


@pytest.mark.parametrize(("content", "key", "mentioned"), HIERARCHY_FILES.values(), ids=HIERARCHY_FILES)
def test_files_that_are_no_hierarchy(
    plain_clinic: bb.Dataset, tmp_path: Path, content: str, key: str, mentioned: list[str]
) -> None:
    (tmp_path / "age.csv").write_text(content)
    with refused(key, "age.csv", *mentioned):
        bb.search(plain_clinic, bb.KAnonymity(2), quasi=["age"], hierarchies=tmp_path)


def test_values_that_a_hierarchy_does_not_know_are_counted() -> None:
    data = bb.read(pl.DataFrame({"age": ["young", "old", "?", "?", "n/a"]}))
    ages = bb.Hierarchy.by_hand({"*": ["young", "old"]})
    with refused("hierarchy.unknown-in-column", "'age'", "'?' × 2", "'n/a' × 1"):
        bb.search(data, bb.KAnonymity(2), quasi=["age"], hierarchies={"age": ages})
    answered = bb.search(data, bb.KAnonymity(2), quasi=["age"], hierarchies={"age": ages}, missing="own-branch")
    assert answered[0].levels == {"age": 1}


def test_folders_with_no_or_too_many_hierarchies(plain_clinic: bb.Dataset, tmp_path: Path) -> None:
    with refused("search.no-folder", "nowhere"):
        bb.search(plain_clinic, bb.KAnonymity(2), quasi=["age"], hierarchies=tmp_path / "nowhere")
    for name in ("age.csv", "clinic_hierarchy_age.csv"):
        (tmp_path / name).write_text("18-39;*\n40-64;*\n65+;*\n")
    with refused("search.two-hierarchies", "'age'", "age.csv, clinic_hierarchy_age.csv"):
        bb.search(plain_clinic, bb.KAnonymity(2), quasi=["age"], hierarchies=tmp_path)


def test_a_column_without_a_hierarchy_is_named_aloud(plain_clinic: bb.Dataset) -> None:
    with pytest.warns(bb.BiomboWarning, match="no hierarchy for city") as warned:
        found = bb.search(plain_clinic, bb.KAnonymity(3), quasi=["age", "city"], hierarchies={"age": "age"})
    assert found[0].levels == {"age": 0, "city": 1}
    assert warned[0].filename == __file__


def test_more_combinations_than_can_be_listed() -> None:
    columns = {f"c{i}": ["1", "2"] for i in range(12)}
    data = bb.read(pl.DataFrame(columns))
    wide = {name: bb.Hierarchy.by_interval(1, [2, 4]) for name in columns}
    shared = [bb.KAnonymity(2, quasi=list(columns)[:8]), bb.KAnonymity(2, quasi=list(columns)[4:])]
    with refused("search.too-many-nodes"):
        bb.search(data, shared, quasi=list(columns), hierarchies=wide)
    fixed = dict.fromkeys(list(columns)[:6], 0)
    assert bb.search(data, bb.KAnonymity(1), quasi=list(columns), hierarchies=wide, bounds=fixed).optimal


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"ks": []}, "search.no-frontier"),
        ({"ks": [13]}, "search.no-frontier"),
        ({"limits": []}, "search.no-frontier"),
        ({"ks": [0]}, "search.ks"),
        ({"ks": ["2"]}, "search.ks"),
        ({"ks": 2}, "search.ks"),
        ({"limits": [2]}, "search.max-suppression"),
        ({"prefer": "best"}, "search.policy"),
        ({"seconds": nan}, "search.seconds"),
        ({"criteria": bb.LDiversity(2, column="disease", quasi=["age"])}, "search.frontier-sets"),
        ({"criteria": 5}, "criteria.not-one"),
    ],
    ids=str,
)
def test_a_frontier_of_nothing(plain_clinic: bb.Dataset, options: dict[str, Any], key: str) -> None:
    with refused(key):
        bb.frontier(plain_clinic, **{**ASKED, **options})


def test_a_point_that_the_frontier_does_not_have(plain_clinic: bb.Dataset) -> None:
    found = bb.frontier(plain_clinic, ks=[2, 3], limits=[0.0], **ASKED)
    assert found.at(3, 0.0).best is not None
    with refused("search.no-point", "5"):
        found.at(5, 0.0)
