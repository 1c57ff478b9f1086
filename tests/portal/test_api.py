"""Programs come by tokens, may do what their person may, and read what that person reads."""

import json
import time
from dataclasses import replace
from typing import Any

import negotiations
import pytest
from portal_site import Site

import biombo as bb


@pytest.fixture
def program(unchanged):
    """Asks as a program of somebody's; without a name, as nobody's."""
    from django.test import Client

    def ask(who: str | None, path: str, body: object = None, token: str | None = None):
        if who is not None:
            token = unchanged.model("Token").make(unchanged.people[who], "test")
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        client = Client(enforce_csrf_checks=True)
        if body is None:
            return client.get(path, headers=headers)
        sent = body if isinstance(body, str | bytes) else json.dumps(body)
        return client.post(path, sent, content_type="application/json", headers=headers)

    return ask


def test_nobody_comes_in_without_a_token_or_by_a_session(program, unchanged):
    client = unchanged.client("rita")

    assert program(None, "/api/requests").status_code == 401
    assert program(None, "/api/requests", token="x" * 40).status_code == 401
    assert client.get("/api/requests").status_code == 401


def test_programs_read_errors_in_the_language_of_the_account(program, unchanged):
    unchanged.model("Person").objects.filter(pk=unchanged.people["rita"].pk).update(language="en")
    said = {who: program(who, "/api/requests", {"data_set": 10**6}) for who in ("rita", "caio")}

    assert "data set" in said["rita"].json()["error"]
    assert said["rita"].headers["Content-Language"] == "en"
    assert "data set" not in said["caio"].json()["error"]
    assert said["caio"].headers["Content-Language"] == "pt-BR"


def test_a_token_that_is_over_or_whose_account_is_closed_opens_nothing(program, unchanged):
    tokens = unchanged.model("Token")
    token = tokens.make(unchanged.people["rita"], "test")
    late = tokens.make(unchanged.people["rita"], "late", days=-1)

    assert program(None, "/api/requests", token=token).status_code == 200
    assert program(None, "/api/requests", token=late).status_code == 401
    unchanged.model("Person").objects.filter(pk=unchanged.people["rita"].pk).update(is_active=False)
    assert program(None, "/api/requests", token=token).status_code == 401


def test_a_requester_sees_own_requests_and_the_same_view_as_on_the_page(program, unchanged):
    case = unchanged.cases()["manipulations"]
    listed = program("rita", "/api/requests").json()["requests"]
    shown = program("rita", f"/api/requests/{case.pk}").json()

    assert case.pk in {each["number"] for each in listed}
    assert {"turn", "levels", "blocking", "measurements_left"} <= set(shown["view"])
    assert "obstacles" not in shown["view"]
    assert "offers" not in shown["view"]
    assert str(unchanged.home.folder) not in json.dumps(shown)
    missing = program("caio", "/api/requests/999999")
    foreign = program("caio", f"/api/requests/{case.pk}")
    assert (foreign.status_code, foreign.content) == (missing.status_code, missing.content)
    assert "obstacles" in program("ana", f"/api/requests/{case.pk}").json()["view"]


def test_an_act_is_done_by_a_worker_and_only_where_the_table_allows(program, unchanged):
    case = unchanged.led_to("manipulations")
    path = f"/api/requests/{case.pk}/acts"

    asked = program("rita", path, {"act": {"propose": {"k": 3}}})
    assert asked.status_code == 202
    unchanged.work()
    job = program("rita", f"/api/requests/{case.pk}/jobs/{asked.json()['job']}").json()
    assert (job["status"], job["error"]) == ("done", None)
    assert program("rita", f"/api/requests/{case.pk}").json()["state"] == "applying"
    assert program("rita", path, {"act": {"carry-out": {}}}).status_code == 409
    assert program("davi", path, {"act": {"note": {"text": "x"}}}).status_code == 404


