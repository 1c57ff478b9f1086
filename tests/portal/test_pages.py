"""Every page, for a screen reader, a keyboard and a phone, in both languages; a request in every state."""

from itertools import pairwise

import pytest

VISITOR, REQUESTER, OTHER_REQUESTER = None, "pesquisadora@demo.example", "pesquisador@demo.example"
MANAGER, ADMINISTRATOR, AUDITOR = "gestora@demo.example", "admin@demo.example", "auditor@demo.example"
COMMITTEE = "comite@demo.example"
RITAS, CAIOS = (1, 4, 5, 6), (2, 3, 7, 8)
"""Requests of the demo: to be answered, reviewed, voted on, handed over; new, in its second round, rejected, for data
that nobody has listed."""

PAGES = {
    VISITOR: ("/", "/account/login/", "/account/signup/", "/account/password/reset/", "/nowhere"),
    REQUESTER: (
        *("/requests", "/requests/new", "/account", "/account/password/change/", "/account/2fa/"),
        *(f"/requests/{number}" for number in RITAS),
    ),
    OTHER_REQUESTER: ("/requests", *(f"/requests/{number}" for number in CAIOS)),
    MANAGER: (
        *(
            "/requests/inbox",
            "/requests/all",
            "/requests/3/offers",
            "/requests/3/trail",
            "/data",
            "/data/1",
            "/data/new",
            "/data/1/columns",
            "/data/1/columns/1",
        ),
        *(f"/requests/{number}" for number in (*RITAS, *CAIOS)),
    ),
    ADMINISTRATOR: ("/people", "/settings", "/letters", "/retention", "/keys", "/trail"),
    AUDITOR: ("/requests/all", "/requests/6", "/requests/6/trail?q=ana", "/requests/6/offers", "/trail?verify=yes"),
    COMMITTEE: ("/requests/votes", "/requests/5"),
}
WIDTHS = (1280, 390)
HEADINGS = "[...document.querySelectorAll('h1, h2, h3, h4')].filter(h => h.checkVisibility()).map(h => +h.tagName[1])"
UNKNOWN = """[...document.querySelectorAll('[aria-describedby], [aria-labelledby]')].flatMap(each =>
    [each.getAttribute('aria-describedby'), each.getAttribute('aria-labelledby')].join(' ').split(' '))
    .filter(id => id && !document.getElementById(id))"""
FOCUSED = """() => { const it = document.activeElement, look = getComputedStyle(it), box = it.getBoundingClientRect();
    return {tag: it.tagName, name: it.name || '', text: it.textContent.trim(), inMain: !!it.closest('main'),
            outline: look.outlineStyle === 'none' ? 0 : parseFloat(look.outlineWidth),
            left: box.left, top: box.top} }"""


def looked_at(window, path: str) -> list[str]:
    """What is wrong with a page in both languages, wide and on a phone. Axe takes most of the time: in both languages,
    and for requests, whose pages are made of the same parts, in one of them in turn.
    """
    found = []
    skipped = {"pt": "13579", "en": "02468"} if path.startswith("/requests/") else {}
    for language, width in zip(("pt", "en"), WIDTHS, strict=True):
        window.speaks(language)
        window.page.set_viewport_size({"width": width, "height": 900})
        window.open(path)
        looks = window.too_wide() if path[-1] in skipped.get(language, "") else window.faults()
        found += [f"{path}, {language}, {width}: {fault}" for fault in (*looks, *structure(window, language))]
        (other,) = {*WIDTHS} - {width}
        window.page.set_viewport_size({"width": other, "height": 900})
        found += [f"{path}, {language}, {other}: {fault}" for fault in window.too_wide()]
    return found


def structure(window, language: str) -> list[str]:
    """What a screen reader goes by: the language, one main heading, no level left out, references to what is there."""
    levels = window.page.evaluate(HEADINGS)
    found = [] if window.page.get_attribute("html", "lang") == {"pt": "pt-BR", "en": "en"}[language] else ["language"]
    found += [] if levels[:1] == [1] and levels.count(1) == 1 else [f"headings {levels}"]
    found += [f"headings {levels}" for one, following in pairwise(levels) if following > one + 1]
    return found + [f"refers to {each}" for each in window.page.evaluate(UNKNOWN)]


