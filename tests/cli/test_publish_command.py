"""``biombo publish``, ``verify`` and ``trace`` as people type them."""

import json
import random
import re
from pathlib import Path

import polars as pl
import pytest
import yaml

import biombo as bb

CONTROLLED = ("--release-model", "controlled", "--harm", "high", "--motivation", "low", "--acquaintances", 150)
CONTROLLED += ("--prevalence", 0.0001, "--breach", 0.02)
ASKED = ("--quasi", "age,sex", "--sensitive", "disease", "--max-suppression", 0.3)


@pytest.fixture
def table(tmp_path) -> Path:
    random.seed(3)
    rows = 400
    people = {
        "name": [f"Inventada {number:03}" for number in range(rows)],
        "age": [str(min(90, int(random.expovariate(1 / 20)))) for _ in range(rows)],
        "sex": random.choices(["F", "M"], k=rows),
        "disease": random.choices(["flu", "gout", "asthma"], k=rows),
    }
    pl.DataFrame(people).write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


@pytest.fixture
def hierarchies(tmp_path) -> Path:
    folder = tmp_path / "hierarchies"
    folder.mkdir()
    for name, hierarchy in (("age", bb.Hierarchy.by_interval(5, [2, 4])), ("sex", bb.Hierarchy.all_or_nothing())):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(hierarchy.to_tree()))
    return folder


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "release"


def test_published_verified_and_traced(biombo, table, hierarchies, out) -> None:
    asked = ("--k", 10, "--l", 2, "--hierarchies", hierarchies, "--out", out, "--full")
    published = biombo("publish", table, *ASKED, *asked)
    verified = biombo("verify", out)
    trace_id = pl.read_csv(out / "data.csv")["trace_id"][0]
    traced = biombo("trace", out, trace_id, "--reason", "a person asked")

    assert (published.code, verified.code, traced.code) == (0, 0, 0)
    assert "k-anonymity with k = 10: met" in published.out
    assert "name" in published.err
    assert "integrity only, origin not proved" in verified.err
    told = re.fullmatch(rf"{trace_id}: record (\d+) of (.+), counted from 1 without the header line\n", traced.out)
    assert told is not None
    assert 1 <= int(told[1]) <= 400
    assert told[2] == str(table)
    assert "traces.jsonl" in traced.err


class TestTrace:
    """With the file that was published, with a copy, with another, and without it."""

    @pytest.fixture
    def trace_id(self, biombo, table, hierarchies, out) -> str:
        biombo("publish", table, *ASKED, "--k", 5, "--hierarchies", hierarchies, "--out", out)
        return pl.read_csv(out / "data.csv")["trace_id"][0]

    def test_a_copy_of_the_source_will_do(self, biombo, table, out, trace_id, tmp_path) -> None:
        copy = table.rename(tmp_path / "copy.csv")
        traced = biombo("trace", out, trace_id, "--reason", "a person asked", "--source", copy, "--json")

        assert traced.code == 0
        assert json.loads(traced.out)[trace_id] | {"number": 0} == {"source": str(table), "number": 0, "checked": True}

    def test_without_it_the_number_is_said_not_to_be_checked(self, biombo, table, out, trace_id) -> None:
        table.unlink()
        traced = biombo("trace", out, trace_id, "--reason", "a person asked")

        assert traced.code == 0
        assert f"numbers are those of {table} on the day of publication" in traced.err

    def test_another_record_is_not_named(self, biombo, table, out, trace_id) -> None:
        header, *lines = table.read_text().splitlines()
        table.write_text("\n".join([header, *(line.replace("Inventada", "Outra") for line in lines)]))
        traced = biombo("trace", out, trace_id, "--reason", "a person asked", "--lang", "pt")

        assert (traced.code, traced.out) == (2, "")
        assert f"já não é o de {trace_id}" in traced.err


def test_a_release_that_was_changed_ends_with_1_and_the_claim(biombo, table, hierarchies, out) -> None:
    biombo("publish", table, *ASKED, "--k", 5, "--hierarchies", hierarchies, "--out", out)
    data = out / "data.csv"
    data.write_text(data.read_text().replace("gout", "flu", 1))
    ending = biombo("verify", out)

    assert ending.code == 1
    assert "✗ data.csv was changed" in ending.out
    assert "Checks that failed: 1." in ending.err