@pytest.mark.parametrize("hierarchy", [{}, {"hierarchy": {"kind": "tree"}}])
def test_a_program_chooses_levels_of_a_tree_that_it_reads_by_its_kind(program, unchanged, hierarchy):
    site, tree = unchanged, {"all": {"region": list(negotiations.CITIES)}}
    columns = dict(negotiations.SCHEMA.columns)
    columns["city"] = replace(columns["city"], hierarchy=tree)
    case = site.begun()
    prepared = bb.Prepare(dict(negotiations.COLUMNS), bb.Schema(columns), dict(negotiations.MODEL), k=3)
    site.do("ana", case, prepared)
    told = {"generalise": {"column": "city", "level": 1, **hierarchy}}

    asked = program("rita", f"/api/requests/{case.pk}/acts", {"act": {"accept": {"manipulations": [told]}}})

    assert asked.status_code == 202, asked.content
    (job,) = site.work()
    assert job.status == "done", job.error
    (agreed,) = site.record(case).state.agreement.manipulations
    assert (agreed.column, agreed.level, agreed.hierarchy.to_tree()["tree"]) == ("city", 1, tree)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "null",
        "{",
        {"act": {}},
        {"act": {"ask": {}}},
        {"act": {"propose": {}, "message": {}}},
        {"act": 7},
        "[" * 5000,
    ],
)
def test_what_makes_no_sense_is_told_in_one_sentence(program, unchanged, body):
    case = unchanged.cases()["manipulations"]

    answer = program("rita", f"/api/requests/{case.pk}/acts", body)

    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"error"}


def test_levels_out_of_range_are_refused_before_any_work(program, unchanged):
    case = unchanged.cases()["manipulations"]

    answer = program("rita", f"/api/requests/{case.pk}/acts", {"act": {"propose": {"k": 1}}})

    assert answer.status_code == 422


def test_whatever_the_description_allows_nothing_fails(unchanged):
    """Inputs made from the API's own description, right and wrong ones."""
    schemathesis = pytest.importorskip("schemathesis")
    from django.core.wsgi import get_wsgi_application
    from hypothesis import HealthCheck, Phase, given, settings

    tokens = [unchanged.model("Token").make(unchanged.people[who], "test") for who in ("rita", "ana")]
    described = schemathesis.openapi.from_wsgi("/api/openapi.json", get_wsgi_application())
    operations = [each.ok() for each in described.get_all_operations()]
    assert len(operations) == 10

    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=15,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def ask(case):
            for token in tokens:
                answer = case.call(headers={"Authorization": f"Bearer {token}"})
                assert answer.status_code < 500, (case, answer.content)

        ask()


@pytest.mark.parametrize("is_listed", [True, False])
def test_a_request_that_a_program_sends_again_is_one_until_it_is_over(program, unchanged: Site, is_listed: bool):
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    site = unchanged
    tree = {**site.cases()["requested"].asked, "purpose": f"sent twice, listed: {is_listed}"}
    body = {"data_set": site.data_set.pk if is_listed else None, "request": tree}

    def send(_: int) -> Any:
        try:
            return program("rita", "/api/requests", body)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(send, range(2)))
    assert [each.status_code for each in answers] == [202, 202]
    first, again = ({name: each.json().get(name) for name in ("number", "job")} for each in answers)
    assert first == again
    site.work()
    case = site.model("Case").objects.get(pk=first["number"])
    assert program("rita", "/api/requests", body).json()["number"] == case.pk
    other = {**body, "request": {**tree, "purpose": "something else"}}
    assert program("rita", "/api/requests", other).json()["number"] != case.pk

    site.model("Case").objects.filter(pk=case.pk).update(state="withdrawn", owner="")
    assert program("rita", "/api/requests", body).json()["number"] != case.pk


def test_requests_that_are_sent_at_once_are_counted_one_by_one(unchanged: Site, monkeypatch: pytest.MonkeyPatch):
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    from biombo._portal import ask_agency

    site, asked = unchanged, unchanged.cases()["requested"].asked
    cases = site.model("Case").objects.filter(requester=site.people["rita"])
    monkeypatch.setattr("biombo._portal.asking.MOST_A_DAY", cases.count() + 1)

    def slowly(*told: Any) -> Any:
        time.sleep(0.3)
        return ask_agency(*told)

    def send(client: Any) -> int:
        try:
            body = {"data_set": None, "request": {**asked, "purpose": f"for {id(client)}"}}
            return int(client.post("/api/requests", body, content_type="application/json").status_code)
        finally:
            connection.close()

    monkeypatch.setattr("biombo._portal.pages.api.ask_agency", slowly)
    clients = [site.known("rita") for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        answers = sorted(pool.map(send, clients))

    assert answers == [202, 429, 429]
