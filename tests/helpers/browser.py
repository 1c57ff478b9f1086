"""A real browser, driven through the pipe that Chromium offers for its developer tools."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--remote-debugging-pipe",
)
_ON_PIPES = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads what it is told from file 3 and answers to file 4."""

_COMPLAINTS = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening")
_CUT_OFF = """
    [...document.querySelectorAll('svg')].flatMap(svg => {
      const frame = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].filter(text => {
        const box = text.getBoundingClientRect();
        return box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2;
      }).map(text => text.textContent);
    })
"""


class Browser:
    """A running browser: what it is told goes through a pipe, and so does what it answers."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer, self._last = b"", 0
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **parameters: Any) -> Any:
        """Ask for something and wait for the answer; what is reported in passing is kept in ``events``."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != self._last:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def receive(self) -> dict[str, Any]:
        """The next answer or report."""
        while b"\0" not in self._buffer:
            chunk = os.read(self._read, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has gone")
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(message)
        return answer

    @contextmanager
    def page(self) -> Iterator["Page"]:
        """A page of its own, as in a new browser: it shares nothing with those before it."""
        self.events.clear()
        context = self.call("Target.createBrowserContext")["browserContextId"]
        try:
            yield Page(self, self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"])
        finally:
            self.call("Target.disposeBrowserContext", browserContextId=context)


class Page:
    """One open page."""

    def __init__(self, browser: Browser, target: str) -> None:
        self._browser = browser
        self._session: str = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the browser reported in passing."""
        return self._browser.events

    def call(self, method: str, **parameters: Any) -> Any:
        """Ask something of the page."""
        return self._browser.call(method, self._session, **parameters)

    def open(self, path: Path, width: int = 1200, height: int = 900, mobile: bool = False) -> None:
        """Load a file and wait until it is there."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        before = len(self.events)
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events[before:]):
            self.events.append(self._browser.receive())
        self.call("Runtime.evaluate", expression="document.fonts.ready", awaitPromise=True)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression on the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    @property
    def complaints(self) -> list[dict[str, Any]]:
        """What the browser found wrong with the page."""
        return [event for event in self.events if event.get("method") in _COMPLAINTS]

    def cut_off(self) -> list[str]:
        """Texts of pictures that do not fit into them."""
        texts: list[str] = self.evaluate(_CUT_OFF)
        return texts

    def other_fonts(self) -> list[str]:
        """Texts of which some letters are not shown in a font that the page has brought along."""
        texts = self._nodes("//body//*[text()[normalize-space()]]")
        return [
            self.call("DOM.getOuterHTML", nodeId=node)["outerHTML"] for node in texts if self._glyphs(node, own=False)
        ]

    def own_letters(self, path: str) -> int:
        """How many letters of the elements at an XPath are shown in a font that the page has brought along."""
        return sum(self._glyphs(node, own=True) for node in self._nodes(path))

    def _nodes(self, path: str) -> list[int]:
        for method in ("DOM.enable", "CSS.enable", "DOM.getDocument"):
            self.call(method)
        search = self.call("DOM.performSearch", query=path)
        found = {"searchId": search["searchId"], "fromIndex": 0, "toIndex": search["resultCount"]}
        nodes: list[int] = self.call("DOM.getSearchResults", **found)["nodeIds"]
        return nodes

    def _glyphs(self, node: int, *, own: bool) -> int:
        fonts = self.call("CSS.getPlatformFontsForNode", nodeId=node)["fonts"]
        return sum(int(font["glyphCount"]) for font in fonts if font["isCustomFont"] is own)


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser, gone at the end of the block."""
    assert CHROMIUM is not None
    to_browser, from_us = os.pipe()
    to_us, from_browser = os.pipe()
    ends = [str(to_browser), str(from_browser)]
    process = subprocess.Popen(
        [sys.executable, "-c", _ON_PIPES, *ends, CHROMIUM, *_QUIET, f"--user-data-dir={profile}"],
        pass_fds=(to_browser, from_browser),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Browser(from_us, to_us)
    finally:
        process.terminate()
        process.wait(timeout=20)
        os.close(from_us)
        os.close(to_us)
