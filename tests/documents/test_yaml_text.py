"""Whatever stands in a YAML file, reading it gives what it says or one clear sentence."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from changed_json import changes
from hypothesis import given, settings
from hypothesis import strategies as st
from operation_examples import EXAMPLES, PEOPLE, QUASI, SENSITIVE
from refusal import refused

import biombo as bb
from biombo._documents import dump_yaml, load_yaml

SCHEMA = {"columns": {"age": {"role": "quasi", "type": "numeric", "invalid": [999]}, "disease": {"role": "sensitive"}}}
PLAN = {"biombo-plan": 1, "operations": [{"generalise": EXAMPLES["generalise"]}]}
HIERARCHY = {"kind": "interval", "width": 5, "levels": [2, 4], "top": 90}
ODD = [
    "9" * 5_000,
    "-" + "9" * 400,
    "0x" + "f" * 5_000,
    "0b" + "1" * 70,
    "1:" * 3_000 + "1",
    "18446744073709551616",
    "2023-02-31",
    "2023-99-99 99:99:99",
    "!!int ''",
    "!!int x",
    "!!bool x",
    "!!float x",
    "!!timestamp x",
    "!!binary '*'",
    "!!set x",
    "!!python/object:os.system x",
    "? [a] : b",
    "{[a]: b}",
    "*x",
    "[" * 3_000,
]
FINE = [
    "9223372036854775807",
    "'99999999999999999999'",
    "1.0e+400",
    ".nan",
    "0o17",
    "2023-02-28",
    "~",
    "-5",
    "+5",
    "0",
    ".5",
    "7.",
]
TEXTS = ["010", "00", "-07", "0x1F", "0b11", "1_000", "1:30", "-1:30:00", "1:30.5", "01.5", "1_0.5", "0o17", "1e5"]


def loaded(path: Path, kind: str) -> object:
    return {"plan": bb.Plan.load, "schema": bb.Schema.load, "hierarchy": bb.Hierarchy.load}[kind](path)


@pytest.mark.parametrize("kind", ["plan", "schema", "hierarchy"])
def test_values_that_there_cannot_be_are_refused(tmp_path, kind) -> None:
    path, said = tmp_path / "it.yaml", {}
    for value in ODD:
        path.write_text(f"biombo-plan: 1\nx: {value}\n")
        with pytest.raises(bb.BiomboError) as caught:
            loaded(path, kind)
        said[value[:20]] = str(caught.value)

    assert [value for value, sentence in said.items() if str(path) not in sentence or len(sentence) >= 1_000] == []


@pytest.mark.parametrize("value", FINE)
def test_others_are_read(value) -> None:
    assert repr(load_yaml(f"x: {value}".encode())["x"]) == repr(yaml.safe_load(value))


@pytest.mark.parametrize("value", TEXTS)
def test_what_only_looks_like_a_number_is_text(value) -> None:
    assert load_yaml(f"x: {value}".encode())["x"] == value
    with pytest.raises(bb.InputError, match=r"\(line 1\)"):
        load_yaml(f"x: !!int {value}".encode())


@pytest.mark.parametrize("entry", ["k: 010", "k: 1:30", "k: 0x10", "k: 1_0", "max-suppression: 00.5"])
def test_nobody_asks_for_another_number_than_is_written(tmp_path, entry) -> None:
    path = tmp_path / "it.yaml"
    path.write_text(f"biombo-request: 1\nkind: search\n{entry}\n")
    with pytest.raises(bb.InputError, match=entry.partition(": ")[2]):
        bb.Request.load(path)


texts = st.text(
    st.characters() | st.sampled_from("\x85\u2028\u2029\ufeff\ud800\r\n\t\0 '\"#:-?*&!{}[],")
) | st.from_regex(r"[-+]?[0-9a-fxo_.:eE]{1,6}", fullmatch=True)
trees = st.recursive(
    texts | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False) | st.booleans() | st.none(),
    lambda within: st.lists(within, max_size=4) | st.dictionaries(texts, within, max_size=4),
)


@given(trees, st.booleans())
def test_what_is_written_is_read_again(tree, flow) -> None:
    assert load_yaml(dump_yaml(tree, flow=flow).encode()) == tree


@given(texts.map(lambda text: f"{text} and {text}" * 12))
def test_so_are_long_texts(text) -> None:
    tree = {text: [text, {"x": text}]}

    assert load_yaml(dump_yaml(tree).encode()) == tree


def test_an_invisible_end_of_a_line_is_refused(tmp_path) -> None:
    path = tmp_path / "it.yaml"
    path.write_bytes("biombo-plan: 1\nperson: Rio\x85\n".encode())
    with refused("document.in-plan", "U+0085", "2"):
        bb.Plan.load(path)


names = texts.filter(lambda text: text.strip())


@given(names, names, names)
def test_whatever_a_document_holds_is_there_when_it_is_read_again(file, column, value, group) -> None:
    hierarchy = (
        bb.Hierarchy.load({group: [value, f"{value}'"]}) if group not in (value, "kind") else bb.Hierarchy.load("age")
    )
    plan = bb.Plan([bb.Generalise(column, hierarchy, 1)], quasi=[column])
    schema = bb.Schema(columns={column: bb.ColumnSchema(role="quasi", invalid=frozenset({value}))})
    request = bb.RiskRequest(quasi=[column], target={column: value}, weight=group)

    file.write_text(plan.to_yaml())
    assert bb.Plan.load(file).hash == plan.hash
    file.write_text(schema.to_yaml())
    assert bb.Schema.load(file) == schema
    file.write_text(request.to_yaml())
    assert bb.Request.load(file) == request


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("yaml") / "it.yaml"


@settings(max_examples=60)
@given(st.sampled_from(sorted(EXAMPLES)), st.data())
def test_a_plan_with_anything_in_it_is_applied_or_refused(file, name, data) -> None:
    tree = {
        "biombo-plan": 1,
        "quasi": QUASI,
        "sensitive": SENSITIVE,
        "criteria": [{"k-anonymity": {"k": 1}}],
        "operations": [{name: EXAMPLES[name]}],
    }
    file.write_text(json.dumps(data.draw(changes(tree))))
    with suppress(bb.BiomboError):
        bb.apply(PEOPLE, bb.Plan.load(file))


@settings(max_examples=60)
@given(st.sampled_from([("schema", SCHEMA), ("hierarchy", HIERARCHY)]), st.data())
def test_so_are_schemas_and_hierarchies(file, document, data) -> None:
    kind, tree = document
    file.write_text(json.dumps(data.draw(changes(tree))))
    with suppress(bb.BiomboError):
        assert loaded(file, kind) is not None


@settings(max_examples=60)
@given(
    st.sampled_from([("plan", PLAN), ("schema", SCHEMA), ("hierarchy", HIERARCHY)]),
    st.data(),
)
def test_so_are_damaged_files(file, document, data) -> None:
    kind, tree = document
    content = bytearray(yaml.safe_dump(tree).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(content)
    with suppress(bb.BiomboError):
        assert loaded(file, kind) is not None
