"""The server as it is started: behind a proxy, twice, on a port that is taken, killed, and with visitors who stall."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest
from portal_server import Portal, missing_for_portal, running_portal

PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"
PROXIED = "data.example.gov.br"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(missing_for_portal(browser=False) is not None, reason=str(missing_for_portal(browser=False))),
]


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """A portal that is told that a proxy is in front of it."""
    folder = tmp_path_factory.mktemp("proxied") / "home"
    with running_portal(folder, demo=False, more=["--address", f"https://{PROXIED}", "--behind-proxy"]) as portal:
        yield portal


def asked(portal: Portal, method: str, path: str, body: str | None = None, *, visitor: str, cookies: str = "") -> tuple:
    """What the proxy asks for a visitor, as proxies do: what the visitor says of itself comes first."""
    connection = HTTPConnection(urlsplit(portal.address).netloc, timeout=60)
    headers = {
        "Host": PROXIED,
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": f"192.0.2.77, {visitor}",
        "Cookie": cookies,
        "Referer": f"https://{PROXIED}{path}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    with closing(connection):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer, answer.read().decode()


def tried_to_log_in(portal: Portal, email: str, visitor: str) -> str:
    page, form = asked(portal, "GET", "/account/login/", visitor=visitor)
    cookies = "; ".join(each.partition(";")[0] for each in page.headers.get_all("Set-Cookie"))
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', form)
    assert token is not None
    told = urlencode({"login": email, "password": "wrong-wrong-1", "csrfmiddlewaretoken": token[1]})
    page = asked(portal, "POST", "/account/login/", told, visitor=visitor, cookies=cookies)[1]
    return "".join(re.findall(r"errorlist[^>]*>(.*?)</ul>", page, re.DOTALL))


def test_behind_a_proxy_visitors_are_told_apart_and_pages_are_for_https(proxied: Portal):
    answer, _ = asked(proxied, "GET", "/", visitor="203.0.113.1")
    assert answer.headers["Strict-Transport-Security"]

    tries = [tried_to_log_in(proxied, f"user{number}@x.example", "203.0.113.1") for number in range(12)]
    assert tries[0]
    assert tries[-1] != tries[0]  # whoever fails too often waits
    assert tried_to_log_in(proxied, "honest@x.example", "203.0.113.2") == tries[0]  # and nobody else


def serving(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, "serve", *map(str, arguments)]
    environment = {**os.environ, "BIOMBO_LANG": "en", "COLUMNS": "200"}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)


def test_a_folder_is_served_once_and_a_taken_port_is_told_in_one_sentence(proxied: Portal, tmp_path):
    again = serving("--folder", proxied.folder, "--port", 1)
    assert again.returncode == 2
    assert again.stderr.count("\n") == 1
    assert "is served already" in again.stderr
    taken = serving("--folder", tmp_path / "other", "--port", urlsplit(proxied.address).port)
    assert taken.returncode == 2
    assert taken.stderr.count("\n") == 1
    assert "another program may have it" in taken.stderr


@pytest.mark.parametrize(
    "begun",
    [
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
        b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n",
    ],
)
def test_whoever_sends_a_request_byte_by_byte_is_cut_off(proxied: Portal, begun: bytes):
    place = urlsplit(proxied.address)
    with socket.create_connection((place.hostname, place.port), timeout=60) as slow:
        slow.sendall(begun)
        assert seconds_until_cut(slow) < 50


def seconds_until_cut(slow: socket.socket) -> float:
    began = time.monotonic()
    with suppress(OSError):
        while time.monotonic() - began < 60:
            slow.sendall(b"a")
            time.sleep(1)
    return time.monotonic() - began


def test_nothing_is_left_of_a_server_that_was_killed(proxied: Portal):
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(proxied.process)], capture_output=True, text=True, check=True
    )
    children = [int(each) for each in listed.stdout.split()]
    assert len(children) == 2
    os.kill(proxied.process, signal.SIGKILL)

    until = time.monotonic() + 40
    while any(is_alive(each) for each in children) and time.monotonic() < until:
        time.sleep(0.2)
    assert [each for each in children if is_alive(each)] == []


def is_alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_demo_says_in_the_language_that_was_chosen_where_it_is_and_who_is_who(portal: Portal):
    """Its texts are Portuguese, and publishing has steps to tell: none of that is for whoever starts it."""
    begun = portal.log.read_text().partition("The portal is at")[0].splitlines()

    assert begun[0] == "Making up an agency …"
    assert all(re.fullmatch(r"\s*[a-z]+: \S+@demo\.example, password \S+", line) for line in begun[1:] if line), begun
