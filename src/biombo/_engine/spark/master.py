"""Where Spark is: the texts that name it, and whether anybody answers there."""

import re
import socket
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from biombo._errors import InputError, UsageError

LOCAL, STANDALONE, CONNECT = "local", "spark://", "sc://"
"""How the three kinds of texts begin."""

_THREADS = re.compile(r"local(\[(\*|[1-9]\d{0,4})(,[1-9]\d{0,4})?\])?")
_HOST = re.compile(r"[A-Za-z0-9]([\w.-]*[\w])?|\[[0-9A-Fa-f:.]+\]")
_PORTS = {STANDALONE: 7077, CONNECT: 15002}
_SECONDS = 5.0
"""How long a master may take to answer."""

Kind = Literal["local", "standalone", "connect"]


@dataclass(frozen=True)
class Master:
    """A place where Spark runs."""

    text: str = field(repr=False)
    """As Spark wants it; that of Connect may hold a token."""
    shown: str
    """As others may read it."""
    kind: Kind
    hosts: tuple[tuple[str, int], ...] = ()
    """Where somebody must answer."""
    is_encrypted: bool = False
    """Does the text ask for an encrypted connection?"""

    @property
    def is_near(self) -> bool:
        """Does nothing that is sent there leave this machine?"""
        return all(_is_loopback(host) for host, _ in self.hosts)

    def refuse_unreachable(self) -> None:
        """Raise where nobody answers, within seconds: Spark itself tries for minutes."""
        if self.hosts and not any(_answers(host, port) for host, port in self.hosts):
            raise InputError("spark.unreachable", master=self.shown)


def master_of(text: str) -> Master:
    """The place that ``text`` names.

    >>> master_of("local[2]").kind, master_of("spark://10.0.0.5").text
    ('local', 'spark://10.0.0.5:7077')
    >>> master_of("sc://spark.example;token=secret")
    Master(shown='sc://spark.example:15002', kind='connect', hosts=(('spark.example', 15002),), is_encrypted=True)
    """
    if _THREADS.fullmatch(text):
        return Master(text, text, "local")
    if text.startswith(STANDALONE):
        return _standalone(text)
    if text.startswith(CONNECT):
        return _connect(text)
    raise _malformed(text)


def _standalone(text: str) -> Master:
    hosts = tuple(_host(each, STANDALONE, text) for each in text.removeprefix(STANDALONE).split(","))
    whole = STANDALONE + ",".join(map(_joined, hosts))
    return Master(whole, whole, "standalone", hosts)


def _connect(text: str) -> Master:
    """Spark wants a ``/`` before the parameters, which people forget."""
    place, mark, parameters = text.removeprefix(CONNECT).partition(";")
    host = _host(place.removesuffix("/"), CONNECT, text)
    named = dict(each.partition("=")[::2] for each in parameters.split(";")) if mark else {}
    if not all(name and value for name, value in named.items()):
        raise _malformed(text)
    shown = CONNECT + _joined(host)
    is_encrypted = named.get("use_ssl", "").lower() == "true" or "token" in named
    return Master(f"{shown}/{mark}{parameters}", shown, "connect", (host,), is_encrypted)


def _host(place: str, scheme: str, text: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{place}")
        port = parts.port
    except ValueError:
        raise _malformed(text) from None
    bare = parts.netloc.removesuffix(f":{port}")
    if not _HOST.fullmatch(bare) or parts.netloc != place or port == 0:
        raise _malformed(text)
    return bare.strip("[]"), port or _PORTS[scheme]


def _joined(host: tuple[str, int]) -> str:
    name, port = host
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def _malformed(text: str) -> UsageError:
    """What stands behind the host is not quoted: it may be a token."""
    return UsageError("spark.master", master=re.split(r"[;?#@]", text, maxsplit=1)[0])


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), _SECONDS).close()
    except (OSError, UnicodeError):  # names that no host can have
        return False
    return True
