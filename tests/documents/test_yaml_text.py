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

import biombo as bb
from biombo._documents import load_yaml

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
FINE = ["9223372036854775807", "'99999999999999999999'", "1.0e+400", ".nan", "0o17", "2023-02-28", "~"]


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
