"""How the portal answers while it is busy: many people browse and edit, and four jobs run at all times.

python benchmarks/portal.py                            # 200 people for a minute, then an offer on 1,000,000 records
python benchmarks/portal.py --users 20 --seconds 10 --rows 100000

It starts ``biombo serve --demo`` in a folder of its own, on this machine only. Then 50 researchers with a request
each, ten managers and an auditor get accounts; three fourths of the users are researchers, each account in as many
browsers as it takes. Sessions are made in the database beforehand: logins from one address are limited to sixty a
minute, which is not what is measured here. Each user opens a page, reads for ``--think`` seconds (half as long to half
as long again), and goes on. Four managers have plans searched for, one after the other without a pause. Every answer
must be 200, and every job must be done.
"""

import argparse
import itertools
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import biombo as bb

PORT = 8765
RESEARCHERS, MANAGERS, JOBS = 50, 10, 4
SECONDS_TO_START, SECONDS_FOR_A_JOB = 180, 600
MODEL = {
    "harm": "medium",
    "motivation": "low",
    "controls": "high",
    "acquaintances": 100,
    "prevalence": 0.0001,
    "breach": 0.02,
}
_PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"


# The portal, and who uses it


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """The demo, which is gone at the end of the block."""
    command = [sys.executable, "-c", _PROGRAM, "serve", "--demo", "--folder", str(folder), "--port", str(PORT)]
    with (folder.parent / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until = time.monotonic() + SECONDS_TO_START
        while not _is_there():
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit((folder.parent / "log").read_text())
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(60)


def _is_there() -> bool:
    try:
        return Browser().get("/health")[0] == 200
    except OSError:
        return False


class Browser:
    """Somebody's browser, which keeps its connection open."""

    def __init__(self, session: str = "") -> None:
        self._cookies = {"biombo_language": "pt"} | ({"sessionid": session} if session else {})
        self._connection = HTTPConnection("127.0.0.1", PORT, timeout=60)

    def get(self, path: str) -> tuple[int, str]:
        """Status and content."""
        return self._ask("GET", path)

    def post(self, page: str, path: str, **fields: Any) -> tuple[int, str]:
        """Send a form of ``page``; the page it leads to."""
        _, content = self.get(page)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', content)
        assert token is not None, page
        told = urlencode({"csrfmiddlewaretoken": token[1], **fields})
        return self._ask("POST", path, told, {"Content-Type": "application/x-www-form-urlencoded"})

    def _ask(self, method: str, path: str, body: str | None = None, more: dict[str, str] | None = None) -> Any:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Cookie": cookies, "Origin": f"http://127.0.0.1:{PORT}", **(more or {})}
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
        except (HTTPException, ConnectionError):
            self._connection.close()  # a connection that was idle for long is closed by the other side
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
        content = answer.read().decode(errors="replace")
        self._keep_cookies(answer)
        if answer.status in (301, 302, 303):
            return self._ask("GET", str(answer.headers["Location"]))
        return answer.status, content

    def _keep_cookies(self, answer: HTTPResponse) -> None:
        for told in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = told.partition(";")[0].partition("=")
            self._cookies[name] = value


@dataclass(frozen=True)
class User:
    """An account with its session; a researcher's request."""

    session: str
    person: Any
    case: int | None = None


def accounts(folder: Path) -> tuple[list[User], list[User], list[User]]:
    """Researchers whose requests are prepared, managers, and an auditor: made in the database, worked at by workers."""
    from biombo._portal import PortalHome, configure

    configure(PortalHome.at(folder))
    from biombo._portal.models import DataSet

    data_set = DataSet.objects.get()
    managers = [User(*_signed_in("manager", number)) for number in range(MANAGERS)]
    researchers = [_with_request(*_signed_in("requester", number), data_set) for number in range(RESEARCHERS)]
    waited_for()
    for each in researchers:
        prepared(each.case, managers[0].person)
    waited_for()
    return researchers, managers, [User(*_signed_in("auditor", 0))]


def _signed_in(role: str, number: int) -> tuple[str, Any]:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from biombo._portal.models import Person

    person = Person.objects.create_user(f"{role}{number}@demo.example", None, name=f"{role} {number}", role=role)
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    return str(session.session_key), person


def _with_request(session: str, person: Any, data_set: Any) -> User:
    from biombo._portal.jobs import ask_for
    from biombo._portal.models import Case
    from biombo._portal.schemas import schema_of

    request = bb.DataRequest(
        requester=bb.Requester(
            kind="public-institution",
            name=person.name,
            address="São Luís",
            document=f"{10_000 + person.pk}",
            document_type="RG",
        ),
        wanted={name: name for name in (*schema_of(data_set).quasi, *schema_of(data_set).sensitive)},
        dimension="truth",
        purpose="a benchmark",
    )
    case = Case.objects.create(data_set=data_set, requester=person, asked=request.to_tree())
    ask_for("begin", case=case, person=person)
    return User(session, person, case.pk)


def prepared(number: int | None, manager: Any) -> None:
    """Have the request prepared by a worker."""
    from biombo._negotiate import NegotiationRecord, plain_fact
    from biombo._portal.jobs import ask_for
    from biombo._portal.models import Case
    from biombo._portal.schemas import schema_of

    case = Case.objects.select_related("data_set").get(pk=number)
    schema, record = schema_of(case.data_set), NegotiationRecord.read(case.folder)
    act = bb.Prepare({name: name for name in record.state.request.wanted}, schema.to_tree(), MODEL, k=7)
    ask_for("act", case=case, person=manager, asked=dict(plain_fact(act)), seen=record.head)


def waited_for() -> None:
    """Until all jobs are over; raises where one failed."""
    from biombo._portal.models import Job

    until = time.monotonic() + SECONDS_FOR_A_JOB
    while Job.objects.filter(status__in=(Job.WAITING, Job.RUNNING)).exists():
        assert time.monotonic() < until, "jobs take too long"
        time.sleep(0.05)
    failed = [(each.kind, each.error) for each in Job.objects.filter(status=Job.FAILED)]
    assert not failed, failed


# What they do


@dataclass
class Tally:
    """How long pages took, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    jobs: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def page(self, browser: Browser, name: str, path: str) -> None:
        """Open a page and note how long it took."""
        begun = time.perf_counter()
        try:
            status = browser.get(path)[0]
        except (OSError, HTTPException) as error:
            status = 0
            self.errors.append(f"{name}: {error!r}")
        took = time.perf_counter() - begun
        with self._lock:
            self.seconds[name].append(took)
            if status not in (0, 200):
                self.errors.append(f"{name}: {status}")


EDITED = ("paciente_idade", "paciente_dataNascimento", "paciente_endereco_cep", "vacina_dataAplicacao")


def researcher(case: int | None) -> tuple[tuple[str, str], ...]:
    """What a researcher looks at: mostly their request, trying one choice after the other."""
    examples = tuple(
        ("examples", f"/requests/{case}/examples?{urlencode({f'column:{name}': level})}")
        for name in EDITED
        for level in (1, 2)
    )
    pages = (("catalogue", "/"), ("own requests", "/requests"), ("request form", "/requests/new"))
    return (*pages, *(("request", f"/requests/{case}"),) * 4, *examples)


def manager(cases: list[int | None]) -> tuple[tuple[str, str], ...]:
    """What a manager looks at."""
    some = random.sample(cases, min(5, len(cases)))
    looked_at = (("request, manager", ""), ("offers", "/offers"), ("request's trail", "/trail"))
    return (
        ("inbox", "/requests/inbox"),
        ("all requests", "/requests/all"),
        ("data", "/data"),
        *((name, f"/requests/{case}{end}") for case in some for name, end in looked_at),
    )


def auditor(cases: list[int | None]) -> tuple[tuple[str, str], ...]:
    """What an auditor looks at."""
    chains = (("request's trail", f"/requests/{case}/trail") for case in cases[:2])
    return ("all requests", "/requests/all"), ("trail", "/trail"), *chains


def using(user: User, pages: tuple[tuple[str, str], ...], think: float, until: float, tally: Tally) -> None:
    """Somebody at their browser."""
    browser, chance = Browser(user.session), random.Random()
    time.sleep(chance.uniform(0, min(think, max(0.0, until - time.monotonic()))))
    while time.monotonic() < until:
        tally.page(browser, *chance.choice(pages))
        time.sleep(think * chance.uniform(0.5, 1.5))


def searching(user: User, case: int | None, until: float, tally: Tally) -> None:
    """A manager who has plans searched for, again and again: a job is running or waiting at any time."""
    browser = Browser(user.session)
    while time.monotonic() < until:
        begun = time.perf_counter()
        status, page = browser.post(f"/requests/{case}", f"/requests/{case}/plans")
        job = re.search(r'hx-get="([^"]+/jobs/\d+)"', page)
        while status == 200 and job is not None and 'id="job"' in page and "hx-get" in page:
            time.sleep(0.2)
            status, page = browser.get(job[1])
        tally.jobs.append(time.perf_counter() - begun)
        if status != 200:
            tally.errors.append(f"job: {status}")


def loaded(options: argparse.Namespace, folder: Path) -> None:
    """Many people at once, and four jobs."""
    researchers, managers, auditors = accounts(folder)
    cases = [each.case for each in researchers]
    idle(researchers[0], managers[0], cases)
    tally, until = Tally(), time.monotonic() + options.seconds
    by_number = itertools.cycle([*researchers * 3, *managers * 4, *auditors * 10])
    people = []
    for user in itertools.islice(by_number, options.users):
        pages = manager(cases) if user.person.role == "manager" else researcher(user.case)
        if user.person.role == "auditor":
            pages = (
                ("all requests", "/requests/all"),
                ("trail", "/trail"),
                ("request's trail", f"/requests/{cases[0]}/trail"),
            )
        people.append(threading.Thread(target=using, args=(user, pages, options.think, until, tally)))
    jobs = [
        threading.Thread(target=searching, args=(managers[number], cases[number], until, tally))
        for number in range(JOBS)
    ]
    for each in (*people, *jobs):
        each.start()
    for each in (*people, *jobs):
        each.join()
    told(
        f"{options.users} users, {options.think:g} s between pages, {options.seconds:g} s, {JOBS} jobs at all times",
        tally,
    )
    print(f"jobs done meanwhile: {len(tally.jobs)}, median {statistics.median(tally.jobs):.1f} s", flush=True)
    waited_for()


def _pages_of(user: User, cases: list[int | None]) -> tuple[tuple[str, str], ...]:
    if user.case is not None:
        return researcher(user.case)
    return manager(cases) if user.person.role == "manager" else auditor(cases)


def idle(one: User, other: User, cases: list[int | None]) -> None:
    """Each page a few times, by nobody else's side."""
    tally = Tally()
    for user, pages in ((one, researcher(one.case)), (other, manager(cases))):
        browser = Browser(user.session)
        for name, path in pages * 3:
            tally.page(browser, name, path)
    told("idle", tally)


def told(what: str, tally: Tally) -> None:
    """A line for all pages, and one for each."""
    print(f"{what} (load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")
    everything = [each for times in tally.seconds.values() for each in times]
    for name, times in [("all pages", everything), *sorted(tally.seconds.items())]:
        print(f"  {name:<18}{len(times):>6} × p50 {_at(times, 50):6.0f} ms  p95 {_at(times, 95):6.0f} ms")
    print(f"  errors: {len(tally.errors)} {sorted(set(tally.errors))[:5] if tally.errors else ''}", flush=True)
    assert not tally.errors, tally.errors[:20]


def _at(times: list[float], percent: int) -> float:
    if len(times) == 1:
        return 1000 * times[0]
    return 1000 * statistics.quantiles(times, n=100, method="inclusive")[percent - 1]


# One offer on many records


def measured_offer(rows: int, folder: Path) -> None:
    """A table of so many records, handed in, asked for and prepared; then, alone, the researcher's first offer."""
    from biombo._portal.demo import vaccination_schema
    from biombo._portal.models import DataSet, random_name
    from biombo._portal.schemas import yaml_of

    table = bb.samples.vaccination(rows)
    place = folder / "sources" / f"{random_name()}.parquet"
    table.write_parquet(place)
    schema = yaml_of(vaccination_schema(table.columns, table))
    data_set = DataSet.objects.create(name="many", place=str(place), schema=schema, is_offered=True)
    user = _with_request(*_signed_in("requester", 1000), data_set)
    waited_for()
    begun = time.perf_counter()
    prepared(user.case, _signed_in("manager", 1000)[1])
    waited_for()
    print(f"{rows:,} records: prepared and counted by a worker in {time.perf_counter() - begun:.1f} s", flush=True)
    print(f"{rows:,} records: an offer measured {_offered(user):.1f} s after the button was pressed", flush=True)


def _offered(user: User) -> float:
    browser, page = Browser(user.session), f"/requests/{user.case}"
    content = browser.get(page)[1]
    head = re.search(r'name="head" value="(\w+)"', content)
    assert head is not None
    choices = {f"column:{name}": "2" for name in EDITED}
    begun = time.perf_counter()
    status, _ = browser.post(page, f"{page}/acts/accept", head=head[1], max_suppression="10", **choices)
    assert status == 200, status
    waited_for()
    return time.perf_counter() - begun


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--users", type=int, default=200)
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--think", type=float, default=5.0)
    options.add_argument("--rows", type=int, default=1_000_000)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "portal"
        with served(folder):
            loaded(asked, folder)
            measured_offer(asked.rows, folder)


if __name__ == "__main__":
    main()
