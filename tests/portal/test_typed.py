"""What people type, in every field that takes words: too much of it, marks that nobody sees, nothing at all."""

import html
import io
import json
import re
from typing import Any

import pytest
from portal_site import Site

UNSEEN = "\u200b\u2060 \u202e\u00ad\n"
"""Nothing that anybody could read."""
TURNED = "Ana\u202e Sou\u200bza\x1b\n\u2066 "
"""A name with marks that turn the words after it around, or hide."""
PLAIN = "Ana Souza"
LONG = "x" * 10_000_000
UNSEEN_MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\x00-\x08\x0b-\x1f]")


def words(answer: Any) -> str:
    return html.unescape(re.sub(r"(?s)<[^>]*>", " ", answer.body.decode()))


@pytest.fixture
def case(site: Site) -> Any:
    return site.begun("rita")


def acted(site: Site, who: str, case: Any, act: str, **fields: str) -> Any:
    return site.client(who).post(f"/requests/{case.pk}/acts/{act}", fields)


@pytest.mark.parametrize(
    ("act", "who", "field"), [("message", "rita", "text"), ("note", "ana", "text"), ("reject", "ana", "reason")]
)
def test_an_act_that_says_nothing_is_refused_by_page_and_program(site: Site, case: Any, act: str, who: str, field: str):
    page = acted(site, who, case, act, **{field: UNSEEN})
    body = json.dumps({"act": {act: {field: UNSEEN}}})
    program = site.known(who).post(f"/api/requests/{case.pk}/acts", body, content_type="application/json")

    assert (page.status_code, program.status_code) == (422, 422)
    assert 'class="field wrong"' in page.body.decode()
    assert not site.work()


def test_a_message_of_ten_megabytes_is_refused_in_words(site: Site, case: Any):
    page = acted(site, "rita", case, "message", text=LONG)
    body = json.dumps({"act": {"message": {"text": LONG}}})
    program = site.known("rita").post(f"/api/requests/{case.pk}/acts", body, content_type="application/json")

    assert (page.status_code, program.status_code) == (400, 400)
    assert "longo demais" in words(page)
    assert "longo demais" in program.json()["error"]
    longer = acted(site, "rita", case, "message", text="x" * 4001)
    assert longer.status_code == 422
    assert "4000" in words(longer)
    assert not site.work()


def test_what_an_act_says_is_kept_as_it_was_typed(site: Site, case: Any):
    """Whoever writes Arabic or Hebrew beside Portuguese may need such marks; pages keep each text apart."""
    said = "\u2067שלום\u2069: bom dia 👩\u200d⚕️"
    assert acted(site, "rita", case, "message", text=said).status_code == 302
    assert [job.status for job in site.work()] == ["done"]
    assert said in site.client("ana").get(f"/requests/{case.pk}").body.decode()


def test_names_and_titles_are_one_line_without_marks_that_nobody_sees(site: Site):
    admin, ana = site.client("alice"), site.client("ana")
    assert admin.post("/people/departments", {"name": TURNED}).status_code == 302
    assert site.model("Department").objects.filter(name=PLAIN).exists()
    assert admin.post("/people/departments", {"name": UNSEEN}).status_code == 404
    assert admin.post(f"/people/{site.people['ana'].pk}", {"department": TURNED}).status_code == 302
    assert site.model("Person").objects.get(pk=site.people["ana"].pk).department == PLAIN
    link = re.search(
        r"/invitation/[\w-]+", admin.post("/people/invite", {"role": "manager", "department": TURNED}).body.decode()
    )
    assert link is not None
    account = {"email": "nova@agency.example", "password": "uma-senha-bem-longa-7"}
    assert site.client().post(link[0], {**account, "name": UNSEEN}).status_code == 200  # the form again
    assert site.client().post(link[0], {**account, "name": TURNED}).status_code == 302
    made = site.model("Person").objects.get(email="nova@agency.example")
    assert (made.name, made.department) == (PLAIN, PLAIN)
    ana.post("/account/tokens", {"name": TURNED})
    assert site.people["ana"].tokens.filter(name=PLAIN).exists()
    file = io.BytesIO(b"a,b\n" + b"1,2\n" * 50)
    file.name = "dados.csv"
    told = {"name": TURNED, "department": TURNED, "source": "upload", "file": file}
    assert ana.post("/data/new", told).status_code == 302
    assert site.model("DataSet").objects.filter(name=PLAIN, department=PLAIN).exists()


def test_somebody_who_registers_is_called_by_what_can_be_seen(site: Site):
    told = {"email": "alguem@example.org", "password1": "uma-senha-bem-longa-7", "password2": "uma-senha-bem-longa-7"}
    assert site.client().post("/account/signup/", {**told, "name": UNSEEN}).status_code == 200
    assert not site.model("Registration").objects.filter(email=told["email"]).exists()
    site.client().post("/account/signup/", {**told, "name": TURNED})
    assert site.model("Registration").objects.get(email=told["email"]).name == PLAIN


def test_reasons_that_say_nothing_are_refused_beside_acts_too(site: Site):
    unlisted = site.unlisted("caio")
    ana = site.client("ana")
    assert ana.post(f"/requests/{unlisted.pk}/no-table", {"reason": UNSEEN}).status_code == 422
    erased = site.client("alice").post("/erasures", {"number": unlisted.pk, "events": "", "reason": UNSEEN})
    assert erased.status_code in (200, 422)
    assert not site.model("Job").objects.filter(kind__startswith="eras").exists()


def test_no_page_that_lists_people_and_requests_has_marks_that_nobody_sees(site: Site, case: Any):
    for who, path in (("alice", "/people"), ("ana", "/data"), ("davi", "/trail"), ("ana", f"/requests/{case.pk}")):
        answer = site.client(who).get(path)
        assert not UNSEEN_MARKS.search(answer.body.decode()), path
