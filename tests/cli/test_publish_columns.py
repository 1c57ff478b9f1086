"""``biombo publish``: which columns go out, by whose word, and what is refused."""

import json
import random
from pathlib import Path

import polars as pl
import pytest
import yaml
from report_reading import read_back

import biombo as bb
from biombo._data import Schema

ROWS = 600
ASKED = ("--quasi", "age,sex", "--sensitive", "disease", "--k", 5, "--max-suppression", 0.1)
TOLD = {
    "en": [
        "Columns that go out: trace_id, age, sex, disease, ward, year.",
        "Of these, as they are: sex, disease, ward, year.",
        "Of these, with the same value in every record: year.",
        "Columns kept back: card.",
    ],
    "pt": [
        "Colunas publicadas: trace_id, age, sex, disease, ward, year.",
        "Destas, como estão: sex, disease, ward, year.",
        "Destas, com o mesmo valor em todos os registros: year.",
        "Colunas retidas: card.",
    ],
}
LEFT_OUT = {
    "en": "Left out, because neither the plan nor the schema says what they are: name, born.",
    "pt": "Ficaram de fora, porque nem o plano nem o esquema informam o que são: name, born.",
}


@pytest.fixture
def table(tmp_path) -> Path:
    """Made up: three records for each card, the year of birth tells the age, ward and year tell nothing."""
    chance = random.Random(3)
    ages = [chance.randint(20, 79) for _ in range(ROWS)]
    people = {
        "name": [f"Inventada {number:03}" for number in range(ROWS)],
        "card": [f"card {number // 3}" for number in range(ROWS)],
        "age": ages,
        "sex": chance.choices("FM", k=ROWS),
        "disease": chance.choices(["flu", "gout", "asthma"], k=ROWS),
        "born": [2024 - age for age in ages],
        "ward": chance.choices(["north", "south"], k=ROWS),
        "year": ["2024"] * ROWS,
    }
    pl.DataFrame(people).write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "release"


@pytest.fixture
def publish(biombo, table, tmp_path, out):
    """Publish the table in bands of ten years, with further options."""
    folder = tmp_path / "hierarchies"
    folder.mkdir()
    (folder / "age.yaml").write_text(yaml.safe_dump(bb.Hierarchy.by_interval(10).to_tree()))
    (folder / "sex.yaml").write_text(yaml.safe_dump(bb.Hierarchy.all_or_nothing().to_tree()))
    return lambda *options: biombo("publish", table, *ASKED, "--hierarchies", folder, "--out", out, "--full", *options)


@pytest.fixture
def by_plan(biombo, table, tmp_path, out):
    """Publish the table by a plan."""

    def run(plan: bb.Plan, *options: object):
        plan.save(tmp_path / "plan.yaml")
        return biombo("publish", table, "--plan", tmp_path / "plan.yaml", "--out", out, "--full", *options)

    return run


def reports(out: Path) -> list[str]:
    """The text of the public report and of the private one."""
    return [read_back((folder / "report.html").read_text()).text for folder in (out, Path(f"{out}.private"))]


def is_refused(ending, code: int, out: Path, *mentioned: str) -> bool:
    """Did it end with one sentence that mentions all of this, and without any file?"""
    told = " ".join(ending.err.split())
    missing = [mention for mention in mentioned if mention not in told]
    return (ending.code, ending.out, missing, out.exists()) == (code, "", [], False)


class TestWhatIsPrinted:
    @pytest.mark.parametrize("code", ["en", "pt"])
    def test_each_column_is_told_with_what_becomes_of_it(self, publish, tmp_path, out, code) -> None:
        (tmp_path / "schema.yaml").write_text("columns:\n  card: {role: identifier}\n")
        ending = publish("--schema", tmp_path / "schema.yaml", "--other", "ward,year", "--lang", code)

        assert ending.code == 0
        assert [line for line in TOLD[code] if line not in ending.out.splitlines()] == []
        assert LEFT_OUT[code] in ending.err
        assert pl.read_csv(out / "data.csv").columns == ["trace_id", "age", "sex", "disease", "ward", "year"]

    def test_programs_are_told_the_same(self, publish) -> None:
        told = json.loads(publish("--other", "ward", "--json").out)

        assert told["undecided"] == ["name", "card", "born", "year"]
        assert told["columns"]["untouched"] == ["sex", "disease", "ward"]
        assert told["columns"]["accepted"] == {}


