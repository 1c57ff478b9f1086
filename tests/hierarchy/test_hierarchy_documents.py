import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import biombo as bb

DOCUMENTS = [
    {"kind": "interval", "width": 5},
    {"kind": "interval", "width": 0.5, "multiples": [2, 4], "origin": 1, "bottom": 2, "top": 90, "decimal": ","},
    {"kind": "interval", "width": 5, "labels": "inclusive", "lowest": 0, "highest": 130, "with_top": True},
    {"kind": "bounds", "levels": [[12, 18, 65], [18]]},
    {"kind": "prefix", "lengths": [6, 5], "pad": "*", "separators": "-", "digits": 8},
    {"kind": "date"},
    {"kind": "date", "levels": ["year", "decade"], "format": "DD/MM/YYYY", "keep_type": True, "with_top": True},
    {"kind": "tree", "tree": {"021**": {"0213*": ["02138", "02139"], "0214*": ["02141"]}}},
    {"kind": "built-in", "name": "sigtap", "with_top": True},
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: json.dumps(document)[:60])
def test_a_document_says_what_it_said(document: dict[str, Any], tmp_path: Path) -> None:
    hierarchy = bb.Hierarchy.load(document)
    assert hierarchy.to_tree() == document
    file = tmp_path / "h.yaml"
    file.write_text(yaml.safe_dump(document, allow_unicode=True), "utf-8")
    assert bb.Hierarchy.load(file) == hierarchy
    assert bb.Hierarchy.load(str(file)).content_hash() == hierarchy.content_hash()
    assert json.loads(json.dumps(hierarchy.to_tree())) == document


def test_a_file_may_hold_nothing_but_groups(tmp_path: Path) -> None:
    file = tmp_path / "marital.yml"
    file.write_text("been married: [married, divorced, widow]\nnever married: [single]\n")
    assert bb.Hierarchy.load(file).ancestors("widow") == ("been married",)


def test_a_group_may_be_called_kind() -> None:
    assert bb.Hierarchy.load({"kind": ["gentle"], "unkind": ["rude"]}).ancestors("gentle") == ("kind",)


def test_one_list_of_bounds_is_one_level() -> None:
    assert bb.Hierarchy.load({"kind": "bounds", "levels": [18, 65]}) == bb.Hierarchy.by_bounds([[18, 65]])


def test_an_order_is_loaded() -> None:
    ordered = bb.Hierarchy.load({"kind": "order", "values": ["low", "medium", "high"], "every": 2})
    assert ordered == bb.Hierarchy.by_order(["low", "medium", "high"], 2)
    assert bb.Hierarchy.load(ordered.to_tree()) == ordered


def test_csv_files_names_and_hierarchies_are_loaded_too(tmp_path: Path) -> None:
    file = tmp_path / "h.csv"
    file.write_text("a;x\nb;x\n")
    assert bb.Hierarchy.load(file).ancestors("a") == ("x",)
    cep = bb.Hierarchy.load("cep")
    assert cep == bb.Hierarchy.built_in("cep")
    assert bb.Hierarchy.load(cep) is cep


def test_the_hash_is_of_what_values_become_and_not_of_how_it_is_written() -> None:
    assert (
        bb.Hierarchy.by_interval(5.0, top=90).content_hash()
        == bb.Hierarchy.load({"kind": "interval", "width": 5, "top": 90.0, "origin": 0}).content_hash()
    )
    one, other = {"x": ["a", "b"], "y": ["c"]}, {"y": ["c"], "x": ["b", "a"]}
    assert bb.Hierarchy.load(one).content_hash() == bb.Hierarchy.load(other).content_hash()


def test_the_hash_tells_different_hierarchies_apart() -> None:
    trees = [*DOCUMENTS, {"x": ["a", "b"]}, {"x": ["a"], "y": ["b"]}, {"kind": "built-in", "name": "sigtap"}]
    assert len({bb.Hierarchy.load(tree).content_hash() for tree in trees}) == len(trees)


