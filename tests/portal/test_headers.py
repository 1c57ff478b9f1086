"""What browsers are told, what is refused before a page sees it, and what is written to logs."""

import logging
import re
from typing import Any
from urllib.parse import urljoin

import pytest
from portal_routes import address, routes
from portal_site import PASSWORD, Site

STRICT = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


def policy(answer: Any) -> dict[str, str]:
    parts = [each.split(maxsplit=1) for each in answer.headers["Content-Security-Policy"].split(";") if each.strip()]
    return {each[0]: each[1] if len(each) > 1 else "" for each in parts}


PAGES = {
    None: ("/", "/account/login/", "/account/signup/", "/account/password/reset/", "/no-such-page", "/requests/1"),
    "rita": ("/requests", "/requests/new", "/requests/{case}", "/requests/99999", "/account", "/account/2fa/"),
    "ana": ("/requests/inbox", "/requests/{case}", "/requests/{case}/offers", "/data", "/data/new", "/data/{data}"),
    "davi": ("/requests/all", "/trail", "/trail.csv", "/requests/{case}/trail"),
    "alice": ("/people", "/settings"),
}


@pytest.mark.parametrize("who", PAGES)
def test_every_page_has_a_strict_policy_and_is_not_stored(unchanged: Site, who: str | None):
    site = unchanged
    for page in PAGES[who]:
        answer = site.client(who).get(page.format(case=site.cases()["review"].pk, data=site.data_set.pk))
        assert STRICT.items() <= policy(answer).items(), page
        assert "unsafe" not in answer.headers["Content-Security-Policy"], page
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert "no-store" in answer.headers["Cache-Control"], page
        assert not {"Server", "X-Powered-By", "Access-Control-Allow-Origin"} & set(answer.headers)
        shown = answer.body.decode()
        elsewhere = r"https?://(?!testserver|www\.w3\.org/2000/svg\")"  # a name, which nothing loads
        assert not re.search(rf"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:|{elsewhere}", shown), page


def test_reports_and_terms_run_nothing(unchanged: Site):
    site = unchanged
    entry = site.entry()
    for who, page in (
        (None, f"/catalogue/{entry.slug}/files/report.html"),
        ("rita", f"/requests/{site.cases()['review'].pk}/terms"),
        ("ana", f"/requests/{site.cases()['available'].pk}/report"),
    ):
        answer = site.client(who).get(page)
        assert answer.status_code == 200, page
        assert "sandbox" in policy(answer)
        assert policy(answer)["default-src"] == "'none'"
        assert "script-src" not in policy(answer)


def test_only_what_lies_in_the_folder_of_a_release_is_handed_out(unchanged: Site):
    site = unchanged
    entry = site.entry()
    for name in (
        "..",
        ".",
        "../secret-key",
        "..%2fsecret-key",
        "%2e%2e%2fportal.json",
        "/etc/passwd",
        "manifest.json%00",
    ):
        answer = site.client().get(f"/catalogue/{entry.slug}/files/{name}")
        assert answer.status_code in (404, 301), name
        assert site.home.secret_key.encode() not in answer.body
    for path in (
        "/static/../portal.json",
        "/static/%2e%2e/%2e%2e/portal.json",
        "/portal.sqlite3",
        "/secret-key",
        "/uploads/",
    ):
        assert site.client().get(path).status_code in (400, 404), path


def test_no_form_is_taken_without_its_token(unchanged: Site):
    site, case = unchanged, unchanged.cases()["manipulations"]
    jobs = site.model("Job").objects.count()
    for who in (None, "rita", "ana", "alice"):
        client = site.client(who, enforce_csrf_checks=True)
        for name, taken in routes():
            if name.startswith("api-"):  # by tokens, which no page of somebody else can have a browser send
                continue
            where = address(name, taken, number=case.pk)
            for headers in ({}, {"Origin": "https://evil.example"}, {"X-CSRFToken": "x" * 32, "HX-Request": "true"}):
                answer = client.post(where, {"text": "x", "language": "en"}, headers=headers)
                assert answer.status_code in (403, 404), (name, who, answer.status_code)
    assert site.model("Job").objects.count() == jobs
    assert site.client("rita", enforce_csrf_checks=True).post("/language", {"language": "en"}).status_code == 403