def test_what_is_no_release_ends_with_2(biombo, tmp_path) -> None:
    ending = biombo("verify", tmp_path)

    assert ending.code == 2
    assert "is not a release" in ending.err


def test_with_the_public_key_the_origin_is_proved(biombo, table, hierarchies, out, tmp_path) -> None:
    biombo("key", "new", tmp_path / "department.key")
    (tmp_path / "department.pub").write_text(biombo("key", "public", tmp_path / "department.key").out)
    biombo("key", "new", tmp_path / "other.key")
    (tmp_path / "other.pub").write_text(biombo("key", "public", tmp_path / "other.key").out)
    signed = ("--key", tmp_path / "department.key")
    biombo("publish", table, *ASKED, "--k", 5, "--hierarchies", hierarchies, "--out", out, *signed)
    right, wrong = (biombo("verify", out, "--key", tmp_path / f"{name}.pub") for name in ("department", "other"))

    assert (right.code, wrong.code) == (0, 1)
    assert "integrity only" not in right.err
    assert "not with the key that you trust" in wrong.out


class TestCriteria:
    """What ``biombo search`` can be asked, ``publish`` can."""

    @pytest.mark.parametrize(
        ("options", "criterion"),
        [
            (("--l", 2), bb.LDiversity(2)),
            (("--l", 1.5, "--l-kind", "entropy"), bb.LDiversity(1.5, kind="entropy")),
            (("--l", 2, "--l-kind", "recursive", "--c", 4), bb.LDiversity(2, kind="recursive", c=4)),
            (("--t", 0.3, "--t-kind", "equal"), bb.TCloseness(0.3)),
            (("--max-vulnerability", 0.7), bb.Vulnerability(0.7)),
            (("--max-leakage", 0.3, "--over", "table"), bb.Leakage(0.3, over="table")),
        ],
    )
    def test_any_criterion_is_published_by(self, biombo, table, hierarchies, out, options, criterion) -> None:
        ending = biombo("publish", table, *ASKED, *options, "--hierarchies", hierarchies, "--out", out, "--full")
        plan = bb.Plan.load(out.with_name("release.private") / "plan.yaml")

        assert ending.code == 0
        assert list(plan.criteria) == [criterion]
        assert f"{criterion}: met" in ending.out

    def test_levels_of_columns_are_bounded(self, biombo, table, hierarchies, out) -> None:
        bounded = ("--level", "age=2,sex=0", "--weights", "sex=3", "--time-limit", 60)
        biombo("publish", table, *ASKED, "--k", 5, "--hierarchies", hierarchies, "--out", out, *bounded)
        plan = bb.Plan.load(out.with_name("release.private") / "plan.yaml")

        assert [each.level for each in plan.operations if isinstance(each, bb.Generalise)] == [2]

    def test_several_sets_of_quasi_columns_are_each_protected(self, biombo, table, hierarchies, out) -> None:
        sets = ("--quasi", "age", "--quasi", "sex,disease", "--max-suppression", 0.3)
        ending = biombo("publish", table, *sets, "--k", 8, "--hierarchies", hierarchies, "--out", out)
        records = pl.read_csv(out / "data.csv")

        assert ending.code == 0
        assert records["age"].value_counts()["count"].min() >= 8
        assert records.group_by("sex", "disease").len()["len"].min() >= 8


def test_by_a_plan_from_a_file(biombo, table, out, tmp_path) -> None:
    operations = [bb.Generalise("age", bb.Hierarchy.by_interval(20), 1), bb.MaskGroups()]
    bb.Plan(operations, [bb.KAnonymity(5)], quasi=["age", "sex"], identifiers=["name"]).save(tmp_path / "plan.yaml")
    ending = biombo(
        "publish", table, "--plan", tmp_path / "plan.yaml", "--sensitive", "disease", "--out", out, "--json"
    )
    told = json.loads(ending.out)

    assert ending.code == 0
    assert told["applied"]["records"] == 400
    assert {claim["kind"] for claim in told["claims"]} == {"recomputable", "attested"}
    assert pl.read_csv(out / "data.csv").columns == ["trace_id", "age", "sex", "disease"]