@pytest.mark.parametrize("email", PAGES, ids=lambda email: str(email).partition("@")[0])
def test_pages_can_be_read_by_everybody(portal, window, email):
    one = window(portal, email)

    found = [fault for path in PAGES[email] for fault in looked_at(one, path)]

    one.complaints = [each for each in one.complaints if "404" not in each]
    assert found == []


def test_a_release_of_the_catalogue_can_be_read_by_everybody(portal, window):
    anybody = window(portal)
    anybody.open("/")
    anybody.press(".cards a[href^='/catalogue/']")
    entry = anybody.page.url.removeprefix(portal.address)

    assert looked_at(anybody, entry) == []
    anybody.press(".links a")
    assert anybody.page.title()


def test_a_form_that_was_filled_wrongly_says_what_is_wrong(portal, window):
    rita = window(portal, REQUESTER)
    rita.open("/requests/new")
    rita.press("main form .do button")

    assert len(rita.refusals) >= 3
    assert rita.faults() == []
    wrong = rita.page.locator("[aria-invalid=true]")
    assert wrong.count() >= 3
    for field in wrong.all():
        told = [f"#{each}" for each in str(field.get_attribute("aria-describedby")).split()]
        assert rita.page.locator(f":is({', '.join(told)}):has-text('obrigatório')").count() == 1, told


class Keys:
    """Somebody who has no mouse."""

    def __init__(self, window) -> None:
        self.window, self.page = window, window.page

    def press(self, *keys: str) -> dict[str, object]:
        """One key after the other; gives what has the focus then, which must be seen."""
        for key in keys:
            self.page.keyboard.press(key)
        focused = self.page.evaluate(FOCUSED)
        assert focused["tag"] == "BODY" or focused["outline"] >= 2, focused
        return focused

    def to(self, name: str, most: int = 80) -> dict[str, object]:
        """Tab until a field has the focus, or a button that is called so."""
        for _ in range(most):
            focused = self.press("Tab")
            if focused["name"] == name or (focused["tag"] in ("BUTTON", "A", "SUMMARY") and focused["text"] == name):
                return focused
        raise AssertionError(f"{name} is not reached by the keyboard")

    def type(self, name: str, value: str) -> None:
        """Into a field."""
        self.to(name)
        self.page.keyboard.type(value)

    def choose(self, name: str, value: str, most: int = 20) -> None:
        """One of several, by the arrows."""
        self.to(name)
        self.press("Home")
        for _ in range(most):
            if self.page.evaluate("document.activeElement.value") == value:
                return
            self.press("ArrowDown")
        raise AssertionError(f"{name} has no {value}")

    def unfold(self, name: str) -> None:
        """What is folded under a summary."""
        self.to(name)
        self.press("Enter")

    def send(self, button: str) -> None:
        """Press a button, and wait until that is done."""
        self.to(button)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        self.window.wait_for_job()


def test_the_first_key_leads_past_the_menu(portal, window):
    rita = window(portal, REQUESTER)
    rita.open("/requests/new")
    keys = Keys(rita)

    skip = keys.press("Tab")
    assert skip["text"] == "Ir para o conteúdo"
    assert skip["left"] >= 0, "it is seen once it has the focus"
    assert skip["top"] >= 0
    keys.press("Enter")
    assert keys.press("Tab")["inMain"]


@pytest.mark.slow
def test_a_request_is_made_and_answered_by_keyboard_alone(portal, window):
    """The form of process 1 and the editor of process 5, by real key presses: choices by letters and arrows."""
    rita = window(portal, REQUESTER)
    keys = Keys(rita)
    rita.open("/requests/new")
    keys.type("data_set", "Vac")
    keys.type("address", "São Luís")
    keys.to("dimension")
    keys.type("purpose", "por teclado")
    keys.type("label_0", "Idade")
    keys.type("meaning_0", "idade da pessoa")
    keys.type("label_1", "Sexo")
    keys.to("Enviar pedido")
    with rita.page.expect_navigation():
        keys.page.keyboard.press("Enter")
    rita.wait_for_job()
    assert rita.refusals == []
    assert rita.page.locator(".turn").inner_text().startswith("Pedido feito")

    rita.open("/requests/1")
    keys.to("column:paciente_idade")
    keys.press("ArrowDown", "ArrowDown")
    assert rita.page.input_value("[name='column:paciente_idade'] >> nth=0") == "2"
    rita.page.locator("#x-accept-1 .examples").wait_for()
    keys.to("Propor outro nível")
    keys.press("Enter")
    keys.to("k")