class TestAccepting:
    @pytest.mark.parametrize("code", ["en", "pt"])
    @pytest.mark.parametrize(
        "half", [("--accept-column", "born"), ("--reason", "known"), ("--accept-column", "born", "--reason", " ")]
    )
    def test_a_column_and_a_reason_go_together(self, publish, out, half, code) -> None:
        ending = publish("--other", "born", *half, "--lang", code)

        assert is_refused(ending, 2, out, "--accept-column", "--reason")
        assert ending.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("code", "printed", "reported"),
        [
            ("en", "Accepted as it is: born, for this reason: known", "born goes out as it is, whatever it tells"),
            (
                "pt",
                "Aceita como está: born, por este motivo: known",
                "born sai como está, independentemente do que revele",
            ),
        ],
    )
    def test_with_both_it_goes_out_and_both_reports_say_why(self, publish, out, code, printed, reported) -> None:
        ending = publish("--other", "born", "--accept-column", "born", "--reason", "known", "--lang", code)

        assert ending.code == 0
        assert printed in ending.out.splitlines()
        assert "born" in pl.read_csv(out / "data.csv").columns
        for report in reports(out):
            assert reported in report
            assert {"en": "for this reason: known", "pt": "por este motivo: known"}[code] in report

    @pytest.mark.parametrize("code", ["en", "pt"])
    def test_a_column_that_is_not_released_cannot_be_accepted(self, publish, out, code) -> None:
        ending = publish("--accept-column", "ward", "--reason", "known", "--lang", code)

        assert is_refused(ending, 2, out, "'ward'", "--other")

    def test_a_column_that_is_not_there_is_said_before_the_search(self, publish, out) -> None:
        ending = publish("--accept-column", "wart", "--reason", "known")

        assert is_refused(ending, 2, out, "'wart'", "ward")
        assert ending.err.count("\n") == 1


class TestRefusals:
    @pytest.mark.parametrize(
        ("code", "told"),
        [("en", "born tells age more finely than the release does"), ("pt", "born revela age")],
    )
    def test_a_telling_column_is_named_with_the_remedy(self, publish, out, code, told) -> None:
        ending = publish("--other", "year,born", "--lang", code)

        assert is_refused(ending, 1, out, told, "--accept-column born --reason")
        assert "year" not in ending.err.splitlines()[-1]

    def test_a_column_that_puts_people_into_small_groups_is_named_with_their_share(self, publish, table, out) -> None:
        rooms = pl.read_csv(table).with_columns(room=pl.int_range(ROWS) * 7919 % ROWS // 3)
        rooms.write_csv(table)

        assert is_refused(publish("--other", "room"), 1, out, "room alone puts 100.0%", "fewer than 5")

    @pytest.mark.parametrize("code", ["en", "pt"])
    def test_what_looks_like_an_identifier_is_not_kept_by_name(self, publish, out, code) -> None:
        assert is_refused(publish("--other", "name", "--lang", code), 2, out, "'name'")

    @pytest.mark.parametrize(("code", "told"), [("en", "k = 1 protects nobody"), ("pt", "k = 1 não protege ninguém")])
    def test_groups_of_one_are_refused_before_the_search(self, publish, out, code, told) -> None:
        ending = publish("--k", 1, "--lang", code)

        assert is_refused(ending, 2, out, told)
        assert ending.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("code", "told"),
        [("en", "The column card links the records of a person"), ("pt", "A coluna card liga os registros")],
    )
    def test_a_pseudonym_of_a_person_is_judged_by_whole_histories(self, by_plan, out, code, told) -> None:
        operations = [bb.Generalise("age", bb.Hierarchy.by_interval(10), 1), bb.Pseudonymise("card", "random")]
        roles = {"quasi": ["age", "sex"], "sensitive": ["disease"], "identifiers": ["name"]}
        ending = by_plan(bb.Plan(operations, [bb.KAnonymity(5)], **roles, person="card"), "--lang", code)

        assert is_refused(ending, 1, out, told)


class TestUnprotected:
    PLAN = bb.Plan([], quasi=["sex"], sensitive=["disease"], identifiers=["name"])

    @pytest.mark.parametrize("code", ["en", "pt"])
    @pytest.mark.parametrize("reason", [(), ("--unprotected", " ")])
    def test_a_plan_that_protects_nobody_needs_a_reason(self, by_plan, out, reason, code) -> None:
        assert is_refused(by_plan(self.PLAN, *reason, "--lang", code), 2, out, "--unprotected")

    @pytest.mark.parametrize(
        ("code", "printed", "reported"),
        [
            ("en", "Unprotected, for this reason: the law asks for it", "Unprotected: nothing in the plan protects"),
            ("pt", "Sem proteção, por este motivo: the law asks for it", "Sem proteção: nada no plano protege"),
        ],
    )
    def test_with_one_it_is_called_unprotected(self, by_plan, out, code, printed, reported) -> None:
        ending = by_plan(self.PLAN, "--unprotected", "the law asks for it", "--lang", code)

        assert ending.code == 0
        assert printed in ending.out.splitlines()
        for report in reports(out):
            assert reported in report
            assert "the law asks for it" in report

    def test_noise_with_a_guarantee_is_called_without_k(self, by_plan, out) -> None:
        noise = bb.RandomisedResponse("disease", 1, ("flu", "gout", "asthma"))
        ending = by_plan(bb.Plan([noise], sensitive=["disease"]))

        assert ending.code == 0
        assert "Without k: people are protected by noise alone." in ending.out.splitlines()
        assert all("Without k: people are protected by noise alone" in report for report in reports(out))


