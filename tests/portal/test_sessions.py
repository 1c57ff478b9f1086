"""Accounts, sessions and what is handed in: who comes in, as what, and for how long."""

import io
import os
import re
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from portal_site import PASSWORD, Site

from biombo._portal import PortalHome

_PDF = b"%PDF-1.4 made up"


@pytest.fixture(autouse=True)
def _no_limits_of_earlier_tests(site: Site) -> None:
    from django.core.cache import cache

    cache.clear()


def logged_in(client: Any, who: str, password: str = PASSWORD) -> Any:
    return client.post("/account/login/", {"login": f"{who}@agency.example", "password": password})


def test_passwords_are_kept_by_argon2(site: Site):
    assert all(each.password.startswith("argon2$argon2id$") for each in site.people.values())


def test_a_session_is_another_after_the_login_and_its_cookie_is_for_the_browser_alone(site: Site):
    client = site.client()
    client.get("/account/login/")
    session = client.session
    session["before"] = "yes"
    session.save()
    before = client.cookies["sessionid"].value
    token = client.cookies["csrftoken"].value
    answer = logged_in(client, "rita")
    assert answer.status_code == 302
    cookie = answer.cookies["sessionid"]
    assert cookie.value != before
    assert answer.cookies["csrftoken"].value != token
    for each in (cookie, answer.cookies["csrftoken"]):
        assert each["httponly"]
        assert each["samesite"] == "Lax"
    old = site.client()
    old.cookies["sessionid"] = before
    assert old.get("/requests").status_code == 302


def test_where_the_portal_is_reached_by_https_cookies_are_too(tmp_path: Path):
    script = (
        "import sys; from biombo._portal import PortalHome, configure; from pathlib import Path\n"
        "configure(PortalHome.at(Path(sys.argv[1]), address='https://dados.example', behind_proxy=True))\n"
        "from django.conf import settings as s\n"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0, s.ALLOWED_HOSTS, s.DEBUG)\n"
    )
    import subprocess
    import sys

    told = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "p")], capture_output=True, text=True, check=True
    )
    assert told.stdout.startswith("True True True ['127.0.0.1', '[::1]', 'dados.example', 'localhost'] False")


def test_after_some_wrong_passwords_even_the_right_one_is_refused(site: Site):
    client = site.client()
    for _ in range(6):
        answer = logged_in(client, "celia", "wrong-password")
    assert answer.status_code in (200, 429)
    assert logged_in(client, "celia").status_code != 302
    assert client.get("/requests/votes").status_code == 302


def test_whether_an_address_has_an_account_is_not_told_by_login_or_reset(site: Site):
    def told(answer: Any) -> str:
        shown = re.sub(r"[A-Za-z0-9]{64}", "token", answer.body.decode())
        return f"{answer.status_code} {answer.headers.get('Location')} {shown.replace('nobody@', 'davi@')}"

    assert told(logged_in(site.client(), "davi", "wrong-password")) == told(
        logged_in(site.client(), "nobody", "wrong-password")
    )
    known = site.client().post("/account/password/reset/", {"email": "davi@agency.example"})
    unknown = site.client().post("/account/password/reset/", {"email": "nobody@agency.example"})
    assert told(known) == told(unknown)


def test_whoever_registers_is_a_requester_whatever_the_form_says(site: Site):
    client = site.client()
    form = {"name": "Zeca", "email": "zeca@home.example", "password1": PASSWORD, "password2": PASSWORD}
    more = {"role": "administrator", "is_active": "on", "department": "x", "is_superuser": "1", "pk": "1", "id": "1"}
    assert client.post("/account/signup/", form | more).status_code == 200
    waiting = site.model("Registration").objects.get(email="zeca@home.example")
    assert site.client("alice").post(f"/people/registrations/{waiting.pk}", {"approve": "yes"}).status_code == 302
    made = site.model("Person").objects.get(email="zeca@home.example")
    assert (made.role, made.department, made.name) == ("requester", "", "Zeca")
    assert client.post("/account/login/", {"login": made.email, "password": PASSWORD}).status_code == 302
    assert client.get("/people").status_code == 404
    assert client.get("/requests").status_code == 200


