"""People at the portal: each has a window of a real browser, fills forms and presses buttons as they would."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, sync_playwright
from portal_server import CHROMIUM, Portal

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
_MILLISECONDS = 60_000
"""How long a page, or a job, may take: this machine may be busy."""

_MARGIN = 24
"""Pixels below what a picture ends with."""
_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], "resultTypes": ["violations"]}
_WIDEST = """root => [...root.querySelectorAll('main *, header *')]
    .filter(each => each.getBoundingClientRect().right > root.clientWidth + 1 && !each.closest('.scroll'))
    .slice(0, 5).map(each => each.outerHTML.slice(0, 120))"""
"""What reaches beyond the window."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, gone at the end of the block, and so is the loop that it needs."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_QUIET))
        try:
            yield browser
        finally:
            browser.close()


class Window:
    """A window of its own, which shares nothing with others. What the browser finds wrong is kept in ``complaints``."""

    def __init__(self, browser: Browser, portal: Portal, *, width: int = 1280, language: str = "pt") -> None:
        self.portal = portal
        self.context = browser.new_context(viewport={"width": width, "height": 900}, accept_downloads=True)
        address = {"domain": "127.0.0.1", "path": "/"}
        self.context.add_cookies([{"name": "biombo_language", "value": language, **address}])
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(_MILLISECONDS)
        self.complaints: list[str] = []
        self.links: list[str] = []
        """From where something was downloaded."""
        self.page.on("console", lambda said: _is_complaint(said) and self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def speaks(self, language: str) -> None:
        """Everything in this language from the next page on."""
        self.context.add_cookies([{"name": "biombo_language", "value": language, "domain": "127.0.0.1", "path": "/"}])

    def log_in(self, email: str) -> "Window":
        """With the password of the demo."""
        self.open("/account/login/")
        self.page.fill("input[name=login]", email)
        self.page.fill("input[name=password]", self.portal.passwords[email])
        self.press("main form button")
        return self

    def open(self, path: str) -> int:
        """A page by its address within the portal; gives the status of the answer."""
        answer = self.page.goto(f"{self.portal.address}{path}")
        assert answer is not None
        return answer.status

    def press(self, what: str) -> None:
        """A button or link that leads to another page."""
        with self.page.expect_navigation():
            self.page.click(what)

    @property
    def main(self) -> str:
        """What the page says."""
        return self.page.inner_text("main")

    def form(self, act: str) -> Locator:
        """The form for an act, unfolded where it is folded."""
        form = self.page.locator(f"#act-{act}")
        form.wait_for(state="attached")
        folded = self.page.locator(f"details:not([open]):has(#act-{act}) > summary")
        if folded.count():
            folded.click()
        return form

    def do(self, act: str, **fields: Any) -> None:
        """Fill the form for an act, send it, and wait until a worker has done it."""
        form = self.form(act)
        fill(form, {name.rstrip("_"): value for name, value in fields.items()})
        with self.page.expect_navigation():
            form.locator(".do button").click()
        self.wait_for_job()

    def wait_for_job(self) -> None:
        """Until nothing is being worked at; the page asks for itself anew."""
        for _ in range(2):  # between two documents there is nothing, and so no job
            self.page.locator("#job").wait_for(state="detached")
            self.page.locator("footer").wait_for()

    def can(self) -> list[str]:
        """The acts that the page offers."""
        forms = self.page.locator("form.act").all()
        return [str(each.get_attribute("id")).removeprefix("act-") for each in forms]

    @property
    def refusals(self) -> list[str]:
        """What the page says is wrong."""
        return [each.inner_text() for each in self.page.locator(".errors").all()]

    def faults(self) -> list[str]:
        """What keeps people from reading the page: what axe finds, and whether it is wider than the window."""
        found = Axe().run(self.page, options=_RULES).response["violations"]
        nodes = [f"{each['id']} {[node['html'][:200] for node in each['nodes']]}" for each in found]
        return nodes + self.too_wide()

    def too_wide(self) -> list[str]:
        """What reaches beyond the window, where anything does."""
        html = self.page.locator("html")
        pixels = html.evaluate("root => root.scrollWidth - root.clientWidth")
        return [f"{pixels} pixels too wide: {html.evaluate(_WIDEST)}"] if pixels > 0 else []

    def photograph(self, path: Path, *, until: str) -> None:
        """The page down to where ``until`` ends, in so few colours that documents stay small."""
        from PIL import Image

        last = self.page.locator(until).last.evaluate("each => each.getBoundingClientRect().bottom + window.scrollY")
        size = self.page.viewport_size or {}
        clip = {"x": 0, "y": 0, "width": size["width"], "height": last + _MARGIN}
        self.page.screenshot(path=path, clip=clip, full_page=True)  # type: ignore[arg-type]
        with Image.open(path) as picture:
            few = picture.convert("RGB").quantize(64)
        few.save(path, optimize=True)

    def close(self) -> None:
        """Close it; the session ends with it."""
        self.context.close()


def _is_complaint(said: ConsoleMessage) -> bool:
    """That a form was filled wrongly is what the page says, too."""
    return said.type in ("error", "warning") and "422" not in said.text


def fill(form: Locator, fields: Mapping[str, Any]) -> None:
    """Type, choose and tick: what each field takes tells how."""
    for name, value in fields.items():
        field = form.locator(f'[name="{name}"]')
        kind = str(field.first.evaluate("field => field.type"))
        if kind == "radio":
            form.locator(f'[name="{name}"][value="{value}"]').check()
        elif kind == "checkbox":
            field.set_checked(bool(value))
        elif kind == "select-one":
            field.select_option(str(value))
        elif kind == "file":
            field.set_input_files(value)
        else:
            field.fill(str(value))
