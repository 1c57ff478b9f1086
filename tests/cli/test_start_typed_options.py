"""``biombo start``: what is typed with the command stands, or is what is proposed; nothing takes it for less."""

import io
import sys
from datetime import date
from inspect import signature
from pathlib import Path

import pytest

import biombo as bb
from biombo._cli.start import start

RECORDED = ("--register", "register.db", "--department", "statistics", "--review", "2031-05-17")
CONTROLLED = ("--release-model", "controlled")

TYPED = {
    "files": (("people.csv",), ("people.csv",)),
    "schema": (("--schema", "schema.yaml"), "schema.yaml"),
    "k": (("--k", "12"), 12),
    "l": (("--l", "3"), 3),
    "max_suppression": (("--max-suppression", "7%"), 0.07),
    "hierarchies": (("--hierarchies", "hierarchies"), "hierarchies"),
    "release_model": (CONTROLLED, "controlled"),
    "harm": (("--harm", "high"), "high"),
    "threshold": (("--threshold", "0.05"), 0.05),
    "motivation": (("--motivation", "high"), "high"),
    "controls": (("--controls", "none"), "none"),
    "acquaintances": (("--acquaintances", "0"), 0),
    "prevalence": (("--prevalence", "0.0001"), 0.0001),
    "breach": (("--breach", "0.3"), 0.3),
    "control": (("--control", "view-only"), ("view-only",)),
    "measure": (("--measure", "a contract"), ("a contract",)),
    "factor": (("--factor", "contract=signed"), ("contract=signed",)),
    "expected_utility": (("--expected-utility", "counts"), "counts"),
    "override_reason": (("--override-reason", "by law"), "by law"),
    "register": (RECORDED, "register.db"),
    "what": ((*RECORDED, "--what", "the people"), "the people"),
    "department": (RECORDED, "statistics"),
    "recipient": (
        (*RECORDED, *CONTROLLED, "--recipient", "Ana", "--recipient", "Bia, and Caio"),
        ("Ana", "Bia, and Caio"),
    ),
    "access": ((*RECORDED, "--access", "on-site"), "on-site"),
    "review": (RECORDED, date(2031, 5, 17)),
    "pdf": (("--pdf",), True),
    "filename": (("--filename", "{group}.csv"), "{group}.csv"),
    "engine": (("--engine", "local"), "local"),
    "where": (("--where", "sexo=F", "--where", "sexo=M"), {"sexo": ("F", "M")}),
}
"""By option: what is typed, and what a request then has."""

ELSEWHERE = {"yes", "out", "database", "sheet", "request", "save_request", "_lang", "context"}
"""Tested in other places, or no answers."""


class Enters(io.StringIO):
    """Somebody who only presses Enter, and leaves where it would be published; once at the result, they go back so many
    questions.
    """

    def __init__(self, back: int = 0) -> None:
        super().__init__()
        self.back = back

    def readline(self, *_) -> str:
        seen = sys.stdout.getvalue()
        if self.back and "6 of 7" in seen:
            self.back -= 1
            return "<\n"
        return "" if "7 of 7" in seen else "\n"


WAYS = {"Enter": 0, "Enter, after going back a step": 1, "Enter, after going back two steps": 2}


@pytest.fixture
def asked(people, monkeypatch, biombo):
    """What is asked for in the end, by proposals alone: with ``--yes``, and by pressing Enter."""
    monkeypatch.setenv("BIOMBO_REGISTER", "")
    Path("there").mkdir()
    Path("there/mine.txt").touch()  # where nothing can be published
    Path("hierarchies").mkdir()
    Path("schema.yaml").write_text(
        "columns:\n  idade: {role: quasi, hierarchy: age}\n  sexo: {role: sensitive}\n  diagnostico: {role: other}\n"
    )
    sensitive = (
        Path("people.csv").read_text().replace(",A90,sala 1", ",J18,sala 1").replace(",A90,sala 2", ",I10,sala 2")
    )
    Path("people.csv").write_text(sensitive)

    def run(way: str, *typed: str) -> bb.PublishRequest:
        if way in WAYS:
            monkeypatch.setattr(sys, "stdin", Enters(WAYS[way]))
        arguments = [] if "people.csv" in typed else ["people.csv"]
        ended = biombo(
            "start", *arguments, *typed, "--lang", "en", *(["--yes", "--out", "there"] if way == "--yes" else [])
        )
        assert "7 of 7" in ended.out, ended.err
        return bb.PublishRequest.load("people.biombo.yaml")

    return run


def test_every_option_is_looked_at():
    assert {*TYPED} == {*signature(start).parameters} - ELSEWHERE