def test_the_hash_stays_what_it_was() -> None:
    assert bb.Hierarchy.by_prefix([2]).content_hash() == (
        "987b802097012bb02f9b8c5ccf5366e1c6a076ca86cbe196c8db72348a4e6d42"
    )


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({"kind": "magic"}, "kind 'magic': this name does not exist; choose one of: all-or-nothing"),
        ({"kind": "interval"}, "'width' is missing"),
        ({"kind": "interval", "width": "wide"}, "'width' must be a number, not 'wide'"),
        ({"kind": "interval", "width": 5, "multiples": 2}, "'multiples'"),
        ({"kind": "interval", "width": 5, "multiples": [2.5]}, "'multiples'"),
        ({"kind": "interval", "width": 5, "wdith": 6}, "'wdith' is unknown; did you mean 'width'"),
        ({"kind": "interval", "width": 5, "with_top": "yes"}, "'with-top' is true or false"),
        ({"kind": "interval", "width": 5, "top": True}, "'top'"),
        ({"kind": "bounds", "levels": 5}, "'levels'"),
        ({"kind": "bounds", "levels": [[1], 2]}, "'levels'"),
        ({"kind": "prefix", "lengths": ["2"]}, "'lengths'"),
        ({"kind": "date", "levels": [1]}, "'levels'"),
        ({"kind": "order", "values": ["a", 1], "every": 2}, "'values'"),
        ({"kind": "order", "values": ["a", "b"], "every": "2"}, "'every'"),
        ({"kind": "tree", "tree": ["a"]}, "Groups hold groups"),
        ({"kind": "built-in", "name": 5}, "'name'"),
        ({"group": "value"}, "'group' holds a str"),
        ({"group": None}, "'group' holds a NoneType"),
        ({"021**": [2138]}, "2138 .* quotes"),
        ({1990: ["a"]}, "1990 .* quotes"),
        ({"answer": [False]}, "False .* quotes"),
        ({"x": {"y": ["a"]}, "z": ["b"]}, "value 'b' has 2 levels where the first has 3"),
        ({"x": ["a"], "y": ["a"]}, "'a' stands twice"),
        ({"p": {"x": ["a"]}, "q": {"x": ["b"]}}, "'x' of level 1 lies in two groups"),
        ({"a": ["b"], "b": ["a"]}, "circle"),
        ({}, "two levels"),
        ({"x": []}, "two levels"),
    ],
)
def test_a_tree_that_is_no_hierarchy_is_refused(tree: Any, words: str) -> None:
    with pytest.raises(bb.InputError, match=words):
        bb.Hierarchy.load(tree)


def test_a_tree_without_end_is_refused() -> None:
    tree: Any = ["a"]
    for level in range(5000):
        tree = {f"group {level}": tree}
    with pytest.raises(bb.InputError, match="more than 100 levels"):
        bb.Hierarchy.load(tree)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x: [a", "not valid YAML"),
        (b"x: \xff", "not valid YAML"),
        (b"x: [2024-13-45]", r"2024-13-45 \(line 1\)"),
        (b"[" * 5000, "not valid YAML"),
        (b"just text", "this is a str"),
        (b"", "this is a NoneType"),
        (b"x: [a]\nx: [b]\n", r"'x' stands there twice \(line 2\)"),
        (b"x: &a [a]\ny: *a\n", r"alias .* \(line 2\)"),
        (b"kind: interval\nwidth: 0\n", "above 0"),
        (b"a: !!python/object/apply:os.system [ls]\n", "not valid YAML"),
    ],
)
def test_a_broken_file_is_refused_by_name(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "broken.yaml"
    file.write_bytes(content)
    with pytest.raises(bb.InputError, match=words) as refused:
        bb.Hierarchy.load(file)
    assert "broken.yaml" in str(refused.value)


def test_what_is_no_source_is_refused() -> None:
    with pytest.raises(bb.UsageError, match="A int is no hierarchy"):
        bb.Hierarchy.load(5)  # type: ignore[arg-type]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(bb.InputError, match=r"nowhere\.yaml"):
        bb.Hierarchy.load(tmp_path / "nowhere.yaml")
