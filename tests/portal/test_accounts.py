"""Accounts: second factors, forgotten passwords, tokens, and addresses that somebody else typed first."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from identity_provider import CLIENT, SECRET, RunningProvider, running_provider
from portal_site import PASSWORD, Site

NEW = "jatoba-verde-77"


def person(site: Site, email: str, *, role: str = "requester") -> Any:
    return site.model("Person").objects.create_user(email, PASSWORD, name="Nova Pessoa", role=role)


def logged_in(site: Site, email: str, password: str = PASSWORD) -> Any:
    client = site.client()
    answer = client.post("/account/login/", {"login": email, "password": password})
    assert answer.status_code == 302, answer.body.decode()
    return client


def test_whoever_the_administrator_lets_in_can_have_a_second_factor(unchanged: Site):
    site, email = unchanged, "segundo@x.example"
    told = {"name": "Segundo", "email": email, "password1": PASSWORD, "password2": PASSWORD}
    assert site.client().post("/account/signup/", told).status_code == 200
    waits = site.model("Registration").objects.get(email=email)
    assert site.client("alice").post(f"/people/registrations/{waits.pk}", {"approve": "yes"}).status_code == 302

    client, where = logged_in(site, email), "/account/2fa/totp/activate/"
    asked = client.get(where).headers["Location"]
    assert client.post(asked, {"password": PASSWORD}).headers["Location"] == where
    answer = client.get(where)
    assert answer.status_code == 200
    assert "secret" in answer.body.decode()


def test_why_a_second_factor_is_refused_is_told(unchanged: Site):
    site, email = unchanged, "terceiro@x.example"
    person(site, email).emailaddress_set.update(verified=False)
    client = logged_in(site, email)
    answer = client.get("/account/2fa/totp/activate/")
    assert answer.status_code == 302
    assert 'role="alert"' in client.get(answer.headers["Location"]).body.decode()


def test_the_administrator_makes_a_link_to_a_new_password_which_works_once(unchanged: Site):
    site, email = unchanged, "quarta@x.example"
    whose = person(site, email, role="manager")
    before, token = logged_in(site, email), site.model("Token").make(whose, "a program")
    page = site.client("alice").post(f"/people/{whose.pk}/password")
    assert page.status_code == 200
    link = urlsplit(re.search(r"<code>([^<]+)</code>", page.body.decode())[1])  # type: ignore[index]
    assert link.path not in site.client("alice").get("/people").body.decode()
    assert before.get("/requests/inbox").status_code == 200

    client = site.client()
    form = client.get(link.path, follow=True)
    assert form.status_code == 200
    where = form.redirect_chain[-1][0]
    assert client.post(where, {"password1": NEW, "password2": NEW}).status_code == 302

    assert logged_in(site, email, NEW).get("/requests/inbox").status_code == 200
    assert before.get("/requests/inbox").status_code == 302
    assert site.model("Token").behind(token) is None
    again = site.client().get(link.path, follow=True).body.decode()
    assert "password1" not in again
    assert "já foi usado" in again
    assert site.model("TrailEntry").objects.filter(what="password-link-made", detail__account=whose.pk).exists()


def test_tokens_end_with_the_password(unchanged: Site):
    site, email = unchanged, "quinto@x.example"
    whose = person(site, email)
    token = site.model("Token").make(whose, "a program")
    program = site.client(headers={"Authorization": f"Bearer {token}"})
    assert program.get("/api/requests").status_code == 200
    told = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert logged_in(site, email).post("/account/password/change/", told).status_code == 302
    assert program.get("/api/requests").status_code == 401


def test_wrong_passwords_of_a_stranger_keep_nobody_out(unchanged: Site):
    site, email = unchanged, "oitavo@x.example"
    person(site, email)
    wrong, stranger = {"login": email, "password": "not-it-at-all"}, site.client(REMOTE_ADDR="192.0.2.7")
    for number in range(6):
        answer = stranger.post("/account/login/", wrong, HTTP_HOST="localhost" if number % 2 else "testserver")
    right = {**wrong, "password": PASSWORD}
    assert answer.status_code == stranger.post("/account/login/", right).status_code == 200  # the stranger has to wait
    assert site.client(REMOTE_ADDR="192.0.2.8").post("/account/login/", right).status_code == 302


def test_a_stranger_who_asks_for_new_passwords_keeps_nobody_from_asking(unchanged: Site):
    from django.test import override_settings

    site, email = unchanged, "decima@x.example"
    person(site, email)
    letters = site.model("Letter").objects.filter(to=email)
    home = replace(site.home, mail={"host": "127.0.0.1"})
    with override_settings(PORTAL_HOME=home, EMAIL_BACKEND="biombo._portal.letters.Outbox"):

        def asked(whence: str) -> Any:
            return site.client(REMOTE_ADDR=whence).post("/account/password/reset/", {"email": email.upper()})

        assert [asked("192.0.2.50").status_code for _ in range(3)] == [302, 429, 429]
        assert letters.count() == 1
        assert asked("192.0.2.51").status_code == 302
        assert letters.count() == 2


@pytest.mark.parametrize("email", ["undecima@x.example", "nobody-at-all@x.example"])
def test_letters_with_new_passwords_to_an_address_are_few_a_day(
    unchanged: Site, monkeypatch: pytest.MonkeyPatch, email: str
):
    from django.test import override_settings

    site, now = unchanged, time.time()
    if email.startswith("undecima"):
        person(site, email)
    letters = site.model("Letter").objects.filter(to=email)
    home = replace(site.home, mail={"host": "127.0.0.1"})
    with override_settings(PORTAL_HOME=home, EMAIL_BACKEND="biombo._portal.letters.Outbox"):
        for visitor, most in (("192.0.2.60", 5), ("192.0.2.61", 10), ("192.0.2.62", 15), ("192.0.2.63", 20)):
            for number in range(8):
                monkeypatch.setattr("allauth.core.internal.ratelimit.time.time", lambda at=now + 181 * number: at)
                site.client(REMOTE_ADDR=visitor).post("/account/password/reset/", {"email": email})
            assert letters.count() == most
        site.client(REMOTE_ADDR="192.0.2.64").post("/account/password/reset/", {"email": email})
    assert letters.count() == 20


def test_the_login_page_says_once_what_to_do_without_a_password(unchanged: Site):
    page = unchanged.client().get("/account/login/").body.decode()
    assert page.count('href="/account/password/reset/"') == 1
    assert "E-mail" in page
    assert "Email" not in page


def test_without_letters_a_forgotten_password_is_not_said_to_be_on_its_way(unchanged: Site):
    answer = unchanged.client().post("/account/password/reset/", {"email": "ana@agency.example"})
    assert answer.status_code == 409
    assert "administrador" in answer.body.decode()


def test_an_address_that_a_stranger_typed_does_not_stand_in_the_way_of_an_invitation(unchanged: Site):
    site, email = unchanged, "sexta@x.example"
    person(site, email).emailaddress_set.update(verified=False)  # as a registration that no letter has proved
    proved = person(site, "setima@x.example")
    for address, status in ((proved.email, 200), (email, 302)):
        page = site.client("alice").post("/people/invite", {"role": "committee"}).body.decode()
        link = re.search(r"/invitation/[\w-]+", page)
        assert link is not None
        told = {"name": "Sexta Dias", "email": address, "password": NEW}
        assert site.client().post(link[0], told).status_code == status
    assert site.model("Person").objects.get(email=email).role == "committee"


def test_a_name_that_looks_like_a_password_is_refused_where_accounts_are_made(unchanged: Site):
    site, odd, email = unchanged, "postgresql://u:senha9@h/x", "onze@x.example"
    told = {"name": odd, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    assert "não pode ser usado" in site.client().post("/account/signup/", told).body.decode()
    waiting, alice = site.model("Registration").objects, site.client("alice")
    assert not waiting.filter(email=email).exists()
    earlier = waiting.create(email=email, name=odd, password="x")
    assert alice.post(f"/people/registrations/{earlier.pk}", {"approve": "yes"}).status_code == 422
    link = re.search(r"/invitation/[\w-]+", alice.post("/people/invite", {"role": "manager"}).body.decode())
    assert link is not None
    told = {"name": odd, "email": email, "password": PASSWORD}
    assert "não pode ser usado" in site.client().post(link[0], told).body.decode()
    assert not site.model("Person").objects.filter(email=email).exists()


def test_pages_open_for_a_name_that_looks_like_a_password(unchanged: Site):
    site, people = unchanged, unchanged.model("Person").objects
    people.filter(pk__in=(site.people["rita"].pk, site.people["ana"].pk)).update(name="postgresql://u:senha9@h/x")
    for who in ("rita", "ana"):
        site.people[who].refresh_from_db()
        case = site.cases()["manipulations"]
        assert site.client(who).get(f"/requests/{case.pk}").status_code == 200
    case = site.begun("rita", site.another_table())
    assert case.folder
    assert site.client("ana").get(f"/requests/{case.pk}").status_code == 200


def test_registrations_without_letters_are_few_from_one_address_and_the_oldest_give_way(unchanged: Site):
    site, waiting = unchanged, unchanged.model("Registration").objects
    others = list(waiting.values_list("pk", flat=True))
    told = {"name": "Nona", "password1": PASSWORD, "password2": PASSWORD}

    def registered(number: int, whence: str) -> int:
        form = {**told, "email": f"nona{number}@x.example"}
        return int(site.client(REMOTE_ADDR=whence).post("/account/signup/", form).status_code)

    whence = "192.0.2.20"
    from django.core.cache import cache

    assert registered(0, whence) == 200
    used = f"allauth:rl:allauth.account:registration:30/86400/ip:ip:{whence}"
    assert len(cache.get(used)) == 1
    cache.set(used, cache.get(used) * 30)
    assert registered(1, whence) == 429
    assert registered(2, "192.0.2.21") == 200
    model = site.model("Registration")
    waiting.bulk_create(model(email=f"s{number}@x.example", name="s", password="x") for number in range(1000))
    assert registered(3, "192.0.2.22") == 200
    assert waiting.count() == 1000
    assert not waiting.filter(email="nona0@x.example").exists()
    assert waiting.filter(email="nona3@x.example").exists()

    alice = site.client("alice")
    last = re.search(r'name="last" value="(\d+)"', alice.get("/people").body.decode())
    assert last is not None
    assert registered(4, "192.0.2.23") == 200
    assert alice.post("/people/registrations/decline", {"last": "x"}).status_code == 404
    assert alice.post("/people/registrations/decline", {"last": last[1]}).status_code == 302
    assert [each.email for each in waiting.all()] == ["nona4@x.example"]
    waiting.all().delete()
    assert not waiting.filter(pk__in=others).exists()


@pytest.fixture
def provider(unchanged: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningProvider]:
    """A provider of identities for the portal of this process."""
    from django.test import override_settings

    from biombo._portal import settings_of

    monkeypatch.setenv("BIOMBO_PORTAL_OIDC_SECRET", SECRET)
    with running_provider() as running:
        identity = {"name": "gov.br", "server": running.address, "client": CLIENT}
        home = replace(unchanged.home, identity=identity)
        providers = settings_of(home, testing=True)["SOCIALACCOUNT_PROVIDERS"]
        with override_settings(PORTAL_HOME=home, SOCIALACCOUNT_PROVIDERS=providers):
            yield running


def came(client: Any, who: str) -> Any:
    """Through the provider, as somebody whom it knows; what the portal answers then."""
    import requests

    there = client.post("/account/provider").headers["Location"]
    back = requests.post(there, data={"who": who}, allow_redirects=False, timeout=20).headers["Location"]
    return client.get(back.removeprefix("http://testserver"))


def test_an_address_that_a_stranger_typed_does_not_stand_in_the_way_of_the_provider(
    unchanged: Site, provider: RunningProvider
):
    typed, client = person(unchanged, "rosa@example.org"), unchanged.client()
    assert came(client, "rosa").status_code == 403  # it is somebody's
    typed.emailaddress_set.update(verified=False)

    assert came(client, "rosa").status_code == 302
    assert client.get("/requests").status_code == 200
    made = unchanged.model("Person").objects.get(email="rosa@example.org")
    assert made.pk != typed.pk
    made.delete()


@pytest.mark.parametrize("what", ["list of keys", "keys no list", "keys no objects", "userinfo", "subject", "email"])
def test_what_no_provider_answers_is_told_in_a_sentence(unchanged: Site, provider: RunningProvider, what: str):
    provider.get_wrong(what)
    client = unchanged.client()
    answer = came(client, "boss")
    assert answer.status_code == 403
    assert "gov.br" in answer.body.decode()
    assert client.get("/requests").status_code == 302


def test_a_link_that_was_taken_back_is_not_made_anew_until_the_manager_says_so(unchanged: Site):
    site = unchanged
    case, rita, ana = site.led_to("available"), site.client("rita"), site.client("ana")
    links = [rita.post(f"/requests/{case.pk}/delivery").headers["Location"] for _ in range(2)]
    assert rita.get(links[0]).status_code == 200
    first = case.deliveries.order_by("pk").first()
    assert ana.post(f"/requests/{case.pk}/deliveries/{first.pk}/revoke").status_code == 302

    assert [rita.get(each).status_code for each in links] == [404, 404]
    assert rita.post(f"/requests/{case.pk}/delivery").status_code == 409
    assert "/delivery" not in rita.get(f"/requests/{case.pk}").body.decode()
    allow = f"/requests/{case.pk}/deliveries/allow"
    assert allow in ana.get(f"/requests/{case.pk}").body.decode()
    assert ana.post(allow).status_code == 302
    assert rita.get(rita.post(f"/requests/{case.pk}/delivery").headers["Location"]).status_code == 200


def test_no_link_that_is_being_made_outlives_that_all_are_taken_back(unchanged: Site, monkeypatch: pytest.MonkeyPatch):
    """The manager takes all back after the requester's page was allowed to make one, and before it does."""
    site = unchanged
    case, rita, ana = site.led_to("available"), site.client("rita"), site.client("ana")
    rita.post(f"/requests/{case.pk}/delivery")
    first = case.deliveries.get()

    def looked_then_taken_back(case: Any, way: str) -> Any:
        found = site.record(case).released
        assert ana.post(f"/requests/{case.pk}/deliveries/{first.pk}/revoke").status_code == 302
        return found

    monkeypatch.setattr("biombo._portal.pages.deliveries.deliverable", looked_then_taken_back)
    assert rita.post(f"/requests/{case.pk}/delivery").status_code == 409
    assert not case.deliveries.filter(revoked_at=None).exists()