@pytest.mark.parametrize("way", ["--yes", "Enter"])
@pytest.mark.parametrize("option", sorted({*TYPED} - {"schema"}))
def test_what_is_typed_stands(asked, option, way):
    typed, expected = TYPED[option]
    assert getattr(asked(way, *typed), option) == expected


@pytest.mark.parametrize("option", ["k", "l", "max_suppression"])
def test_what_is_typed_is_proposed_where_it_is_asked_once_more(asked, option):
    typed, expected = TYPED[option]
    assert getattr(asked("Enter, after going back a step", *typed), option) == expected


@pytest.mark.parametrize(
    "option",
    ["release_model", "harm", "motivation", "controls", "acquaintances", "prevalence", "breach", "recipient", "review"],
)
def test_so_is_for_whom_it_is(asked, option):
    typed, expected = TYPED[option]
    assert getattr(asked("Enter, after going back two steps", *typed), option) == expected


def test_all_that_must_hold_is_kept_together(asked):
    for way in ("--yes", "Enter, after going back a step"):
        request = asked(way, "--k", "12", "--l", "4")
        assert (request.k, request.l) == (12, 4)
        Path("people.biombo.yaml").unlink()


@pytest.mark.parametrize("way", ["--yes", "Enter"])
def test_a_schema_that_is_typed_stands(asked, way):
    found, typed = bb.Schema.load(asked(way, "--schema", "schema.yaml").schema), bb.Schema.load("schema.yaml")
    assert found.columns == typed.columns


def test_the_rest_of_what_must_hold_is_proposed(asked):
    assert asked("--yes", "--l", "3").k == 10
    Path("people.biombo.yaml").unlink()
    assert asked("--yes", "--k", "12").l == 2


def test_larger_groups_are_proposed_for_more_harm_also_where_there_are_answers_already(asked):
    assert asked("--yes").k == 10
    assert asked("--yes", "--harm", "high").k == 100


def test_conditions_are_proposed_and_told(people, biombo):
    Path("there").mkdir()
    Path("there/mine.txt").touch()
    ended = biombo("start", "people.csv", "--release-model", "controlled", "--yes", "--out", "there", "--lang", "en")
    request = bb.PublishRequest.load("people.biombo.yaml")
    assert (request.harm, request.motivation, request.controls) == ("medium", "medium", "medium")
    assert (request.acquaintances, request.prevalence, request.breach) == (150, 0.01, 0.02)
    assert "How many people does one of them know? (150 is usual): 150" in ended.out


def test_for_anybody_there_are_no_conditions(people, biombo):
    ended = biombo("start", "people.csv", "--release-model", "public", "--motivation", "high", "--yes", "--lang", "en")
    assert ended.code == 2
    assert "--motivation" in ended.err
    assert not (people / "people-release").exists()


def test_a_second_time_the_release_goes_to_the_next_folder_and_that_is_told(people, biombo):
    assert biombo("start", "people.csv", "--yes", "--lang", "en").code == 0
    again = biombo("start", "people.csv", "--yes", "--lang", "en")
    assert again.code == 0, again.err
    assert "people-release exists already" in " ".join(again.out.split())
    assert "The folder for the release: people-release-2" in again.out
    assert bb.verify("people-release-2").holds
    assert "--out people-release-3" in again.out


def test_what_is_saved_as_a_request_is_what_was_done(people, biombo):
    assert biombo("start", "people.csv", "--yes", "--save-request", "mine.yaml", "--lang", "en").code == 0
    request = bb.PublishRequest.load("mine.yaml")
    assert (request.k, request.harm) == (10, "medium")
    assert not Path("people.biombo.yaml").exists()


@pytest.mark.parametrize(
    ("typed", "said"),
    [(("--department", "statistics"), "--department"), (("--what", "the people"), "--what"), (("--k", "1"), "k = 1")],
)
def test_what_never_can_be_is_refused_before_the_first_question(people, biombo, monkeypatch, typed, said):
    monkeypatch.setenv("BIOMBO_REGISTER", "")

    ended = biombo("start", "people.csv", *typed, "--yes", "--lang", "en")

    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert not Path("people.biombo.yaml").exists()


def test_groups_that_were_refused_are_not_asked_for_another_time(people, biombo):
    refused = biombo("start", "people.csv", "--k", "5000", "--yes", "--lang", "en")
    again = biombo("start", "people.csv", "--yes", "--lang", "en")

    assert refused.code == 2
    assert "5,000" in refused.err
    assert again.code == 0, again.err
    assert bb.PublishRequest.load("people.biombo.yaml").k == 10
