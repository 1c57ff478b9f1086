"""Addresses of databases: what in them is a password, and how they are shown and kept without it."""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import unquote

SQLITE = "sqlite:///"
"""What stands before the path of a file."""

JDBC = "jdbc:"
"""What stands before the address of a database that only Spark asks."""

_STORE = re.compile(
    r"(s3[an]?|gs|abfss?|wasbs?|adl|hdfs|viewfs|s?webhdfs|ofs|o3fs|oss|obs|cosn|oci|dbfs|file):/", re.IGNORECASE
)
"""How the addresses of files begin that Spark reads; a path has lost the second stroke."""

_HIDDEN = "***"
_SECRET_NAME = r"\w{0,40}(?:passw|senha|secret|pwd|token)\w{0,40}|(?<!\w)pass|scram_\w{1,40}"
_SECRET = re.compile(_SECRET_NAME, re.IGNORECASE)
"""The names of parameters whose values nobody else may see; a ``passfile`` only says where they are."""

_KEYWORDS = re.compile(
    r"(^|\s)(host|hostaddr|port|dbname|user|service|passfile|sslmode|options)\s*=|(" + _SECRET_NAME + r")\s*=",
    re.IGNORECASE,
)

_USER = r"([a-z][\w+.-]{0,40}:/+(?!\[[0-9a-f:.]*\])[^\s:@/]*?(?::|%3a))"
_PORT = r"""[0-9]*(?:[/?\s]|[.,;:)\]>'"]+(?:\s|$)|$)"""
_ALL = re.IGNORECASE | re.DOTALL
_WITH_PASSWORD = re.compile(rf"{_USER}(?:\S*|(?!{_PORT}).*)@", _ALL)
_NO_PORT = re.compile(rf"{_USER}(?!\*\*\*|{_PORT}).+", _ALL)
"""Nor is it the number of a port: whoever forgot the host has written the password last."""

_PERHAPS = re.compile(_USER + r".*@|((?<!\S)[^\s:@/]+:)\S+@", _ALL)
"""Also behind what may be a port, or without a scheme."""

_PARAMETER = re.compile(r"[?&;#]\s*([^\s?&;#=]+)\s*=")
_KEYWORD = re.compile(r"((?:passw(?:or)?d|pwd|senha)\s*=\s*)(?!\*\*\*).+", _ALL)
_PERHAPS_KEYWORD = re.compile(r"((?:passw(?:or)?d|pwd|senha)['\"]?\s*[=:]\s*)(?!\*\*\*).+", _ALL)

_SCHEME = re.compile(r"(jdbc:)?postgres(ql)?(\+\w+)?://")
_NAME = re.compile(r"[\w.-]*")
_HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(:[0-9]*)?")
_KNOWN_HOST = re.compile(r"(\[[0-9a-fA-F:.]*\]|[\w./-]*)(:[0-9]*)?")
_VALUE = re.compile(r"[\w./,+-]*")
_OPTIONS = re.compile(r"(\s*-c\s*[a-z_]+=[\w,$]*)*\s*")
"""Settings of PostgreSQL's own: those of others have a dot in their names."""

_HARMLESS = re.compile(
    "user|host|hostaddr|port|dbname|service|passfile|options|application_name|fallback_application_name|"
    "client_encoding|connect_timeout|tcp_user_timeout|target_session_attrs|load_balance_hosts|channel_binding|"
    "currentSchema|ssl|gssencmode|krbsrvname|keepalives(_idle|_interval|_count)?|"
    "sslmode|sslrootcert|sslcert|sslkey|sslcrl|ssl_(min|max)_protocol_version"
)


_ENGINE = re.compile(
    r"(spark:)?local(\[[\d*,]*\])?|(spark|sc)://([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d+)?(,[\w.-]+(:\d+)?)*/?"
)
_ENGINE_PARAMETER = re.compile(r"use_ssl=(true|false)|user_id=[\w.-]*", re.IGNORECASE)
"""Others are sent along as they are, and may be keys."""


def is_store(place: str) -> bool:
    """Is it the address of files in a place that only Spark reads?

    >>> is_store("s3a://bucket/people.parquet"), is_store("C:/people.csv")
    (True, False)
    """
    return _STORE.match(place) is not None


def jdbc_parts(address: str) -> tuple[str, dict[str, str]] | None:
    """The address for JDBC without who asks, and that apart: user, passwords; nothing where it can be read in two ways.

    >>> jdbc_parts("jdbc:postgresql://ana:secret@host/people?ssl=true")
    ('jdbc:postgresql://host/people?ssl=true', {'user': 'ana', 'password': 'secret'})
    """
    parts = _parts(address)
    if parts is None:
        return None
    scheme, user, rest, query = parts
    name, _, password = user.removesuffix("@").partition(":")
    apart = {"user": unquote(name), "password": unquote(password)}
    kept = []
    for each in query:
        key, _, value = each.partition("=")
        if key == "user" or _is_secret(each):
            apart[key] = unquote(value)
        else:
            kept.append(each)
    whole = f"{scheme}{rest}{'?' if kept else ''}{'&'.join(kept)}"
    return whole, {key: value for key, value in apart.items() if value}