def test_a_link_that_was_left_open_leads_nowhere_once_all_were_taken_back(unchanged: Site):
    site = unchanged
    case, rita = site.led_to("available"), site.client("rita")
    link = rita.post(f"/requests/{case.pk}/delivery").headers["Location"]
    site.client("ana").post(f"/requests/{case.pk}/deliveries/{case.deliveries.get().pk}/revoke")
    case.deliveries.update(revoked_at=None)
    assert rita.get(link).status_code == 404


def test_an_archive_that_is_being_made_ends_with_those_that_are_taken_back(unchanged: Site, monkeypatch):
    site = unchanged
    case, ana = site.led_to("available", way="encrypted"), site.client("ana")
    assert ana.post(f"/requests/{case.pk}/archives").status_code == 200
    first = case.deliveries.get()

    def filled_then_taken_back(archive: Any, release: Any) -> None:
        archive.write(release / "data.csv", "data.csv")
        site.client("bruno").post(f"/requests/{case.pk}/deliveries/{first.pk}/revoke")

    monkeypatch.setattr("biombo._portal.deliveries._fill", filled_then_taken_back)
    assert ana.post(f"/requests/{case.pk}/archives").status_code == 409
    assert not case.deliveries.filter(revoked_at=None).exists()
    assert [path.name for path in site.home.outgoing.iterdir() if path.name.startswith(first.token)] == []