def test_with_its_token_a_form_is_taken(unchanged: Site):
    client = unchanged.client("rita", enforce_csrf_checks=True)
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', client.get("/requests").body.decode())
    assert token is not None
    answer = client.post("/language", {"language": "en", "next": "/requests", "csrfmiddlewaretoken": token[1]})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/requests")


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)",
     "http:evil.example", " //evil.example", "/\t/evil.example", "evil.example", "https://testserver@evil.example/"],
)  # fmt: skip
def test_nobody_is_sent_elsewhere(unchanged: Site, elsewhere: str):
    site = unchanged
    told = site.client().post("/language", {"language": "en", "next": elsewhere})
    assert told.headers["Location"] == "/"
    client = site.client()
    told = client.post("/account/login/", {"login": "rita@agency.example", "password": PASSWORD, "next": elsewhere})
    assert told.status_code in (200, 302, 400)
    if told.status_code == 302:
        assert urljoin("http://testserver/account/login/", told.headers["Location"]).startswith("http://testserver/")
    told = site.client("rita").post("/account/logout/", {"next": elsewhere})
    assert urljoin("http://testserver/account/logout/", told.headers.get("Location", "")).startswith(
        "http://testserver/"
    )
    told = site.client("rita").get("/account/login/", {"next": elsewhere})
    assert urljoin("http://testserver/account/login/", told.headers.get("Location", "")).startswith(
        "http://testserver/"
    )


def test_hosts_that_are_not_ours_are_refused(unchanged: Site):
    for host in ("evil.example", "testserver.evil.example", "testserver:80@evil.example", "evil.example#testserver"):
        answer = unchanged.client().get("/", headers={"Host": host})
        assert answer.status_code == 400
        assert b"evil" not in answer.body
    answer = unchanged.client().get("/requests", headers={"X-Forwarded-Host": "evil.example"})
    assert "evil" not in answer.headers["Location"]


def test_pages_that_are_not_there_or_fail_tell_nothing(unchanged: Site, monkeypatch: pytest.MonkeyPatch):
    site = unchanged
    answer = site.client("rita").get("/requests/99999")
    assert answer.status_code == 404
    assert not re.search(r"(?i)traceback|biombo\._|\.py|sqlite|urlconf", answer.body.decode())

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("Maria da Silva, 123.456.789-09, /srv/portal/sources/x.csv")

    monkeypatch.setattr("biombo._portal.pages.cases.record_of", fails)
    answer = site.client("rita").get(f"/requests/{site.cases()['manipulations'].pk}")
    assert answer.status_code == 500
    assert not re.search(r"(?i)django|traceback|biombo\.|\.py|Maria|123|sources", answer.body.decode())
    assert STRICT.items() <= policy(answer).items()


def test_logs_tell_where_something_failed_and_not_what_was_sent(
    unchanged: Site, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    site = unchanged
    stderr = next(each for each in logging.getLogger("django").handlers if isinstance(each, logging.StreamHandler))

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("Maria da Silva, 123.456.789-09")

    monkeypatch.setattr(stderr, "stream", __import__("sys").stderr)
    monkeypatch.setattr("biombo._portal.models.Invitation.behind", fails)
    site.client().get("/invitation/the-secret-of-a-link?q=Maria")
    site.client().post("/account/login/", {"login": "maria@home.example", "password": "segredo-de-maria"})
    site.client().get("/", headers={"Host": "maria.example"})
    monkeypatch.setitem(__import__("biombo._portal.work", fromlist=["WORK"]).WORK, "act", fails)
    job = site.model("Job").objects.create(kind="act", case=site.cases()["review"], person=site.people["rita"])
    site.work()
    job.refresh_from_db()

    written = capfd.readouterr().err
    assert job.status == "failed"
    assert "the route invitation" in written
    assert "RuntimeError" in written
    assert f"job {job.pk}" in written
    assert not re.search(r"(?i)maria da|maria@|segredo|123\.456|the-secret|agency\.example|Rita", written)