def is_path(place: str) -> bool:
    """Can ``place`` only be meant as the path of a file, and not as an address?"""
    return bool(place.strip()) and not {":", "@"} & set(place) and not has_keywords(place)


def has_keywords(place: str) -> bool:
    """Is it what PostgreSQL's own programs also take, such as ``host=h user=ana``? It cannot be told from a path."""
    return "://" not in place and _KEYWORDS.search(place) is not None


def is_harmless_path(place: str) -> bool:
    """Is ``place`` a path in which nobody can have meant a password?"""
    return is_path(place) and not {"?", "#", ";"} & set(place)


def without_password(address: str) -> str | None:
    """``address`` without the passwords in it, and all else as it was; nothing where anything else in it is not known
    to be harmless.

    >>> without_password("postgresql://ana:secret@host/people?sslmode=require&password=secret")
    'postgresql://ana@host/people?sslmode=require'
    """
    if address.startswith(SQLITE):
        return address if is_harmless_path(address.removeprefix(SQLITE)) else None
    parts = _parts(address)
    if parts is None:
        return None
    scheme, user, rest, query = parts
    kept = [each for each in query if not _is_secret(each)]
    name = user.partition(":")[0].removesuffix("@")
    if not _is_harmless(scheme, name, rest, kept):
        return None
    return f"{scheme}{name}{'@' * user.endswith('@')}{rest}{'?' if kept else ''}{'&'.join(kept)}"


def without_token(engine: str) -> str | None:
    """The name of an engine without the token in it, which only the address of a Spark server has; nothing where
    anything else in it is not known to be harmless.

    >>> without_token("sc://spark.example:15002/;use_ssl=true;token=secret")
    'sc://spark.example:15002/;use_ssl=true'
    """
    place, mark, parameters = engine.partition(";")
    kept = [each for each in parameters.split(";") if not _is_secret(each)] if mark else []
    is_known = _ENGINE.fullmatch(place) and all(map(_ENGINE_PARAMETER.fullmatch, kept))
    return f"{place}{';' if kept else ''}{';'.join(kept)}" if is_known else None


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


def may_hold_password(place: str) -> bool:
    """Could something in ``place``, which names no database, be a password, or the address of a database at all?"""
    return discreet(place) != place or re.search(r"postgres(ql)?(\+\w+)?:/", place, re.IGNORECASE) is not None


def discreet(value: Any) -> Any:
    """``value`` for a sentence: what could be a password in an address is hidden, rather too much than too little.

    >>> discreet(["postgresql://ana:secret@host/people", 5])
    ['postgresql://ana:***@host/people', 5]
    """
    if isinstance(value, str):
        return _PERHAPS_KEYWORD.sub(rf"\1{_HIDDEN}", _without_named(_until_host(_PERHAPS, value)))
    if isinstance(value, PurePath):
        shown = discreet(str(value))
        return value if shown == str(value) else shown
    if isinstance(value, Mapping):
        return {discreet(name): _HIDDEN if _names_secret(name) else discreet(each) for name, each in value.items()}
    return type(value)(map(discreet, value)) if type(value) in (list, tuple) else value


def _names_secret(name: Any) -> bool:
    return isinstance(name, str) and re.fullmatch(r"passw(or)?d|pwd|senha", name, re.IGNORECASE) is not None


def _without_named(text: str) -> str:
    shown = _NO_PORT.sub(rf"\1{_HIDDEN}", _until_host(_WITH_PASSWORD, text))
    secret = next((each.end() for each in _PARAMETER.finditer(shown) if _SECRET.fullmatch(unquote(each[1]))), None)
    return _KEYWORD.sub(rf"\1{_HIDDEN}", shown if secret is None else shown[:secret] + _HIDDEN)


def _until_host(address: re.Pattern[str], text: str) -> str:
    """``text`` without what stands before a host. Whoever looks behind the last ``@`` looks in vain, and for long."""
    before, mark, after = text.rpartition("@")
    return address.sub(_without_rest, before + mark) + after


def _without_rest(found: re.Match[str]) -> str:
    return f"{found[found.lastindex or 0]}{_HIDDEN}@"


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
    return _SECRET.fullmatch(unquote(parameter.partition("=")[0]).strip()) is not None


def _is_harmless(scheme: str, user: str, rest: str, query: list[str]) -> bool:
    """Is there nothing else than what is known?"""
    hosts, _, name = rest.partition("/")
    pieces = [(_SCHEME, scheme), (_NAME, user), (_NAME, name), *((_KNOWN_HOST, host) for host in hosts.split(","))]
    return all(known.fullmatch(unquote(piece)) for known, piece in pieces) and all(map(_is_known, query))


def _is_known(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    allowed = _OPTIONS if name == "options" else _VALUE
    return all((_HARMLESS.fullmatch(name), allowed.fullmatch(unquote(value))))
