"""Plans, schemas, hierarchies and criteria are read by one reader: the same mistake is told in the same words."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from refusal import refused

import biombo as bb
from biombo._documents import (
    Document,
    chosen_entries,
    document_schema,
    dump_yaml,
    load_yaml,
    read_entries,
)

IN_FILE: dict[str, Callable[[Path], object]] = {
    "plan": bb.Plan.load,
    "schema": bb.Schema.load,
    "hierarchy": bb.Hierarchy.load,
}
BEGINNINGS = {
    "plan": "biombo-plan: 1\nperson: p",
    "schema": "source: a town\nperson: p",
    "hierarchy": "kind: prefix\nlengths: [2]",
}
"""Two lines of each."""


def sentence(kind: str, content: str, path: Path) -> str:
    """What is wrong with the file, after what names the file and, in hierarchies, the kind."""
    path.write_text(content, "utf-8")
    with pytest.raises(bb.BiomboError) as caught:
        IN_FILE[kind](path)
    assert caught.value.key == f"document.in-{kind}"
    told = str(caught.value)
    assert str(path) in told
    return told.partition(f"{path}: ")[2].removeprefix("Hierarchy of kind 'prefix': ")


@pytest.mark.parametrize(
    "mistake",
    ["x: *a", "x: 2023-02-31", "x: [1", "x: 1\nx: 2", "x: \t1", "zzz: 1", "zzz: 1\nyyy: 2"],
)
def test_the_same_mistake_is_told_in_the_same_words(tmp_path, mistake) -> None:
    told = [sentence(kind, f"{begin}\n{mistake}\n", tmp_path / "it.yaml") for kind, begin in BEGINNINGS.items()]
    assert len({each.partition("the entries are: ")[0] for each in told}) == 1


@pytest.mark.parametrize(
    ("kind", "entry", "close"),
    [("plan", "quasis: [a]", "quasi"), ("schema", "colums: {}", "columns"), ("hierarchy", "pads: x", "pad")],
)
def test_a_close_entry_is_suggested(tmp_path, kind, entry, close) -> None:
    assert f"did you mean {close!r}?" in sentence(kind, f"{BEGINNINGS[kind]}\n{entry}\n", tmp_path / "it.yaml")


@pytest.mark.parametrize("kind", IN_FILE)
@pytest.mark.parametrize("before", [0, 3])
def test_the_line_is_told(tmp_path, kind, before) -> None:
    for mistake in ("x: *a", "x: 2023-02-31", "x: ]"):
        content = f"{BEGINNINGS[kind]}\n" + "# a comment\n" * before + mistake
        assert f"ine {2 + before + 1}" in sentence(kind, content, tmp_path / "it.yaml")


def test_criteria_and_operations_are_named_with_what_is_wrong_in_them() -> None:
    with refused("criteria.in-criterion", "k-anonimity", "'k-anonymity'?"):
        bb.Criterion.from_tree({"k-anonimity": {"k": 5}})
    with refused("plan.in-operation", "2 (generalize)", "'generalise'?"):
        bb.Plan.from_tree({"biombo-plan": 1, "operations": [{"swap": {"columns": ["a"]}}, {"generalize": {}}]})
    with refused("hierarchy.in-kind", "'intervall'", "'interval'?"):
        bb.Hierarchy.load({"kind": "intervall"})


@dataclass(frozen=True)
class Errand:
    """Something to do, with an entry of every type there is."""

    what: str
    times: int = 1
    share: float = 0.5
    urgent: bool = False
    how: Literal["slowly", "quickly"] = "slowly"
    who: tuple[str, ...] = ()
    in_: Path | None = None
    until: date | None = None
    limit: float | str | None = None
    plan: bb.Hierarchy | None = None
    criteria: tuple[bb.Criterion, ...] = ()


ERRAND = Document("plan", mark="errand", version=3, order=("how", "what"))
WORDS = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=6)
ERRANDS = st.builds(
    Errand,
    what=WORDS,
    times=st.integers(-9, 9),
    share=st.floats(0, 1),
    urgent=st.booleans(),
    how=st.sampled_from(["slowly", "quickly"]),
    who=st.lists(WORDS, max_size=2).map(tuple),
    in_=st.none() | st.sampled_from([Path("a"), Path("b/c")]),
    until=st.none() | st.dates(),
    limit=st.none() | st.floats(0, 9) | WORDS,
    plan=st.none() | st.just(bb.Hierarchy.by_prefix([2])),
    criteria=st.lists(st.builds(bb.KAnonymity, st.integers(2, 9)), max_size=2).map(tuple),
)


@given(ERRANDS)
def test_what_is_written_is_read_back_and_fits_the_json_schema(errand) -> None:
    tree = yaml.safe_load(ERRAND.yaml(errand))
    assert ERRAND.read(Errand, load_yaml(ERRAND.yaml(errand).encode())) == errand
    assert tree["errand"] == 3
    as_json = json.loads(json.dumps(ERRAND.tree(errand)))
    assert not list(Draft202012Validator(document_schema(ERRAND, Errand)).iter_errors(as_json))


@given(ERRANDS)
def test_only_what_is_not_as_usual_is_written(errand) -> None:
    usual = chosen_entries(Errand("x"))
    assert usual == {"what": "x"}
    for entry, value in chosen_entries(errand).items():
        assert entry == "what" or chosen_entries(read_entries(Errand, {"what": "x", entry: value})) != usual


def test_an_entry_with_nothing_after_it_is_left_out() -> None:
    assert read_entries(Errand, {"what": "x", "times": None, "who": None, "in": None}) == Errand("x")
    with refused("document.entry-missing", "'what'"):
        read_entries(Errand, {"what": None})


def test_underscores_count_as_hyphens_but_not_both() -> None:
    assert bb.Hierarchy.load({"kind": "date", "keep-type": True, "with_top": True}) == bb.Hierarchy.load(
        {"kind": "date", "keep_type": True, "with-top": True}
    )
    with refused("hierarchy.in-kind", "'keep-type'"):
        bb.Hierarchy.load({"kind": "date", "keep-type": True, "keep_type": True})


@pytest.mark.parametrize(
    ("entries", "key"),
    [
        ({"times": "two"}, "document.entry-whole-number"),
        ({"until": "soon"}, "document.entry-day"),
        ({"in": 5}, "document.entry-text"),
        ({"how": "well"}, "document.entry-choice"),
        ({"criteria": {"k-anonymity": {"k": 5}}}, "document.entry-list"),
        ({"plan": 5}, "document.entry-hierarchy"),
        ([], "document.entries-shape"),
    ],
)
def test_a_value_of_another_type_is_refused(entries: Any, key: str) -> None:
    with refused(key):
        read_entries(Errand, {"what": "x"} | entries if isinstance(entries, dict) else entries)


@pytest.mark.parametrize("tree", [None, [], {}, {"what": "x"}])
def test_a_document_begins_with_its_mark(tree) -> None:
    with refused("document.mark", "errand: 3"):
        ERRAND.read(Errand, tree)
    with refused("document.version", "4", "3"):
        ERRAND.read(Errand, {"errand": 4, "what": "x"})


def test_nothing_is_written_as_an_alias() -> None:
    shared = ["a"]
    assert load_yaml(dump_yaml({"x": shared, "y": shared}).encode()) == {"x": ["a"], "y": ["a"]}


@pytest.mark.parametrize("kind", [bb.Plan, bb.Schema, bb.Hierarchy])
def test_the_files_for_editors_are_the_same(kind) -> None:
    """After a change: python tools/write_json_schemas.py."""
    file = Path(__file__).parents[2] / "docs" / f"{kind.__name__.lower()}.schema.json"
    schema = json.loads(json.dumps(kind.json_schema()))
    Draft202012Validator.check_schema(schema)

    assert json.loads(file.read_text("utf-8")) == schema


HIERARCHIES = [
    bb.Hierarchy.by_interval(5, [2, 4], top=90, labels="inclusive"),
    bb.Hierarchy.by_bounds([[18, 30, 65], [18, 65]], decimal=","),
    bb.Hierarchy.by_prefix([4, 2], pad="*").with_top(),
    bb.Hierarchy.by_date(["month", "year"], keep_type=True),
    bb.Hierarchy.by_order(["low", "medium", "high"], 2),
    bb.Hierarchy.by_hand({"old": ["80", "90"], "young": ["10"]}),
    bb.Hierarchy.all_or_nothing(),
]


@pytest.mark.parametrize("hierarchy", HIERARCHIES, ids=lambda each: type(each).__name__)
def test_the_schema_of_hierarchies_takes_what_can_be_read_and_nothing_else(hierarchy) -> None:
    valid = Draft202012Validator(bb.Hierarchy.json_schema()).is_valid
    tree = json.loads(json.dumps(hierarchy.to_tree()))

    assert bb.Hierarchy.load(tree) == hierarchy
    assert valid(tree)
    if "kind" in tree:
        assert not valid(tree | {"zzz": 1})
    assert not valid({"kind": "zzz"})


def test_the_schema_of_schemas_takes_the_built_in_one() -> None:
    schema = bb.Schema.json_schema()
    built_in = yaml.safe_load(bb.Schema.load("siapa").to_yaml())
    assert not list(Draft202012Validator(schema).iter_errors(built_in))
    assert list(Draft202012Validator(schema).iter_errors({"columns": {"age": {"role": "quasy"}}}))
