"""One PostgreSQL database named by two folders: the programs of one serve it together, those of the other do not."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from portal_server import missing_for_portal
from postgres_server import PASSWORD

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(missing_for_portal(browser=False) is not None, reason=str(missing_for_portal(browser=False))),
]
_PATIENCE = 30.0
_COMMAND = "import sys; from biombo._cli import main; sys.exit(main())"

HELD = """
import sys
from biombo._portal import PortalHome, hold
hold(PortalHome.at(sys.argv[1], database=sys.argv[2]))
print("held", flush=True)
sys.stdin.read()
"""

SHARED = """
import sys
from biombo._portal import PortalHome, hold_database
hold_database(PortalHome.at(sys.argv[1]))
print("too")
"""

CONNECTED = """
import sys
from biombo._portal import PortalHome, configure
configure(PortalHome.at(sys.argv[1]))
from django.db import connection
connection.ensure_connection()
"""

UP_TO_DATE = """
import sys
from biombo._portal import PortalHome, prepare
prepare(PortalHome.at(sys.argv[1], database=sys.argv[2]))
"""

KILLED = """
import os, sys
from pathlib import Path
import polars as pl
from biombo._portal import PortalHome, configure
home = PortalHome.at(sys.argv[1])
configure(home)
from datetime import timedelta
from django.utils import timezone
from biombo._portal import forget_tables
from biombo._portal.models import DataSet, Person, TrailEntry
place = home.sources / ("a" * 32 + ".parquet")
ago = timezone.now() - timedelta(days=400)
if not DataSet.objects.exists():
    pl.DataFrame({"name": ["P"]}).write_parquet(place)
    DataSet.objects.create(name="Interna", place=str(place), is_offered=False, added_at=ago)
unlink = Path.unlink
def killed(path, **told):
    if path == place and sys.argv[2] == "before":
        os.kill(os.getpid(), 9)
    unlink(path, **told)
    if path == place and sys.argv[2] == "after":
        os.kill(os.getpid(), 9)
Path.unlink = killed
forget_tables()
told = TrailEntry.objects.filter(what="table-forgotten").count()
print(place.exists(), DataSet.objects.get().place == "", told)
"""


def python(program: str, *arguments: object, **told: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    environment = {**os.environ, "BIOMBO_LANG": "en", "COLUMNS": "200"}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env=environment, stdin=subprocess.DEVNULL
    )


@contextmanager
def holding(*command: object, **told: Any) -> Iterator[subprocess.Popen[str]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = {**os.environ, "BIOMBO_LANG": "en"}
    with subprocess.Popen([sys.executable, *map(str, command)], text=True, env=environment, **pipes, **told) as process:
        try:
            yield process
        finally:
            process.kill()


def waited_for(what: Callable[[], Any]) -> Any:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if found := what():
            return found
        time.sleep(0.1)
    return pytest.fail(f"waited {_PATIENCE:.0f} s in vain")


class Shared:
    """A database, with folders that name it."""

    def __init__(self, address: str, place: Path) -> None:
        self.address, self.first, self.second = address, place / "first", place / "second"

    def asked(self, query: str) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            return list(connection.execute(query).fetchall())

    def holders(self) -> set[int]:
        return {pid for (pid,) in self.asked(f"SELECT pid FROM pg_locks WHERE {HELD_HERE}")}

    def refuses_second(self) -> bool:
        return "portal.database-served" in python(HELD, self.second, self.address).stderr


HELD_HERE = """
locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, postgres_server: str) -> Shared:
    """Up to date, and served by nobody."""
    psycopg = pytest.importorskip("psycopg")
    name, server = f"shared_{uuid4().hex}", f"postgresql://manager:{PASSWORD}@{postgres_server}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    found = Shared(f"{server.rpartition('/')[0]}/{name}", tmp_path_factory.mktemp("shared"))
    made = python(UP_TO_DATE, found.first, found.address)
    assert made.returncode == 0, made.stderr
    return found


def test_a_web_alone_of_another_folder_is_refused_and_one_of_the_same_is_not(shared: Shared) -> None:
    only_web = ["serve", "--only", "web", "--database", shared.address, "--port", 1]
    with holding("-c", HELD, shared.first, shared.address) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        refused = python(_COMMAND, *only_web, "--folder", shared.second)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert "is served already, from another folder" in refused.stderr

        shutil.copytree(shared.first, shared.first.with_name("copied"))
        refused = python(_COMMAND, *only_web, "--folder", shared.first.with_name("copied"))
        assert "is served already, from another folder" in refused.stderr

        too = python(SHARED, shared.first)
        assert too.stdout == "too\n", too.stderr


