import csv
import io
import json
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import biombo as bb

SCHEMA = """
columns:
  sex: {role: quasi, label: Sexo}
  age: {role: quasi, invalid: ["999"]}
  city: {role: quasi}
  disease: {role: sensitive}
adversaries:
  neighbour: [sex, city]
"""


@pytest.fixture
def clinic(tmp_path) -> Path:
    path = tmp_path / "clinic.csv"
    bb.samples.clinic().write_csv(path)
    return path


@pytest.fixture
def schema(tmp_path) -> Path:
    path = tmp_path / "schema.yaml"
    path.write_text(SCHEMA, "utf-8")
    return path


def result(ending) -> dict:
    assert ending.code == 0, ending.err
    return json.loads(ending.out)


def test_json_holds_the_documented_object(biombo, clinic, schema) -> None:
    found = result(biombo("risk", clinic, "--schema", schema, "--json"))
    assert found["records"] == 12
    assert found["dropped"] == {"rows": 0, "by_column": {"sex": 0, "age": 0, "city": 0, "disease": 0}}
    inference = found["attribute_inference"]["disease"]
    assert inference["prior"] == 5 / 12
    assert inference["subsets"][1] == {
        "quasi": ["age"],
        "posterior": 8 / 12,
        "leakage": 8 / 12 - 5 / 12,
        "multiplicative": (8 / 12) / (5 / 12),
        "groups": 2,
    }
    assert [s["quasi"] for s in inference["subsets"]][-2:] == [["age", "city"], ["sex", "age", "city"]]
    assert found["reidentification"]["prior"] == 1 / 12
    assert found["reidentification"]["subsets"][-1] == {
        "quasi": ["sex", "age", "city"],
        "posterior": 8 / 12,
        "groups": 8,
        "unique": 4,
    }
    assert inference["adversaries"][0]["adversary"] == "neighbour"


def test_columns_named_take_the_place_of_the_schemas(biombo, clinic, schema) -> None:
    found = result(biombo("risk", clinic, "--schema", schema, "--quasi", "age", "--sensitive", "disease,sex", "--json"))
    assert list(found["attribute_inference"]) == ["disease", "sex", "disease+sex"]
    assert [s["quasi"] for s in found["reidentification"]["subsets"]] == [["age"]]


def test_max_size_limits_the_combinations(biombo, clinic, schema) -> None:
    found = result(biombo("risk", clinic, "--schema", schema, "--max-size", 2, "--json"))
    assert {len(s["quasi"]) for s in found["reidentification"]["subsets"]} == {1, 2}


def test_parts_hold_the_same_object_each(biombo, clinic, schema) -> None:
    found = result(biombo("risk", clinic, "--schema", schema, "--by", "city,sex", "--json"))
    assert list(found["parts"]) == ["Pedra Rasa+F", "Pedra Rasa+M", "Rio Fundo+F", "Rio Fundo+M"]
    part = found["parts"]["Pedra Rasa+F"]
    assert part["part"] == {"city": "Pedra Rasa", "sex": "F"}
    assert part["records"] == 3
    assert part["attribute_inference"]["disease"]["subsets"][0]["posterior"] == 1
    assert set(found["correlation"]["disease"][0]) == {"size", "parts", "records", "entropy"}


def test_csv_has_a_row_for_each_subset(biombo, clinic, schema) -> None:
    ending = biombo("risk", clinic, "--schema", schema, "--csv")
    rows = list(csv.DictReader(io.StringIO(ending.out)))
    assert len(rows) == 7
    assert float(rows[1]["posterior"]) == 8 / 12
    assert (rows[-1]["quasi"], rows[-1]["groups"], rows[-1]["unique"]) == ("sex+age+city", "8", "4")


def test_csv_for_parts_names_them_in_front(biombo, clinic, schema) -> None:
    ending = biombo("risk", clinic, "--schema", schema, "--by", "city", "--csv")
    rows = list(csv.DictReader(io.StringIO(ending.out)))
    assert [row["city"] for row in rows] == ["Pedra Rasa"] * 3 + ["Rio Fundo"] * 3


def test_csv_disarms_formulas(biombo, tmp_path) -> None:
    path = tmp_path / "hostile.csv"
    path.write_text("=cmd(),s\n1,a\n1,b\n2,a\n")
    ending = biombo("risk", path, "--quasi", "=cmd()", "--sensitive", "s", "--csv")
    assert "'=cmd()" in ending.out


def test_without_a_sensitive_column_people_can_still_be_reidentified(biombo, clinic) -> None:
    found = result(biombo("risk", clinic, "--quasi", "sex,age", "--json"))
    assert found["attribute_inference"] == {}
    assert found["reidentification"]["subsets"][-1]["groups"] == 4


@pytest.mark.parametrize(("limit", "code"), [("0.75", 0), ("0.74", 1)])
def test_a_limit_decides_the_exit_code(biombo, clinic, schema, limit, code) -> None:
    ending = biombo("risk", clinic, "--schema", schema, "--max-posterior", limit, "--json")
    assert ending.code == code
    assert json.loads(ending.out)["records"] == 12
    assert ("75.00%" in ending.err) == (code == 1)


@pytest.mark.parametrize("lang", ["en", "pt"])
@pytest.mark.parametrize("by", [(), ("--by", "city")])
def test_tables_show_the_strongest_attacks(biombo, clinic, schema, lang, by) -> None:
    ending = biombo("risk", clinic, "--schema", schema, "--lang", lang, "--full", *by)
    assert ending.code == 0
    assert {"en": "Records" if by else "Leakage", "pt": "Registros" if by else "Vazamento"}[lang] in ending.out