def test_nobody_registers_with_the_address_of_somebody_else(site: Site):
    before = site.people["rita"].password
    for email in ("rita@agency.example", "RITA@agency.example", " rita@AGENCY.example"):
        form = {"name": "Not Rita", "email": email, "password1": PASSWORD, "password2": PASSWORD}
        site.client().post("/account/signup/", form)
    for waiting in site.model("Registration").objects.filter(email__iexact="rita@agency.example"):
        answer = site.client("alice").post(f"/people/registrations/{waiting.pk}", {"approve": "yes"})
        assert answer.status_code == 422
        waiting.delete()
    people = site.model("Person").objects.filter(email__iexact="rita@agency.example")
    assert [(each.name, each.password) for each in people] == [("Rita Lima", before)]


def test_an_invitation_works_once_and_makes_its_role_alone(site: Site):
    answer = site.client("alice").post("/people/invite", {"role": "auditor"}, headers={"Host": "localhost"})
    link = re.search(r"http://testserver(/invitation/[\w-]+)", answer.body.decode())
    assert link is not None
    assert link[1].rpartition("/")[2] not in str(list(site.model("Invitation").objects.values()))
    form = {"name": "Eva", "email": "eva@agency.example", "password": PASSWORD, "role": "administrator"}
    client = site.client()
    assert client.get(link[1]).status_code == 200
    assert client.post(link[1], form).status_code == 302
    assert site.model("Person").objects.get(email="eva@agency.example").role == "auditor"
    for each in (client, site.client()):
        assert each.get(link[1]).status_code == 410
        assert each.post(link[1], form | {"email": "other@agency.example"}).status_code == 410
    assert not site.model("Person").objects.filter(email="other@agency.example").exists()
    assert site.client("alice").post("/people/invite", {"role": "system"}).status_code == 404


def test_an_invitation_that_has_expired_works_no_more(site: Site):
    from django.utils import timezone

    answer = site.client("alice").post("/people/invite", {"role": "manager"})
    link = re.search(r"/invitation/[\w-]+", answer.body.decode())
    site.model("Invitation").objects.filter(used_at=None).update(expires=timezone.now())
    assert link is not None
    assert site.client().get(link[0]).status_code == 410


def test_a_closed_account_is_out_at_once(unchanged: Site):
    site = unchanged
    case = site.led_to("requested", "caio")
    caio, bruno, alice = site.client("caio"), site.client("bruno"), site.client("alice")
    assert caio.post(f"/requests/{case.pk}/acts/message", {"text": "still waiting"}).status_code == 302
    for who, client in (("caio", caio), ("bruno", bruno)):
        assert client.get("/account").status_code == 200
        assert alice.post(f"/people/{site.people[who].pk}", {"active": "no"}).status_code == 302
        assert client.get("/account").status_code == 302
        assert logged_in(site.client(), who).headers.get("Location", "") != "/home"
    (job,) = site.work()
    assert (job.status, job.error["key"]) == ("failed", "portal.not-yours")
    assert len(site.record(case).events) == 1


def test_the_last_administrator_cannot_be_closed_and_the_session_ends_with_the_password(unchanged: Site):
    site, alice = unchanged, unchanged.client("alice")
    assert alice.post(f"/people/{site.people['alice'].pk}", {"active": "no"}).status_code == 422
    assert alice.get("/people").status_code == 200


def test_somebody_of_the_same_name_does_not_act_even_where_a_job_is_made(unchanged: Site):
    """Negotiations may know requesters by their names; the portal by the account that asked."""
    site = unchanged
    case = site.led_to("manipulations")
    events = len(site.record(case).events)
    told = {"case": case, "person": site.people["namesake"], "seen": site.record(case).head}
    job = site.model("Job").objects.create(kind="act", asked={"withdraw": {"reason": "mine now"}}, **told)
    site.work()
    job.refresh_from_db()
    assert (job.status, job.error["key"]) == ("failed", "portal.not-yours")
    assert len(site.record(case).events) == events


