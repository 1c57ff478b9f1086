import json
import os
from pathlib import Path

import pytest

from biombo._data import Schema


@pytest.fixture
def people(tmp_path) -> Path:
    path = tmp_path / "people.csv"
    rows = [f"{'FM'[n % 2]},{20 + n % 40},{('A90', 'B24', 'E11')[n % 3]},{n}" for n in range(1200)]
    path.write_text("\n".join(["sexo,idade,cid,seq", *rows]), "utf-8")
    return path


@pytest.fixture
def width(monkeypatch):
    return lambda columns: monkeypatch.setenv("COLUMNS", str(columns))


def unwrapped(printed: str) -> str:
    return " ".join(printed.split())


@pytest.mark.parametrize("code", ["en", "pt"])
def test_the_tables_fit_a_terminal_of_80_columns(biombo, people, width, code):
    width(80)
    ending = biombo("inspect", people, "--lang", code)

    assert ending.code == 0
    assert max(map(len, ending.out.splitlines())) <= 80


def test_a_wide_terminal_gets_one_table_with_everything(biombo, people, width):
    width(140)
    lines = biombo("inspect", people).out.splitlines()
    heading = next(line for line in lines if line.startswith("column"))
    age = next(line.split() for line in lines if line.startswith("idade"))

    assert heading.split()[:3] == ["column", "role", "type"]
    assert heading.split()[-1] == "reason"
    assert age[:9] == ["idade", "quasi", "discrete", "40", "0", "30", "30", "30", "0.0%"]


def test_numbers_follow_the_language(biombo, people, width):
    width(80)

    assert "1,200 rows" in unwrapped(biombo("inspect", people).out)
    assert "1.200 linhas" in unwrapped(biombo("inspect", people, "--lang", "pt").out)


def test_columns_are_grouped_by_role(biombo, people, width):
    width(140)
    lines = biombo("inspect", people).out.splitlines()
    names = [line.split()[0] for line in lines if line.startswith(("sexo ", "idade ", "cid ", "seq "))]

    assert names[:4] == ["seq", "sexo", "idade", "cid"]


def test_without_out_nothing_is_written(biombo, people):
    ending = biombo("inspect", people)

    assert "--out" in ending.err
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


def test_out_writes_a_schema_that_can_be_used(biombo, people, tmp_path):
    path = tmp_path / "schema.yaml"
    ending = biombo("inspect", people, "--out", path, "--lang", "pt")
    schema = Schema.load(path)

    assert ending.code == 0
    assert str(path) in ending.err
    assert (schema.quasi, schema.sensitive) == (("sexo", "idade"), ("cid",))
    assert path.read_text("utf-8").startswith("# Proposta")


def test_the_table_itself_is_never_replaced(biombo, people, tmp_path):
    before, link = people.read_bytes(), tmp_path / "link.yaml"
    link.symlink_to(people)
    for path in (people, link):
        refused = biombo("inspect", people, "--out", path, "--force")
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert people.read_bytes() == before


def test_a_schema_that_exists_is_kept_unless_forced(biombo, people, tmp_path):
    path = tmp_path / "schema.yaml"
    path.write_text("mine")
    refused = biombo("inspect", people, "--out", path)

    assert (refused.code, refused.out, path.read_text()) == (2, "", "mine")
    assert "--force" in refused.err
    assert biombo("inspect", people, "--out", path, "--force").code == 0
    assert path.read_text() != "mine"


def test_a_place_that_cannot_be_written_is_refused_before_the_work(biombo, people, tmp_path):
    ending = biombo("inspect", people, "--out", tmp_path / "nowhere" / "schema.yaml")

    assert (ending.code, ending.out) == (2, "")


