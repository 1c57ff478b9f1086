"""Every route, for everybody, in several states of a request: refused unless the table of access.py allows it."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from portal_routes import address, routes
from portal_site import PEOPLE, STATES, Site

from biombo._negotiate import ACTS, permission
from biombo._portal import rule_of

METHODS = ("get", "head", "post", "put", "delete")
NOBODY = 99_999_999
"""The number of a request that does not exist."""
HOSTILE = (
    "9" * 30,
    "-1",
    "../../../etc/passwd",
    "a\0b",
    "１２３ ² ‮ 💥 \N{COMBINING ACUTE ACCENT}",
    "x" * 20_000,
    "[" * 3000,
    "<script>alert(1)</script>{{ settings.SECRET_KEY }}",
    "NaN",
)


def is_about_a_request(taken: dict[str, Any]) -> bool:
    return "number" in taken


def question_of(site: Site, who: str = "rita", state: str = "waiting") -> Any:
    """A question of somebody's to a table that stays inside."""
    asked: dict[str, Any] = {"by": {}, "mean": None, "where": None, "totals": False}
    told = {"person": site.people[who], "data_set": site.data_set, "asked": asked, "purpose": "to know"}
    return site.model("Inquiry").objects.create(**told, state=state)


def told(answer: Any, *numbers: int) -> tuple[Any, ...]:
    """All that an answer tells, without what differs each time and without the number that was asked for."""
    shown = re.sub(rb"[A-Za-z0-9]{64}", b"token", answer.body)
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    words = repr((answer.status_code, shown, sorted(headers.items())))
    for number in numbers:
        for kind in ("requests", "questions"):
            words = words.replace(f"/{kind}/{number}", f"/{kind}/N")
    return answer.status_code, words, sorted(answer.cookies)


def test_every_route_has_a_rule_or_is_refused(site: Site):
    ruled = {name for name, _ in routes() if rule_of(name) is not None}
    assert {"case", "case-act", "data-set", "people", "catalogue", "account_login"} <= ruled

    for name, taken in routes():
        if rule_of(name) is None:
            for who in (None, "rita", "ana", "alice"):
                for method in METHODS:
                    answer = getattr(site.known(who), method)(address(name, taken))
                    assert answer.status_code == 404, (name, who, method)


def is_refused(answer: Any, who: str | None, name: str) -> bool:
    if name.startswith("api-"):
        return bool(answer.status_code == (401 if who is None else 404))
    if who is None:
        return bool(answer.status_code == 302 and answer.headers["Location"].startswith("/account/login/?next="))
    return bool(answer.status_code == 404)


@pytest.mark.parametrize("who", [None, *PEOPLE])
def test_whoever_is_not_in_the_table_is_refused(unchanged: Site, who: str | None):
    site, role = unchanged, PEOPLE[who][0] if who else None
    client = site.known(who)
    for name, taken in routes():
        rule = rule_of(name)
        if rule is None or "everybody" in rule.roles or role in rule.roles:
            continue
        for method in METHODS:
            answer = getattr(client, method)(address(name, taken, number=site.cases()["manipulations"].pk))
            assert is_refused(answer, who, name), (name, who, method, answer.status_code)


@pytest.mark.parametrize("who", ["caio", "namesake"])
def test_somebody_elses_request_is_like_one_that_does_not_exist(unchanged: Site, who: str):
    """Whoever has the same name too: negotiations may know people by names, the portal does not."""
    site = unchanged
    client = site.known(who)
    client.get("/")  # so that the cookie is there before the first answer is compared
    for name, taken in routes():
        rule = rule_of(name)
        if rule is None or not is_about_a_request(taken):
            continue
        for state, case in site.cases().items():
            for method in (*METHODS, "options") if state in ("manipulations", "available") else ("get", "post"):
                if "everybody" in rule.roles:
                    pytest.fail(f"{name} is about a request and open to everybody")
                theirs = getattr(client, method)(address(name, taken, number=case.pk))
                nothing = getattr(client, method)(address(name, taken, number=NOBODY))
                assert theirs.status_code == 404, (name, state, method)
                assert told(theirs, case.pk) == told(nothing, NOBODY), (name, state, method)


