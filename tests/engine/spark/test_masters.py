"""Where Spark is: read from a text, and looked for only as long as people wait."""

import socket
import time

import pytest
from refusal import refused

from biombo._engine.spark import master_of, session_at


@pytest.fixture
def silent_port():
    """A port of this machine at which nobody answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.parametrize(
    ("text", "kind", "whole", "hosts"),
    [
        ("local", "local", "local", ()),
        ("local[4]", "local", "local[4]", ()),
        ("spark://node", "standalone", "spark://node:7077", (("node", 7077),)),
        ("spark://a:1,b:2", "standalone", "spark://a:1,b:2", (("a", 1), ("b", 2))),
        ("sc://node", "connect", "sc://node:15002/", (("node", 15002),)),
        ("sc://[::1]:7", "connect", "sc://[::1]:7/", (("::1", 7),)),
        ("sc://node:7;use_ssl=true", "connect", "sc://node:7/;use_ssl=true", (("node", 7),)),
    ],
)
def test_a_place_is_read_as_spark_wants_it(text, kind, whole, hosts):
    found = master_of(text)

    assert (found.kind, found.text, found.hosts) == (kind, whole, hosts)


@pytest.mark.parametrize(
    ("text", "near", "encrypted"),
    [
        ("sc://localhost", True, False),
        ("sc://127.0.0.1:7", True, False),
        ("sc://10.0.0.7", False, False),
        ("sc://localhost.example", False, False),
        ("sc://10.0.0.7;use_ssl=true", False, True),
        ("sc://10.0.0.7;use_ssl=false", False, False),
    ],
)
def test_it_is_known_whether_others_could_read_along(text, near, encrypted):
    found = master_of(text)

    assert (found.is_near, found.is_encrypted) == (near, encrypted)


def test_a_token_is_shown_nowhere():
    assert "secret" not in repr(master_of("sc://node;token=secret"))


@pytest.mark.parametrize("scheme", ["spark", "sc"])
def test_nobody_there_is_told_soon(scheme, silent_port):
    began = time.monotonic()
    with refused("spark.unreachable", f"{scheme}://127.0.0.1:{silent_port}"):
        master_of(f"{scheme}://127.0.0.1:{silent_port}").refuse_unreachable()

    assert time.monotonic() - began < 10


@pytest.mark.spark
@pytest.mark.parametrize("scheme", ["spark", "sc"])
def test_a_session_is_refused_where_nobody_answers(scheme, silent_port):
    with refused("spark.unreachable", f"{scheme}://127.0.0.1:{silent_port}"):
        session_at(f"{scheme}://127.0.0.1:{silent_port}")


@pytest.mark.parametrize("host", ["a..b", "x" * 300])
def test_a_name_that_no_host_can_have_is_not_reached(host):
    with refused("spark.unreachable"):
        master_of(f"spark://{host}:1").refuse_unreachable()
