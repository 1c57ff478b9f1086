import json

import polars as pl
import pytest


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    pl.DataFrame({"mun": ["120040"] * 3 + ["120033", "XX", "XX", "?"], "uf": ["AC"] * 7}).write_csv(path)
    return path


@pytest.mark.parametrize("code", ["en", "pt"])
def test_those_that_come_with_the_program_are_listed(biombo, code, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    ending = biombo("hierarchy", "list", "--lang", code)
    assert ending.code == 0
    assert max(map(len, ending.out.splitlines())) <= 80
    for name in ("municipality", "sigtap", "coded-age", "date-dmy-digits"):
        assert name in ending.out
    assert ("unidade da federação" if code == "pt" else "mesoregion") in " ".join(ending.out.split())


def test_the_list_is_also_json(biombo):
    listed = json.loads(biombo("hierarchy", "list", "--json").out)["hierarchies"]
    towns = next(each for each in listed if each["name"] == "municipality")
    assert towns["levels"][2] == {"level": 3, "name": "state", "label": "state"}
    assert towns["values"] == 5570


@pytest.mark.parametrize(("name", "line"), [("municipality", "Rondônia"), ("age", "80-119"), ("cep", "01310-***")])
def test_one_is_shown_as_levels_and_a_tree(biombo, name, line):
    ending = biombo("hierarchy", "show", name)
    assert ending.code == 0
    assert "0  as it is" in ending.out
    assert "├──" in ending.out
    assert line in ending.out


def test_a_file_is_shown_too(biombo, tmp_path):
    (tmp_path / "h.csv").write_text("a;x\nb;x\nc;y\n")
    assert "2 groups" in biombo("hierarchy", "show", tmp_path / "h.csv").out


def test_values_that_it_lacks_are_counted(biombo, table):
    ending = biombo("hierarchy", "check", table, "mun", "--hierarchy", "municipality")
    assert ending.code == 1
    assert [line.split() for line in ending.out.splitlines() if line.startswith(("XX", "?"))] == [
        ["XX", "2"],
        ["?", "1"],
    ]
    assert "Rio Branco (120040) → Rio Branco (12004) → Vale do Acre (1202)" in " ".join(ending.out.split())
    told = json.loads(biombo("hierarchy", "check", table, "mun", "--hierarchy", "municipality", "--json").out)
    assert told["unknown"] == [{"value": "XX", "records": 2}, {"value": "?", "records": 1}]
    assert (told["values"], told["records"]) == (4, 7)


def test_the_schemas_hierarchy_is_checked_with_its_invalid_values_aside(biombo, table, tmp_path):
    schema = tmp_path / "s.yaml"
    schema.write_text(
        "columns:\n  mun: {role: quasi, invalid: ['XX', '?'],"
        " hierarchy: {kind: built-in, name: municipality, missing: own-branch}}\n"
    )
    assert biombo("hierarchy", "check", table, "mun", "--schema", schema).code == 0
    schema.write_text(schema.read_text().replace("'XX', ", ""))
    assert biombo("hierarchy", "check", table, "mun", "--schema", schema).code == 1


@pytest.mark.parametrize(
    "arguments", [("check", "TABLE", "mun"), ("check", "TABLE", "nope", "--hierarchy", "age"), ("show", "nothing.csv")]
)
def test_what_cannot_be_done_is_said_in_one_sentence(biombo, table, arguments):
    ending = biombo("hierarchy", *(table if each == "TABLE" else each for each in arguments))
    assert ending.code == 2
    assert (ending.out, ending.err.count("\n")) == ("", 1)


def test_a_column_that_is_not_there_is_said_to_be_so(biombo, table):
    ending = biombo("hierarchy", "check", table, "nope")
    assert ending.code == 2
    assert "Column 'nope' is not in" in ending.err