@pytest.mark.parametrize("who", ["caio", "namesake"])
def test_somebody_elses_question_is_like_one_that_does_not_exist(unchanged: Site, who: str):
    site = unchanged
    client, mine = site.known(who), question_of(site, who)
    client.get("/")  # so that the cookie is there before the first answer is compared
    about = [(name, taken) for name, taken in routes() if "question" in taken]
    assert {"question", "question-decide", "api-question", "api-question-decide"} == {name for name, _ in about}
    for name, taken in about:
        rule = rule_of(name)
        assert rule is not None
        assert rule.whose == "parties"
        for state in site.model("Inquiry").STATES:
            other = question_of(site, "rita", state)
            for method in (*METHODS, "options"):
                theirs = getattr(client, method)(address(name, taken, question=other.pk))
                nothing = getattr(client, method)(address(name, taken, question=NOBODY))
                assert theirs.status_code == 404, (name, state, method)
                assert told(theirs, other.pk) == told(nothing, NOBODY), (name, state, method)
    for name in ("question", "api-question"):
        assert client.get(address(name, {"question": None}, question=mine.pk)).status_code == 200


@pytest.mark.parametrize("who", [None, "rita", "caio", "ana", "celia", "davi", "alice"])
def test_nothing_fails_in_any_state(unchanged: Site, who: str | None):
    site, role = unchanged, PEOPLE[who][0] if who else ""
    for name, taken in routes():
        rule = rule_of(name)
        if rule is None or name == "account_logout" or ("everybody" not in rule.roles and role not in rule.roles):
            continue
        client = site.known(who)
        cases = site.cases() if is_about_a_request(taken) else {"": None}
        for state, case in cases.items():
            for method in METHODS if state in ("", "manipulations") else ("get", "post"):
                where = address(name, taken, number=case.pk if case else 1, slug=site.entry().slug)
                answer = getattr(client, method)(where)
                assert answer.status_code < 500, (name, state, method)
                assert method != "head" or not answer.body


def test_pages_that_may_be_opened_open(unchanged: Site):
    site = unchanged
    case, entry = site.cases()["manipulations"], site.entry()
    opened = {
        None: ["/", f"/catalogue/{entry.slug}", "/account/login/", "/account/signup/", "/health"],
        "rita": ["/requests", "/requests/new", f"/requests/{case.pk}", f"/requests/{case.pk}/terms", "/account"],
        "ana": ["/requests/inbox", f"/requests/{case.pk}", f"/requests/{case.pk}/offers", "/data", "/data/new"],
        "davi": ["/requests/all", f"/requests/{case.pk}", f"/requests/{case.pk}/trail", "/trail"],
        "celia": ["/requests/votes", f"/requests/{site.cases()['vote'].pk}"],
        "alice": ["/people", "/settings", "/trail"],
    }
    for who, pages in opened.items():
        for page in pages:
            assert site.known(who).get(page).status_code == 200, (who, page)


@pytest.mark.parametrize("state", STATES)
def test_what_the_negotiation_does_not_allow_is_not_even_asked_of_a_worker(unchanged: Site, state: str):
    site, case = unchanged, unchanged.cases()[state]
    jobs = site.model("Job").objects
    for who in ("rita", "ana", "celia", "davi", "alice", "namesake"):
        client, role = site.known(who), PEOPLE[who][0]
        for act in (*(each.name for each in ACTS), "records-checked", "values-checked", "expired", "no-such-act"):
            before = jobs.count()
            answer = client.post(f"/requests/{case.pk}/acts/{act}")
            allowed = case.folder and permission(case.state, role, act) is not None
            if who in ("caio", "namesake") or not allowed:
                assert answer.status_code in (404, 409), (who, act)
                assert jobs.count() == before, (who, act)
            else:
                assert answer.status_code in (302, 404, 409, 422), (who, act)


def test_files_and_jobs_of_one_request_are_not_found_under_another(unchanged: Site):
    """Numbers that are guessed lead nowhere, though the request in the address is one's own."""
    site = unchanged
    mine, theirs = site.led_to("requested", "caio"), site.cases()["available"]
    client = site.known("caio")
    job = site.model("Job").objects.filter(case=theirs).first()
    kept = {"person": site.people["rita"], "name": "termo.pdf", "sha256": "0" * 64, "size": 1}
    attached = site.model("Attachment").objects.create(case=theirs, **kept)
    rita = site.known("rita")
    link = rita.post(f"/requests/{theirs.pk}/delivery").headers["Location"]
    assert rita.get(link).status_code == 200

    assert client.get(f"/requests/{mine.pk}/jobs/{job.pk}").status_code == 404
    assert client.get(f"/requests/{mine.pk}/attachments/{attached.slug}").status_code == 404
    assert client.get(link).status_code == 404
    assert client.get(link.replace(f"/{theirs.pk}/", f"/{mine.pk}/")).status_code == 404
    assert site.known("ana").get(link).status_code == 404
    assert site.known("namesake").get(link).status_code == 404
    assert "/account/login/" in site.known().get(link).headers["Location"]
    attached.delete()


