from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from biombo._data import ROLES, ColumnSchema, InPopulation, Schema
from biombo._errors import SchemaError


@pytest.fixture
def written(tmp_path):
    def write(content: str | bytes) -> Path:
        path = tmp_path / "schema.yaml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_a_schema_file_is_read(written):
    schema = Schema.load(
        written(
            """
source: the people of a made-up town
person: card
weight: share
columns:
  card: {role: other}
  age: {role: quasi, type: continuous, bounds: [0, 120], invalid: ["999", null]}
  sex: {role: quasi, domain: ["F", "M"]}
  disease: {role: sensitive, label: Disease}
  note:
adversaries:
  neighbour: [age, sex]
"""
        )
    )
    assert schema.quasi == ("age", "sex")
    assert schema.sensitive == ("disease",)
    assert schema["age"] == ColumnSchema("quasi", "continuous", None, frozenset({"999", None}), None, (0.0, 120.0))
    assert schema["sex"].domain == ("F", "M")
    assert schema["note"] == schema["never mentioned"] == ColumnSchema()
    assert schema.adversaries == {"neighbour": ("age", "sex")}
    assert (schema.person, schema.weight, schema.source) == ("card", "share", "the people of a made-up town")


def test_the_person_is_always_an_identifier(written):
    schema = Schema.load(written("person: card\ncolumns: {card: {role: quasi}}"))
    assert schema["card"].role == "identifier"
    assert schema.quasi == ()


def test_the_built_in_schema_for_siapa_says_what_gonze_and_others_use():
    schema = Schema.load("siapa")
    assert set(schema.quasi) == {
        f"PA_{name}" for name in ("SEXO", "RACACOR", "IDADE", "MUNPCN", "CODUNI", "MVM", "CMP")
    }
    assert schema.sensitive == ("PA_PROC_ID",)
    assert {"0"} <= schema["PA_SEXO"].invalid
    assert {"00", "99"} <= schema["PA_RACACOR"].invalid
    assert {"999999"} <= schema["PA_MUNPCN"].invalid
    assert {"999"} <= schema["PA_IDADE"].invalid


words = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=8)
columns = st.builds(
    ColumnSchema,
    role=st.sampled_from(ROLES),
    type=st.sampled_from(["categorical", "discrete", "continuous", "date"]),
    label=st.none() | words | st.dictionaries(st.sampled_from(["en", "pt"]), words, min_size=1),
    invalid=st.frozensets(
        st.none() | words | st.sampled_from(["00", "1e3", "null", "~", "yes", "2024-01-01"]), max_size=3
    ),
    domain=st.none() | st.lists(words, min_size=1, max_size=3).map(tuple),
    bounds=st.none() | st.tuples(st.floats(-9, 0), st.floats(1, 9)),
    reason=st.none() | words,
    population=st.builds(InPopulation, st.none() | words, st.dictionaries(words, words, max_size=2)),
    hierarchy=st.none() | words | st.just({"kind": "prefix", "lengths": [2]}),
)


@given(st.dictionaries(words, columns, max_size=4), st.none() | words)
def test_what_is_written_as_yaml_is_read_back(entries, source):
    schema = Schema(entries, source=source)
    quasi = schema.quasi
    schema = Schema(entries, source=source, adversaries={"all": quasi} if quasi else {})
    assert Schema.from_tree(yaml.safe_load(schema.to_yaml())) == schema


@given(st.dictionaries(words, columns, min_size=1, max_size=4))
def test_a_column_without_a_role_is_undecided_whatever_else_is_said_of_it(entries):
    tree = yaml.safe_load(Schema(entries).to_yaml())
    for entry in tree["columns"].values():
        entry.pop("role")
    schema = Schema.from_tree(tree)

    assert schema.with_role("undecided") == tuple(entries)
    assert schema == Schema({name: replace(column, role="undecided") for name, column in entries.items()})


@pytest.mark.parametrize("entry", ["", "{}", "{role: }", "{role: null, type: date}", "{label: Age}"])
def test_nobody_decides_on_a_column_by_naming_it(written, entry):
    schema = Schema.load(written(f"columns:\n  age: {entry}\n"))

    assert schema["age"].role == schema["never mentioned"].role == "undecided"
    assert "role: undecided" in schema.to_yaml()