class TestCommitment:
    """``biombo verify --private``."""

    @pytest.mark.parametrize(("code", "told"), [("en", "✓ The plan in"), ("pt", "✓ O plano em")])
    def test_the_plan_is_the_one_that_was_committed_to(self, biombo, publish, out, code, told) -> None:
        publish()
        ending = biombo("verify", out, "--private", f"{out}.private", "--lang", code)

        assert ending.code == 0
        assert told in ending.out

    @pytest.mark.parametrize(("code", "told"), [("en", "✗ The plan in"), ("pt", "✗ O plano em")])
    def test_another_plan_is_noticed(self, biombo, publish, out, code, told) -> None:
        publish()
        plan = Path(f"{out}.private") / "plan.yaml"
        plan.write_text(plan.read_text().replace("k: 5", "k: 4"))
        ending = biombo("verify", out, "--private", f"{out}.private", "--lang", code)

        assert ending.code == 1
        assert told in ending.out
        assert biombo("verify", out).code == 0, "without the private folder nothing is said of the plan"


class TestProposedSchema:
    """``biombo inspect``, and ``publish`` by what it proposes, unread and unedited."""

    def test_of_made_up_people_nothing_goes_out_that_was_not_proposed(self, biombo, tmp_path, out) -> None:
        chance = random.Random(5)
        people = {
            "nome": [f"Inventada {number:04}" for number in range(ROWS)],
            "idade": [chance.randint(20, 79) for _ in range(ROWS)],
            "sexo": chance.choices("FM", k=ROWS),
            "cid": chance.choices(["A90", "B24", "E11"], k=ROWS),
            "turno": chance.choices(["dia", "noite"], k=ROWS),
        }
        pl.DataFrame(people).write_csv(tmp_path / "pessoas.csv")
        schema = tmp_path / "schema.yaml"
        inspected = biombo("inspect", tmp_path / "pessoas.csv", "--out", schema)
        published = biombo("publish", tmp_path / "pessoas.csv", "--schema", schema, "--k", 10, "--out", out, "--full")

        assert (inspected.code, published.code) == (0, 0)
        assert pl.read_csv(out / "data.csv").columns == ["trace_id", "idade", "sexo", "cid"]
        assert "Columns kept back: nome." in published.out.splitlines()
        assert "says what they are: turno." in published.err

    @pytest.mark.slow
    def test_of_real_deaths_it_is_published_without_what_nobody_decided_on(
        self, biombo, shared_data, tmp_path, out
    ) -> None:
        deaths, path = shared_data / "datasus" / "DORR2022.dbc", tmp_path / "schema.yaml"
        biombo("inspect", deaths, "--out", path)
        ending = biombo("publish", deaths, "--schema", path, "--k", 10, "--out", out, "--full")
        released, schema = pl.read_csv(out / "data.csv", infer_schema=False), Schema.load(path)
        undecided = schema.with_role("undecided")

        assert ending.code == 0
        assert undecided
        assert not {*undecided, *schema.with_role("identifier")} & {*released.columns}
        for line in ("Columns that go out: ", "Of these, with the same value in every record: ", "Columns kept back: "):
            assert line in ending.out
        assert any(released[name].n_unique() > 1 for name in released.columns if name != "trace_id")
        quasi = [name for name in schema.quasi if name in released.columns]
        assert released.group_by(quasi).len()["len"].min() >= 10


def test_columns_that_were_kept_by_name_are_compared_and_predicted_from_too(biombo, publish, table, out) -> None:
    """The plan in the private folder does not know them."""
    publish("--other", "ward")
    ending = biombo("utility", table, out, "--predict", "disease", "--folds", 2, "--json")

    assert ending.code == 0, ending.err
    told = json.loads(ending.out)
    assert "ward" in told["classification"]["features"]
    assert told["classification"]["for_new_records"]["tree"] is not None
