"""Requests for data that nobody has listed: a manager names the table, or says that there is none."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from portal_site import PASSWORD, Site

from biombo._negotiate import last_moment

FORM = {
    "data_set": "other",
    "kind": "public-institution",
    "address": "São Luís",
    "document_type": "CPF",
    "document": "321.654.987-91",
    "dimension": "truth",
    "purpose": "waiting times",
    "label_0": "Idade",
    "meaning_0": "idade da pessoa",
}


def asked(site: Site):
    """Nina's, by the form: somebody whom no other test counts the requests of."""
    if "nina" not in site.people:
        site.people["nina"] = site.model("Person").objects.create_user("nina@home.example", PASSWORD, name="Nina Paz")
    answer = site.client("nina").post("/requests/new", FORM)
    assert answer.status_code == 302, answer.body.decode()
    return site.model("Case").objects.get(pk=int(answer.headers["Location"].rpartition("/")[2]))


def test_it_waits_for_a_manager_and_nothing_begins(unchanged: Site):
    case = asked(unchanged)

    assert (case.state, case.owner, case.folder, case.data_set) == ("unlisted", "manager", "", None)
    assert case.due == last_moment(timezone.now(), 20)
    assert not case.jobs.exists()
    assert str(case) in unchanged.client("ana").get("/requests/inbox").body.decode()
    assert "waiting times" in unchanged.client("ana").get(f"/requests/{case.pk}").body.decode()


def test_a_table_is_named_and_days_count_from_the_request(unchanged: Site):
    site, case = unchanged, asked(unchanged)
    came_in = timezone.now() - timedelta(days=12)
    site.model("Case").objects.filter(pk=case.pk).update(made_at=came_in)

    answer = site.client("ana").post(f"/requests/{case.pk}/table", {"data_set": site.data_set.pk})
    assert answer.status_code == 302
    (job,) = site.work()
    assert job.status == "done", job.error
    case.refresh_from_db()
    record = site.record(case)

    assert case.state == "requested"
    assert record.verify() == []
    assert record.events[0].fact.received_at == came_in.replace(microsecond=0)
    assert record.state.began == came_in.replace(microsecond=0)
    assert record.events[0].at > came_in + timedelta(days=11), "the event itself says when it was written"
    assert case.due == last_moment(came_in, 20)
    assert [each.what for each in case.trailentry_set.all()] == ["table-named", "asked-unlisted"]


def test_of_two_managers_one_decides(unchanged: Site):
    site, case = unchanged, asked(unchanged)

    first = site.client("ana").post(f"/requests/{case.pk}/no-table", {"reason": "nobody counts these"})
    second = site.client("bruno").post(f"/requests/{case.pk}/table", {"data_set": site.data_set.pk})

    assert (first.status_code, second.status_code) == (302, 409)
    case.refresh_from_db()
    assert (case.state, case.owner, case.data_set) == ("declined", "", None)
    assert "nobody counts these" in site.client("nina").get(f"/requests/{case.pk}").body.decode()
    assert not case.jobs.exists()


def declined(site: Site):
    case = asked(site)
    site.client("ana").post(f"/requests/{case.pk}/no-table", {"reason": "nobody counts these"})
    return case


def test_an_appeal_is_decided_by_another_manager_than_who_said_no(unchanged: Site):
    site, case = unchanged, declined(unchanged)
    page, answer = f"/requests/{case.pk}", site.client("nina").get(f"/requests/{case.pk}").body.decode()
    assert f"{page}/appeal" in answer
    assert site.client("nina").post(f"{page}/appeal", {"reason": ""}).status_code == 422
    assert site.client("caio").post(f"{page}/appeal", {"reason": "mine"}).status_code == 404

    assert site.client("nina").post(f"{page}/appeal", {"reason": "you count them every month"}).status_code == 302
    case.refresh_from_db()
    assert (case.state, case.owner) == ("appealed", "manager")
    assert case.due == last_moment(timezone.now(), 5)
    assert "you count them every month" in site.client("bruno").get(page).body.decode()
    for path, told in (("no-table", {"reason": "still not"}), ("table", {"data_set": site.data_set.pk})):
        assert site.client("ana").post(f"{page}/{path}", told).status_code == 409
    case.refresh_from_db()
    assert case.state == "appealed"

    assert site.client("bruno").post(f"{page}/table", {"data_set": site.data_set.pk}).status_code == 302
    (job,) = site.work()
    case.refresh_from_db()
    assert (job.status, case.state) == ("done", "requested")


