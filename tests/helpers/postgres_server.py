"""A PostgreSQL server for tests, of their own and gone afterwards."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PASSWORD = "s3cr3t-and-long"


def _program(name: str) -> str | None:
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(versions[0]) if versions else shutil.which(name)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _unprivileged() -> str | None:
    """Whom to run the server as: PostgreSQL refuses root."""
    if os.getuid() != 0:
        return None
    import pwd

    users = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in users else "nobody"


@contextmanager
def running_server() -> Iterator[str]:
    """The address without user, on the loopback interface; the user ``manager`` needs ``PASSWORD``."""
    with server_that_restarts() as (address, _):
        yield address


@contextmanager
def server_that_restarts() -> Iterator[tuple[str, Callable[[], None]]]:
    """The same, with what has it stop in the middle of whatever it does and start again."""
    initdb, pg_ctl = _program("initdb"), _program("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("there is no PostgreSQL server installed here")
    user, port = _unprivileged(), _free_port()
    with tempfile.TemporaryDirectory(prefix="biombo-test-") as folder:
        if user is not None:
            shutil.chown(folder, user)
        secret = Path(folder) / "secret"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)

        def run(*command: str) -> None:
            subprocess.run(command, user=user, check=True, stdout=subprocess.DEVNULL, cwd=folder)

        run(initdb, "-D", f"{folder}/db", "-U", "manager", "-A", "scram-sha-256", f"--pwfile={secret}", "-E", "UTF8")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"

        def start() -> None:
            run(pg_ctl, "-D", f"{folder}/db", "-w", "-l", f"{folder}/log", "-o", options, "start")

        def restart() -> None:
            run(pg_ctl, "-D", f"{folder}/db", "-m", "immediate", "stop")
            start()

        start()
        try:
            yield f"127.0.0.1:{port}/postgres", restart
        finally:
            run(pg_ctl, "-D", f"{folder}/db", "-m", "immediate", "stop")