def test_json_is_one_object_at_full_precision(biombo, people):
    ending = biombo("inspect", people, "--json")
    result = json.loads(ending.out)
    sequence = result["columns"][3]

    assert (ending.code, ending.err) == (0, "")
    assert (result["records"], len(result["columns"])) == (1200, 4)
    assert sequence == {
        "column": "seq",
        "role": "identifier",
        "type": "categorical",
        "reason": "nearly every row has a value of its own (100.0%)",
        "distinct": 1200,
        "missing": 0,
        "min_frequency": 1,
        "median_frequency": 1.0,
        "max_frequency": 1,
        "unique_share": 1.0,
        "hierarchy": None,
        "levels": [],
        "example": [],
        "same_as": [],
        "follows_from": [],
    }


def test_several_files_are_one_table_with_columns_from_their_names(biombo, people, tmp_path):
    for state in ("AC", "AM"):
        (tmp_path / f"PA{state}.csv").write_bytes(people.read_bytes())
    files = [tmp_path / "PAAC.csv", tmp_path / "PAAM.csv"]
    result = json.loads(biombo("inspect", *files, "--filename", "PA{uf:2}.csv", "--json").out)

    assert result["records"] == 2400
    assert [result["columns"][-1][key] for key in ("column", "role", "distinct")] == ["uf", "quasi", 2]


@pytest.mark.parametrize("name", ["nothing.csv", "."])
def test_a_file_that_cannot_be_read_is_one_sentence(biombo, tmp_path, name):
    ending = biombo("inspect", tmp_path / name)

    assert (ending.code, ending.out) == (2, "")
    assert ending.err.startswith("error: ")
    assert ending.err.count("\n") == 1
    assert "mistake in Biombo" not in ending.err


def test_the_exit_code_survives_the_threads_that_a_broken_file_leaves_behind(biombo_process, tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text("a;b\n1;2\n3\n")
    endings = [biombo_process("inspect", str(path)) for _ in range(5)]

    assert {ending.returncode for ending in endings} == {2}
    assert {ending.stderr.count("\n") for ending in endings} == {1}


def test_names_that_would_command_the_terminal_are_shown_harmlessly(biombo, tmp_path):
    path = tmp_path / "evil.csv"
    path.write_text("\x1b[2Jname,[bold]idade[/bold]\n" + "a,1\nb,2\n" * 20, "utf-8")
    ending = biombo("inspect", path)

    assert ending.code == 0
    assert "\x1b" not in ending.out
    assert "[bold]idade[/bold]" in ending.out.replace("\n", "")


def test_a_reader_that_goes_away_still_leaves_the_schema_written(biombo_process, people, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    ending = biombo_process("inspect", str(people), "--out", str(tmp_path / "s.yaml"), stdout=writing)
    os.close(writing)

    assert (ending.returncode, ending.stderr) == (141, "")
    assert Schema.load(tmp_path / "s.yaml").quasi == ("sexo", "idade")


def test_sia_pa_is_inspected_in_one_command(biombo, width, siapa_file):
    width(80)
    ending = biombo("inspect", siapa_file, "--lang", "pt")

    assert ending.code == 0
    assert "105.836 linhas" in unwrapped(ending.out)
    assert max(map(len, ending.out.splitlines())) <= 80


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_out_writes_a_spreadsheet_that_can_be_used(biombo, people, tmp_path, suffix):
    path = tmp_path / f"esquema{suffix}"
    assert biombo("inspect", people, "--out", path, "--lang", "pt").code == 0
    assert biombo("inspect", people, "--out", tmp_path / "esquema.yaml", "--lang", "pt").code == 0

    assert Schema.load(path) == Schema.load(tmp_path / "esquema.yaml")
    assert biombo("risk", people, "--schema", path).code == 0


def test_the_columns_of_a_known_file_are_recognised(biombo, tmp_path):
    columns = list(Schema.load("simdo").columns)
    path = tmp_path / "deaths.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(["1"] * len(columns)) for _ in range(3))]))

    assert "--schema simdo" in biombo("inspect", path).err
    assert json.loads(biombo("inspect", path, "--json").out)["fits"] == "simdo"
    assert "--schema simdo" not in biombo("inspect", path, "--json").err
