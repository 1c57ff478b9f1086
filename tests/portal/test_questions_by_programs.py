"""Questions to tables that stay inside, by programs: what pages offer, show and decide on, and nothing else."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from portal_site import Site

import biombo as bb

SCHEMA = bb.Schema(
    {
        "name": bb.ColumnSchema("identifier"),
        "sex": bb.ColumnSchema("quasi", domain=("F", "M")),
        "city": bb.ColumnSchema("quasi", domain=("A", "B", "C")),
        "age": bb.ColumnSchema("quasi", type="discrete", hierarchy=bb.Hierarchy.by_interval(10).to_tree()),
        "paid": bb.ColumnSchema("sensitive", type="discrete", label={"pt": "pago", "en": "paid out"}),
        "note": bb.ColumnSchema("undecided"),
    }
)
ROWS = [("F", "A")] * 40 + [("M", "A")] * 41 + [("F", "B")] * 3 + [("M", "C")] * 4

Program = Callable[..., Any]


@pytest.fixture
def inside(site: Site) -> Any:
    number = pl.int_range(len(ROWS))
    table = pl.DataFrame(ROWS, schema=["sex", "city"], orient="row").with_columns(
        name=pl.lit("P") + number.cast(str), age=number % 60 + 20, paid=number % 9 + 1, note=number.cast(str)
    )
    made = site.add_table(table, SCHEMA, "Internações")
    site.model("DataSet").objects.filter(pk=made.pk).update(takes_questions=True, questions_k=5)
    return made


@pytest.fixture
def program(site: Site) -> Program:
    """Asks as a program of somebody's."""

    def ask(who: str, path: str, body: object = None) -> Any:
        client = site.client()
        client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {site.token(who)}"
        if body is None:
            return client.get(f"/api/{path}")
        return client.post(f"/api/{path}", json.dumps(body), content_type="application/json")

    return ask


def asked(program: Program, inside: Any, **told: Any) -> int:
    answer = program("rita", f"data/{inside.pk}/ask", {"purpose": "to plan visits", **told})
    assert answer.status_code == 202, answer.body
    return int(answer.json()["number"])


def numbers(program: Program, who: str, query: str = "") -> list[int]:
    return [each["number"] for each in program(who, f"questions{query}").json()["questions"]]


def words_of_page(site: Site, who: str, number: int) -> str:
    shown = site.client(who).get(f"/questions/{number}").body.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", shown)).split())


def test_a_question_is_asked_decided_on_and_answered_by_programs_alone(site: Site, program: Program, inside) -> None:
    number = asked(program, inside, by={"city": 0}, totals=False)
    assert program("rita", f"questions/{number}").json()["state"] == "waiting"
    site.work()

    waiting = program("ana", f"questions/{number}").json()
    assert numbers(program, "ana", "?state=waiting") == [number]
    assert waiting["foreseen"] == {"cells": 3, "refused": 0}
    assert waiting["question"] == {"by": {"city": "0"}, "mean": None, "where": None, "totals": False}
    assert waiting["requester"] == site.people["rita"].name
    assert "81" not in json.dumps({name: each for name, each in waiting.items() if name not in ("made", "number")})
    decided = program("ana", f"questions/{number}/decision", {"decision": "approve"})
    assert (decided.status_code, decided.json()["state"]) == (200, "approved")
    site.work()

    told = program("rita", f"questions/{number}").json()
    assert told["state"] == "answered"
    assert [cell["records"] for cell in told["cells"]] == [81, None, None]
    assert numbers(program, "ana", "?state=waiting") == []
    entries = [json.loads(line) for line in (site.home.questions / f"{inside.pk}.jsonl").read_text().splitlines()]
    assert [entry["who"] for entry in entries if "who" in entry] == ["", site.people["rita"].called]
    trail = site.model("TrailEntry").objects.filter(detail__question=number).order_by("pk")
    assert [each.what for each in trail] == ["question-asked", "question-approved", "question-answered"]


@pytest.mark.parametrize("who", ["rita", "ana", "davi"])
@pytest.mark.parametrize("end", ["waiting", "approve", "reject", "failed"])
def test_a_program_reads_what_the_page_shows_and_no_more(site: Site, program: Program, inside, who, end) -> None:
    where = {"city": ["Z"]} if end == "failed" else None
    number = asked(program, inside, by={"sex": 0, "age": 1}, where=where, mean="paid", totals=True)
    site.work()
    if end != "waiting":
        decision = "reject" if end == "reject" else "approve"
        told = {"decision": decision} | ({"reason": "ask the register"} if decision == "reject" else {})
        assert program("ana", f"questions/{number}/decision", told).status_code == 200
        site.work()
    shown, read = words_of_page(site, who, number), program(who, f"questions/{number}").json()

    expected = {"number", "data_set", "state", "made", "decided", "question", "purpose", "reason"}
    expected |= {"requester", "problem"} if who != "rita" else set()
    expected |= {"foreseen"} if who == "ana" and end in ("waiting", "failed") else set()
    expected |= {"k", "cells", "why"} if end == "approve" else set()
    assert read.keys() == expected
    for sentence in (*read.get("why", ()), read["reason"], read.get("problem", ""), read["purpose"]):
        assert sentence in shown
    told = [cell["records"] for cell in read.get("cells", ()) if cell["records"] is not None]
    assert bool(told) == (end == "approve")
    assert all(str(each) in shown for each in told)


