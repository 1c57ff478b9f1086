"""A portal for tests: ``biombo serve`` as people start it, on a port of its own, and surely gone afterwards."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"
_SECONDS_TO_START = 180.0
_SECONDS_TO_STOP = 30.0
_LOGIN = re.compile(r"^\s*(.+): (\S+@\S+), password (\S+)$", re.MULTILINE)


def missing_for_portal(*, browser: bool = True) -> str | None:
    """Why the portal cannot be tested here; ``None`` where it can."""
    for module in ("django", "huey", "allauth", "waitress"):
        if find_spec(module) is None:
            return f"the extra biombo[portal] is not installed here: {module} is missing"
    if browser and not (find_spec("playwright") and find_spec("axe_playwright_python")):
        return "playwright or axe-playwright-python is not installed here"
    return "there is no Chromium here" if browser and CHROMIUM is None else None


@dataclass(frozen=True)
class Portal:
    """A portal that answers. ``passwords`` are those of the demo's accounts, by address."""

    address: str
    folder: Path
    passwords: Mapping[str, str]
    log: Path
    process: int


@contextmanager
def running_portal(
    folder: Path, *, database: str | None = None, demo: bool = True, more: Sequence[str] = ()
) -> Iterator[Portal]:
    """``biombo serve`` with the made-up agency, in ``folder``; its processes are gone at the end of the block."""
    port, log = _free_port(), folder.with_name(f"{folder.name}.log")
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-c", _PROGRAM, "serve", "--folder", str(folder), "--port", str(port), *more]
    if database is not None:
        command += ["--database", database]
    if demo:
        command += ["--demo"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "BIOMBO_LANG": "en", "COLUMNS": "200"},
            start_new_session=True,  # so that whatever it starts can be ended with it
        )
    try:
        _wait_until_healthy(address, process, log)
        yield Portal(
            address, folder, {email: word for _, email, word in _LOGIN.findall(log.read_text())}, log, process.pid
        )
    finally:
        _end(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"biombo serve ended: {log.read_text()}")
        with suppress(URLError, OSError), urlopen(f"{address}/health", timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(f"biombo serve does not answer: {log.read_text()}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask it to stop, as Ctrl-C does; then end whatever is left of its group."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS_TO_STOP)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(_SECONDS_TO_STOP)
