"""What can be known before long work is said before it."""

from dataclasses import replace
from datetime import date
from math import inf
from pathlib import Path

import polars as pl
import pytest
from partition_engine import PartitionEngine
from refusal import refused

import biombo as bb
from biombo._requests import files_read, limits_of

FILES = {"files": ["people.csv"]}
SEARCH = {**FILES, "quasi": ["age", "sex"], "k": 5}
PUBLISH = {**SEARCH, "out": "release"}


def listing(folder) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize(
    "request_",
    [
        bb.RiskRequest(**FILES, quasi=["age"], sensitive=["disease"], out="risk", records=["age"]),
        bb.RiskRequest(**FILES, quasi=["age"], population="census.csv"),
        bb.SearchRequest(**SEARCH, out="found.yaml", report="search.html"),
        bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv"),
        bb.PublishRequest(**PUBLISH, key="signing.key"),
        bb.PublishRequest(**FILES, plan="plan.yaml", out="release"),
        bb.UtilityRequest(original="people.csv", release="census.csv", plan="plan.yaml", predict="disease"),
    ],
)
def test_what_can_be_done_passes_and_nothing_is_made(folder, request_):
    before = listing(folder)
    request_.check()

    assert listing(folder) == before


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (bb.RiskRequest(quasi=["age"]), "No table is named"),
        (bb.RiskRequest(**FILES), "quasi"),
        (bb.RiskRequest(files=["nowhere.csv"], quasi=["age"]), "nowhere.csv"),
        (bb.RiskRequest(**FILES, quasi=["agee"]), "'agee'"),
        (bb.RiskRequest(**FILES, quasi=["age"], records=["sex"], out="risk"), "'sex'"),
        (bb.RiskRequest(**FILES, quasi=["age"], records=["age"]), "private=..."),
        (bb.RiskRequest(**FILES, quasi=["age"], by=["sex"], fraction=0.5), "by=..."),
        (bb.RiskRequest(**FILES, quasi=["age"], population="nobody.csv"), "nobody.csv"),
        (bb.SearchRequest(**FILES, quasi=["age"]), "k=..."),
        (bb.SearchRequest(**FILES, k=5), "quasi"),
        (bb.SearchRequest(**FILES, quasi=[["age"], ["sex"]], k=5, frontier=True), "frontier=True"),
        (bb.SearchRequest(**SEARCH, out="people.csv"), "exists already"),
        (bb.SearchRequest(**SEARCH, report="nowhere/search.html"), "nowhere"),
        (bb.SearchRequest(**{**SEARCH, "files": ["people.csv", "people.csv"]}), "people.csv"),
        (bb.ApplyRequest(**FILES, out="out.csv"), "plan=..."),
        (bb.ApplyRequest(**FILES, plan="plan.yaml"), "out=..."),
        (bb.ApplyRequest(**FILES, plan="nowhere.yaml", out="out.csv"), "nowhere.yaml"),
        (bb.ApplyRequest(**FILES, plan="plan.yaml", out="people.csv"), "people.csv"),
        (bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv", key=["no.key"]), "no.key"),
        (bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv", keep_column=["agee"]), "'agee'"),
        (bb.PublishRequest(**SEARCH), "out=..."),
        (bb.PublishRequest(**FILES, out="release"), "either a plan"),
        (bb.PublishRequest(**PUBLISH, plan="plan.yaml"), "either a plan"),
        (bb.PublishRequest(**FILES, plan="plan.yaml", out="release", level={"age": 1}), "level=..."),
        (bb.PublishRequest(**{**PUBLISH, "k": 1}), "1"),
        (bb.PublishRequest(**PUBLISH, harm="low"), "release_model=..."),
        (bb.PublishRequest(**PUBLISH, release_model="controlled", harm="low"), "motivation=..., acquaintances=..."),
        (bb.PublishRequest(**PUBLISH, department="Health"), "department=..."),
        (bb.PublishRequest(**PUBLISH, register="register.db"), "department=..., review=..., release_model=..."),
        (bb.PublishRequest(**PUBLISH, accept_column=["age"]), "reason"),
        (bb.PublishRequest(**PUBLISH, key="no.key"), "no.key"),
        (bb.PublishRequest(**PUBLISH, other=["agee"]), "'agee'"),
        (bb.PublishRequest(**{**PUBLISH, "out": "hierarchies"}), "hierarchies"),
        (bb.PublishRequest(**PUBLISH, private="release/private"), "inside of the public one"),
        (bb.UtilityRequest(original="people.csv"), "Name two tables"),
        (bb.UtilityRequest(original="people.csv", release="nowhere.csv"), "nowhere.csv"),
        (bb.UtilityRequest(original="people.csv", release="census.csv", predict="agee"), "'agee'"),
    ],
)
def test_what_cannot_is_one_sentence_before_anything_is_made(folder, request_, sentence):
    before = listing(folder)
    for ask in (request_.check, request_.run):
        with pytest.raises(bb.BiomboError) as caught:
            ask()
        assert sentence in str(caught.value)
        assert "\n" not in str(caught.value)

    assert listing(folder) == before


