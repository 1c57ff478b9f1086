"""Erasure (LGPD, article 18): what a request said is then nowhere in the portal, and everybody is told so."""

import json
import os
from pathlib import Path
from typing import Any

from portal_site import Site

import biombo as bb

PDF = b"%PDF-1.4\n%%EOF\n"
PHONE = "98765-0000"


def attached(site: Site, case: Any) -> Path:
    slug = os.urandom(16).hex()
    place = Path(site.home.uploads / slug)
    place.write_bytes(PDF)
    told = {"slug": slug, "person": case.requester, "name": "identidade.pdf", "sha256": "0" * 64, "size": len(PDF)}
    site.model("Attachment").objects.create(case=case, **told)
    return place


def withdrawn(site: Site) -> Any:
    case = site.begun("caio", site.another_table())
    site.do("caio", case, bb.Message(f"call me: {PHONE}"))
    return site.do("caio", case, bb.Withdraw("over"))


def asked_to_erase(site: Site, case: Any, events: str = "") -> Any:
    answer = site.client("alice").post("/erasures", {"number": case.pk, "events": events, "reason": "art. 18"})
    assert answer.status_code == 302, answer.body.decode()
    site.work()
    case.refresh_from_db()
    return site.client("alice").get(answer.headers["Location"])


def kept_of(site: Site, case: Any) -> str:
    """All that the database still says about a request."""
    jobs = [(each.asked, each.error) for each in case.jobs.all()]
    attachments = list(case.attachments.values_list("name", flat=True))
    trail = list(case.trailentry_set.values_list("detail", flat=True))
    return json.dumps([case.asked, jobs, attachments, trail], ensure_ascii=False)


def test_nothing_of_an_erased_request_is_left(unchanged: Site):
    site, case = unchanged, withdrawn(unchanged)
    place, document = attached(site, case), case.asked["requester"]["document"]
    assert PHONE in kept_of(site, case)
    assert document in site.client("caio").get("/requests/new").body.decode()

    page = asked_to_erase(site, case).body.decode()

    assert f"{case}" in page
    assert "apagado" in page
    kept = kept_of(site, case)
    assert [each for each in (PHONE, document, "São Luís", "identidade.pdf") if each in kept] == []
    assert not place.exists()
    for name in ("portal.sqlite3", "portal.sqlite3-wal"):
        assert PHONE.encode() not in (site.home.folder / name).read_bytes()
    assert PHONE not in (Path(case.folder) / "events.jsonl").read_text()
    assert document not in site.client("caio").get("/requests/new").body.decode()
    for who in ("ana", "davi"):
        client = site.client(who)
        shown = client.get(f"/requests/{case.pk}")
        assert shown.status_code == 200
        assert client.get(f"/requests/{case.pk}/attachments/{place.name}").status_code == 404
        listed = client.get("/requests/all").body.decode()
        row = listed[listed.index(f"/requests/{case.pk}") :].partition("</tr>")[0]
        assert site.people["caio"].name not in row
    assert site.record(case).verify() == []


def test_whoever_erases_the_request_erases_all_of_it_and_its_trail_names_nobody(unchanged: Site):
    site, case = unchanged, withdrawn(unchanged)
    site.model("TrailEntry").add("downloaded", site.people["caio"], case)
    asked_to_erase(site, case, events="1")

    kept = kept_of(site, case) + (Path(case.folder) / "events.jsonl").read_text()
    assert PHONE not in kept
    for who, page in (("davi", f"/requests/{case.pk}/trail"), ("davi", "/trail"), ("ana", f"/requests/{case.pk}")):
        shown = site.client(who).get(page).body.decode()
        assert site.people["caio"].name not in shown, page
        assert f"/requests/{case.pk}/acts/" not in shown
    told = {"text": "ainda está aí?"}
    assert site.client("ana").post(f"/requests/{case.pk}/acts/message", told).status_code == 409