def test_identifiers_and_what_nobody_decided_on_are_kept_back():
    assert [role for role in ROLES if ColumnSchema(role).kept_back] == ["identifier", "undecided"]
    assert ColumnSchema().kept_back


def test_an_unquoted_code_is_refused_where_yaml_takes_it_for_a_number(written):
    with refused("document.in-schema", '"0"', "sex"):
        Schema.load(written("columns: {sex: {invalid: [0]}}"))


def test_a_code_with_leading_zeros_is_text(written):
    assert Schema.load(written("columns: {sex: {invalid: [00, 099]}}"))["sex"].invalid == {"00", "099"}


def test_a_column_described_twice_is_refused_with_the_line(written):
    with refused("document.in-schema", "'age'", "4"):
        Schema.load(written("columns:\n  age: {role: quasi}\n  sex: {role: quasi}\n  age: {role: other}\n"))


@pytest.mark.parametrize(
    ("content", "mentioned"),
    [
        ("columns: {age: {role: quasy}}", "'quasy'"),
        ("columns: {age: {type: number}}", "'number'"),
        ("columns: {age: {rolle: quasi}}", "rolle"),
        ("column: {}", "column"),
        ("columns: {age: {bounds: [5, 1]}}", "5"),
        ("columns: {age: {bounds: [5]}}", "'age'"),
        ("columns: {age: {bounds: [.nan, 1]}}", "nan"),
        ("columns: {age: {bounds: five}}", "'age'"),
        ("columns: {age: {bounds: 5}}", "'age'"),
        ('columns: {age: {invalid: "99"}}', "'age'"),
        ("columns: {age: {domain: {a: b}}}", "'age'"),
        ("columns: {age: {domain: [null]}}", "'age'"),
        ("columns: {age: quasi}", "'age'"),
        ("columns: {age: {label: 5}}", "'label'"),
        ("columns: [age]", "columns:"),
        ("adversaries: [age]", "columns:"),
        ("[age, sex]", "columns:"),
        ("just text", "columns:"),
        ("", "columns:"),
        ("person: 5", "'person'"),
        ("columns: {age: {role: other}}\nadversaries: {boss: [age]}", "'boss'"),
        ("columns: {age: {role: quasi}}\nadversaries: {boss: age}", "'boss'"),
    ],
)
def test_a_mistake_in_a_schema_file_is_refused_with_file_and_place(written, content, mentioned):
    path = written(content)
    with refused("document.in-schema", str(path), mentioned):
        Schema.load(path)


@pytest.mark.parametrize(
    "content", ["columns: {", "a: b: c", b"\xff\xfe\x00", "!!python/object:os.system {}", "{" * 2_000]
)
def test_what_is_no_yaml_is_refused(written, content):
    path = written(content)
    with refused("document.in-schema", str(path), "YAML"):
        Schema.load(path)


def test_a_schema_that_is_not_there_is_refused_with_the_names_there_are(tmp_path):
    with refused("schema.missing", "none.yaml", "siapa"):
        Schema.load(tmp_path / "none.yaml")
    with refused("schema.missing"):
        Schema.load(tmp_path)


def test_columns_are_checked_wherever_they_come_from():
    with pytest.raises(SchemaError):
        ColumnSchema(role="nobody")


def test_labels_follow_the_language():
    schema = Schema.from_tree(
        {"columns": {"a": {"label": {"pt": "idade", "en": "age"}}, "b": {"label": "Sexo"}, "c": {}}}
    )
    assert schema.labels("pt") == {"a": "idade", "b": "Sexo"}
    assert schema.labels("en") == {"a": "age", "b": "Sexo"}
    assert Schema.from_tree({"columns": {"a": {"label": {"pt": "idade"}}}}).labels("en") == {}
    assert Schema.load("siapa").labels("pt")["PA_IDADE"] == "idade"


def test_a_label_that_is_no_text_is_refused():
    with pytest.raises(SchemaError):
        Schema.from_tree({"columns": {"a": {"label": {"pt": 3}}}})


def test_identifiers_that_a_table_does_not_have_are_passed_over_and_nothing_else():
    schema = Schema({"dn": ColumnSchema("identifier"), "age": ColumnSchema("quasi")}, person="card")

    assert list(schema.told_of(["sex"]).columns) == ["age", "card"]
    assert schema.told_of(["dn"]) == schema