def test_there_is_one_appeal_and_only_within_its_days(unchanged: Site):
    site, case = unchanged, declined(unchanged)
    page = f"/requests/{case.pk}"
    entries = site.model("TrailEntry").objects.filter(case=case, what="declined")
    entries.update(at=timezone.now() - timedelta(days=11))
    assert "/appeal" not in site.client("nina").get(page).body.decode()
    assert site.client("nina").post(f"{page}/appeal", {"reason": "late"}).status_code == 409

    entries.update(at=timezone.localtime().replace(hour=0, minute=0, second=0) - timedelta(days=10))
    assert site.client("nina").post(f"{page}/appeal", {"reason": "in time"}).status_code == 302
    assert site.client("bruno").post(f"{page}/no-table", {"reason": "really not"}).status_code == 302
    assert site.client("nina").post(f"{page}/appeal", {"reason": "again"}).status_code == 409
    case.refresh_from_db()
    assert case.state == "declined"
    assert "really not" in site.client("nina").get(page).body.decode()


def test_the_requester_takes_it_back(unchanged: Site):
    site, case = unchanged, asked(unchanged)

    assert site.client("caio").post(f"/requests/{case.pk}/take-back", {"reason": "x"}).status_code == 404
    assert site.client("nina").post(f"/requests/{case.pk}/take-back", {"reason": "no need"}).status_code == 302
    case.refresh_from_db()
    assert case.state == "withdrawn"


@pytest.mark.parametrize(
    ("route", "told"), [("table", {}), ("table", {"data_set": 10**6}), ("no-table", {"reason": " "})]
)
def test_what_is_missing_is_said_on_the_page(unchanged: Site, route: str, told: dict[str, object]):
    site, case = unchanged, asked(unchanged)

    answer = site.client("ana").post(f"/requests/{case.pk}/{route}", told)

    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.body.decode()
    case.refresh_from_db()
    assert case.state == "unlisted"


def test_programs_ask_for_it_too(unchanged: Site):
    site = unchanged
    request = {**site.cases()["requested"].asked}

    answer = site.known("rita").post(
        "/api/requests", {"data_set": None, "request": request}, content_type="application/json"
    )

    assert answer.status_code == 202, answer.body
    assert answer.json()["state"] == "unlisted"


@pytest.mark.parametrize("is_no", [True, False])
def test_whoever_said_no_does_not_decide_on_an_appeal_that_came_meanwhile(unchanged: Site, is_no: bool):
    """The page was opened before the appeal, and its answer comes after it."""
    from biombo._errors import UsageError
    from biombo._portal import decline, name_table

    site, case = unchanged, declined(unchanged)
    opened = site.model("Case").objects.get(pk=case.pk)
    assert site.client("nina").post(f"/requests/{case.pk}/appeal", {"reason": "you do"}).status_code == 302

    decide, told = (decline, "still not") if is_no else (name_table, site.data_set)
    with pytest.raises(UsageError) as refused:
        decide(opened, told, site.people["ana"])
    assert refused.value.key == "negotiation.own-refusal"

    case.refresh_from_db()
    assert (case.state, case.owner) == ("appealed", "manager")


