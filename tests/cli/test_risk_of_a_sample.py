import json
import stat
from pathlib import Path

import polars as pl
import pytest

import biombo as bb


@pytest.fixture
def school(tmp_path) -> tuple[Path, Path]:
    tables = bb.samples.school()
    tables.sample.write_csv(tmp_path / "sample.csv")
    tables.population.write_csv(tmp_path / "population.csv")
    return tmp_path / "sample.csv", tmp_path / "population.csv"


QUASI = ("--quasi", "state,sex,age", "--sensitive", "answer")


def test_json_holds_the_worked_example(biombo, school) -> None:
    ending = biombo("risk", school[0], *QUASI, "--population", school[1], "--json")
    assert ending.code == 0, ending.err
    found = json.loads(ending.out)["membership"]
    assert found["prior"] == 0.4
    full = found["subsets"][-1]
    assert full["quasi"] == ["state", "sex", "age"]
    assert full["posterior"] == pytest.approx(0.7083333333)
    assert full["worst"] == 1
    assert full["leakage"] == pytest.approx(0.3083333333)
    assert full["bayes"] == {"prior": 0.6, "posterior": 0.8}
    assert full["unique_both"] == 1
    assert full["as_published"]["expected_degradation"] == pytest.approx(2.8125)
    loss = found["loss"]["answer"]
    assert [round(loss[step], 4) for step in ("membership", "attribute", "both")] == [0.7083, 0.75, 0.5417]


@pytest.mark.parametrize(("lang", "words"), [("en", "Re-identified"), ("pt", "Reidentificadas")])
def test_tables_say_who_can_be_known_to_be_in_the_sample(biombo, school, lang, words) -> None:
    ending = biombo("risk", school[0], *QUASI, "--population", school[1], "--lang", lang, "--full")
    assert ending.code == 0
    assert words in ending.out


def test_reidentified_records_are_listed_in_the_private_folder_only(biombo, school, tmp_path) -> None:
    out = tmp_path / "report"
    ending = biombo("risk", school[0], *QUASI, "--population", school[1], "--out", out, "--records", "state,sex,age")
    assert ending.code == 0, ending.err
    listed = tmp_path / "report.private" / "reidentified.csv"
    assert listed.read_text() == "row\n0\n"
    assert stat.S_IMODE(listed.stat().st_mode) == 0o600
    assert [file.name for file in out.iterdir()] == ["report.html"]


def test_swapped_tables_get_one_sentence(biombo, school) -> None:
    ending = biombo("risk", school[1], "--quasi", "state,sex,age", "--population", school[0])
    assert ending.code == 2
    assert "swapped" in ending.err


def test_repeated_people_are_refused_unless_counted_once(biombo, tmp_path) -> None:
    schema = tmp_path / "s.yaml"
    schema.write_text("person: id\ncolumns: {q: {role: quasi}}")
    (tmp_path / "p.csv").write_text("id,q\n1,a\n2,a\n3,b\n")
    (tmp_path / "s.csv").write_text("id,q\n1,a\n1,a\n")
    arguments = ("risk", tmp_path / "s.csv", "--schema", schema, "--population", tmp_path / "p.csv")
    arguments = (*arguments, "--population-schema", schema, "--json")
    refused = biombo(*arguments)
    assert refused.code == 2
    assert "--repeated=count-once" in refused.err
    counted = biombo(*arguments, "--repeated", "count-once")
    assert json.loads(counted.out)["membership"]["sampled"] == 1


PARTS = ("--quasi", "sex,age", "--sensitive", "answer", "--by", "state")


def test_each_part_of_a_sample_is_held_against_its_part_of_the_population(biombo, school) -> None:
    ending = biombo("risk", school[0], *PARTS, "--population", school[1], "--json")
    assert ending.code == 0, ending.err
    parts = json.loads(ending.out)["parts"]
    assert {key: (part["membership"]["sampled"], part["membership"]["people"]) for key, part in parts.items()} == {
        "MG": (1, 2),
        "RJ": (2, 3),
        "SP": (1, 5),
    }