def request_form(site: Site, **more: Any) -> dict[str, Any]:
    return {
        "data_set": site.data_set.pk,
        "kind": "public-institution",
        "address": "São Luís",
        "document_type": "CPF",
        "document": "999.456.789-65",
        "dimension": "truth",
        "purpose": "coverage",
        "label_0": "Age",
        **more,
    }


def attached(name: str, content: bytes) -> Any:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile(name, content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("malware.exe", b"MZ"),
        ("page.html", b"<script>"),
        ("page.svg", b"<svg/>"),
        ("not-a.pdf", b"<html>"),
        ("not-a.png", b"%PDF-"),
        ("no-suffix", b"%PDF-"),
        ("large.pdf", b"%PDF-" + bytes(10 * 1024**2)),
        (".pdf", b"%PDF-1"),
    ],
)
def test_attachments_of_another_kind_or_too_large_are_refused(unchanged: Site, name: str, content: bytes):
    site = unchanged
    cases = site.model("Case").objects.count()
    answer = site.client("caio").post("/requests/new", request_form(site, attachment=attached(name, content)))
    assert answer.status_code in (200, 422)
    assert site.model("Case").objects.count() == cases


def test_attachments_lie_outside_of_the_web_under_names_that_nobody_chose(unchanged: Site):
    site = unchanged
    site.model("Case").objects.filter(requester=site.people["caio"], state="sending").delete()
    known = site.model("Case").objects.filter(requester=site.people["caio"]).first()
    document = known.asked["requester"]["document"] if known else "999.456.789-65"
    form = request_form(site, document=document, attachment=attached("../../../termo d'uso.pdf", _PDF))
    answer = site.client("caio").post("/requests/new", form)
    assert answer.status_code == 302, answer.body
    kept = site.model("Attachment").objects.latest("pk")
    place = site.home.uploads / kept.slug
    assert re.fullmatch(r"[0-9a-f]{32}", kept.slug)
    assert place.read_bytes() == _PDF
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert kept.name == "termo d'uso.pdf"
    assert [path.name for path in site.home.uploads.iterdir() if "termo" in path.name] == []
    where = f"/requests/{kept.case_id}/attachments/{kept.slug}"
    answer = site.client("caio").get(where)
    assert answer.body == _PDF
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert site.client("rita").get(where).status_code == 404
    assert site.client("ana").get(where).status_code == 200
    place.unlink()
    assert site.client("ana").get(where).status_code == 404
    kept.case.delete()


def test_a_second_document_does_not_begin_the_budget_anew(unchanged: Site):
    site = unchanged
    case = site.led_to("requested", "namesake")
    cases = site.model("Case").objects.count()
    answer = site.client("namesake").post("/requests/new", request_form(site, document="111.222.333-96"))
    assert answer.status_code == 200
    assert site.model("Case").objects.count() == cases
    same = case.asked["requester"]["document"].replace(".", "").replace("-", " ")
    assert site.client("namesake").post("/requests/new", request_form(site, document=same)).status_code == 302


def test_requests_cannot_be_made_without_end(unchanged: Site, monkeypatch: pytest.MonkeyPatch):
    site = unchanged
    monkeypatch.setattr("biombo._portal.asking.MOST_A_DAY", 0)
    known = site.cases()["requested"].asked["requester"]["document"]
    assert site.client("rita").post("/requests/new", request_form(site, document=known)).status_code == 429


def test_only_one_act_of_a_person_waits_at_a_time(unchanged: Site):
    site, case = unchanged, unchanged.cases()["manipulations"]
    rita = site.client("rita")
    assert rita.post(f"/requests/{case.pk}/acts/message", {"text": "one"}).status_code == 302
    for _ in range(3):
        assert rita.post(f"/requests/{case.pk}/acts/message", {"text": "two"}).status_code == 409
    assert site.model("Job").objects.filter(case=case, status="waiting").count() == 1


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("table.csv", "w") as file:
        file.write(b"a,b\n")
        for _ in range(200):
            file.write(bytes(1024**2))
    return packed.getvalue()


