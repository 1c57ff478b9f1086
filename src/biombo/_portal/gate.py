"""What is taken in at all: how much somebody may send is looked at before anything of it is kept.

Waitress keeps what is sent until it is whole, and only then may Django look. Whoever sends more than a form takes is
therefore looked up by their session as soon as the headers are there; all others are refused at once.
"""

import json
import re
import time
from copy import copy
from http.cookies import CookieError, SimpleCookie
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.utilities import RequestEntityTooLarge

from biombo._i18n import Language, speaking, text
from biombo._portal.access import MOST_OF_STRANGERS, most_sent


class _Parser(HTTPRequestParser):  # type: ignore[misc, unused-ignore]
    """Refuses bodies, and those in pieces once there are too many, that whoever sends them may not send."""

    adj: Any
    error: Any
    expect_continue: bool

    def parse_header(self, header_plus: bytes) -> None:
        """Once the headers are there, and before anything after them is kept."""
        super().parse_header(header_plus)
        if self.chunked or self.content_length > MOST_OF_STRANGERS:
            self.adj = copy(self.adj)
            self.adj.max_request_body_size = most_of(self.headers.get("COOKIE", "")) + 1
            self.expect_continue = self.expect_continue and self.content_length < self.adj.max_request_body_size

    def received(self, data: bytes) -> int:
        """Some more of it; what is too much is refused in the portal's words."""
        taken: int = super().received(data)
        if type(self.error) is RequestEntityTooLarge:
            self.error = _TooLarge(str(self.path), self.headers.get("COOKIE", ""))
        return taken


class _TooLarge(RequestEntityTooLarge):  # type: ignore[misc, unused-ignore]
    """Too much, on a page in the reader's language that leads back to the form."""

    def __init__(self, path: str, cookies: str) -> None:
        super().__init__("")
        self._path, self._cookies = path, cookies

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status, headers and page; for programs, a sentence."""
        from django.template.loader import render_to_string

        from biombo._portal.middleware import API, LANGUAGE_COOKIE, page_above

        del ident
        code: Language = "en" if f"{LANGUAGE_COOKIE}=en" in self._cookies else "pt"
        status = f"{self.code} {self.reason}"
        with speaking(code):
            if self._path.startswith(API):
                said = json.dumps({"error": text("portal.error.too-large")}, ensure_ascii=False)
                return status, [("Content-Type", "application/json"), *_HEADERS], said.encode()
            back_to = page_above(self._path) if _PLAIN_PATH.fullmatch(self._path) else "/"
            told = {"language": "en" if code == "en" else "pt-BR", "back_to": back_to}
            page = render_to_string("portal/too_large.html", told)
        return status, [("Content-Type", "text/html; charset=utf-8"), *_HEADERS], page.encode()


_PLAIN_PATH = re.compile(r"(/[\w-]+)*/?", re.ASCII)
_HEADERS = (
    ("Content-Security-Policy", "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Cache-Control", "no-store"),
)


_SECONDS_TO_BEGIN = 20.0
"""For the headers, and for what a form takes."""
_SLOWEST = 4096
"""Bytes a second, of what is larger: counted by what came, since anybody can announce much."""


class _Channel(HTTPChannel):  # type: ignore[misc, unused-ignore]
    """A connection, which is closed where what was begun does not come: whoever sends a byte now and then would keep
    it from others.
    """

    parser_class = _Parser
    _began = 0.0

    def received(self, data: bytes) -> bool:
        """Take in some more of a request."""
        if self.request is None:
            self._began = time.monotonic()
        taken = bool(super().received(data))
        if self.request is not None and time.monotonic() - self._began > self._patience():
            self.will_close = True
        return taken

    def _patience(self) -> float:
        coming = self.request
        if not coming.headers_finished:
            return _SECONDS_TO_BEGIN
        return _SECONDS_TO_BEGIN + float(coming.body_bytes_received) / _SLOWEST


def guard(sockets: dict[int, Any]) -> None:
    """Have all servers of a map of waitress look before they keep."""
    for each in sockets.values():
        if isinstance(each, BaseWSGIServer):
            each.channel_class = _Channel


def most_of(cookies: str) -> int:
    """Bytes that whoever shows these cookies may send at once."""
    from django.conf import settings
    from django.contrib.auth import get_user
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import DatabaseError, close_old_connections
    from django.http import HttpRequest

    try:
        shown = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        shown = None
    if shown is None:
        return MOST_OF_STRANGERS
    request = HttpRequest()
    request.session = SessionStore(shown.value)
    try:
        return most_sent(get_user(request))
    except DatabaseError:
        return MOST_OF_STRANGERS
    finally:
        close_old_connections()
