"""The administrator's pages: accounts, departments, retention, keys; and a web that does not reach originals."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from portal_server import _free_port, missing_for_portal, running_portal
from portal_site import PASSWORD, Site

import biombo as bb

PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"
PDF = b"%PDF-1.4\n%%EOF\n"


def days_ago(number: int) -> Any:
    from django.utils import timezone

    return timezone.now() - timedelta(days=number)


# Accounts and departments


def test_roles_change_among_those_of_the_agency_alone(unchanged: Site):
    site, alice = unchanged, unchanged.client("alice")
    celia, rita, people = site.people["celia"], site.people["rita"], site.model("Person").objects

    try:
        told = {"role": "auditor", "department": "Controle"}
        assert alice.post(f"/people/{celia.pk}", told).status_code == 302
        changed = people.get(pk=celia.pk)
        assert (changed.role, changed.department, changed.is_active) == ("auditor", "Controle", True)
        assert site.client("celia").get("/requests/votes").status_code == 404
        assert alice.post(f"/people/{rita.pk}", {"role": "manager"}).status_code == 422
        assert alice.post(f"/people/{celia.pk}", {"role": "requester"}).status_code == 422
        assert alice.post(f"/people/{celia.pk}", {"role": "system"}).status_code == 422
        assert alice.post(f"/people/{site.people['alice'].pk}", {"role": "auditor"}).status_code == 422
        assert (people.get(pk=rita.pk).role, people.get(role="administrator").name) == ("requester", "Alice Prado")
        assert site.model("TrailEntry").objects.filter(what="role-changed").count() == 1
    finally:
        people.filter(pk=celia.pk).update(role="committee", department="")


def test_two_administrators_who_close_each_other_do_not_leave_none(unchanged: Site):
    """One is being closed while the page of that one closes the other."""
    from django.db import connection, transaction

    site, people = unchanged, unchanged.model("Person").objects
    other = people.create_user("vera@agency.example", PASSWORD, name="Vera Luz", role="administrator")
    client, answers = site.client("alice"), []

    def close_other() -> None:
        answers.append(client.post(f"/people/{other.pk}", {"active": "no"}).status_code)
        connection.close()

    thread = threading.Thread(target=close_other)
    with transaction.atomic():
        people.filter(pk=site.people["alice"].pk).update(is_active=False)
        thread.start()
        thread.join(1.0)
    thread.join(20)

    assert answers == [422]
    assert people.get(pk=other.pk).is_active


def test_a_portal_without_an_administrator_who_can_log_in_gives_a_link_for_one(unchanged: Site):
    from biombo._portal import prepare

    assert prepare(unchanged.home) is None
    unchanged.model("Person").objects.filter(role="administrator").update(is_active=False)
    assert "/invitation/" in str(prepare(unchanged.home))


def test_departments_are_offered_to_managers(unchanged: Site):
    alice = unchanged.client("alice")
    for name in ("Vigilância", "Atenção Básica", "Vigilância"):
        assert alice.post("/people/departments", {"name": name}).status_code == 302

    page = unchanged.client("ana").get("/data/new").body.decode()
    assert re.findall(r'<option value="([^"]+)"></option>', page) == ["Atenção Básica", "Vigilância"]
    assert 'list="departments"' in page
    assert 'id="departments"' not in unchanged.client("rita").get("/requests").body.decode()
    alice.post("/people/departments", {"name": "Atenção Básica", "remove": "yes"})
    alice.post("/people/departments", {"name": "Vigilância", "remove": "yes"})
    assert 'id="departments"' not in unchanged.client("ana").get("/data/new").body.decode()
    assert alice.post("/people/departments", {"name": " "}).status_code == 404


# Retention: a test for each rule; that for tables is in test_sessions.py


def attached(site: Site, case: Any) -> Path:
    slug = os.urandom(16).hex()
    place = Path(site.home.uploads / slug)
    place.write_bytes(PDF)
    told = {"slug": slug, "person": case.requester, "name": "termo.pdf", "sha256": "0" * 64, "size": len(PDF)}
    site.model("Attachment").objects.create(case=case, **told)
    return place


def test_attachments_are_removed_once_their_request_ended_long_ago(unchanged: Site):
    from biombo._portal import forget

    site = unchanged
    case, settings = site.led_to("withdrawn"), site.model("AgencySettings").objects.filter(pk=1)
    open_ = site.begun("rita")
    ended, open_one = attached(site, case), attached(site, open_)
    address = f"/requests/{case.pk}/attachments/{ended.name}"
    assert site.client("rita").get(address).status_code == 200
    forget("attachment")
    assert ended.exists()  # it ended today
    settings.update(retention_days=0)
    forget("attachment")
    settings.update(retention_days=180)

    assert not ended.exists()
    assert open_one.exists()
    assert site.client("rita").get(address).status_code == 404
    assert "termo.pdf" not in site.client("ana").get(f"/requests/{case.pk}").body.decode()
    assert site.model("Attachment").objects.get(slug=ended.name).removed_at is not None
    site.do("rita", open_, bb.Withdraw("not needed"))


def test_attachments_of_requests_for_data_that_nobody_has_listed_are_removed_too(unchanged: Site):
    from biombo._portal import forget

    site, rita = unchanged, unchanged.client("rita")
    declined, taken_back, waiting = site.unlisted(declined=True), site.unlisted(), site.unlisted()
    assert rita.post(f"/requests/{taken_back.pk}/take-back", {"reason": "not needed"}).status_code == 302
    cases = site.model("Case").objects.filter(pk__in=(declined.pk, taken_back.pk, waiting.pk))
    places = [attached(site, each) for each in (declined, taken_back, waiting)]
    forget("attachment")
    assert [each.exists() for each in places] == [True, True, True]
    cases.update(changed_at=days_ago(181))
    site.model("TrailEntry").objects.filter(case__in=cases).update(at=days_ago(181))
    forget("attachment")
    assert [each.exists() for each in places] == [False, False, True]


def test_archives_are_removed_once_no_link_leads_to_them(unchanged: Site):
    from biombo._portal import forget

    site = unchanged
    plain, sealed = site.led_to("available"), site.led_to("available", way="encrypted")
    link = site.client("rita").post(f"/requests/{plain.pk}/delivery").headers["Location"]
    assert site.client("rita").get(link).status_code == 200
    assert site.client("ana").post(f"/requests/{sealed.pk}/archives").status_code == 200
    files = [
        site.home.outgoing / f"{Path(plain.folder).name}.zip",
        site.home.outgoing / f"{sealed.deliveries.get().token}.zip",
    ]
    forget("archive")
    assert [each.exists() for each in files] == [True, True]
    plain.deliveries.update(expires=days_ago(1))
    forget("archive")
    assert [each.exists() for each in files] == [False, True]
    sealed.deliveries.update(expires=days_ago(1))
    forget("archive")
    assert [each.exists() for each in files] == [False, False]


def test_registrations_and_letters_are_not_kept_for_ever(unchanged: Site):
    from biombo._portal import forget

    registrations, letters = unchanged.model("Registration").objects, unchanged.model("Letter").objects
    for age in (1, 31):
        registrations.create(email=f"r{age}@x.example", name="R", password="!", made_at=days_ago(age))
    for age in (1, 181):
        letters.create(kind="turn", to=f"l{age}@x.example", subject="s", body="", sent_at=days_ago(age))
    letters.create(kind="turn", to="waits@x.example", subject="s", body="b", made_at=days_ago(400))

    assert (forget("registration"), forget("letter")) == (1, 1)
    assert [each.email for each in registrations.all()] == ["r1@x.example"]
    assert sorted(each.to for each in letters.all()) == ["l1@x.example", "waits@x.example"]
    registrations.all().delete()
    letters.all().delete()


def test_letters_that_were_given_up_are_not_kept_for_ever_either(unchanged: Site):
    from biombo._portal import forget

    letters = unchanged.model("Letter").objects
    for age in (1, 181):
        told = {"subject": "s", "body": "b", "tries": 8, "made_at": days_ago(400), "next_try": days_ago(age)}
        letters.create(kind="turn", to=f"l{age}@x.example", **told)

    assert forget("letter") == 1
    assert [each.to for each in letters.all()] == ["l1@x.example"]


def test_the_page_says_what_will_be_removed_and_a_worker_does_it(unchanged: Site):
    site, alice = unchanged, unchanged.client("alice")
    case = site.led_to("withdrawn")
    place = attached(site, case)
    page = alice.get("/retention").body.decode()
    assert "Anexos de pedidos" in page
    assert f"{case}: " in page
    site.model("AgencySettings").objects.filter(pk=1).update(retention_days=0)
    assert "agora" in alice.get("/retention").body.decode()
    assert alice.post("/retention/run").status_code == 200
    assert place.exists()
    assert [job.status for job in site.work()] == ["done"]
    assert not place.exists()
    site.model("AgencySettings").objects.filter(pk=1).update(retention_days=180)


# Keys


def test_keys_are_told_of_and_never_shown(unchanged: Site):
    unchanged.led_to("available")
    alice = unchanged.client("alice")
    page = alice.get("/keys").body.decode()

    assert re.search(r"\d+ publicaç", page)
    secrets_ = [unchanged.home.secret_key, *(each.read_text() for each in unchanged.home.folder.rglob("release.key"))]
    assert len(secrets_) >= 2
    assert [each for each in secrets_ if each.strip()[:20] in page] == []
    before = unchanged.home.secret_key
    assert alice.post("/keys/rotate").status_code == 422
    assert unchanged.home.secret_key == before


@pytest.mark.slow
def test_a_new_secret_key_logs_everybody_out_and_the_portal_goes_on(tmp_path: Path):
    if reason := missing_for_portal(browser=False):
        pytest.skip(reason)
    import requests

    with running_portal(tmp_path / "home") as portal:
        alice, rita = (logged_in(portal, who) for who in ("admin@demo.example", "pesquisadora@demo.example"))
        assert rita.get(f"{portal.address}/requests", allow_redirects=False, timeout=60).status_code == 200
        before = (portal.folder / "secret-key").read_text()
        answer = posted(alice, portal, "/keys/rotate", {"sure": "yes"}, page="/keys")
        assert answer.status_code == 200
        assert (portal.folder / "secret-key").read_text() != before
        assert (portal.folder / "secret-key").stat().st_mode & 0o077 == 0

        def seen() -> int:
            with suppress(requests.ConnectionError):
                return int(rita.get(f"{portal.address}/requests", allow_redirects=False, timeout=60).status_code)
            return 0

        until = time.monotonic() + 60
        while seen() != 302 and time.monotonic() < until:
            time.sleep(0.3)
        assert seen() == 302
        again = logged_in(portal, "pesquisadora@demo.example")
        assert again.get(f"{portal.address}/requests", allow_redirects=False, timeout=60).status_code == 200


def logged_in(portal: Any, email: str) -> Any:
    import requests

    session = requests.Session()
    told = {"login": email, "password": portal.passwords[email]}
    assert posted(session, portal, "/account/login/", told, page="/account/login/").status_code == 302
    return session


def posted(session: Any, portal: Any, path: str, told: dict[str, str], *, page: str, **more: Any) -> Any:
    """A form, with the token that its page has."""
    form = session.get(f"{portal.address}{page}", timeout=60).text
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
    assert found is not None
    told = {"csrfmiddlewaretoken": found[1], **told}
    return session.post(f"{portal.address}{path}", data=told, allow_redirects=False, timeout=120, **more)


# The web as a service of its own


def hidden_from(folder: Path, command: list[str], **how: Any) -> "subprocess.Popen[bytes]":
    """A program for which a folder is not there, by a mount of its own, as ``InaccessiblePaths`` of a service is."""
    script = 'mount -t tmpfs -o ro,mode=000 tmpfs "$0" && exec "$@"'
    return subprocess.Popen(["unshare", "--mount", "sh", "-c", script, str(folder), *command], **how)


def can_hide() -> bool:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not can_hide(), reason="needs root, and namespaces of its own for a program")
def test_the_web_runs_without_reaching_originals_and_hands_tables_over(tmp_path: Path):
    if reason := missing_for_portal(browser=False):
        pytest.skip(reason)
    from biombo._portal import PortalHome

    port = _free_port()
    home = PortalHome.at(tmp_path / "home", address=f"http://127.0.0.1:{port}")
    filled = subprocess.run(
        [sys.executable, "-c", FILL, str(home.folder)], capture_output=True, text=True, check=True, timeout=120
    )
    command = [sys.executable, "-c", PROGRAM, "serve", "--folder", str(home.folder), "--port", str(port), "--only"]
    with (tmp_path / "log").open("wb") as log:
        workers = subprocess.Popen([*command, "workers"], stdout=log, stderr=log)
        web = hidden_from(home.sources, [*command, "web"], stdout=log, stderr=log)
    try:
        portal = type("Portal", (), {"address": home.address, "passwords": {"ana@agency.example": PASSWORD}})()
        until = time.monotonic() + 90
        while not _answers(home.address) and time.monotonic() < until:
            time.sleep(0.3)
        ana = logged_in(portal, "ana@agency.example")
        content = bb.samples.vaccination(300).write_csv().encode()
        told = {"name": "Vacinas", "description": "", "department": ""}
        answer = posted(ana, portal, "/data/new", told, page="/data/new", files={"file": ("t.csv", content)})
        assert answer.status_code == 302, (filled.stderr, (tmp_path / "log").read_text()[-2000:])
        place = answer.headers["Location"]
        while b"paciente_idade" not in ana.get(f"{home.address}{place}", timeout=60).content:
            assert time.monotonic() < until, (tmp_path / "log").read_text()[-2000:]
            time.sleep(0.3)
        (kept,) = home.sources.iterdir()
        assert kept.read_bytes() == content
        assert list(home.incoming.iterdir()) == []
        seen_by_web = Path(f"/proc/{web.pid}/root{home.sources}")
        assert list(seen_by_web.iterdir()) == []
        assert not (seen_by_web / kept.name).exists()
    finally:
        for process in (web, workers):
            process.terminate()
            process.wait(30)


FILL = f"""
import sys
from biombo._portal import PortalHome
from biombo._portal.server import prepare
prepare(PortalHome.at(sys.argv[1]))
from biombo._portal.models import Person
Person.objects.create_user("ana@agency.example", {PASSWORD!r}, name="Ana", role="manager")
"""


def _answers(address: str) -> bool:
    import requests

    with suppress(requests.ConnectionError):
        return bool(requests.get(f"{address}/health", timeout=20).status_code == 200)
    return False


# Sessions and limits


def test_a_session_is_another_after_a_change_of_password_and_others_end(unchanged: Site):
    site, new = unchanged, "jatoba-verde-77"
    here, elsewhere = site.client(), site.client()
    for each in (here, elsewhere):
        each.post("/account/login/", {"login": "bruno@agency.example", "password": PASSWORD})
        assert each.get("/requests/inbox").status_code == 200
    before = here.cookies["sessionid"].value
    told = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    try:
        assert here.post("/account/password/change/", told).status_code == 302
        after = here.cookies["sessionid"].value
        assert elsewhere.get("/requests/inbox").status_code == 302
        assert here.get("/requests/inbox").status_code == 200
        assert after != before
    finally:
        bruno = site.people["bruno"]
        bruno.set_password(PASSWORD)
        bruno.save()


def test_measurements_are_limited_over_all_requests_of_a_person(unchanged: Site):
    import negotiations

    site = unchanged
    site.model("AgencySettings").objects.filter(pk=1).update(measurements=1)
    data_set = site.another_table()
    case = site.begun("rita", data_set)
    site.do("ana", case, negotiations.preparation())
    site.do("rita", case, bb.AskForPlans())
    head = site.record(case).head
    asked = {"ask-for-plans": {"max-suppression": 0.5}}
    client = site.known("rita")
    answer = client.post(f"/api/requests/{case.pk}/acts", {"act": asked, "head": head}, content_type="application/json")
    assert answer.status_code == 202
    (job,) = site.work()
    assert (job.status, job.error["key"]) == ("failed", "negotiation.budget")
    assert site.record(case).view(_rita(site)).measurements_left == 0
    site.do("rita", case, bb.Withdraw("over"))
    second = site.begun("rita", data_set)
    site.do("ana", second, negotiations.preparation())
    assert site.record(second).view(_rita(site)).measurements_left == 0


def _rita(site: Site) -> bb.Actor:
    from biombo._portal import actor_of

    return actor_of(site.people["rita"])