def test_checking_a_publication_says_what_it_takes(folder):
    assert bb.PublishRequest(**PUBLISH).check() == bb.estimate_publishing("people.csv")


def test_checking_makes_no_register_and_publishing_does(folder):
    answers = {"release_model": "public", "harm": "low", "department": "Health", "review": date(2030, 1, 31)}
    request = bb.PublishRequest(**PUBLISH, **answers, register="register.db", threshold=0.5, hierarchies="hierarchies")
    before = listing(folder)
    request.check()
    assert listing(folder) == before

    assert request.run().number == 1
    assert len(list(bb.Register.open("register.db").list())) == 1


class RowsAskedForError(TypeError):
    """The rows were asked for."""


class HeaderOnly(PartitionEngine):
    """An engine whose tables have no rows to give."""

    def open(self, *_table, **_how):
        raise RowsAskedForError


WRONG = {
    "publish: a misspelt quasi column": bb.PublishRequest(**{**PUBLISH, "quasi": ["agge"]}),
    "publish: no such plan": bb.PublishRequest(**FILES, plan="nope.yaml", out="release"),
    "publish: a plan of other columns": bb.PublishRequest(files=["other.csv"], plan="plan.yaml", out="release"),
    "publish: no such schema": bb.PublishRequest(**PUBLISH, schema="nope.yaml"),
    "publish: no such hierarchies": bb.PublishRequest(**PUBLISH, hierarchies="nope"),
    "publish: a way to prefer that is none": bb.PublishRequest(**PUBLISH, prefer=["xx"]),
    "publish: a column to predict that is not released": bb.PublishRequest(**PUBLISH, predict="name"),
    "publish: an identifier as it is": bb.PublishRequest(**PUBLISH, other=["name"]),
    "publish: l without a sensitive column": bb.PublishRequest(**PUBLISH, l=2),
    "publish: levels of no column": bb.PublishRequest(**PUBLISH, level={"agee": 1}),
    "publish: a level that is not there": bb.PublishRequest(**PUBLISH, hierarchies="hierarchies", level={"age": 7}),
    "publish: an accepted column that stays at home": bb.PublishRequest(**PUBLISH, accept_column=["name"], reason="x"),
    "apply: a plan of other columns": bb.ApplyRequest(files=["other.csv"], plan="plan.yaml", out="out.csv"),
    "apply: no such schema": bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv", schema="nope.yaml"),
    "apply: an identifier kept": bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv", keep_column=["name"]),
    "apply: a preview of other columns": bb.ApplyRequest(files=["other.csv"], plan="plan.yaml", preview=True),
    "search: a way to prefer that is none": bb.SearchRequest(**SEARCH, prefer=["xx"]),
    "search: two ways for one set": bb.SearchRequest(**SEARCH, prefer=["loss", "precision"]),
    "search: no such hierarchies": bb.SearchRequest(**SEARCH, hierarchies="nope"),
    "search: weights of no column": bb.SearchRequest(**SEARCH, weights={"x": 1}),
    "search: a weight of nothing": bb.SearchRequest(**SEARCH, weights={"age": 0}),
    "search: a level that is not there": bb.SearchRequest(**SEARCH, level={"sex": "decade"}),
    "search: l without a sensitive column": bb.SearchRequest(**FILES, quasi=["age"], l=2),
    "search: quasi and sensitive": bb.SearchRequest(**FILES, quasi=["age"], sensitive=["age"], l=2),
    "search: a plan and a report in one file": bb.SearchRequest(**SEARCH, out="one", report="one"),
    "risk: a hierarchy that is not understood": bb.RiskRequest(**FILES, quasi=["age"], through=["age"]),
    "risk: no such hierarchy": bb.RiskRequest(**FILES, quasi=["age"], through=["age=nope.csv:1"]),
    "risk: no such level": bb.RiskRequest(
        **FILES, quasi=["age"], through=["age=prefix:1", "sex=hierarchies/sex.yaml:9"]
    ),
    "risk: quasi and sensitive": bb.RiskRequest(**FILES, quasi=["age"], sensitive=["age"]),
    "risk: parts by a quasi column": bb.RiskRequest(**FILES, quasi=["age"], by=["age"]),
    "risk: fraction and weight": bb.RiskRequest(**FILES, quasi=["age"], weight="sex", fraction=0.5),
    "risk: a weight that is quasi": bb.RiskRequest(**FILES, quasi=["age"], weight="age"),
    "risk: nothing sampled": bb.RiskRequest(**FILES, quasi=["age"], fraction=0.0),
    "risk: records without a sensitive column": bb.RiskRequest(**FILES, quasi=["age"], records=["age"], out="risk"),
    "risk: a folder that is a file": bb.RiskRequest(**FILES, quasi=["age"], out="people.csv"),
    "risk: private inside": bb.RiskRequest(
        **FILES, quasi=["age"], sensitive=["sex"], records=["age"], out="risk", private="risk/private"
    ),
    "utility: no such schema": bb.UtilityRequest(original="people.csv", release="census.csv", schema="nope.yaml"),
    "utility: a plan of other columns": bb.UtilityRequest(original="other.csv", release="other.csv", plan="plan.yaml"),
    "utility: tables that share nothing": bb.UtilityRequest(original="people.csv", release="other.csv"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_the_columns_tell_is_said_by_check_and_by_run_before_a_row_is_read(folder, name):
    (folder / "other.csv").write_text("city,d\nPOA,1\nRIO,2\n")
    before, request = listing(folder), WRONG[name]
    with pytest.raises(bb.BiomboError) as checked:
        request.check()
    with pytest.raises(bb.BiomboError) as run:
        request.run(engine=HeaderOnly())

    assert str(checked.value) == str(run.value)
    assert listing(folder) == before


@pytest.mark.parametrize("stream", [False, True])
def test_rows_that_come_once_are_left_to_run_which_looks_for_identifiers_all_the_same(folder, stream):
    table = pl.read_csv("people.csv", infer_schema=False).to_arrow()
    request = bb.ApplyRequest(plan="bare.yaml", out="out.csv", keep_column=["name"])
    bb.Plan([], quasi=["age"]).save("bare.yaml")
    with pytest.raises(bb.ColumnError, match="identifier"):
        request.run(table.to_reader() if stream else table)
    if stream:
        request.check(table.to_reader())


@pytest.mark.parametrize(
    "request_",
    [
        bb.RiskRequest(**FILES, quasi=["age"]),
        bb.SearchRequest(**SEARCH, hierarchies="hierarchies"),
        bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv"),
        bb.ApplyRequest(**FILES, plan="plan.yaml", preview=True),
        bb.PublishRequest(**PUBLISH, hierarchies="hierarchies"),
        bb.PublishRequest(**FILES, plan="plan.yaml", out="release"),
    ],
)
def test_every_request_is_carried_out_by_the_engine_that_is_given(folder, request_):
    with pytest.raises(RowsAskedForError):
        request_.run(engine=HeaderOnly())


def test_utility_too(folder):
    bb.apply("people.csv", "plan.yaml", "out.csv")
    with pytest.raises(RowsAskedForError):
        bb.UtilityRequest(original="people.csv", release="out.csv", plan="plan.yaml").run(engine=HeaderOnly())


@pytest.mark.parametrize("kind", [bb.RiskRequest, bb.SearchRequest, bb.PublishRequest, bb.UtilityRequest])
@pytest.mark.parametrize("beyond", [-1, -0.5, float("nan"), float("inf"), -float("inf")])
def test_no_number_is_beyond_the_limits_of_its_field(kind, beyond):
    assert limits_of(kind)
    for name, limits in limits_of(kind).items():
        numbers = [beyond, limits.low - 1, *([] if limits.high == inf else [limits.high + 1])]
        for number in numbers:
            with pytest.raises(bb.BiomboError, match=name.replace("_", "-")):
                kind(**{name: number})
            with pytest.raises(bb.BiomboError, match=name.replace("_", "-")):
                kind.from_tree({"biombo-request": 1, "kind": kind.kind, name: number})
        kind(**{name: limits.low})


def test_a_seed_that_is_none_is_one_sentence():
    with pytest.raises(bb.UsageError, match="seed"):
        bb.utility(bb.samples.clinic(), bb.samples.clinic(), seed=-1)


# What is written is whole or not there, and never an input.

RISK = {**FILES, "quasi": ["age", "sex"], "sensitive": ["disease"]}


def contents(folder) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("failing", ["report.html", "records.csv", "target.json"])
@pytest.mark.parametrize("force", [False, True])
def test_where_one_result_of_a_risk_cannot_be_written_none_is(folder, monkeypatch, failing, force):
    request = bb.RiskRequest(**RISK, records=["age"], target={"sex": "F"}, out="made/risk", force=force)
    if force:
        bb.RiskRequest(**RISK, records=["age"], target={"sex": "M"}, out="made/risk").run()
    before, everything = contents(folder), listing(folder)
    replaced = Path.replace

    def refused(self, target):
        if Path(target).name == failing:
            raise OSError(28, "No space left on device")
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(bb.UsageError, match=failing):
        request.run()

    assert listing(folder) == everything
    if not force:
        assert contents(folder) == before


def test_where_the_report_of_a_search_cannot_be_written_the_plan_is_not_either(folder, monkeypatch):
    replaced = Path.replace

    def refused(self, target):
        if Path(target).name == "search.html":
            raise OSError(28, "No space left on device")
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", refused)
    before = contents(folder)
    with pytest.raises(bb.UsageError, match=r"search\.html"):
        bb.SearchRequest(**SEARCH, hierarchies="hierarchies", out="found.yaml", report="search.html").run()

    assert contents(folder) == before


def test_what_the_values_refuse_leaves_nothing_behind_and_can_be_corrected(folder):
    before = listing(folder)
    with pytest.raises(bb.BiomboError, match="99"):
        bb.RiskRequest(**RISK, target={"age": "99"}, out="risk").run()
    assert listing(folder) == before

    bb.RiskRequest(**RISK, target={"age": "30"}, out="risk").run()
    assert (folder / "risk" / "report.html").is_file()


INPUTS = ["people.csv", "schema.yaml", "hierarchies/age.yaml", "plan.yaml", "census.csv", "age.csv", "kept.yaml"]
ONTO = {
    "search's plan": lambda path, **read: bb.SearchRequest(**SEARCH, hierarchies="hierarchies", out=path, **read),
    "search's report": lambda path, **read: bb.SearchRequest(**SEARCH, hierarchies="hierarchies", report=path, **read),
    "risk's report": lambda path, **read: bb.RiskRequest(
        **RISK, out=path, population="census.csv", through=["age=age.csv:1"], **read
    ),
    "risk's records": lambda path, **read: bb.RiskRequest(
        **RISK, private=path, records=["age"], population="census.csv", through=["age=age.csv:1"], **read
    ),
}


@pytest.mark.parametrize("link", [None, "symlink_to", "hardlink_to"])
@pytest.mark.parametrize("name", ONTO)
def test_no_output_is_an_input_whatever_it_is_called_and_however_it_is_forced(folder, name, link):
    (folder / "schema.yaml").write_text(bb.Schema({}).to_yaml())
    ages = sorted({line.split(",")[1] for line in (folder / "people.csv").read_text().splitlines()[1:]})
    (folder / "age.csv").write_text("".join(f"{age};x;*\n" for age in ages))
    read = {"schema": "schema.yaml", "force": True}
    inputs = [each for each in INPUTS if (folder / each).is_file()]
    for each in inputs:
        request = ONTO[name]("made", **read)
        used = each in {str(path) for path in files_read(request)}
        if not used:
            continue
        output = folder / request.outputs[0]
        if link is None and name.startswith("risk"):
            continue  # what is written has names of its own
        if link is None:
            request = ONTO[name](each, **read)
        else:
            output.parent.mkdir(exist_ok=True)
            getattr(output, link)((folder / each).resolve())
        before = contents(folder)
        for ask in (request.check, request.run):
            with pytest.raises(bb.UsageError, match="is read by the same request"):
                ask()
        assert contents(folder) == before
        if link is not None:
            output.unlink()


def test_a_request_does_not_write_onto_its_own_file(folder):
    path = folder / "kept.yaml"
    path.write_text("{biombo-request: 1, kind: search, files: [people.csv], quasi: [age], k: 5, report: kept.yaml}")
    with pytest.raises(bb.BiomboError, match=r"kept\.yaml"):
        bb.Request.load(path)


def test_force_is_never_kept(folder):
    for request in (
        bb.RiskRequest(**RISK, force=True),
        bb.SearchRequest(**SEARCH, force=True),
        bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv", force=True),
    ):
        request.save("kept.yaml")
        assert bb.Request.load("kept.yaml") == replace(request, force=False)


SAID = {
    "reason": "as postgresql://ana:pw@h/x has it",
    "unprotected": "see postgresql://ana%3Apw@h/x",
    "override_reason": "as agreed, see postgresql://ana:p w@h/x",
    "department": "password=pw",
    "what": "https://h/x?pwd=pw",
    "recipient": ["everyone", "postgresql://ana:pw"],
    "measure": ["host=h senha=pw"],
}


@pytest.mark.parametrize("entry", SAID)
def test_no_text_that_others_read_holds_a_password(entry):
    with refused("document.entry-password", entry.replace("_", "-")):
        bb.PublishRequest(out="release", **{entry: SAID[entry]})


@pytest.mark.parametrize(
    "text", ["see https://x.gov:8080.", "ask ana@x.gov (https://x.gov:80)", "http://[::1]/x", "a=b"]
)
def test_other_texts_are_left_alone(text):
    assert bb.PublishRequest(out="release", reason=text).reason == text


@pytest.mark.parametrize("register", ["release", "release/r.db", "release.private", "sqlite:///release", "home/x"])
def test_a_register_is_not_where_the_release_is(folder, register):
    private = {"private": "home"} if register.startswith("home") else {}
    asked = bb.PublishRequest(
        files=["people.csv"],
        quasi=["sex"],
        k=5,
        out="release",
        register=register,
        department="D",
        review="2030-01-31",
        release_model="public",
        **private,
    )
    before = sorted(folder.rglob("*"))
    for carry_out in (asked.check, asked.run):
        with refused("release.register-inside"):
            carry_out()
    assert sorted(folder.rglob("*")) == before


def test_only_the_hierarchies_of_columns_in_use_are_read(folder):
    for name in ("plan.yaml", "x_hierarchy_sex.csv", "sex.txt", "age.csv"):
        (folder / "hierarchies" / name).touch()
    asked = {"files": ["people.csv"], "quasi": ["sex"], "k": 2, "hierarchies": "hierarchies"}

    assert {each.name for each in bb.SearchRequest(**asked).inputs} == {"people.csv", "sex.yaml", "x_hierarchy_sex.csv"}
    bb.SearchRequest(**asked, out="hierarchies/plan.yaml").refuse_outputs()
    with refused("output.onto-input", "sex.yaml"):
        bb.SearchRequest(**asked, out="hierarchies/sex.yaml").refuse_outputs()
