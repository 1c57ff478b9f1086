"""Programs that are killed: a worker in a job, the web in an upload, PostgreSQL in a command. Nothing is doubled."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from postgres_server import PASSWORD, server_that_restarts

import biombo as bb
from biombo._negotiate import NegotiationRecord

pytestmark = pytest.mark.slow
_HELPERS = Path(__file__).parents[1] / "helpers"
_PATIENCE = 120.0
_UPLOADS = 20
"""Tries to be there while an upload is on its way."""


def waited_for(what: Callable[[], Any], every: float = 0.02) -> Any:
    """What ``what`` gives, once it gives something."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(every)
    pytest.fail(f"waited {_PATIENCE:.0f} s in vain")


class Served:
    """A portal that ``biombo serve`` serves, with whoever is logged in."""

    def __init__(self, folder: Path, told: dict[str, Any], database: str | None = None) -> None:
        self.home, self.told, self.database = folder / "portal", told, database
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    @contextmanager
    def running(self, ends_by: int = signal.SIGTERM) -> Iterator[subprocess.Popen[bytes]]:
        """Served in the block; ended as somebody would."""
        program = str(Path(sys.executable).with_name("biombo"))
        command = [program, "serve", "--folder", str(self.home), "--port", str(self.port)]
        log = (self.home / "log").open("ab")
        process = subprocess.Popen(command, start_new_session=True, stdout=log, stderr=log)
        try:
            waited_for(lambda: self.answers() or process.poll() is not None)
            assert process.poll() is None, (self.home / "log").read_text()
            yield process
            children = self.children(process)
            if ends_by == signal.SIGINT:
                os.killpg(process.pid, ends_by)  # as Ctrl-C does
            else:
                process.send_signal(ends_by)
            assert process.wait(40) == 0
            waited_for(lambda: not any(_runs(pid) for pid in children.values()))
        finally:
            log.close()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def answers(self) -> bool:
        try:
            return self.ask(None, "GET", "/health")[0] == 200
        except OSError:
            return False

    @staticmethod
    def children(process: subprocess.Popen[bytes]) -> dict[str, int]:
        """The web and the worker."""
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        found = {}
        for pid in listed:
            with suppress(FileNotFoundError, ProcessLookupError):  # it ended since it was listed
                parts = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                found.update({name: int(pid) for name in ("web", "worker") if name.encode() in parts})
        return found

    def kill(self, process: subprocess.Popen[bytes], name: str) -> None:
        """End one of the programs as a lack of memory would."""
        pid = waited_for(lambda: self.children(process).get(name))
        os.kill(pid, signal.SIGKILL)
        waited_for(lambda: self.children(process).get(name, pid) != pid)

    def ask(self, who: str | None, method: str, where: str, body: Any = None, kind: str = "") -> tuple[int, str]:
        """What is answered."""
        cookies = [] if who is None else [f"sessionid={self.told['sessions'][who]}", f"csrftoken={'c' * 32}"]
        headers = {"Cookie": "; ".join(cookies), "X-CSRFToken": "c" * 32, "Content-Type": kind}
        with_body = headers if body is not None else {"Cookie": headers["Cookie"]}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, where, body, with_body)
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def post(self, who: str, where: str, **fields: Any) -> int:
        """Send a form."""
        return self.ask(who, "POST", where, urlencode(fields), "application/x-www-form-urlencoded")[0]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database says."""
        if self.database is not None:
            import psycopg

            with psycopg.connect(self.database) as connection:
                return list(connection.execute(query).fetchall())
        import sqlite3

        connection = sqlite3.connect(f"file:{self.home / 'portal.sqlite3'}?mode=ro", uri=True, timeout=20)
        try:
            return list(connection.execute(query).fetchall())
        finally:
            connection.close()

    def job(self) -> tuple[str, int, str]:
        """Status, tries and error of the last one."""
        ((status, tries, error),) = self.rows("select status, tries, error from portal_job order by id desc limit 1")
        return status, tries, error if isinstance(error, str) else json.dumps(error)

    def is_over(self) -> bool:
        return self.job()[0] in ("done", "failed")

    def preparation(self) -> dict[str, Any]:
        """The form of process 2."""
        model = {"harm": "medium", "motivation": "low", "controls": "high"}
        more = {"acquaintances": 100, "prevalence": "0.0001", "breach": "0.02", "k": 5}
        labels = {f"label:{place}": name for place, name in enumerate(("age", "city", "disease"))}
        roles = {f"role:{place}": role for place, role in enumerate(("quasi", "quasi", "sensitive"))}
        return {**model, **more, **labels, **roles}


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def filled(folder: Path, *more: str) -> dict[str, Any]:
    for package in ("django", "allauth", "huey", "waitress"):
        pytest.importorskip(package, reason="the portal is not installed (biombo[portal])")
    program = [sys.executable, str(_HELPERS / "portal_filled.py"), str(folder), *more]
    told = subprocess.run(program, capture_output=True, check=False, text=True, env={**os.environ, "BIOMBO_LANG": "en"})
    assert told.returncode == 0, told.stderr
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def acts(folder: str) -> list[str]:
    """What was done in a negotiation whose chain is whole."""
    record = NegotiationRecord.read(folder)
    assert record.verify() == []
    return [event.fact.name for event in record.events if event.fact is not None]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder = tmp_path_factory.mktemp("served")
    return Served(folder, filled(folder))


def test_a_worker_that_is_killed_in_a_job_does_it_once(served: Served):
    case, other = served.told["case"], served.told["other"]
    with served.running(ends_by=signal.SIGINT) as process:
        assert served.post("ana", f"/requests/{case}/acts/prepare", **served.preparation()) == 302
        waited_for(lambda: served.job()[0] == "running" or served.is_over(), every=0.005)
        served.kill(process, "worker")
        waited_for(served.is_over)
        status, tries, error = served.job()
        assert (status, tries) in (("done", 2), ("done", 1)), error
        assert acts(served.told["folder"]).count("prepare") == 1

        for number in range(3):  # at whatever moment
            who, text = ("ana", "bruno")[number % 2], f"message {number}"
            assert served.post(who, f"/requests/{other}/acts/message", text=text) == 302
            time.sleep(0.1 * number)
            served.kill(process, "worker")
            waited_for(served.is_over)
            assert served.job()[0] == "done", served.job()
        said = [event.fact for event in NegotiationRecord.read(served.told["other_folder"]).events]
        assert [fact.text for fact in said if fact is not None and fact.name == "message"] == [
            "message 0",
            "message 1",
            "message 2",
        ]
        assert acts(served.told["other_folder"])


def test_two_managers_at_once_one_wins_and_the_other_is_told(served: Served):
    other = served.told["other"]
    with served.running():
        head = NegotiationRecord.read(served.told["other_folder"]).head
        posts = (
            (
                "ana",
                f"/requests/{other}/acts/ask-for-more",
                {"text": "which year?"},
            ),
            ("bruno", f"/requests/{other}/acts/reject", {"reason": "no grounds"}),
        )
        sent = [threading.Thread(target=served.post, args=each[:2], kwargs={**each[2], "head": head}) for each in posts]
        for each in sent:
            each.start()
        for each in sent:
            each.join()
        ended = waited_for(
            lambda: [
                row
                for row in [served.rows("select status, error, person_id from portal_job order by id desc limit 2")]
                if all(status in ("done", "failed") for status, _, _ in row)
            ]
        )[0]
        assert sorted(status for status, _, _ in ended) == ["done", "failed"]
        told = [served.ask(who, "GET", f"/requests/{other}")[1] for who in ("ana", "bruno")]
        alerts = [re.findall(r'(?s)role="alert"><p>(.*?)</p>', page) for page in told]
        assert sorted(len(each) for each in alerts) == [0, 1]
        (sentence,) = alerts[0] or alerts[1]
        assert "nada foi feito" in sentence
        done = acts(served.told["other_folder"])
        assert ("ask-for-more" in done) != ("reject" in done)


def test_a_web_that_is_killed_in_an_upload_leaves_no_table(served: Served):
    boundary, content = "b0undary", b"name,age\n" + b"zzq,41\n" * 2_000_000
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nA table\r\n',
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="t.csv"\r\n\r\n',
    ]
    body = "".join(parts).encode() + content + f"\r\n--{boundary}--\r\n".encode()
    kind = f"multipart/form-data; boundary={boundary}"
    uploads, incoming, sources = (served.home / name for name in ("uploads", "incoming", "sources"))

    def sent() -> None:
        with suppress(OSError, http.client.HTTPException):
            served.ask("ana", "POST", "/data/new", body, kind)

    with served.running() as process:
        for _ in range(_UPLOADS):  # a quick machine may be done before anybody looks
            before = served.rows("select count(*) from portal_dataset")
            sending = threading.Thread(target=sent)
            sending.start()
            while sending.is_alive() and not [*uploads.glob("*.upload"), *incoming.glob("*.part")]:
                time.sleep(0.001)
            if sending.is_alive():
                break
        else:
            pytest.skip("uploads are too quick here to be interrupted")
        served.kill(process, "web")
        sending.join()
        waited_for(served.answers)
        (now,) = served.rows("select count(*) from portal_dataset")
        ((last,),) = served.rows("select place from portal_dataset order by id desc limit 1")
        assert (now,) == tuple(before) or Path(last).stat().st_size == len(content)  # it was quicker than the kill
        assert served.ask("ana", "GET", "/data")[0] == 200
    for path in (*uploads.iterdir(), *incoming.iterdir(), *sources.iterdir()):
        os.utime(path, (time.time() - 7_200,) * 2)  # younger ones may be coming in to another program
    with served.running():
        assert [*uploads.glob("*.upload"), *incoming.glob("*.part"), *sources.glob("*.part")] == []
        named = {Path(place).name for (place,) in served.rows("select place from portal_dataset")}
        assert {path.name for path in (*sources.iterdir(), *incoming.iterdir())} == named


def test_a_postgresql_that_stops_in_a_command_loses_and_doubles_nothing(tmp_path: Path):
    pytest.importorskip("psycopg")
    with server_that_restarts() as (server, restart):
        database = f"postgresql://manager:{PASSWORD}@{server}"
        served = Served(tmp_path, filled(tmp_path, database), database)
        case = served.told["case"]
        with served.running():
            assert served.post("ana", f"/requests/{case}/acts/prepare", **served.preparation()) == 302
            waited_for(lambda: served.job()[0] == "running" or served.is_over(), every=0.005)
            restart()
            waited_for(served.answers)
            waited_for(served.is_over)
            status, _, error = served.job()
            done = acts(served.told["folder"]).count("prepare")
            assert (status, done) in (("done", 1), ("failed", 0)), error
            if status == "failed":
                assert served.post("ana", f"/requests/{case}/acts/prepare", **served.preparation()) == 302
                waited_for(served.is_over)
            assert served.post("ana", f"/requests/{case}/acts/message", text="it goes on") == 302
            waited_for(served.is_over)
            told = acts(served.told["folder"])
            assert (told.count("prepare"), told.count("message")) == (1, 1)
            assert served.ask("ana", "GET", f"/requests/{case}")[0] == 200


class KilledSteps:
    """The workbench of one table, whose worker is killed in each step."""

    def __init__(self, served: Served) -> None:
        self.served = served
        ((self.data_set,),) = served.rows(f"select data_set_id from portal_case where number = {served.told['case']}")

    def results(self) -> dict:
        ((told,),) = self.served.rows("select results from portal_draft order by id desc limit 1")
        return json.loads(told)

    def folder(self) -> Path:
        ((slug,),) = self.served.rows("select slug from portal_draft order by id desc limit 1")
        return self.served.home / "drafts" / slug

    def do(self, process, step: str, *moments, **fields) -> None:
        """Ask for a step, and kill the worker at each of the moments."""
        where = f"/data/{self.data_set}/workbench/steps/{step}"
        assert self.served.post("ana", where, **fields) == 302
        for moment in moments:
            waited_for(lambda moment=moment: moment() or self.served.is_over(), every=0.005)
            self.served.kill(process, "worker")
        waited_for(self.served.is_over)
        status, tries, error = self.served.job()
        assert status == "done", error
        assert tries <= 1 + len(moments)

    def is_running(self) -> bool:
        return self.served.job()[0] == "running"


def test_a_worker_that_is_killed_in_a_step_of_the_workbench_does_it_once(tmp_path: Path):
    served = Served(tmp_path, filled(tmp_path))
    steps = KilledSteps(served)
    review = (date.today() + timedelta(days=100)).isoformat()
    told = {"title": "Doenças", "department": "Vigilância", "review": review, "harm": "low"}
    with served.running() as process:
        steps.do(process, "risk", steps.is_running)
        assert steps.results()["risk"]["verdict"]
        steps.do(process, "search", steps.is_running, k=10, max_suppression="30")
        assert steps.results()["search"]["found"]
        steps.do(process, "utility", steps.is_running)
        rehearsed = steps.results()["utility"]
        accepted = sorted({name for each in rehearsed["findings"] for name in each["columns"]})
        told |= {"accept_column": accepted, "reason": "made up"} if accepted else {}
        told |= {name: rehearsed[name] for name in ("plan_hash", "schema_hash")}
        release = steps.folder() / "release"
        steps.do(process, "publish", steps.is_running, release.is_dir, **told)
        time.sleep(0.2)

        published = steps.results()["publish"]
        register = bb.Register.open(str(served.home / "register.db"))
        assert [each.id for each in register.list()] == [published["number"]]
        entries = served.rows(f"select slug, holds from portal_catalogueentry where data_set_id = {steps.data_set}")
        assert [(slug, bool(holds)) for slug, holds in entries] == [(published["entry"], True)]
        trail = served.rows("select count(*) from portal_trailentry where what = 'published'")
        assert trail == [(1,)]
        shown = served.home / "releases" / published["entry"]
        assert bb.verify(shown).holds
        assert not list((served.home / "releases").glob("*.part"))
        assert [*steps.folder().glob(".*.biombo-part/*/*")] == []  # nothing of what was tried or half-made
        assert served.ask("ana", "GET", f"/data/{steps.data_set}/workbench/registered")[0] == 200
        assert served.ask(None, "GET", f"/catalogue/{published['entry']}")[0] == 200
