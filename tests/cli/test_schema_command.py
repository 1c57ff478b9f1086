import json

import pytest

from biombo._data import Schema, built_in


@pytest.fixture
def width(monkeypatch):
    return lambda columns: monkeypatch.setenv("COLUMNS", str(columns))


@pytest.mark.parametrize("code", ["en", "pt"])
def test_the_list_names_each_schema_with_its_file(biombo, width, code):
    width(80)
    ending = biombo("schema", "list", "--lang", code)

    assert ending.code == 0
    assert max(map(len, ending.out.splitlines())) <= 80
    assert all(name in ending.out for name in built_in())
    assert all(kind in ending.out for kind in ("SIA-PA", "SIH-RD", "SIM-DO", "SINASC-DN", "SINAN", "OpenDataSUS"))


def test_the_list_as_json_counts_columns(biombo):
    listed = json.loads(biombo("schema", "list", "--json").out)["schemas"]

    assert {each["name"]: each["columns"] for each in listed}["siapa"] == 60
    assert all(each["for"] for each in listed)


@pytest.mark.parametrize("code", ["en", "pt"])
@pytest.mark.parametrize("name", built_in())
def test_a_schema_is_shown_within_80_columns(biombo, width, name, code):
    width(80)
    ending = biombo("schema", "show", name, "--lang", code)

    assert ending.code == 0
    assert max(map(len, ending.out.splitlines())) <= 80


def test_labels_roles_hierarchies_codes_and_adversaries_are_shown(biombo, width):
    width(200)
    told = biombo("schema", "show", "simdo", "--lang", "pt").out
    row = next(line.split() for line in told.splitlines() if line.startswith("CODMUNRES"))

    assert row[1:] == [
        "quase-ident.",
        "categórica",
        "município",
        "de",
        "residência",
        "municipality",
        "000000,",
        "999999",
    ]
    assert "1 solteiro; 2 casado" in told
    assert "Adversário vizinho: conhece DTOBITO, IDADE" in told
    assert "administrativa" in told


def test_the_json_of_a_schema_has_all_columns_in_order(biombo):
    shown = json.loads(biombo("schema", "show", "siapa", "--json", "--lang", "pt").out)
    sex = next(each for each in shown["columns"] if each["column"] == "PA_SEXO")

    assert [each["column"] for each in shown["columns"]] == list(Schema.load("siapa").columns)
    assert (sex["label"], sex["invalid"], sex["values"]["F"]) == ("sexo", ["0", None], "feminino")
    assert shown["adversaries"][0]["label"] == "empregador"


def test_a_schema_in_a_spreadsheet_is_shown_too(biombo, tmp_path):
    Schema.load("siapa").save(tmp_path / "schema.csv")

    assert json.loads(biombo("schema", "show", tmp_path / "schema.csv", "--json").out)["columns"]


def test_a_name_that_there_is_not_is_refused_with_those_there_are(biombo):
    ending = biombo("schema", "show", "sim")

    assert (ending.code, ending.err.count("\n")) == (2, 1)
    assert "simdo" in ending.err