def test_the_requester_is_told_that_it_was_erased(unchanged: Site):
    site, case = unchanged, withdrawn(unchanged)
    place = attached(site, case)
    asked_to_erase(site, case)

    client = site.known("caio")
    for path in ("", "/terms", "/chain.jsonl", f"/attachments/{place.name}"):
        answer = client.get(f"/requests/{case.pk}{path}")
        assert answer.status_code == 410, path
        assert "apagado" in answer.body.decode()
    answer = client.get(f"/api/requests/{case.pk}")
    assert (answer.status_code, list(answer.json())) == (410, ["error"])
    assert client.post(f"/requests/{case.pk}/acts/message", {"text": "x"}).status_code == 410
    assert site.client("rita").get(f"/requests/{case.pk}").status_code == 404


def test_a_refused_erasure_is_told_to_whoever_asked_for_it(unchanged: Site):
    site = unchanged
    case = site.begun("caio", site.another_table())

    page = asked_to_erase(site, case).body.decode()

    assert "não foi feito" in page
    assert case.forgotten_at is None
    assert case.asked != {}
    nobody = site.client("alice").post("/erasures", {"number": 99_999_999, "events": "", "reason": "art. 18"})
    assert nobody.status_code == 422
    site.do("caio", case, bb.Withdraw("over"))


def test_one_message_is_erased_while_the_rest_goes_on_and_whoever_acts_meanwhile(unchanged: Site):
    site = unchanged
    case = site.begun("caio", site.another_table())
    site.do("caio", case, bb.Message(f"call me: {PHONE}"))
    number = site.record(case).events[-1].number
    client = site.client("alice")
    assert client.post("/erasures", {"number": case.pk, "events": str(number), "reason": "art. 18"}).status_code == 302
    erasure = site.model("Job").objects.get(case=case, status="waiting")
    site.model("Job").objects.filter(pk=erasure.pk).update(status="running")
    site.do("caio", case, bb.Message("another"))  # comes in between
    site.model("Job").objects.filter(pk=erasure.pk).update(status="waiting")
    site.work()

    erasure.refresh_from_db()
    assert (erasure.status, erasure.error) == ("done", {})
    assert PHONE not in kept_of(site, case)
    assert PHONE not in (Path(case.folder) / "events.jsonl").read_text()
    for name in ("portal.sqlite3", "portal.sqlite3-wal"):
        assert PHONE.encode() not in (site.home.folder / name).read_bytes()
    assert case.asked["requester"]["document"]
    assert site.client("caio").get(f"/requests/{case.pk}").status_code == 200
    site.do("caio", case, bb.Withdraw("over"))


def test_a_request_without_a_chain_is_erased_once_it_is_over(unchanged: Site):
    site = unchanged
    open_, over = site.unlisted("caio"), site.unlisted("caio", declined=True)

    assert "não foi feito" in asked_to_erase(site, open_).body.decode()
    assert open_.asked != {}
    asked_to_erase(site, over)
    assert over.asked == {}
    assert "there are no such data" not in kept_of(site, over)
    assert site.client("ana").get(f"/requests/{over.pk}").status_code == 410
    assert site.client("caio").get(f"/requests/{over.pk}").status_code == 410
    open_.delete()


def test_measurements_count_on_after_an_erasure_whatever_document_is_shown(unchanged: Site):
    import negotiations

    site, data_set = unchanged, unchanged.another_table()
    case = site.begun("caio", data_set)
    site.do("ana", case, negotiations.preparation())
    site.do("caio", case, bb.AskForPlans())
    left = site.record(case).budget.left
    site.do("caio", case, bb.Withdraw("over"))
    asked_to_erase(site, case)
    second = site.asked("caio", data_set)
    second.asked = second.asked | {"requester": second.asked["requester"] | {"document": "111.444.777-35"}}
    second.save()
    site.model("Job").objects.create(kind="begin", case=second, person=site.people["caio"])
    site.work()
    second.refresh_from_db()

    assert left < 30
    assert site.record(second).budget.left == left
    site.do("caio", second, bb.Withdraw("over"))