class TestDecision:
    def test_above_the_threshold_it_ends_with_1_and_names_the_change(self, biombo, table, hierarchies, out) -> None:
        model = ("--release-model", "public", "--harm", "high")
        ending = biombo(
            "publish", table, *ASKED, "--k", 5, "--hierarchies", hierarchies, "--out", out, "--full", *model
        )

        assert ending.code == 1
        assert "k = 100" in ending.err
        assert not out.exists()

    def test_controls_bring_the_risk_down(self, biombo, table, hierarchies, out) -> None:
        named = ("--control", "view-only", "--control", "on-site", "--measure", "contract 17/2026")
        model = (*CONTROLLED, "--controls", "high", *named)
        ending = biombo(
            "publish", table, *ASKED, "--k", 5, "--hierarchies", hierarchies, "--out", out, "--full", *model
        )
        report = out.with_name("release.private") / "report.html"

        assert (ending.code, out.exists()) == (0, True)
        for control in ("view only, without saving or printing", "access on site only", "contract 17/2026"):
            assert control in report.read_text()

    def test_a_public_release_of_unsaid_harm_takes_medium_and_says_so(self, biombo, table, hierarchies, out) -> None:
        asked = ("publish", table, *ASKED, "--hierarchies", hierarchies, "--out", out, "--release-model", "public")
        five, ten = (biombo(*asked, "--k", k, "--full") for k in (5, 10))
        said = "Nobody said how much harm a re-identification could do, so medium potential harm was taken."

        assert (five.code, ten.code) == (1, 0)
        assert "what would pass: groups of at least 10 (k = 10)" in five.err
        assert all(said in where for where in (five.err, ten.err, ten.out))

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            (("--release-model", "controlled", "--harm", "low"), "--motivation, --acquaintances"),
            (("--breach", 0.1), "--breach belongs to a controlled release"),
            (("--release-model", "public", "--control", "subset"), "--control belongs to a controlled release"),
            (
                (*CONTROLLED, "--control", "locks"),
                "on-site, subset, physical, not 'locks'",
            ),
            (("--register", "sqlite:///r.db"), "--department, --review, --release-model"),
        ],
    )
    def test_what_is_missing_or_too_much_is_said(self, biombo, table, out, options, sentence) -> None:
        ending = biombo("publish", table, *ASKED, "--k", 5, "--out", out, *options)

        assert ending.code == 2
        assert sentence in ending.err

    def test_a_release_is_put_on_record(self, biombo, table, hierarchies, out, tmp_path) -> None:
        url = f"sqlite:///{tmp_path}/register.db"
        model = ("--release-model", "public", "--harm", "medium")
        where = ("--register", url, "--department", "Surveillance", "--review", "2027-01-31")
        ending = biombo("publish", table, *ASKED, "--k", 10, "--hierarchies", hierarchies, "--out", out, *model, *where)
        (entry,) = bb.Register.open(url).list()

        assert ending.code == 0
        assert "number 1 of the register" in ending.err
        assert entry.entry.what == "release"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "either a plan"),
        (("--k", 5, "--plan", "plan.yaml"), "either a plan"),
        (("--plan", "plan.yaml", "--level", "age=1"), "--max-suppression, --level cannot be used with --plan"),
        (("--l", 2, "--release-model", "public", "--harm", "low"), "no k-anonymity is asked for"),
        (("--k", 5, "--private", "release/private"), "inside of the public one"),
    ],
)
def test_bad_use_gets_one_sentence(biombo, table, out, monkeypatch, options, sentence) -> None:
    monkeypatch.chdir(out.parent)
    ending = biombo("publish", table, *ASKED, "--out", "release", *options)

    assert ending.code == 2
    assert sentence in ending.err
    assert ending.err.count("\n") == 1


def test_where_no_plan_is_found_it_ends_with_1(biombo, table, hierarchies, out) -> None:
    """There are only three different diseases."""
    asked = (*ASKED, "--k", 5, "--l", 4, "--hierarchies", hierarchies)
    ending = biombo("publish", table, *asked, "--out", out)

    assert ending.code == 1
    assert "no plan meets what is asked" in ending.err
    assert not out.exists()


def test_in_portuguese(biombo, table, hierarchies, out) -> None:
    published = biombo(
        "publish", table, *ASKED, "--k", 10, "--hierarchies", hierarchies, "--out", out, "--lang", "pt", "--full"
    )
    verified = biombo("verify", out, "--lang", "pt")

    assert "Publicado" in published.err
    assert "a origem não está comprovada" in verified.err
    assert 'lang="pt' in (out / "report.html").read_text()
    assert "Generalizada" in (out / "dictionary.csv").read_text()
