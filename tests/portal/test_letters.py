"""Letters, by a real mail server: what they say and do not say, retries, accounts, reminders, the page about them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from portal_server import _free_port
from portal_site import PASSWORD, Site

import biombo as bb

MARK = "segredo-do-cajueiro"


class Received:
    """A mail server on this machine, and what came to it."""

    def __init__(self, port: int) -> None:
        self.port, self.letters = port, []
        self.refused: set[str] = set()
        self._controller: Any = None

    def start(self) -> None:
        from aiosmtpd.controller import Controller

        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()
        self._controller = None

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address in self.refused:
            return "550 nobody here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        from email import message_from_bytes, policy

        self.letters.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def texts(self) -> list[str]:
        return [f"{each['To']} {each['Subject']}\n{each.get_content()}" for each in self.letters]


@pytest.fixture
def mail(unchanged: Site) -> Iterator[Received]:
    """The portal of this process with a mail server."""
    pytest.importorskip("aiosmtpd", reason="aiosmtpd is not installed here")
    from django.test import override_settings

    from biombo._portal import settings_of

    server = Received(_free_port())
    server.start()
    home = replace(unchanged.home, mail={"host": "127.0.0.1", "port": server.port, "sender": "biombo@agency.example"})
    told = {name: value for name, value in settings_of(home, testing=True).items() if name.startswith(("EMAIL", "ACC"))}
    unchanged.model("Letter").objects.all().delete()
    with override_settings(PORTAL_HOME=home, DEFAULT_FROM_EMAIL="biombo@agency.example", **told):
        yield server
    server.stop()
    unchanged.model("Letter").objects.all().delete()


def sent() -> int:
    from biombo._portal import send_waiting

    return send_waiting()


def later(site: Site) -> None:
    """Time passes until the next try."""
    from django.utils import timezone

    site.model("Letter").objects.update(next_try=timezone.now())


def test_letters_tell_whose_turn_it_is_and_nothing_else(unchanged: Site, mail: Received):
    site = unchanged
    case = site.begun("rita", site.another_table(), purpose=f"{MARK} finalidade")
    site.do("rita", case, bb.Message(f"{MARK} recado"))
    import negotiations

    site.do("ana", case, negotiations.preparation(message=f"{MARK} preparo"))
    assert sent() == len(mail.letters) > 0

    told = "\n".join(mail.texts())
    assert f"/requests/{case.pk}" in told
    assert {each["To"] for each in mail.letters} >= {"rita@agency.example", "ana@agency.example"}
    assert all(each["From"] == "biombo@agency.example" for each in mail.letters)
    hidden = [MARK, "Diagnósticos", "São Luís", "456.789", *negotiations.SCHEMA.columns, str(site.home.folder)]
    assert [each for each in hidden if re.search(rf"\b{re.escape(each)}\b", told)] == []
    assert len(set(re.findall(r"\d+", told)) - {"127", "0", "1"} - set(re.findall(r"\d+", f"{case} {case.pk}"))) == 0


def written(site: Site) -> list[tuple[str, str]]:
    """The letters that wait, by kind and whom they are to; from now on others are looked at."""
    letters = site.model("Letter").objects
    found = sorted((each.kind, each.to.partition("@")[0]) for each in letters.filter(sent_at=None))
    letters.all().delete()
    return found


def test_nobody_is_told_of_what_they_did_or_of_what_is_not_theirs_to_know(unchanged: Site, mail: Received):
    site = unchanged
    case = site.begun("rita", site.another_table())
    assert written(site) == [("turn", "ana"), ("turn", "bruno")]
    site.do("ana", case, bb.Note("between us"))
    assert written(site) == []
    site.do("ana", case, bb.Message("a question"))
    assert written(site) == [("message", "rita")]
    site.do("rita", case, bb.Message("an answer"))
    assert written(site) == [("message", "ana"), ("message", "bruno")]
    site.do("ana", case, bb.AskForMore("which year"))
    assert written(site) == [("turn", "rita")]
    site.do("rita", case, bb.Withdraw("not needed"))
    assert written(site) == [("over", "ana"), ("over", "bruno")]

    unlisted = site.unlisted("rita", declined=True)
    assert written(site) == [("over", "rita"), ("turn", "ana"), ("turn", "bruno")]
    site.client("rita").post(f"/requests/{unlisted.pk}/appeal", {"reason": "there are"})
    assert written(site) == [("turn", "ana"), ("turn", "bruno")]


def test_many_messages_are_one_letter_an_hour_and_are_limited(unchanged: Site, mail: Received):
    from django.utils import timezone

    site, letters = unchanged, unchanged.model("Letter").objects
    case = site.begun("caio", site.another_table())
    letters.all().delete()
    program = site.client(headers={"Authorization": f"Bearer {site.token('caio')}"})

    def wrote(number: int) -> Any:
        told = {"act": {"message": {"text": f"message {number}"}}}
        answer = program.post(f"/api/requests/{case.pk}/acts", told, content_type="application/json")
        site.work()
        return answer

    assert [wrote(number).status_code for number in range(3)] == [202] * 3
    assert letters.count() == 2  # one to each manager
    assert sent() == 2
    assert wrote(3).status_code == 202
    assert letters.filter(sent_at=None).count() == 2  # they wait for their hour
    assert sent() == 0
    letters.filter(sent_at=None).update(next_try=timezone.now())
    assert sent() == 2
    assert [wrote(number).status_code for number in range(4, 30)] == [202] * 26
    answer = wrote(30)
    assert answer.status_code == 429
    assert "30" in answer.json()["error"]
    page = site.client("caio").post(f"/requests/{case.pk}/acts/message", {"text": "one more"})
    assert page.status_code == 429
    assert "30 mensagens" in page.body.decode()
    assert letters.filter(sent_at=None).count() == 2


def test_letters_that_somebody_waits_for_go_first(unchanged: Site, mail: Received):
    site, letters = unchanged, unchanged.model("Letter")
    letters.objects.bulk_create(letters(kind="turn", to="ana@agency.example", subject="x", body="x") for _ in range(60))
    site.client().post("/account/password/reset/", {"email": "celia@agency.example"})
    assert sent() == 50
    assert mail.letters[0]["To"] == "celia@agency.example"


def test_what_cannot_be_sent_is_tried_again_and_in_the_end_shown(unchanged: Site, mail: Received):
    site, alice = unchanged, unchanged.client("alice")
    mail.stop()
    assert alice.post("/letters/test").status_code == 302
    assert sent() == 0
    (letter,) = site.model("Letter").objects.all()
    assert (letter.tries, letter.problem, letter.sent_at) == (1, "ConnectionRefusedError", None)
    assert sent() == 0
    letter.refresh_from_db()
    assert letter.tries == 1  # it waits
    for _ in range(9):
        later(site)
        sent()
    letter.refresh_from_db()
    assert letter.tries == 8
    page = alice.get("/letters").body.decode()
    assert "Não foi possível enviar" in page
    assert "ConnectionRefusedError" in page
    mail.start()
    later(site)
    assert sent() == 0  # given up
    assert alice.post(f"/letters/{letter.pk}/again").status_code == 302
    assert sent() == 1
    letter.refresh_from_db()
    assert (letter.problem, letter.body) == ("", "")
    assert "Não foi possível enviar" not in alice.get("/letters").body.decode()
    assert [each["To"] for each in mail.letters] == ["alice@agency.example"]


def test_a_letter_that_is_refused_keeps_no_other_from_going(unchanged: Site, mail: Received):
    from biombo._portal import write_letter

    for who in ("rita", "caio", "ana"):
        write_letter("test", unchanged.people[who])
    mail.refused.add("rita@agency.example")

    assert sent() == 2
    assert sorted(each["To"] for each in mail.letters) == ["ana@agency.example", "caio@agency.example"]
    (left,) = unchanged.model("Letter").objects.filter(sent_at=None)
    assert (left.to, left.problem) == ("rita@agency.example", "SMTPRecipientsRefused")


def test_an_address_that_no_letter_can_have_keeps_no_other_from_going(unchanged: Site, mail: Received):
    odd, letters = '"=?utf-8?q?=0a?="@x.example', unchanged.model("Letter").objects
    for to in (odd, "rita@agency.example"):
        letters.create(kind="test", to=to, subject="x", body="x")

    assert sent() == 1
    assert letters.get(to=odd).tries == 1
    told = {"name": "Odd", "email": odd, "password1": PASSWORD, "password2": PASSWORD}
    assert "sem aspas" in unchanged.client().post("/account/signup/", told).body.decode()
    assert not unchanged.model("Person").objects.filter(email=odd).exists()


def test_letters_lead_to_the_portal_and_say_nothing_that_a_stranger_chose(unchanged: Site, mail: Received):
    site, elsewhere = unchanged, {"HTTP_HOST": "localhost:9999"}
    site.client().post("/account/password/reset/", {"email": "celia@agency.example"}, **elsewhere)
    site.client().post("/account/password/reset/", {"email": "nobody@x.example"}, **elsewhere)
    told = {"name": f"{MARK} http://evil.example", "password1": PASSWORD, "password2": PASSWORD}
    for email in ("vitima@x.example", "bruno@agency.example"):
        site.client().post("/account/signup/", {**told, "email": email}, **elsewhere)

    assert sent() == 4
    for each in mail.texts():
        assert "http://testserver/account/" in each
        assert [word for word in ("9999", MARK, "evil", "localhost") if word in each] == []
        assert "Vila Nova" in each  # the agency, not a host, is who writes
    assert not site.model("Person").objects.filter(email="vitima@x.example").exists()


def test_registering_takes_as_much_work_for_an_address_that_has_an_account(
    unchanged: Site, mail: Received, monkeypatch: pytest.MonkeyPatch
):
    from django.contrib.auth.hashers import Argon2PasswordHasher

    made, encode = [], Argon2PasswordHasher.encode

    def counted(*told: Any) -> Any:
        made.append(told)
        return encode(*told)

    monkeypatch.setattr(Argon2PasswordHasher, "encode", counted)
    told = {"name": "Nova", "password1": PASSWORD, "password2": PASSWORD}
    for count, email in enumerate(("oitava@x.example", "davi@agency.example"), 1):
        assert unchanged.client().post("/account/signup/", {**told, "email": email}).status_code == 200
        assert len(made) == count
    assert unchanged.client().post("/account/signup/", {**told, "email": email, "password2": ""}).status_code == 200
    assert len(made) == 2


def test_invitations_go_by_letter_where_the_administrator_wants(unchanged: Site, mail: Received):
    alice = unchanged.client("alice")
    page = alice.post("/people/invite", {"role": "auditor", "email": "elisa@agency.example"}).body.decode()

    assert "/invitation/" not in page
    assert sent() == 1
    link = re.search(r"http://testserver(/invitation/\S+)", mail.texts()[0])
    assert link is not None
    assert unchanged.client().get(link[1]).status_code == 200
    shown = alice.post("/people/invite", {"role": "auditor", "email": ""}).body.decode()
    assert "/invitation/" in shown
    unchanged.model("Invitation").objects.filter(used_at=None).delete()


def registered(site: Site, email: str, *, name: str = "Nova Pessoa", password: str = PASSWORD, whence: str = "") -> Any:
    form = {"name": name, "email": email, "password1": password, "password2": password}
    return site.client(REMOTE_ADDR=whence or "127.0.0.1").post("/account/signup/", form)


def link_in(letter: str) -> str:
    found = re.search(r"http://testserver(/account/confirm-email/\S+/)", letter)
    assert found is not None, letter
    return found[1]


def to(mail: Received, address: str) -> list[str]:
    sent()
    return [each.get_content() for each in mail.letters if each["To"] == address]


def test_whoever_registers_proves_the_address_and_nobody_learns_whether_it_is_taken(unchanged: Site, mail: Received):
    site, email = unchanged, "nova@home.example"
    answers = [registered(site, each) for each in (email, "rita@agency.example")]
    free, taken = ((each.status_code, re.sub(r"[A-Za-z0-9]{64}", "token", each.body.decode())) for each in answers)
    assert free == taken
    assert free[0] == 200
    login, client = {"login": email, "password": PASSWORD}, site.client()
    client.post("/account/login/", login)
    assert client.get("/requests").status_code == 302  # not before the address is proved
    assert "/confirm-email/" not in to(mail, "rita@agency.example")[0]
    link = link_in(to(mail, email)[0])
    assert client.get(link).status_code == 200
    assert client.post(link, {"password": PASSWORD}).status_code == 302
    assert client.get("/requests").status_code == 200
    assert site.model("Person").objects.get(email=email).role == "requester"
    again = site.client()
    again.post("/account/login/", login)
    assert again.get("/requests").status_code == 200
    assert site.client().post(link, {"password": PASSWORD}).status_code == 410  # it works once


@pytest.mark.parametrize("stranger_first", [True, False])
def test_whoever_proves_an_address_gets_the_account_that_they_asked_for(
    unchanged: Site, mail: Received, stranger_first: bool
):
    site, email, other = unchanged, "vitima2@x.example", "abcd-EFGH-1234"
    stranger = {"name": "Nome Falso", "password": other, "whence": "192.0.2.34"}
    owner = {"name": "Vitória Silva", "password": PASSWORD, "whence": "192.0.2.33"}
    for told in (stranger, owner) if stranger_first else (owner, stranger):
        assert registered(site, email, **told).status_code == 200
    letters = to(mail, email)
    assert len(letters) == 2  # each of them has caused one
    for link in map(link_in, letters):  # whichever she opens
        assert "Nome Falso" not in site.client().get(link).body.decode()
        assert site.client().post(link, {"password": "not-it-at-all"}).status_code == 422
        assert not site.model("Person").objects.filter(email=email).exists()
    assert site.client().post(link_in(letters[0]), {"password": PASSWORD}).status_code == 302

    assert site.model("Person").objects.get(email=email).name == "Vitória Silva"
    for password, status in ((other, 200), (PASSWORD, 302)):
        assert site.client().post("/account/login/", {"login": email, "password": password}).status_code == status
    assert [site.client().get(link_in(each)).status_code for each in letters] == [410, 410]
    assert not site.model("Registration").objects.filter(email=email).exists()


def test_an_account_that_nobody_proved_gives_way_to_whoever_proves_the_address(unchanged: Site, mail: Received):
    site, email, people = unchanged, "vitima3@x.example", unchanged.model("Person").objects
    typed = people.create_user(email, "abcd-EFGH-1234", name="Nome Falso")
    typed.emailaddress_set.update(verified=False)
    registered(site, email, name="Vitória Silva")
    assert site.client().post(link_in(to(mail, email)[0]), {"password": PASSWORD}).status_code == 302
    made = people.get(email=email)
    assert (made.name, made.pk == typed.pk) == ("Vitória Silva", False)


def test_registering_fills_nobodys_mailbox_and_every_letter_proves_the_address(unchanged: Site, mail: Received):
    site, email = unchanged, "vitima4@x.example"
    for whence in ("192.0.2.40", "192.0.2.40", "192.0.2.40", "192.0.2.41"):
        registered(site, email, name="Nome Falso", password="abcd-EFGH-1234", whence=whence)
    assert len(to(mail, email)) == 2
    for number in range(30):
        registered(site, email, name="Vitória Silva", whence=f"192.0.2.{100 + number}")
    letters = to(mail, email)
    assert len(letters) == 20
    assert site.model("Registration").objects.filter(email=email).count() == 20
    assert site.client().post(link_in(letters[0]), {"password": PASSWORD}).status_code == 302
    assert site.model("Person").objects.get(email=email).name == "Vitória Silva"


def test_two_visitors_do_not_push_out_who_registered_before(unchanged: Site, mail: Received):
    site, email = unchanged, "vitima5@x.example"
    registered(site, email, name="Vitória Silva", whence="192.0.2.50")
    for number in range(20):
        registered(site, email, name="Nome Falso", password="abcd-EFGH-1234", whence=f"192.0.2.{51 + number % 2}")
    assert site.client().post(link_in(to(mail, email)[0]), {"password": PASSWORD}).status_code == 302
    assert site.model("Person").objects.get(email=email).name == "Vitória Silva"


def test_registrations_that_no_letter_proved_are_removed_and_are_nothing_to_decide_on(unchanged: Site, mail: Received):
    from django.utils import timezone

    from biombo._portal import forget

    site, alice, waiting = unchanged, unchanged.client("alice"), unchanged.model("Registration").objects
    registered(site, "vitima5@x.example")
    found = waiting.get(email="vitima5@x.example")
    assert found.email not in alice.get("/people").body.decode()
    assert alice.post(f"/people/registrations/{found.pk}", {"approve": "yes"}).status_code == 404
    forget("registration")
    assert waiting.filter(pk=found.pk).exists()
    waiting.filter(pk=found.pk).update(made_at=timezone.now() - timedelta(days=31))
    forget("registration")
    assert not waiting.filter(pk=found.pk).exists()


def test_a_link_that_is_over_says_what_to_do(unchanged: Site, mail: Received):
    answer = unchanged.client().get("/account/confirm-email/Mjk:1vXyz:xxxx/")
    assert answer.status_code == 410
    assert '/account/signup/"' in answer.body.decode()
    assert "/account/email/" not in answer.body.decode()


def test_a_new_password_comes_by_letter(unchanged: Site, mail: Received):
    site, client = unchanged, unchanged.client()
    assert b"<form" in client.get("/account/password/reset/").body
    client.post("/account/password/reset/", {"email": "celia@agency.example"})
    assert sent() == 1
    assert mail.letters[-1]["Subject"] == "Biombo: Nova senha"
    link = re.search(r"http://testserver(/account/password/reset/key/\S+)", mail.texts()[0])
    assert link is not None
    form = client.get(link[1], follow=True)
    place = form.redirect_chain[-1][0]
    new = "jatoba-verde-77"
    assert client.post(place, {"password1": new, "password2": new}).status_code == 302
    try:
        logged = site.client().post("/account/login/", {"login": "celia@agency.example", "password": new})
        assert logged.status_code == 302
        assert client.get(link[1], follow=True).body.count(b'name="password1"') == 0  # it works once
    finally:
        celia = site.people["celia"]
        celia.set_password(PASSWORD)
        celia.save()


def test_whoevers_turn_ends_soon_is_reminded_once(unchanged: Site, mail: Received):
    from django.utils import timezone

    from biombo._portal import remind

    site = unchanged
    case = site.begun("rita", site.another_table())
    site.model("Letter").objects.all().delete()
    cases = site.model("Case").objects
    cases.exclude(pk=case.pk).update(reminded_of=None, due=None)
    cases.filter(pk=case.pk).update(due=timezone.now() + timedelta(days=9))
    assert remind() == 0
    cases.filter(pk=case.pk).update(due=timezone.now() + timedelta(days=2))
    managers = site.model("Person").objects.filter(role="manager").count()
    assert (remind(), remind()) == (managers, 0)
    sent()
    assert all("prazo até" in each["Subject"] for each in mail.letters)
    cases.filter(pk=case.pk).update(due=timezone.now() + timedelta(days=1))
    assert remind() == managers  # another day
    site.model("AgencySettings").objects.filter(pk=1).update(reminder_days=0)
    cases.filter(pk=case.pk).update(due=timezone.now() + timedelta(hours=5))
    assert remind() == 0
    site.model("AgencySettings").objects.filter(pk=1).update(reminder_days=3)


def test_without_a_mail_server_registering_tells_nothing_and_the_administrator_decides(unchanged: Site):
    site = unchanged

    def registered(email: str) -> tuple[int, str]:
        form = {"name": "Nova Pessoa", "email": email, "password1": PASSWORD, "password2": PASSWORD}
        answer = site.client().post("/account/signup/", form)
        return answer.status_code, re.sub(r"[A-Za-z0-9]{64}", "token", answer.body.decode())

    assert registered("novo@home.example") == registered("rita@agency.example") == registered("novo@home.example")
    login = {"login": "novo@home.example", "password": PASSWORD}
    assert site.client().post("/account/login/", login).status_code == 200
    assert not site.model("Person").objects.filter(email="novo@home.example").exists()
    alice = site.client("alice")
    page = alice.get("/people").body.decode()
    assert page.count("novo@home.example") == 2
    assert "já tem conta" in page
    first, again = site.model("Registration").objects.filter(email="novo@home.example")
    taken = site.model("Registration").objects.get(email="rita@agency.example")
    assert alice.post(f"/people/registrations/{first.pk}", {"approve": "yes"}).status_code == 302
    assert alice.post(f"/people/registrations/{again.pk}", {"approve": "yes"}).status_code == 422
    assert alice.post(f"/people/registrations/{taken.pk}", {"approve": "yes"}).status_code == 422
    for each in (again, taken):
        assert alice.post(f"/people/registrations/{each.pk}", {"approve": "no"}).status_code == 302
    assert site.client().post("/account/login/", login).status_code == 302
    assert site.model("Person").objects.get(email="novo@home.example").role == "requester"
    assert b'<form method="post" novalidate' not in site.client().get("/account/password/reset/").body
    for who in ("ana", "rita", "davi"):
        assert site.client(who).post(f"/people/registrations/{first.pk}", {"approve": "yes"}).status_code == 404


def test_letters_are_not_written_where_nobody_could_send_them(unchanged: Site):
    before = unchanged.model("Letter").objects.count()
    unchanged.begun("caio", unchanged.another_table())

    assert unchanged.model("Letter").objects.count() == before
    assert "Nenhum servidor de e-mail" in unchanged.client("alice").get("/letters").body.decode()
    assert unchanged.client("alice").post("/letters/test").status_code == 404
