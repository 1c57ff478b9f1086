"""Addresses of databases: what in them is a password, and how they are shown and kept without it."""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import unquote

SQLITE = "sqlite:///"
"""What stands before the path of a file."""

_HIDDEN = "***"
_SECRET = re.compile(r"passw(or)?d|secret|^scram_", re.IGNORECASE)
"""The names of parameters whose values nobody else may see; a ``passfile`` only says where they are."""

_KEYWORDS = re.compile(
    r"(^|\s)(host|hostaddr|port|dbname|user|service|passfile|sslmode|options)\s*=|passw(or)?d\s*=", re.IGNORECASE
)
_USER = r"([a-z][\w+.-]*:/+[^\s:@/]*:)"
_WITH_PASSWORD = re.compile(_USER + r"\S*@", re.IGNORECASE)
_PERHAPS = re.compile(_USER + r".*@|((?<!\S)[^\s:@/]+:)\S+@(?=\S)", re.IGNORECASE)
"""Also with blanks in it, or without a scheme."""

_NO_PORT = re.compile(_USER + r"(?!\*\*\*|[0-9]*([/?,\s]|$))\S+", re.IGNORECASE)
"""Nor is it the number of a port: whoever forgot the host has written the password last."""

_HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(:[0-9]*)?")

_PARAMETER = re.compile(r"([?&])([^\s?&=]+)=[^&\n]*")
_KEYWORD = re.compile(r"(passw(?:or)?d\s*=\s*)(?!\*\*\*)('(?:[^'\\]|\\.)*'|[^\s&]+)", re.IGNORECASE)


def is_path(place: str) -> bool:
    """Can ``place`` only be meant as the path of a file, and not as an address?"""
    return bool(place.strip()) and not {":", "@"} & set(place) and not has_keywords(place)


def has_keywords(place: str) -> bool:
    """Is it what PostgreSQL's own programs also take, such as ``host=h user=ana``? It cannot be told from a path."""
    return "://" not in place and _KEYWORDS.search(place) is not None


def without_password(address: str) -> str | None:
    """``address`` without the passwords in it, and all else as it was; nothing where it can be read in two ways.

    >>> without_password("postgresql://ana:secret@host/people?sslmode=require&password=secret")
    'postgresql://ana@host/people?sslmode=require'
    """
    parts = _parts(address)
    if parts is None:
        return None
    scheme, user, rest, query = parts
    kept = [each for each in query if not _is_secret(each)]
    name = user.partition(":")[0] + "@" * user.endswith("@") if ":" in user else user
    return f"{scheme}{name}{rest}{'?' if kept else ''}{'&'.join(kept)}"


def passwords(address: str) -> list[str] | None:
    """The passwords in ``address``, as written and as meant; nothing where it can be read in two ways."""
    parts = _parts(address)
    if parts is None:
        return None
    _, user, _, query = parts
    written = [
        user.removesuffix("@").partition(":")[2],
        *(each.partition("=")[2] for each in query if _is_secret(each)),
    ]
    found = {secret for password in written for secret in (password, unquote(password)) if secret}
    return sorted(found, key=len, reverse=True)


def holds_password(text: str) -> bool:
    """Is there an address with a password in ``text``?"""
    return _without_named(text) != text


def discreet(value: Any) -> Any:
    """``value`` for a sentence: what could be a password in an address is hidden, rather too much than too little.

    >>> discreet(["postgresql://ana:secret@host/people", 5])
    ['postgresql://ana:***@host/people', 5]
    """
    if isinstance(value, str):
        return _NO_PORT.sub(rf"\1{_HIDDEN}", _without_named(_PERHAPS.sub(_without_rest, value)))
    if isinstance(value, PurePath):
        shown = discreet(str(value))
        return value if shown == str(value) else shown
    if isinstance(value, Mapping):
        return {discreet(name): discreet(each) for name, each in value.items()}
    return type(value)(map(discreet, value)) if type(value) in (list, tuple) else value


def _without_named(text: str) -> str:
    shown = _WITH_PASSWORD.sub(_without_rest, text)
    return _KEYWORD.sub(rf"\1{_HIDDEN}", _PARAMETER.sub(_without_value, shown))


def _without_rest(found: re.Match[str]) -> str:
    return f"{found[found.lastindex or 0]}{_HIDDEN}@"


def _without_value(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}={_HIDDEN}" if _SECRET.search(unquote(found[2])) else found[0]


def _parts(address: str) -> tuple[str, str, str, list[str]] | None:
    """Scheme, user with the ``@`` after it, what follows up to the parameters, and these: as PostgreSQL reads them.

    The user ends at the first ``@`` before any ``/``. Where another one follows, or a parameter without ``=``, or a
    port is no number, somebody may have meant it as a part of the password.
    """
    scheme, mark, after = address.partition("://")
    ahead = after.partition("/")[0]
    user = after[: ahead.index("@") + 1] if "@" in ahead else ""
    rest, _, parameters = after[len(user) :].partition("?")
    query = parameters.split("&") if parameters else []
    if not mark or "@" in rest + parameters or not all("=" in each for each in query):
        return None
    if not all(_HOST.fullmatch(host) for host in rest.partition("/")[0].split(",")):
        return None
    return scheme + mark, user, rest, query


def _is_secret(parameter: str) -> bool:
    return _SECRET.search(unquote(parameter.partition("=")[0])) is not None