@pytest.mark.slow
def test_a_manager_and_a_requester_negotiate_by_keyboard_alone(portal, window):
    """A request, its preparation, manipulations, a message and its answer, by real key presses in two windows."""
    rita, ana = window(portal, REQUESTER), window(portal, MANAGER)
    asking, answering = Keys(rita), Keys(ana)
    rita.open("/requests/new")
    asking.type("data_set", "Vac")
    asking.type("address", "São Luís")
    asking.type("purpose", "sem mouse")
    asking.type("label_0", "Idade")
    asking.type("meaning_0", "idade da pessoa")
    asking.type("label_1", "Sexo")
    asking.send("Enviar pedido")
    case = rita.page.url.removeprefix(portal.address)

    ana.open(case)
    answering.type("k", "7")
    for name, value in (("harm", "medium"), ("motivation", "low"), ("controls", "high")):
        answering.choose(name, value)
    answering.send("Preparar e conferir")
    assert ana.refusals == []

    rita.open(case)
    asking.choose("column:paciente_idade", "2")
    asking.send("Enviar e medir")
    assert rita.refusals == []
    asking.unfold("Escrever um recado")
    asking.type("text", "Que faixas são possíveis?")
    asking.send("Enviar")
    ana.open(case)
    assert "Que faixas são possíveis?" in ana.main
    answering.unfold("Escrever um recado")
    answering.type("text", "De cinco ou de dez anos.")
    answering.send("Enviar")
    rita.open(case)
    assert "De cinco ou de dez anos." in rita.main


def test_colours_and_motion_follow_what_people_have_set(portal, window):
    rita = window(portal, REQUESTER)
    rita.open("/requests/1")
    bar = rita.page.locator(".bar .value").first
    fill, muted = (
        "each => getComputedStyle(each).fill",
        "getComputedStyle(document.documentElement).getPropertyValue('--muted')",
    )
    usual = bar.evaluate(fill), rita.page.evaluate(muted)

    rita.page.emulate_media(forced_colors="active", reduced_motion="reduce")
    assert bar.evaluate(fill) != usual[0]
    rita.page.emulate_media(forced_colors="none", contrast="more")
    assert rita.page.evaluate(muted) != usual[1]


def test_data_can_be_fetched_again_from_the_page_that_is_open(portal, window):
    rita = window(portal, REQUESTER)
    rita.open("/requests/6")
    button = rita.page.locator("form[data-download] button")
    for _ in range(2):
        with rita.page.expect_download() as download:
            button.click()
        assert download.value.suggested_filename.endswith(".zip")
        rita.page.locator("form[data-download]:not([data-sent])").wait_for()


def test_too_large_an_attachment_is_told_of_on_the_form(portal, window, tmp_path):
    from portal_windows import fill

    caio, large = window(portal, OTHER_REQUESTER, width=390), tmp_path / "termo.pdf"
    large.write_bytes(b"%PDF-" + bytes(14 * 1024**2))
    caio.open("/requests/new")
    fill(caio.page.locator("main form"), {"purpose": "quem foi vacinado", "attachment": str(large)})
    caio.page.click("main form .do button")
    caio.page.locator(".sending [role=status]").get_by_text("passam de 10 MB").wait_for()
    assert caio.page.url.endswith("/requests/new")
    assert caio.page.locator("[name=purpose]").input_value() == "quem foi vacinado"
    assert caio.faults() == []

    caio.page.evaluate("delete document.querySelector('[data-upload]').dataset.upload")  # as where no script runs
    caio.press("main form .do button")
    assert "grande demais" in caio.main
    assert all("413" in each for each in caio.complaints)
    caio.complaints.clear()
    caio.press("main a")
    assert caio.page.url.endswith("/requests/new")