@pytest.mark.parametrize("name", ["run.sh", "page.html", "table.pickle", "table", "table.csv.exe"])
def test_tables_of_another_kind_are_refused(unchanged: Site, name: str):
    site = unchanged
    before = sorted(site.home.incoming.iterdir())
    answer = site.client("ana").post("/data/new", {"name": "x", "file": attached(name, b"a,b\n1,2\n")})
    assert answer.status_code == 200
    assert sorted(site.home.incoming.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("../../etc/bomb.zip", bomb()),
        ("not-a.parquet", b"PAR1" + bytes(99)),
        ("empty.csv", b" "),
        ("bytes.csv", bytes(99)),
    ],
    ids=["bomb", "damaged", "empty", "zeros"],
)
def test_a_table_that_cannot_be_read_is_not_offered_and_the_worker_goes_on(unchanged: Site, name: str, content: bytes):
    site = unchanged
    answer = site.client("ana").post("/data/new", {"name": "x", "file": attached(name, content)})
    made = site.model("DataSet").objects.latest("pk")
    place = Path(made.place)
    assert answer.status_code == 302
    assert place.parent == site.home.incoming
    assert re.fullmatch(r"[0-9a-f]{32}\.\w+", place.name)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    (job,) = [each for each in site.work() if each.kind == "inspect"]
    assert job.status == "failed"
    assert job.error["key"] != "portal.failed", job.error
    made.refresh_from_db()
    assert Path(made.place) == site.home.sources / place.name
    assert stat.S_IMODE(Path(made.place).stat().st_mode) == 0o600
    assert not place.exists()
    assert not made.is_offered
    assert site.client("ana").get(f"/data/{made.pk}").status_code == 200
    assert not [path for path in site.home.uploads.iterdir() if path.suffix == ".upload"]
    Path(made.place).unlink()
    made.delete()


def test_too_much_is_not_even_read(unchanged: Site):
    site = unchanged
    for who, most in ((None, 1), ("rita", 12), ("alice", 12)):
        for where in ("/account/login/", "/requests/new", "/data/new", "/language"):
            answer = site.client(who).post(
                where, b"x=1", content_type="text/plain", CONTENT_LENGTH=str(most * 1024**2 + 1)
            )
            assert answer.status_code == 413, (who, where)
            assert "grande demais" in answer.body.decode()
            assert f'<a href="{where}">Voltar</a>' in answer.body.decode()


def test_whoever_comes_back_to_where_a_form_was_sent_finds_the_page_that_it_was_on(unchanged: Site):
    site = unchanged
    case, rita, stranger = site.cases()["manipulations"], site.client("rita"), site.client()
    where = f"/requests/{case.pk}"
    wrong = rita.post(f"{where}/acts/message", {"text": ""})
    assert wrong.status_code == 422
    back = re.search(r'name="next" value="([^"]+)"', wrong.body.decode())
    assert back is not None
    led = rita.post("/language", {"language": "en", "next": back[1]}, follow=True)
    assert (led.status_code, led.redirect_chain[-1][0]) == (200, where)
    assert led.headers["Content-Language"] == "en"

    asked = stranger.post(f"{where}/acts/message", {"text": "x"}).headers["Location"]
    told = {"login": "rita@agency.example", "password": PASSWORD}
    led = stranger.post(asked, told, follow=True)
    assert (led.status_code, led.redirect_chain[-1][0]) == (200, where)
    for who, sent, page in (
        ("rita", "/account/tokens", "/account"),
        ("alice", "/people/registrations/decline", "/people"),
        ("alice", "/people/1/password", "/people"),
        ("alice", "/letters/test", "/letters"),
        ("ana", f"{where}/deliveries/3/revoke", where),
        ("ana", "/language", "/"),
    ):
        led = site.client(who).get(sent, follow=True)
        assert (led.status_code, led.redirect_chain[-1][0]) == (200, page), sent
    other = site.client("rita").put("/requests")
    assert (other.status_code, other.headers["Allow"]) == (405, "GET, HEAD")
    assert 'href="/"' in other.body.decode()
    assert "não se usa assim" in other.body.decode()
    program = site.client(headers={"Authorization": f"Bearer {site.token('rita')}"})
    assert program.get(f"/api{where}/acts").json()["error"]