def test_what_may_be_asked_is_told_as_the_form_has_it(site: Site, program: Program, inside) -> None:
    offered = program("rita", f"data/{inside.pk}/ask").json()
    assert [each["column"] for each in offered["columns"]] == ["sex", "city", "age", "paid"]
    assert offered["means"] == ["age", "paid"]
    assert [*offered["columns"][2]["levels"]] == ["0", "1"]
    assert (offered["columns"][3]["label"], offered["k"]) == ("pago", 5)
    form = site.client("rita").get(f"/data/{inside.pk}/ask").body.decode()
    assert len(re.findall(r'name="by_\d+"', form)) == 4
    assert program("rita", "questions").json()["data_sets"] == [{"number": inside.pk, "name": "Internações"}]


@pytest.mark.parametrize(
    ("told", "status", "sentence"),
    [
        ({"by": {"name": 0}}, 422, "'name'"),
        ({"by": {"note": 0}}, 422, "'note'"),
        ({"by": {"other": 0}}, 422, "'other'"),
        ({"where": {"name": ["P1"]}}, 422, "'name'"),
        ({"by": {"age": 7}}, 422, "nível 7"),
        ({"mean": "name"}, 422, "diz quem alguém é"),
        ({"mean": "city"}, 422, "não tem números"),
        ({"by": {"age": 0}, "mean": "age"}, 422, "peça a média de outra"),
        ({"where": {"age": {"at-least": 20}}}, 400, "forma esperada"),
        ({"where": {"age": [" "]}}, 400, "forma esperada"),
        ({"where": {"age": ["x" * 4001]}}, 400, "forma esperada"),
        ({"k": 2}, 400, "forma esperada"),
        ({"purpose": ""}, 400, "purpose"),
        ({"purpose": "x" * 4001}, 400, "4.000"),
    ],
)
def test_what_no_page_offers_is_refused_in_one_sentence(site: Site, program, inside, told, status, sentence) -> None:
    answer = program("rita", f"data/{inside.pk}/ask", {"purpose": "to know", **told})
    assert answer.status_code == status
    assert answer.json().keys() == {"error"}
    assert sentence in answer.json()["error"]
    assert not site.model("Inquiry").objects.exists()


def test_only_managers_decide_and_only_once(site: Site, program: Program, inside) -> None:
    number = asked(program, inside)
    for who in ("rita", "caio", "celia", "davi"):
        assert program(who, f"questions/{number}/decision", {"decision": "approve"}).status_code == 404
    assert program("ana", f"questions/{number}/decision", {"decision": "reject"}).status_code == 400
    told = {"decision": "reject", "reason": "ask the register"}
    assert program("ana", f"questions/{number}/decision", told).status_code == 200
    assert program("bruno", f"questions/{number}/decision", {"decision": "approve"}).status_code == 409
    assert program("rita", f"questions/{number}").json()["reason"] == "ask the register"
    assert numbers(program, "caio") == []
    assert program("ana", f"data/{inside.pk}/ask").status_code == 404
    assert program("ana", "questions?state=over").status_code == 400


def test_a_table_that_was_not_opened_or_was_closed_is_not_there(site: Site, program: Program, inside) -> None:
    closed = site.another_table()
    site.model("DataSet").objects.filter(pk=inside.pk).update(takes_questions=False)
    for each in (closed, inside):
        assert program("rita", f"data/{each.pk}/ask").status_code == 404
        assert program("rita", f"data/{each.pk}/ask", {"purpose": "to know"}).status_code == 404


def test_questions_of_a_day_are_counted_by_pages_and_programs_alike(site: Site, program, inside, monkeypatch) -> None:
    monkeypatch.setattr("biombo._portal.asking.MOST_QUESTIONS", 2)
    asked(program, inside)
    assert site.client("rita").post(f"/data/{inside.pk}/ask", {"purpose": "to know"}).status_code == 302
    assert site.client("rita").post(f"/data/{inside.pk}/ask", {"purpose": "to know"}).status_code == 429
    late = program("rita", f"data/{inside.pk}/ask", {"purpose": "to know"})
    assert late.status_code == 429
    assert "amanhã" in late.json()["error"]
    assert program("caio", f"data/{inside.pk}/ask", {"purpose": "to know"}).status_code == 202
