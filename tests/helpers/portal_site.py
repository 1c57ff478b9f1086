"""A portal in this process, with people of all roles and requests in several states, for tests."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import negotiations
import polars as pl
import pytest

import biombo as bb
from biombo._negotiate import NegotiationRecord, plain_fact

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PASSWORD = "pequi-maduro-42"
PEOPLE = {
    "alice": ("administrator", "Alice Prado"),
    "ana": ("manager", "Ana Souza"),
    "bruno": ("manager", "Bruno Reis"),
    "rita": ("requester", negotiations.RITA.name),
    "caio": ("requester", "Caio Melo"),
    "namesake": ("requester", negotiations.RITA.name),
    "celia": ("committee", "Célia Dias"),
    "davi": ("auditor", "Davi Nunes"),
}
"""By what tests call them: role and name. Two requesters have one name."""
STATES = (
    "unlisted",
    "declined",
    "sending",
    "requested",
    "manipulations",
    "applying",
    "diversity",
    "review",
    "vote",
    "available",
    "withdrawn",
)


def yaml_of(schema: bb.Schema) -> str:
    """A schema as the portal keeps it."""
    import yaml

    return str(yaml.safe_dump(schema.to_tree(), allow_unicode=True, sort_keys=False))


class Site:
    """One portal. A process has one only, so tests that change it use requests of their own."""

    def __init__(self, folder: Path, address: str = "http://testserver", database: str | None = None) -> None:
        from biombo._portal import PortalHome, configure

        self.home = PortalHome.at(folder / "portal", address=address, database=database)
        configure(self.home, testing=True)
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
        call_command("createcachetable", verbosity=0)
        self.people = {
            key: self.model("Person").objects.create_user(f"{key}@agency.example", PASSWORD, name=name, role=role)
            for key, (role, name) in PEOPLE.items()
        }
        self._tables = 0
        self.data_set = self.another_table()

    @staticmethod
    def model(name: str) -> Any:
        """A table of the database."""
        from django.apps import apps

        return apps.get_model("portal", name)

    def client(self, who: str | None = None, **how: Any) -> Any:
        """A browser, logged in as somebody; it gets answers where a page fails, as people do."""
        client = _browser()(raise_request_exception=False, **how)
        if who is not None:
            client.force_login(self.people[who], backend=BACKEND)
        return client

    def known(self, who: str | None = None) -> Any:
        """The same with a token, so that routes of programs open too."""
        client = self.client(who)
        if who is not None:
            client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {self.token(who)}"
        return client

    def token(self, who: str) -> str:
        """What programs of somebody's show: a new one each time, since tests end tokens."""
        return str(self.model("Token").make(self.people[who], "tests"))

    def add_table(self, table: pl.DataFrame, schema: bb.Schema, name: str = "Diagnósticos") -> Any:
        """A data set that people may ask for."""
        import secrets

        place = self.home.sources / f"{secrets.token_hex(16)}.parquet"
        table.write_parquet(place)
        place.chmod(0o600)
        told = {"name": name, "place": str(place), "schema": yaml_of(schema), "is_offered": True}
        return self.model("DataSet").objects.create(**told, added_by=self.people["ana"])

    def another_table(self) -> Any:
        """A data set of its own: what was told of the values of one is not told again in another request for it."""
        self._tables += 1
        table = negotiations.table().with_columns(pl.col("name") + f" of table {self._tables}")
        return self.add_table(table, negotiations.SCHEMA)

    def asked(self, who: str = "rita", data_set: Any = None, **more: Any) -> Any:
        """A request that was just sent."""
        person = self.people[who]
        identity = bb.Requester(
            kind="public-institution",
            name=person.called,
            address="São Luís",
            document=f"{person.pk:03}.456.789-09",
            document_type="CPF",
        )
        request = negotiations.asked(requester=identity, **more)
        return self.model("Case").objects.create(
            data_set=data_set or self.data_set, requester=person, asked=request.to_tree()
        )

    def unlisted(self, who: str = "rita", *, declined: bool = False) -> Any:
        """A request for data that nobody has listed."""
        from biombo._portal import ask_agency, decline

        asked = self.asked(who)
        case = ask_agency(self.people[who], asked.asked)
        asked.delete()
        if declined:
            assert decline(case, "there are no such data", self.people["ana"])
        return case

    def work(self) -> list[Any]:
        """Do all jobs that wait; gives them as they ended."""
        from biombo._portal import run_job

        jobs = self.model("Job").objects
        waiting = list(jobs.filter(status="waiting").order_by("pk").values_list("pk", flat=True))
        for number in waiting:
            run_job(number)
        return [jobs.get(pk=number) for number in waiting]

    def do(self, who: str, case: Any, act: Any) -> Any:
        """Have a worker do an act, as the page would ask for it."""
        case.refresh_from_db()
        seen = self.record(case).head
        told = {"case": case, "person": self.people[who], "asked": dict(plain_fact(act)), "seen": seen}
        job = self.model("Job").objects.create(kind="act", **told)
        self.work()
        job.refresh_from_db()
        assert job.status == "done", job.error
        case.refresh_from_db()
        return case

    def begun(self, who: str = "rita", data_set: Any = None, **more: Any) -> Any:
        """A request whose chain has begun."""
        case = self.asked(who, data_set, **more)
        self.model("Job").objects.create(kind="begin", case=case, person=self.people[who])
        self.work()
        case.refresh_from_db()
        return case

    def led_to(self, state: str, who: str = "rita", data_set: Any = None, way: Any = "download", votes: int = 1) -> Any:
        """A request that was led to a state, by the shortest path; available by ``way``, to be voted on by so many."""
        if state == "sending":
            return self.asked(who, data_set)
        if state in ("unlisted", "declined"):
            return self.unlisted(who, declined=state == "declined")
        votes = votes if state == "vote" else 0
        self.model("AgencySettings").objects.update_or_create(pk=1, defaults={"votes": votes, "name": "Vila Nova"})
        case = self.begun(who, data_set or self.another_table())
        steps: tuple[tuple[str, Any], ...] = (
            ("ana", negotiations.preparation()),
            (who, bb.Accept([negotiations.decades(2)])),
            ("ana", bb.CarryOut()),
            ("ana", bb.AskDiversity(2)),
            ("ana", bb.SendMetrics()),
            (who, bb.Review(True)),
            (who, None),
            ("ana", bb.WriteReport(department="Vigilância")),
            ("ana", bb.MakeAvailable(way)),
        )
        if state == "withdrawn":
            return self.do(who, case, bb.Withdraw("not needed any more"))
        for actor, act in steps:
            if case.state == state:
                return case
            self.do(actor, case, act or bb.AcceptTerms(self.record(case).terms.hash))
        assert case.state == state, case.state
        return case

    @contextmanager
    def as_it_was(self) -> Iterator[None]:
        """Afterwards the database and what was handed in are as before; only numbers go on, so that none means two."""
        from django.db import connection

        home, kept, people = self.home, sqlite3.connect(":memory:"), dict(self.people)
        for row in (*people.values(), self.data_set, *self.cases().values(), self.entry()):
            row.refresh_from_db()  # a test may have changed what stands for it here
        places = (home.sources, home.incoming, home.uploads, home.outgoing, home.releases, home.drafts)
        files = {path for place in places for path in place.iterdir()}
        with closing(sqlite3.connect(home.folder / "portal.sqlite3")) as now:
            now.backup(kept)
        yield
        self.people = people
        connection.close()
        with closing(sqlite3.connect(home.folder / "portal.sqlite3")) as now, now:
            last = now.execute("select name, seq from sqlite_sequence").fetchall()
            kept.backup(now)
            now.execute("delete from sqlite_sequence")
            now.executemany("insert into sqlite_sequence (name, seq) values (?, ?)", last)
        kept.close()
        for path in {path for place in places for path in place.iterdir()} - files:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def number_from(self, first: int) -> None:
        """Have rows that are made from now on count from there."""
        with closing(sqlite3.connect(self.home.folder / "portal.sqlite3")) as now, now:
            now.execute("update sqlite_sequence set seq = max(seq, ?)", [first])

    @staticmethod
    def record(case: Any) -> NegotiationRecord:
        """What is written of a negotiation."""
        return NegotiationRecord.read(case.folder)

    @cache  # noqa: B019
    def cases(self) -> Mapping[str, Any]:
        """Rita's requests, by state: to look at, not to change."""
        return {state: self.led_to(state) for state in STATES}

    @cache  # noqa: B019
    def publish(self, folder: Path) -> Path:
        """Make a release of the first table in a folder, with its private one beside it."""
        plan = bb.Plan(
            [bb.Generalise("age", negotiations.AGES, 2), bb.SuppressGroups()],
            [bb.KAnonymity(3)],
            quasi=["age", "city"],
            sensitive=["disease"],
            identifiers=["name"],
        )
        bb.publish(self.data_set.place, plan, folder, accept={"disease": "a made-up one"})
        return folder

    def entry(self) -> Any:
        """A release of the catalogue."""
        folder = self.publish(self.home.folder / "published")
        entry = self.model("CatalogueEntry").objects.create(title="Diagnósticos", data_set=self.data_set, folder="")
        asked = {"entry": entry.pk, "folder": str(folder)}
        self.model("Job").objects.create(kind="list-release", data_set=self.data_set, asked=asked)
        self.work()
        entry.refresh_from_db()
        assert entry.holds
        return entry


@cache
def _browser() -> Any:
    from django.test import Client

    class Browser(Client):
        """One that reads what it is given to its end: ``body``."""

        def request(self, **request: Any) -> Any:
            """Ask."""
            answer: Any = super().request(**request)
            answer.body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            answer.close()
            return answer

    return Browser


_SITES: list[Site] = []


def the_site() -> Iterator[Site]:
    """The portal of this process."""
    for package in ("django", "allauth", "huey"):
        pytest.importorskip(package, reason="the portal is not installed (biombo[portal])")
    if not _SITES:
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv("PGPASSWORD", raising=False)
            _SITES.append(Site(Path(tempfile.mkdtemp(prefix="biombo-portal-"))))
    yield _SITES[0]