def test_the_report_is_written_to_the_folder(biombo, clinic, schema, tmp_path) -> None:
    out = tmp_path / "report"
    ending = biombo("risk", clinic, "--schema", schema, "--out", out)
    assert ending.code == 0, ending.err
    assert "<svg" in (out / "report.html").read_text("utf-8")
    assert biombo("risk", clinic, "--schema", schema, "--out", out).code == 2
    assert biombo("risk", clinic, "--schema", schema, "--out", out, "--force").code == 0


def test_single_people_go_to_a_private_folder_only(biombo, clinic, schema, tmp_path) -> None:
    out = tmp_path / "report"
    people = ("--records", "age,city", "--target", "sex=F,age=34,city=Pedra Rasa")
    ending = biombo("risk", clinic, "--schema", schema, "--out", out, *people)
    assert ending.code == 0, ending.err
    private = tmp_path / "report.private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in private.iterdir()} == {
        "records.csv": 0o600,
        "target.json": 0o600,
    }
    assert [file.name for file in out.iterdir()] == ["report.html"]
    records = list(csv.DictReader(io.StringIO((private / "records.csv").read_text())))
    assert [float(row["disease:success"]) for row in records] == [1, 1, 0, 1, 1, 1, 1, 0.5, 0.5, 0, 1, 0]
    assert json.loads((private / "target.json").read_text())["values"]["disease"][0]["probability"] == 1


def test_a_private_folder_inside_the_public_one_is_refused(biombo, clinic, schema, tmp_path) -> None:
    out = tmp_path / "report"
    ending = biombo("risk", clinic, "--schema", schema, "--out", out, "--private", out / "people", "--records", "sex")
    assert ending.code == 2
    assert "inside" in ending.err
    assert not (out / "people").exists()


def test_a_column_is_read_through_a_hierarchy(biombo, tmp_path) -> None:
    path = tmp_path / "care.csv"
    path.write_text("q,proc\na,0301\na,0302\na,0201\nb,0201\n")
    arguments = ("risk", path, "--quasi", "q", "--sensitive", "proc", "--json")
    assert result(biombo(*arguments))["attribute_inference"]["proc"]["subsets"][0]["posterior"] == 2 / 4
    grouped = result(biombo(*arguments, "--through", "proc=prefix:2"))
    assert grouped["attribute_inference"]["proc"]["subsets"][0]["posterior"] == 3 / 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--quasi"),
        (("--quasi", "sexo", "--sensitive", "disease"), "did you mean 'sex'"),
        (("--quasi", "sex,,age", "--sensitive", "disease"), "empty name"),
        (("--quasi", "sex", "--sensitive", "sex"), "both quasi and sensitive"),
        (("--quasi", "sex", "--by", "sex"), "tells the parts apart"),
        (("--quasi", "sex", "--max-size", "0"), "at least 1"),
        (("--quasi", "sex", "--max-posterior", "2"), "at most 1"),
        (("--quasi", "sex", "--json", "--csv"), "either"),
        (("--quasi", "sex", "--schema", "nowhere.yaml"), "nowhere.yaml"),
        (("--quasi", "sex", "--through", "sex"), "not understood"),
        (("--quasi", "sex", "--target", "age=1"), "private"),
    ],
)
def test_bad_use_gets_one_sentence(biombo, clinic, arguments, words) -> None:
    ending = biombo("risk", clinic, *arguments)
    assert ending.code == 2
    assert words in ending.err
    assert len(ending.err.strip().splitlines()) == 1
    assert ending.out == ""


def test_a_column_with_a_value_for_each_row_gets_a_warning_and_a_correct_result(biombo, clinic) -> None:
    ending = biombo("risk", clinic, "--quasi", "name", "--sensitive", "disease", "--json")
    assert "'name'" in ending.err
    assert result(ending)["attribute_inference"]["disease"]["subsets"][0]["posterior"] == 1


def test_all_rows_invalid_is_said_in_a_sentence(biombo, tmp_path) -> None:
    path, rules = tmp_path / "t.csv", tmp_path / "s.yaml"
    path.write_text("q,s\n9,a\n9,b\n")
    rules.write_text('columns: {q: {role: quasi, invalid: ["9"]}, s: {role: sensitive}}')
    ending = biombo("risk", path, "--schema", rules)
    assert ending.code == 2
    assert "'q'" in ending.err


def test_the_real_file_gives_what_the_document_reports_for_acre(biombo, siapa_file) -> None:
    found = result(biombo("risk", siapa_file, "--schema", "siapa", "--json"))
    assert (found["records"], found["dropped"]["rows"]) == (82_144, 23_692)
    subsets = found["attribute_inference"]["PA_PROC_ID"]["subsets"]
    assert len(subsets) == 127
    # Gonze et al. (2024), all of 2023: prior 14.24%, posterior 57.57% with seven columns. One month of 2024 is close.
    assert subsets[-1]["posterior"] == pytest.approx(0.5779, abs=1e-4)


@pytest.mark.slow
def test_interrupting_leaves_no_file(tmp_path) -> None:
    table, out = tmp_path / "t.parquet", tmp_path / "report"
    bb.samples.write_parquet(table, 3_000_000)
    program = [sys.executable, "-c", "import sys; from biombo._cli import main; sys.exit(main())"]
    for wait in (3, 2, 1.5, 1):  # somewhere in the middle, however fast the machine is
        process = subprocess.Popen([*program, "risk", table, "--schema", "siapa", "--out", out], stderr=subprocess.PIPE)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode != 0:
            break
        shutil.rmtree(out)  # it was done before
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    assert not out.exists()
