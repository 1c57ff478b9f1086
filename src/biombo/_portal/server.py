"""``biombo serve``: the web and its workers, in one command. Whichever of them ends is started again."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from biombo._errors import BiomboError, UsageError
from biombo._portal.configure import configure
from biombo._portal.holding import hold, hold_database, watch_database
from biombo._portal.home import PortalHome

WEB_THREADS = 12
_MOST_CONNECTIONS = 1000
"""Browsers keep theirs open for a while: from here on others wait until one is closed."""
WORKERS = 4
_NICE = 10
"""Workers give way: pages come first where both want the processor."""
_SECONDS_TO_STOP = 20.0
_SECONDS_BETWEEN = 30.0
"""Between two looks at what is over, and at letters that wait."""
_SECONDS_KEPT = 3600.0
"""Between two looks at what is not kept any longer."""
_SECONDS_BEFORE_ANEW = 1.0
_SECONDS_BEFORE_TOLD = 0.1
"""Between two looks whether the web answers."""


_SECONDS_SILENT = 30
"""After so long without a byte a connection is closed."""


def _refuse_taken(host: str, port: int) -> None:
    """Raise where another program listens there."""
    try:
        for family, kind, protocol, _, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(where)
    except OSError:
        raise UsageError("portal.port", port=port) from None


def _answers(host: str, port: int) -> bool:
    """Does somebody listen there?"""
    try:
        socket.create_connection((host, port), timeout=1.0).close()
    except OSError:
        return False
    return True


def prepare(home: PortalHome) -> str | None:
    """Bring the database up to date; gives the one-time link for the administrator where none can log in."""
    bring_up_to_date(home)
    from biombo._portal.keeping import remove_leftovers
    from biombo._portal.models import Invitation, Person

    remove_leftovers()
    if Person.objects.filter(role="administrator", is_active=True).exists():
        return None
    Invitation.objects.filter(role="administrator", used_at=None).delete()
    return f"{home.address}/invitation/{Invitation.make('administrator')}"


def bring_up_to_date(home: PortalHome) -> None:
    """Make the tables of the database, or change them to those of this version."""
    configure(home)
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)


def serve(home: PortalHome, *, host: str, port: int, told: Callable[[str | None], None]) -> None:
    """Serve until somebody stops it; ``told`` hears the one-time link, or ``None``, once it answers."""
    held = hold(home)
    _refuse_taken(host, port)
    link = prepare(home)
    alive, ours = os.pipe()  # is closed with this program, however that ends: then the others end as well
    begun = [sys.executable, "-m", "biombo._portal.server"]
    programs = {
        "web": [*begun, "web", str(home.folder), str(alive), host, str(port)],
        "worker": [*begun, "worker", str(home.folder), str(alive)],
    }
    passed = {"web": (alive,), "worker": (alive, held)}
    _stopping.clear()
    lost: list[UsageError] = []

    def stop(error: UsageError) -> None:
        lost.append(error)
        _stopping.set()

    watch_database(home, stop)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _stopping.set())
    running = {name: subprocess.Popen(program, pass_fds=passed[name]) for name, program in programs.items()}
    is_told = False
    try:
        while not _stopping.wait(_SECONDS_BEFORE_ANEW if is_told else _SECONDS_BEFORE_TOLD):
            if not is_told and _answers(host, port):
                is_told = True
                told(link)
            for name, process in running.items():
                if process.poll() is not None:
                    running[name] = subprocess.Popen(programs[name], pass_fds=passed[name])
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            try:
                process.wait(_SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.kill()
        for end in (alive, ours):
            os.close(end)
    for error in lost:
        raise error


_stopping = threading.Event()


def serve_part(home: PortalHome, part: str, *, host: str, port: int, told: Callable[[str | None], None]) -> None:
    """One of the two alone, as a service of its own; what keeps it running is the system's. Workers bring the database
    up to date first: the web need not reach what they do. Both are of one folder.
    """
    if part == "web":
        web(home, host, port)
    else:
        hold(home)
        told(prepare(home))
        work(home)


def web(home: PortalHome, host: str, port: int) -> None:
    """Answer browsers."""
    hold_database(home)
    configure(home)
    from django.core.wsgi import get_wsgi_application
    from waitress import create_server

    from biombo._portal.configure import MOST_UPLOADED
    from biombo._portal.gate import guard

    sockets: dict[int, Any] = {}
    try:
        server = create_server(
            get_wsgi_application(),
            map=sockets,
            host=host,
            port=port,
            threads=WEB_THREADS,
            ident=None,
            max_request_body_size=MOST_UPLOADED,
            connection_limit=_MOST_CONNECTIONS,
            asyncore_use_poll=True,
            channel_timeout=_SECONDS_SILENT,
            cleanup_interval=_SECONDS_SILENT // 3,
            **_believed(home),
        )
    except OSError:
        raise UsageError("portal.port", port=port) from None
    guard(sockets)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # which ends what is being answered, then the server
    watch_database(home, _end_at_once)
    threading.Thread(target=_end_with_key, args=(home,), daemon=True).start()
    server.run()


def _believed(home: PortalHome) -> dict[str, Any]:
    """What of a proxy in front is believed: who asks, and by which scheme; of the addresses, the one that it added."""
    if not home.behind_proxy:
        return {}
    return {
        "trusted_proxy": "*",
        "trusted_proxy_count": 1,
        "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
        "clear_untrusted_proxy_headers": True,
    }


def _end_with(alive: int) -> None:
    """End once the program that started this one has ended."""
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_SECONDS_TO_STOP)
    os._exit(1)


def _end_at_once(error: UsageError) -> None:
    """Whatever is being done: another folder serves the database."""
    print(error, file=sys.stderr, flush=True)
    os._exit(2)


def _end_with_key(home: PortalHome) -> None:
    """End once there is another secret key: whatever keeps this running starts it anew, with that one."""
    begun_with = home.secret_key
    while home.secret_key == begun_with:
        time.sleep(_SECONDS_BEFORE_ANEW)
    os.kill(os.getpid(), signal.SIGTERM)


def work(home: PortalHome) -> None:
    """Do jobs, those first that an earlier worker left."""
    os.nice(_NICE)
    hold_database(home)
    watch_database(home, _end_at_once)
    configure(home)
    from biombo._portal.jobs import queue, take_up

    consumer = queue().create_consumer(
        workers=WORKERS, worker_type="thread", initial_delay=0.05, max_delay=0.5, backoff=1.2, periodic=False
    )
    take_up()
    threading.Thread(target=_now_and_then, daemon=True).start()
    consumer.run()


def _now_and_then() -> None:
    from biombo._portal.jobs import take_up_lost
    from biombo._portal.keeping import keep_no_longer
    from biombo._portal.letters import remind, send_waiting
    from biombo._portal.negotiations import expire_what_is_over

    cleaned = 0.0
    while True:
        time.sleep(_SECONDS_BETWEEN)
        do_each(take_up_lost, remind, send_waiting, expire_what_is_over)
        if time.monotonic() - cleaned > _SECONDS_KEPT:
            cleaned = time.monotonic()
            do_each(keep_no_longer)


def do_each(*tasks: Callable[[], object]) -> None:
    """Do all of them, whatever is wrong with one."""
    from biombo._portal.logs import LOG

    for task in tasks:
        try:
            task()
        except Exception:
            LOG.exception("the regular work %s failed", task.__name__)


def _main() -> None:
    what, folder, alive, *rest = sys.argv[1:]
    threading.Thread(target=_end_with, args=(int(alive),), daemon=True).start()
    try:
        home = PortalHome.at(Path(folder))
        if what == "web":
            web(home, rest[0], int(rest[1]))
        else:
            work(home)
    except BiomboError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    _main()