@pytest.mark.parametrize(("lang", "words"), [("en", "Membership by part"), ("pt", "Presença na amostra por parte")])
def test_parts_of_a_sample_are_shown_one_below_the_other(biombo, school, tmp_path, lang, words) -> None:
    shown = biombo("risk", school[0], *PARTS, "--population", school[1], "--lang", lang, "--full")
    assert shown.code == 0, shown.err
    assert words in shown.out


def test_estimates_and_parts_at_once_are_refused(biombo, school) -> None:
    assert biombo("risk", school[0], *QUASI, "--fraction", "0.1", "--by", "state").code == 2


TARGET = ("--target", "state=SP,sex=F,age=31-40")


@pytest.mark.parametrize(("lang", "words"), [("en", "certainly in the sample"), ("pt", "com certeza está na amostra")])
def test_which_of_the_five_cases_a_person_is_stands_in_words(biombo, school, tmp_path, lang, words) -> None:
    asked = ("risk", school[0], *QUASI, "--population", school[1], *TARGET, "--private", tmp_path / "private")
    ending = biombo(*asked, "--lang", lang)
    assert ending.code == 0, ending.err
    assert words in " ".join(ending.out.split())
    kept = json.loads((tmp_path / "private" / "target.json").read_text("utf-8"))["membership"]
    assert (kept["case"], kept["n"], kept["d"], kept["probability"]) == ("unique-in", 1, 1, 1.0)


def test_the_case_of_a_person_is_in_the_json_but_not_in_the_report(biombo, school, tmp_path) -> None:
    out = tmp_path / "report"
    asked = ("risk", school[0], *QUASI, "--population", school[1], *TARGET, "--out", out, "--json")
    found = json.loads(biombo(*asked).out)["target"]["membership"]
    assert found["known"] == {"state": "SP", "sex": "F", "age": "31-40"}
    assert found["meaning"] not in (out / "report.html").read_text("utf-8")


def test_estimates_for_an_unknown_population_are_printed_and_in_the_json(biombo, tmp_path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("age,city,w\n" + "".join(f"{20 + n % 13},{n % 7},10\n" for n in range(60)))
    arguments = ("risk", path, "--quasi", "age,city")
    by_fraction = json.loads(biombo(*arguments, "--fraction", "0.1", "--json").out)["population"]
    by_weight = json.loads(biombo(*arguments, "--weight", "w", "--json").out)["population"]
    assert by_fraction["fraction"] == by_weight["fraction"] == 0.1
    assert by_fraction["uniques"] == by_weight["uniques"]
    assert by_fraction["prosecutor"]["highest"] == 1
    assert "Pitman" in biombo(*arguments, "--fraction", "10%", "--full").out


def test_a_fraction_and_a_weight_at_once_are_refused(biombo, tmp_path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("q,w\na,2\nb,2\n")
    ending = biombo("risk", path, "--quasi", "q", "--fraction", "0.5", "--weight", "w")
    assert ending.code == 2
    assert len(ending.err.strip().splitlines()) == 1, "before the attack, which would warn of a column"


@pytest.mark.parametrize("by", [(), ("--by", "region")])
def test_the_verdict_speaks_of_the_sample_and_keeps_the_worst_part(biombo, tmp_path, monkeypatch, by) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    people = [{"region": "NS"[n % 2], "age": n % 23, "sex": "FM"[n % 3 == 0], "town": n % 7} for n in range(900)]
    pl.DataFrame(people).write_csv(tmp_path / "all.csv")
    pl.DataFrame(people[:300]).write_csv(tmp_path / "some.csv")
    asked = ("--quasi", "age,sex,town", "--population", tmp_path / "all.csv", *by, "--lang", "en")

    ending = biombo("risk", tmp_path / "some.csv", *asked)

    assert ending.code == 0, ending.err
    told = next(line for line in ending.out.splitlines() if line.startswith("That somebody is in the sample"))
    assert len(told) <= 80
    assert "; without it, 33.3%." in told
    assert not by or "where knowing helps most" in ending.out