@pytest.mark.parametrize("is_appealed", [False, True])
def test_a_table_that_cannot_be_used_is_told_to_managers_who_name_another(unchanged: Site, is_appealed: bool):
    site, case = unchanged, declined(unchanged) if is_appealed else asked(unchanged)
    page, state = f"/requests/{case.pk}", "appealed" if is_appealed else "unlisted"
    if is_appealed:
        site.client("nina").post(f"{page}/appeal", {"reason": "you count them"})
    case.refresh_from_db()
    due, damaged = case.due, site.another_table()
    Path(damaged.place).write_bytes(b"PAR1 no more")
    site.model("DataSet").objects.filter(pk=damaged.pk).update(name="A danificada")

    assert site.client("bruno").post(f"{page}/table", {"data_set": damaged.pk}).status_code == 302
    (job,) = site.work()
    case.refresh_from_db()

    assert (job.status, case.state, case.owner, case.data_set) == ("failed", state, "manager", None)
    assert abs(case.due - due) < timedelta(seconds=1)
    shown = site.client("bruno").get(page).body.decode()
    assert "não pôde ser usada" in shown
    assert "A danificada" in shown
    for who, where in (("bruno", page), ("bruno", "/requests/inbox"), ("nina", page)):
        assert str(site.home.folder) not in site.client(who).get(where).body.decode()
    assert "não pôde ser usada" not in site.client("nina").get(page).body.decode()
    assert site.client("bruno").post(f"{page}/table", {"data_set": site.data_set.pk}).status_code == 302
    site.work()
    case.refresh_from_db()
    assert case.state == "requested"


def test_a_table_that_nobody_could_look_at_is_not_named(unchanged: Site):
    site, case, other = unchanged, asked(unchanged), unchanged.another_table()
    site.model("DataSet").objects.filter(pk=other.pk).update(schema="")
    assert site.client("ana").post(f"/requests/{case.pk}/table", {"data_set": other.pk}).status_code == 422


def test_a_form_that_is_sent_twice_is_one_request(unchanged: Site):
    site = unchanged
    cases, first = site.model("Case").objects, asked(site)
    nina = site.client("nina")
    (once,) = re.findall(r'name="once" value="(\w+)"', nina.get("/requests/new").body.decode())
    before = cases.count()

    answers = [nina.post("/requests/new", {**FORM, "once": once}) for _ in range(2)]
    assert [each.status_code for each in answers] == [302, 302]
    assert len({each.headers["Location"] for each in answers} - {f"/requests/{first.pk}"}) == 1
    assert cases.count() == before + 1

    assert nina.post("/requests/new", {**FORM, "once": once, "purpose": "something else"}).status_code == 302
    assert cases.count() == before + 2


def test_whoever_refused_is_told_that_another_decides(unchanged: Site):
    site, case = unchanged, declined(unchanged)
    page = f"/requests/{case.pk}"
    site.client("nina").post(f"{page}/appeal", {"reason": "you count them"})

    shown = {who: site.client(who).get(page).body.decode() for who in ("ana", "bruno")}

    assert "outra pessoa da gestão decide" in shown["ana"]
    assert f"{page}/no-table" not in shown["ana"]
    assert f"{page}/no-table" in shown["bruno"]
    assert "outra pessoa da gestão decide" not in shown["bruno"]


def test_an_appeal_that_comes_too_early_is_told_so(unchanged: Site):
    case = asked(unchanged)
    answer = unchanged.client("nina").post(f"/requests/{case.pk}/appeal", {"reason": "already"})
    assert answer.status_code == 409
    assert "de que recorrer" in answer.body.decode()


def test_what_a_table_is_called_inside_is_not_told_where_it_vanished(unchanged: Site):
    from biombo._portal import name_table

    site = unchanged
    case, table = site.unlisted("caio"), site.another_table()
    site.model("DataSet").objects.filter(pk=table.pk).update(name="Internal register of debts", is_offered=False)
    assert name_table(case, table, site.people["ana"])
    site.model("DataSet").objects.filter(pk=table.pk).update(place="")
    (job,) = site.work()
    assert job.error["key"] == "portal.table-gone"

    told = site.known("caio").get(f"/api/requests/{case.pk}/jobs/{job.pk}").json()["error"]
    assert str(job.pk) in told
    assert not [word for word in ("Internal", "base", "envie") if word in told]
    assert "Internal" in site.client("ana").get(f"/requests/{case.pk}").body.decode()
