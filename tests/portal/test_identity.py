"""Login by a provider of identities, in a real browser, against a provider that checks what it is sent."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from identity_provider import CLIENT, SECRET, RunningProvider, running_provider
from portal_server import Portal, missing_for_portal, running_portal

from biombo._errors import UsageError
from biombo._portal import PortalHome

pytestmark = pytest.mark.skipif(missing_for_portal() is not None, reason=str(missing_for_portal()))
WRONG = ("state", "nonce", "no nonce", "signature", "unsigned", "issuer", "audience", "expired", "cancelled")


@pytest.fixture(scope="module")
def provider() -> Iterator[RunningProvider]:
    with running_provider() as running:
        yield running


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory, provider: RunningProvider) -> Iterator[Portal]:
    """The demo with a provider."""
    folder = tmp_path_factory.mktemp("identity") / "home"
    PortalHome.at(folder, identity={"name": "gov.br", "server": provider.address, "client": CLIENT})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BIOMBO_PORTAL_OIDC_SECRET", SECRET)
        with running_portal(folder) as running:
            yield running


def rows(portal: Portal, query: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(f"file:{portal.folder / 'portal.sqlite3'}?mode=ro", uri=True) as database:
        return database.execute(query).fetchall()


def came(one: Any, who: str) -> None:
    """Through the provider, as somebody whom it knows."""
    one.open("/account/login/")
    one.press("form[action='/account/provider'] button")
    one.press(f"button[value={who}]")


def is_inside(one: Any) -> bool:
    return bool(one.open("/requests") == 200 and one.page.url == f"{one.portal.address}/requests")


Open = Callable[..., Any]


def test_a_first_login_makes_a_requester_named_by_the_provider_and_a_second_the_same(
    portal: Portal, provider: RunningProvider, window: Open
):
    rosa = window(portal)
    rosa.open("/account/login/")
    assert rosa.faults() == []
    came(rosa, "rosa")

    assert rosa.page.url == f"{portal.address}/requests"
    assert "Rosa Lins" in rosa.page.inner_text("header")
    asked = provider.asked()[-1]
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["nonce"]) >= 32
    assert asked["redirect_uri"] == f"{portal.address}/account/provider/back"
    query = "SELECT role, name, password FROM portal_person WHERE email = 'rosa@example.org'"
    ((role, name, password),) = rows(portal, query)
    assert (role, name, password[0]) == ("requester", "Rosa Lins", "!")
    assert rows(portal, "SELECT uid, extra_data FROM socialaccount_socialaccount") == [("111", "{}")]
    rosa.press("form[action='/account/logout/'] button")
    assert not is_inside(rosa)
    came(rosa, "rosa")
    assert is_inside(rosa)
    assert len(rows(portal, query)) == 1


@pytest.mark.parametrize("what", WRONG)
def test_an_answer_that_does_not_fit_is_refused_in_one_sentence(
    portal: Portal, provider: RunningProvider, window: Open, what: str
):
    before = rows(portal, "SELECT count(*) FROM portal_person")
    somebody = window(portal)
    provider.get_wrong(what)
    try:
        came(somebody, "boss")
    finally:
        provider.get_wrong("")

    assert "Não foi possível entrar com gov.br" in somebody.main
    assert not is_inside(somebody)
    assert rows(portal, "SELECT count(*) FROM portal_person") == before
    somebody.complaints = [each for each in somebody.complaints if "403" not in each]


def test_a_code_works_once(portal: Portal, window: Open):
    rosa, other = window(portal), window(portal)
    back = []
    rosa.page.on("request", lambda sent: "/account/provider/back" in sent.url and back.append(sent.url))
    came(rosa, "rosa")
    assert is_inside(rosa)
    (used,) = back

    for one in (rosa, other):
        one.page.goto(used)
        assert "Não foi possível entrar" in one.main
        one.complaints = [each for each in one.complaints if "403" not in each]
    assert not is_inside(other)


@pytest.mark.parametrize(
    ("who", "said"),
    [("taken", "Já existe uma conta"), ("staff", "Já existe uma conta"), ("unverified", "e-mail verificado")],
)
def test_nobodys_account_is_taken_over(portal: Portal, window: Open, who: str, said: str):
    somebody = window(portal)
    before = rows(portal, "SELECT count(*) FROM portal_person")
    came(somebody, who)

    assert said in somebody.main
    assert not is_inside(somebody)
    assert rows(portal, "SELECT count(*) FROM portal_person") == before
    somebody.complaints = [each for each in somebody.complaints if "403" not in each]


def test_whatever_the_provider_says_somebody_is_a_requester(portal: Portal, window: Open):
    boss = window(portal)
    came(boss, "boss")

    assert rows(portal, "SELECT role FROM portal_person WHERE email = 'b@example.org'") == [("requester",)]
    assert boss.open("/people") == 404
    boss.complaints = []


def test_an_account_with_a_password_is_connected_by_whoever_is_in_it(portal: Portal, window: Open):
    caio, ana = window(portal, "pesquisador@demo.example"), window(portal, "gestora@demo.example")
    caio.open("/account")
    assert caio.faults() == []
    caio.press("main form[action='/account/provider'] button")
    caio.press("button[value=taken]")
    assert "ligada ao gov.br" in caio.main
    later = window(portal)
    came(later, "taken")
    assert "Caio Melo" in later.page.inner_text("header")

    ana.open("/account")
    assert ana.page.locator("main form[action='/account/provider']").count() == 0


def test_a_provider_that_is_away_is_told_in_one_sentence(tmp_path: Path, browser: Any, monkeypatch: pytest.MonkeyPatch):
    from portal_windows import Window

    folder = tmp_path / "home"
    PortalHome.at(folder, identity={"name": "gov.br", "server": "http://127.0.0.1:9", "client": CLIENT})
    with running_portal(folder, demo=False) as running:
        somebody = Window(browser, running)
        somebody.open("/account/login/")
        somebody.press("form[action='/account/provider'] button")
        assert "Não foi possível entrar com gov.br" in somebody.main
        somebody.close()


@pytest.mark.parametrize(
    "identity", [{"server": "http://example.org", "client": "x"}, {"server": "https://example.org"}, {"client": "x"}]
)
def test_a_provider_without_https_or_a_client_is_refused(tmp_path: Path, identity: dict[str, str]):
    from biombo._portal import settings_of

    with pytest.raises(UsageError, match="identity"):
        settings_of(PortalHome.at(tmp_path / "home", identity=identity))