def test_what_is_tried_too_often_is_told_in_the_readers_language(unchanged: Site):
    client = unchanged.client(REMOTE_ADDR="192.0.2.90")
    for _ in range(61):
        answer = client.post("/account/login/", {"login": "", "password": ""})
    assert answer.status_code == 429
    page = answer.body.decode()
    assert "tentativas demais" in page
    assert 'href="/account/signup/"' in page  # the menu is there
    client.cookies["biombo_language"] = "en"
    assert "too many tries" in client.post("/account/login/", {"login": "", "password": ""}).body.decode()


def test_what_was_half_received_is_removed_at_the_next_start(unchanged: Site):
    from biombo._portal import remove_leftovers

    site = unchanged
    left = [
        site.home.sources / f"{'a' * 32}.csv.part",
        site.home.sources / f"{'b' * 32}.csv",
        site.home.incoming / f"{'d' * 32}.csv",
        site.home.uploads / "tmpabc.upload",
        site.home.uploads / ("c" * 32),
        site.home.outgoing / "x.zip.part",
    ]
    kept = [site.home.sources / "put-here-by-hand.csv", Path(site.data_set.place)]
    for path in (*left, kept[0]):
        path.write_bytes(b"half")
    remove_leftovers()
    assert all(path.exists() for path in left)  # they may just be coming in
    for path in (*left, *kept):
        os.utime(path, (1, 1))
    remove_leftovers()
    assert [path for path in left if path.exists()] == []
    assert all(path.exists() for path in kept)
    kept[0].unlink()


def test_a_table_is_forgotten_once_its_requests_have_ended_long_ago(unchanged: Site):
    from biombo._portal import forget_tables

    site = unchanged
    data_set = site.another_table()
    case = site.led_to("available", data_set=data_set)
    link = site.client("rita").post(f"/requests/{case.pk}/delivery").headers["Location"]
    settings = site.model("AgencySettings").objects.filter(pk=1)
    place = Path(data_set.place)

    settings.update(retention_days=0)
    forget_tables()
    assert place.exists()  # it is still offered
    site.model("DataSet").objects.filter(pk=data_set.pk).update(is_offered=False)
    settings.update(retention_days=1)
    forget_tables()
    assert place.exists()  # it ended today
    open_ = site.begun("caio", data_set)
    settings.update(retention_days=0)
    forget_tables()
    assert place.exists()  # somebody else still negotiates
    site.client("ana").post(f"/data/{data_set.pk}/workbench/steps/person", {"known_0": "known of somebody"})
    site.work()
    known = site.home.drafts / data_set.draft_set.get().slug / "known.json"
    assert known.exists()
    checked = {"column": "city", "hierarchy": "age", "fit": {"unknown": [["a value", 1]]}}
    check = data_set.jobs.create(kind="check-hierarchy", asked=checked, status="done")
    import biombo as bb

    site.do("caio", open_, bb.Withdraw("not needed"))
    forget_tables()
    settings.update(retention_days=180)

    assert not place.exists()
    assert not known.exists()
    check.refresh_from_db()
    assert "fit" not in check.asked
    assert site.client("ana").get(f"/data/{data_set.pk}/columns").status_code == 200
    assert site.client("rita").get(link).status_code == 200  # what was released is not the table
    again = site.client("rita").post(f"/requests/{case.pk}/delivery")
    assert site.client("rita").get(again.headers["Location"]).body[:2] == b"PK"
    assert site.client("rita").get(f"/requests/{case.pk}").status_code == 200
    assert site.model("TrailEntry").objects.filter(what="table-forgotten").exists()
    assert Path(site.data_set.place).exists()


def test_home_is_for_one_user_alone(tmp_path: Path):
    home = PortalHome.at(tmp_path / "portal")
    assert len(home.secret_key) > 50
    for path in (home.folder, home.sources, home.incoming, home.uploads, home.negotiations, home.outgoing):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE((home.folder / "secret-key").stat().st_mode) == 0o600