def test_a_lock_that_is_lost_is_taken_again_or_whoever_had_it_stops(shared: Shared) -> None:
    """All three programs of a portal have one."""

    def ended() -> set[int]:
        found = shared.holders()
        shared.asked(f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {HELD_HERE}")
        return found

    command = ["-c", _COMMAND, "serve", "--folder", shared.first, "--port", _free_port()]
    with holding(*command, start_new_session=True) as first, _ended_group(first):
        waited_for(lambda: len(shared.holders()) == 3 or first.poll() is not None)
        before = ended()
        waited_for(lambda: len(shared.holders() - before) == 3)
        assert shared.refuses_second()

        os.killpg(first.pid, signal.SIGSTOP)  # too slow to take it again
        ended()
        with holding("-c", HELD, shared.second, shared.address) as second:
            assert second.stdout is not None
            assert second.stdout.readline() == "held\n"
            os.killpg(first.pid, signal.SIGCONT)
            assert first.wait(_PATIENCE) == 2
            assert first.stderr is not None
            assert "is served already, from another folder" in first.stderr.read().splitlines()[-1]
            assert second.poll() is None
            assert len(shared.holders()) == 1


@contextmanager
def _ended_group(process: subprocess.Popen[str]) -> Iterator[None]:
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_worker_that_is_left_over_keeps_other_folders_from_serving(shared: Shared) -> None:
    """Whoever started it was killed, and it has not noticed yet."""
    alive, ours = os.pipe()
    command = ["-m", "biombo._portal.server", "worker", shared.first, alive]
    with holding(*command, pass_fds=(alive,)) as worker:
        waited_for(lambda: shared.holders() or worker.poll() is not None)
        worker.send_signal(signal.SIGSTOP)
        assert shared.refuses_second()
    os.close(alive), os.close(ours)
    waited_for(lambda: not shared.holders())
    assert not shared.refuses_second()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_table_whose_removal_was_killed_is_removed_by_the_next(shared: Shared, moment: str) -> None:
    for table in ("dataset", "trailentry"):
        shared.asked(f"DELETE FROM portal_{table} RETURNING 1")
    killed = python(KILLED, shared.first, moment)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    ended = python(KILLED, shared.first, "never")
    assert ended.stdout.split() == ["False", "True", "1"], ended.stderr


def test_what_the_address_of_a_database_says_of_the_connection_is_heeded(tmp_path: Path) -> None:
    from biombo._portal import PortalHome, settings_of

    def told(address: str) -> dict[str, Any]:
        return dict(settings_of(PortalHome.at(tmp_path, database=address))["DATABASES"]["default"])

    found = told("postgresql://ana:p%40ss@db.example:6432/portal?sslmode=verify-full&sslrootcert=/etc/ca.pem")
    named = [found[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")]
    assert named == ["portal", "ana", "p@ss", "db.example", "6432"]
    assert found["OPTIONS"] == {"sslmode": "verify-full", "sslrootcert": "/etc/ca.pem"}
    assert told("postgresql:///portal?host=/run/pg&user=ana")["HOST"] == "/run/pg"


def test_a_connection_that_must_be_encrypted_is_not_made_in_the_clear(shared: Shared) -> None:
    """The server of these tests has no certificate."""
    refused = python(_COMMAND, "serve", "--folder", shared.second, "--database", f"{shared.address}?sslmode=require")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
    assert "SSL" in python(CONNECTED, shared.second).stderr


@pytest.mark.parametrize("more", ["?ssl_mode=require", "?passwort=other-secret", "?sslmode=a&b"])
def test_parameters_that_are_not_known_are_refused_without_the_password(tmp_path: Path, more: str) -> None:
    address = f"postgresql://ana:hush-hush@127.0.0.1:1/portal{more}"
    refused = python(_COMMAND, "serve", "--folder", tmp_path / "home", "--database", address)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
    assert "cannot be read" in refused.stderr
    assert [word for word in ("hush", "secret", "ana") if word in refused.stderr + refused.stdout] == []
