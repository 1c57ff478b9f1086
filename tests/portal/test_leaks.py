"""A requester reads no original value, no identifier, no path and no count below TG, wherever they look.

Counts below TG are made to be unusual numbers, values to be unusual words: whatever of them is found in an answer came
from the table.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import negotiations
import polars as pl
import pytest
from examples import examples
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from portal_routes import address, routes
from portal_site import Site

import biombo as bb
from biombo._portal import rule_of

TG = 211
AGES = bb.Hierarchy.by_interval(1000, [10, 100])
_READING = ("get", "head", "options")
_ID = re.compile(r"\b[0-9a-f]{16,}\b")
"""Trace ids, hashes and signatures are random: any digits may stand in them."""
Row = tuple[int, str, str, int]
"""Age, city, disease, and how many people have them."""


def table_of(rows: Sequence[Row]) -> pl.DataFrame:
    people = [(age, city, disease) for age, city, disease, count in rows for _ in range(count)]
    return pl.DataFrame(
        {
            "name": [f"zzq{place:05}" for place in range(len(people))],
            "age": [str(age) for age, _, _ in people],
            "city": [city for _, city, _ in people],
            "disease": [disease for _, _, disease in people],
        }
    )


def schema_of(table: pl.DataFrame) -> bb.Schema:
    def known(name: str) -> tuple[str, ...]:
        return tuple(sorted(set(table[name])))

    return bb.Schema(
        {
            "name": bb.ColumnSchema(role="identifier"),
            "age": bb.ColumnSchema(role="quasi", type="discrete", bounds=(0, 999_999), hierarchy=AGES.to_tree()),
            "city": bb.ColumnSchema(role="quasi", domain=known("city")),
            "disease": bb.ColumnSchema(role="sensitive", domain=known("disease")),
        }
    )


def small_counts(table: pl.DataFrame) -> set[int]:
    """How many people have the same in some columns, where these are fewer than TG."""
    columns = ("age", "city", "disease")
    groups = (each for size in (1, 2, 3) for each in combinations(columns, size))
    return {count for each in groups for count in table.group_by(each).len()["len"] if 100 < count < TG}


class Reader:
    """Somebody who looks everywhere, with what must never be found."""

    def __init__(self, site: Site, table: pl.DataFrame, place: str) -> None:
        self.site = site
        self.words = {*table["name"], *table["city"], *table["age"], *table["disease"]}
        self.paths = {str(site.home.folder), place, place.rpartition("/")[2], "/tmp/", "Traceback"}
        self.numbers = small_counts(table)
        self.clients = [site.known("rita"), site.known()]
        self.read = 0

    def look(self, case: Any) -> None:
        """Open everything that there is of a request, and much that there is not."""
        jobs = [1, *self.site.model("Job").objects.filter(case=case).values_list("pk", flat=True)]
        for client in self.clients:
            for name, taken in routes():
                rule = rule_of(name)
                if (
                    "number" not in taken
                    or rule is None
                    or not ("requester" in rule.roles or client is self.clients[1])
                ):
                    continue
                for job in jobs if "job" in taken else [1]:
                    for method in _READING:
                        self.check(getattr(client, method)(address(name, taken, number=case.pk, job=job)), name)
            for page in ("/", "/requests", "/requests/new", "/requests/all", "/data", f"/data/{case.data_set_id}"):
                self.check(client.get(page), page)
            for column in ("age", "city", "disease", "name"):
                for choice in ("", "0", "1", "2", "3", "out", "4", "x"):
                    page = f"/requests/{case.pk}/examples?column:{column}={choice}"
                    self.check(client.get(page), page)

    def post(self, case: Any, act: str, **fields: Any) -> Any:
        """Do something as a requester, and have it done."""
        answer = self.clients[0].post(f"/requests/{case.pk}/acts/{act}", fields)
        self.check(answer, act)
        self.site.work()
        case.refresh_from_db()
        self.look(case)
        return answer

    def check(self, answer: Any, where: str, allowed: Iterable[str] = ()) -> None:
        """Nothing of the table is in an answer."""
        assert answer.status_code < 500, where
        headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
        told = f"{answer.body.decode('utf-8', 'replace')} {headers} {answer.cookies.output()}"
        found = {word for word in self.words - set(allowed) if word in told}
        assert not found, (where, found)
        assert not {path for path in self.paths if path in told}, where
        left = re.sub(r"(job|tarefa) \d+|data=\d+|<option value=.\d+|(?<=\d)[.](?=\d{3}\b)", "", told)
        numbers = {int(each) for each in re.findall(r"(?<![\w.%+/-])\d{3,6}(?![\w%])", left)}
        assert not numbers & self.numbers, (where, numbers & self.numbers)
        self.read += 1


@pytest.fixture
def unchanged(unchanged: Site) -> Site:
    """Rows of the database are numbered beyond a million, so that none of their numbers looks like a count."""
    unchanged.number_from(7_000_000)
    return unchanged


def prepared(site: Site, rows: Sequence[Row]) -> tuple[Any, Reader]:
    """A request for a table, led to the manipulations, looked at on the way."""
    table = table_of(rows)
    schema = schema_of(table)
    data_set = site.add_table(table, schema, name="Uma tabela")
    reader = Reader(site, table, data_set.place)
    case = site.asked("rita", data_set)
    site.model("Job").objects.create(kind="begin", case=case, person=site.people["rita"])
    reader.look(case)
    site.work()
    case.refresh_from_db()
    reader.look(case)
    site.do("ana", case, bb.Prepare(dict(negotiations.COLUMNS), schema, dict(negotiations.MODEL), k=TG))
    reader.look(case)
    return case, reader


ROWS = (
    (412_307, "Xylopolis", "morbus-unicus", 113),
    (412_307, "Xylopolis", "gripe-comum", 157),
    (412_309, "Quuxville", "gripe-comum", 401),
    (877_131, "Quuxville", "asma-leve", 139),
    (877_133, "Abrantes-Velha", "asma-leve", 523),
    (877_133, "Abrantes-Velha", "gripe-comum", 197),
)


def test_a_whole_dialogue_tells_nothing_of_the_table(unchanged: Site):
    site = unchanged
    site.model("AgencySettings").objects.filter(pk=1).update(votes=0)
    case, reader = prepared(site, ROWS)
    manager = site.record(case).view(bb.Actor("manager", "Ana Souza"))
    exact = {each.records for each in manager.obstacles} - {0}
    assert exact & reader.numbers or exact, "the manager has numbers that the requester has not"
    reader.numbers |= {number for number in exact if number > 100}

    reader.post(case, "ask-for-plans", max_suppression="0")
    reader.post(case, "ask-for-plans", max_suppression="0,01")  # no multiple of what is allowed: refused
    reader.post(case, "accept", **{"column:age": "1", "column:city": "Xyl", "max_suppression": "0"})
    reader.post(case, "accept", **{"column:age": "9", "column:nome": "1"})
    reader.post(case, "give-synonyms", **{"value:disease:morbus": "a, b"})
    reader.post(case, "accept", **{"column:age": "1", "column:city": "out", "max_suppression": "7"})
    reader.post(case, "accept", **{"column:age": "1", "max_suppression": "0"})
    assert case.state == "applying"
    offer = site.record(case).state.offers[-1]
    reader.numbers |= {each for each in (offer.measured.lost, offer.measured.records_below) if each > 100}
    page = site.known("ana").get(f"/requests/{case.pk}").body.decode()
    assert re.search(r"\b(113|157|139|197|270|296)\b", page), "the manager reads exact numbers"
    site.do("ana", case, bb.Suggest([bb.Generalise("age", AGES, 3)], message="idades em faixas largas"))
    reader.look(case)
    reader.post(case, "propose", k="2", message="menos?")
    site.do("ana", case, bb.Decline("não"))
    reader.post(case, "accept", **{"column:age": "2", "column:city": "out", "max_suppression": "0"})
    site.do("ana", case, bb.CarryOut())
    reader.look(case)
    assert case.state == "diversity", case.state
    site.model("Job").objects.create(
        kind="values", case=case, person=site.people["ana"], asked={"l": 3}, seen=site.record(case).head
    )
    site.work()
    reader.look(case)
    site.do("ana", case, bb.AskDiversity(2))
    reader.look(case)
    site.do("ana", case, bb.SendMetrics())
    reader.look(case)
    reader.post(case, "accept-terms", read="on", terms="0" * 64)
    reader.post(case, "accept-terms", read="on", terms=site.record(case).terms.hash)
    reader.post(case, "review", accepted="yes")
    site.do("ana", case, bb.WriteReport(department="Vigilância", accept={"disease": "public anyway"}))
    reader.look(case)
    site.do("ana", case, bb.MakeAvailable())
    reader.look(case)

    link = site.known("rita").post(f"/requests/{case.pk}/delivery").headers["Location"]
    archive = zipfile.ZipFile(io.BytesIO(site.known("rita").get(link).body))
    diseases = {disease for _, _, disease, _ in ROWS}
    for name in archive.namelist():
        content = _ID.sub("", archive.read(name).decode("utf-8", "replace"))
        assert not {word for word in reader.words - diseases if word in content}, name
        assert not {path for path in reader.paths if path in content}, name
    assert not [name for name in archive.namelist() if "private" in name or "vault" in name]
    assert reader.read > 1000


def test_a_table_that_is_gone_or_damaged_is_not_named_to_the_requester(unchanged: Site):
    site = unchanged
    table = table_of(ROWS)
    for content in (None, b"PAR1 zzq00001 Xylopolis", b""):
        data_set = site.add_table(table, schema_of(table), name="Uma tabela")
        reader = Reader(site, table, data_set.place)
        place = site.home.sources / data_set.place.rpartition("/")[2]
        place.unlink()
        if content is not None:
            place.write_bytes(content)
        case = site.asked("rita", data_set)
        site.model("Job").objects.create(kind="begin", case=case, person=site.people["rita"])
        (job,) = site.work()
        assert job.status == "failed"
        reader.look(case)
        site.model("DataSet").objects.filter(pk=data_set.pk).update(is_offered=False, place="")


def test_a_chain_or_budget_that_is_damaged_is_not_named_to_the_requester(unchanged: Site):
    """Errors of negotiations that name files are for the agency."""
    site = unchanged
    case = site.led_to("manipulations")
    reader = Reader(site, table_of(ROWS), case.data_set.place)
    for key, values in (
        ("negotiation.damaged-budget", {"path": str(site.home.negotiations / "measurements.jsonl")}),
        ("negotiation.other-source", {"source": case.data_set.place}),
        ("negotiation.unseen-values", {"column": "disease", "values": "morbus-unicus"}),
        ("negotiation.broken", {"detail": "Xylopolis"}),
        ("input.damaged", {"path": case.data_set.place, "detail": "412307"}),
        ("column.not-numbers", {"column": "age", "example": "412307"}),
    ):
        told = {"case": case, "person": site.people["rita"], "error": {"key": key, "values": values}}
        site.model("Job").objects.create(kind="act", status="failed", stage="reading 412307", **told)
        reader.look(case)
        shown = site.known("rita").get(f"/requests/{case.pk}").body.decode()
        assert 'role="alert"' in shown


WORDS = st.integers(0x1000, 0xFFFF).map(lambda number: f"qx{number:x}zq")
RANDOM_ROWS = st.lists(
    st.tuples(st.integers(300_000, 999_999), WORDS, WORDS, st.integers(101, TG - 1)), min_size=7, max_size=9
)


@settings(examples(2), phases=(Phase.explicit, Phase.generate))  # each is a dialogue: smaller ones are not looked for
@given(rows=RANDOM_ROWS, level=st.sampled_from(["0", "1", "2", "3", "out"]))
def test_random_tables_are_not_told_of_either(one_site: Site, rows: list[Row], level: str):
    with one_site.as_it_was():
        case, reader = prepared(one_site, rows)
        if case.state == "manipulations":
            reader.post(case, "ask-for-plans", max_suppression="0")
            reader.post(case, "accept", **{"column:age": level, "max_suppression": "0"})
            if case.state == "applying":
                one_site.do("ana", case, bb.CarryOut())
                reader.look(case)