def test_a_link_that_was_taken_back_or_has_expired_leads_nowhere(unchanged: Site):
    from django.utils import timezone

    site, case = unchanged, unchanged.cases()["available"]
    rita, deliveries = site.known("rita"), site.model("Delivery").objects
    link = rita.post(f"/requests/{case.pk}/delivery").headers["Location"]
    newest = deliveries.latest("pk")
    assert link.rpartition("/")[2] not in str(newest.__dict__)  # whoever reads the database cannot open it

    deliveries.filter(pk=newest.pk).update(expires=timezone.now())
    assert rita.get(link).status_code == 404
    link = rita.post(f"/requests/{case.pk}/delivery").headers["Location"]
    revoked = site.known("ana").post(f"/requests/{case.pk}/deliveries/{deliveries.latest('pk').pk}/revoke")
    assert revoked.status_code == 302
    assert rita.get(link).status_code == 404


def test_headers_of_programs_and_other_methods_change_nothing(unchanged: Site):
    site, case = unchanged, unchanged.cases()["manipulations"]
    client = site.known("caio")
    for header in (
        {"HX-Request": "true"},
        {"HX-Boosted": "true", "HX-Current-URL": f"http://testserver/requests/{case.pk}"},
        {"X-HTTP-Method-Override": "GET"},
        {"X-Original-URL": f"/requests/{case.pk}"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-User": "rita@agency.example", "Remote-User": "rita@agency.example"},
        {"Accept": "application/json"},
        {"Range": "bytes=0-10"},
    ):
        assert client.get(f"/requests/{case.pk}", headers=header).status_code == 404
        assert client.post(f"/requests/{case.pk}/acts/message", {"text": "x"}, headers=header).status_code == 404
    body = '{"text": "x"}'
    for kind in ("application/json", "text/plain", "text/xml"):
        answer = site.known("rita").post(f"/requests/{case.pk}/acts/message", body, content_type=kind)
        assert answer.status_code == 422


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_addresses_do_not_fail(unchanged: Site, value: str):
    from urllib.parse import quote

    site = unchanged
    case = site.cases()["manipulations"]
    clients = {who: site.known(who) for who in ("rita", "ana", "alice", "davi", None)}
    quoted = quote(value[:2000], safe="")
    for name, taken in routes():
        plain = address(name, taken, number=case.pk)
        names = ("q", "page", "release", "data", "next", "column:age")
        addresses = [f"{plain}?{'&'.join(f'{each}={quoted}' for each in names)}"]
        if taken:
            addresses.append(re.sub(r"(?<=/)(1|t0ken|0{32}|manifest\.json|message)(?=/|$|-)", quoted, plain))
        rule = rule_of(name)
        opens = [who for who in clients if rule is not None and who is not None and PEOPLE[who][0] in rule.roles]
        for who in opens[:1] or ([None] if rule is not None else []):
            for where in addresses:
                assert clients[who].get(where).status_code < 500, (name, who, where[:200])


def test_numbers_that_no_database_takes_do_not_fail(unchanged: Site):
    site, too_large = unchanged, str(2**63)
    clients = {PEOPLE[who][0]: site.known(who) for who in ("rita", "ana", "celia", "davi", "alice")}
    tried = 0
    for name, taken in routes():
        where = re.sub(r"(?<=/)1(?=/|$|-)", too_large, address(name, taken, number=1))
        rule = rule_of(name)
        for role in () if rule is None or too_large not in where else rule.roles:
            for way in (clients[role].get, clients[role].post) if role in clients else ():
                assert way(where).status_code < 500, (name, role, where)
                tried += 1
    assert tried > 50


def forms_of(page: str) -> Iterator[tuple[str, list[str]]]:
    """Addresses and fields of the forms on a page."""
    for form in re.findall(r"(?s)<form\b.*?</form>", page):
        action = re.search(r'action="([^"]*)"', form.partition(">")[0])
        fields = set(re.findall(r'name="([^"]+)"', form)) - {"csrfmiddlewaretoken"}
        yield action[1] if action else "", sorted(fields)


@pytest.mark.parametrize("who", [None, "rita", "ana", "celia", "alice"])
def test_hostile_forms_do_not_fail(unchanged: Site, who: str | None):
    """All forms of all pages, each field filled with what no page offers, once and twice."""
    site, role = unchanged, PEOPLE[who][0] if who else ""
    pages = {f"/requests/{case.pk}" for case in site.cases().values()} | {
        "/requests/new",
        "/data/new",
        f"/data/{site.data_set.pk}",
        f"/data/{site.data_set.pk}/workbench",
        f"/data/{site.data_set.pk}/workbench/risk",
        f"/data/{site.data_set.pk}/workbench/search",
        "/register",
        "/people",
        "/settings",
        "/account/login/",
        "/account/signup/",
        "/account/password/change/",
        "/account/password/reset/",
        f"/invitation/{invited(site)}",
    }
    tried = 0
    for page in sorted(pages):
        answer = site.known(who).get(page)
        if answer.status_code != 200:
            continue
        for action, fields in forms_of(answer.content.decode()):
            if action == "/account/logout/":
                continue
            client = site.known(who)
            for number, value in enumerate(HOSTILE):
                filled: dict[str, Any] = {name: value if number % 2 else [value, "1"] for name in fields}
                answer = client.post(action or page, filled)
                assert answer.status_code < 500, (role, page, action, value[:60])
                tried += 1
            site.model("Job").objects.filter(status="waiting").delete()
            site.model("Person").objects.update(is_active=True)
    assert tried > 20


def invited(site: Site) -> str:
    """The end of a one-time link for a manager."""
    answer = site.known("alice").post("/people/invite", {"role": "manager"})
    found = re.search(r"/invitation/([\w-]+)", answer.content.decode())
    assert found is not None
    return found[1]


def test_the_administrator_cannot_forget_what_is_not_there(unchanged: Site):
    site, alice = unchanged, unchanged.known("alice")
    case = site.cases()["manipulations"]
    for number in (case.pk, site.cases()["sending"].pk):
        for events in ("", "x", "²", "9" * 5000, "-1", "1 2 3", "0", "99999999999999999999"):
            for reason in ("", "asked for", "a\0b", "x" * 20_000):
                answer = alice.post("/erasures", {"number": number, "events": events, "reason": reason})
                assert answer.status_code < 500, (events[:20], reason[:20])
    assert alice.post("/erasures", {"number": NOBODY, "events": "1", "reason": "x"}).status_code == 422


def test_a_session_alone_or_an_ended_token_opens_nothing_for_programs(unchanged: Site):
    from django.utils import timezone

    site, case = unchanged, unchanged.cases()["manipulations"]
    where, tokens = f"/api/requests/{case.pk}", site.model("Token")
    made = tokens.make(site.people["rita"], "a program")
    newest = tokens.objects.filter(pk=tokens.objects.latest("pk").pk)
    assert site.known().get(where, headers={"Authorization": f"Bearer {made}"}).status_code == 200
    assert made not in str(list(tokens.objects.values()))
    for header in (None, "Bearer", "Bearer x", f"Basic {made}", "Bearer \0", f"Bearer {made[:-1]}"):
        answer = site.client("rita").get(where, headers={} if header is None else {"Authorization": header})
        assert answer.status_code == 401, header
    assert site.known("alice").get("/people").status_code == 200
    assert site.known().get("/requests", headers={"Authorization": f"Bearer {made}"}).status_code == 302
    ends = ({"revoked_at": timezone.now()}, {"revoked_at": None, "expires": timezone.now()})
    for ended in ends:
        newest.update(**ended)
        assert site.known().get(where, headers={"Authorization": f"Bearer {made}"}).status_code == 401
    newest.update(expires=timezone.now() + timedelta(days=1))
    site.model("Person").objects.filter(pk=site.people["rita"].pk).update(is_active=False)
    assert site.known().get(where, headers={"Authorization": f"Bearer {made}"}).status_code == 401


def test_nobody_ends_the_token_of_somebody_else(unchanged: Site):
    site, tokens = unchanged, unchanged.model("Token")
    tokens.make(site.people["rita"], "a program")
    newest = tokens.objects.latest("pk")
    site.known("caio").post(f"/account/tokens/{newest.pk}/revoke")
    newest.refresh_from_db()
    assert newest.revoked_at is None


BODIES = (
    "",
    "{",
    "[]",
    "null",
    "1e999",
    '"x"',
    "{}",
    "[" * 50_000,
    '{"act": {}}',
    '{"act": []}',
    '{"act": {"message": null}}',
    '{"act": {"message": {"text": "\\u0000"}}}',
    '{"act": {"message": {"text": "\\ud800"}}}',
    '{"act": {"message": {"text": 1}}}',
    '{"act": {"message": {"text": "x", "extra": 1}}}',
    '{"act": {"propose": {"k": NaN}}}',
    '{"act": {"propose": {"k": 1e999}}}',
    '{"act": {"propose": {"k": "5"}}}',
    '{"act": {"propose": {"k": -1}}}',
    '{"act": {"message": {"text": "x"}}, "head": 1}',
    '{"act": {"message": {"text": "x"}}, "head": "../x"}',
    '{"act": {"accept": {"manipulations": [{"x": {}}]}}}',
    '{"act": {"accept": {"manipulations": 7}}}',
    '{"act": {"erase": {"events": [1], "reason": "x"}}}',
    '{"act": {"message": {"text": "x"}, "note": {"text": "y"}}}',
    '{"data_set": 1, "request": {}}',
    '{"data_set": 99999999999999999999999, "request": {"requester": {}}}',
    '{"data_set": true, "request": {"requester": {}}}',
    '{"data_set": 1, "request": {"requester": {"name": [], "document": {}}, "wanted": 3}}',
    '{"purpose": ""}',
    '{"purpose": "x", "by": []}',
    '{"purpose": "x", "by": {"age": [0]}}',
    '{"purpose": "x", "by": {"age": -1}}',
    '{"purpose": "x", "by": {"name": 0}}',
    '{"purpose": "x", "by": {"age": 0}, "mean": "age"}',
    '{"purpose": "x", "mean": "name"}',
    '{"purpose": "x", "mean": 7}',
    '{"purpose": "x", "where": {"age": {"at-least": 1}}}',
    '{"purpose": "x", "where": {"age": []}}',
    '{"purpose": "x", "totals": "yes"}',
    '{"purpose": "x", "person": "age"}',
    '{"decision": "reject"}',
    '{"decision": "reject", "reason": " "}',
    '{"decision": ["approve"]}',
    '{"decision": "approve", "k": 1}',
)


@pytest.mark.parametrize("who", ["rita", "caio", "ana", "celia", "davi"])
def test_hostile_programs_do_not_make_it_fail(unchanged: Site, who: str):
    site = unchanged
    client = site.known(who)
    for case in (site.cases()[state] for state in ("sending", "manipulations", "available")):
        for body in BODIES:
            for kind in ("application/json", "multipart/form-data; boundary=x", "text/plain"):
                for where in (f"/api/requests/{case.pk}/acts", "/api/requests"):
                    answer = client.post(where, body, content_type=kind)
                    assert answer.status_code < 500, (where, body[:80], kind)
                    assert answer.status_code != 202, (where, body[:80])


@pytest.mark.parametrize("who", ["rita", "ana", "celia", "davi"])
def test_hostile_programs_ask_and_decide_nothing(unchanged: Site, who: str):
    site = unchanged
    client, question = site.known(who), question_of(site)
    site.model("DataSet").objects.filter(pk=site.data_set.pk).update(takes_questions=True)
    for body in BODIES:
        for where in (f"/api/data/{site.data_set.pk}/ask", f"/api/questions/{question.pk}/decision", "/api/questions"):
            answer = client.post(where, body, content_type="application/json")
            assert 400 <= answer.status_code < 500, (where, body[:80])
    question.refresh_from_db()
    assert question.state == "waiting"
    assert site.model("Inquiry").objects.filter(data_set=site.data_set).count() == 1


def test_a_program_cannot_begin_the_budget_anew_either(unchanged: Site):
    site = unchanged
    asked = site.cases()["requested"].asked
    told = {"data_set": site.data_set.pk, "request": asked | {"requester": asked["requester"] | {"document": "777"}}}
    cases = site.model("Case").objects.count()
    answer = site.known("rita").post("/api/requests", told, content_type="application/json")
    assert answer.status_code == 422
    assert site.model("Case").objects.count() == cases
