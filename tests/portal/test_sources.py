"""Where a table comes from: a folder of the server, a database, a browser; and what must not come from there."""

import html
import io
import logging
import os
import re
import socket
import sqlite3
import stat
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import polars as pl
import pytest
import xlsxwriter
from portal_site import Site
from postgres_server import PASSWORD

SECRET = "Maria Quitéria"
"""A value of a table: no sentence may have it."""


def people(rows: int = 300) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "nome": [SECRET, *(f"Pessoa {n}" for n in range(1, rows))],
            "idade": [20 + n % 60 for n in range(rows)],
            "cidade": [("Rio", "Lima")[n % 2] for n in range(rows)],
        }
    )


def workbook() -> io.BytesIO:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        for name, table in {"pessoas": people(), "cidades": people(3)}.items():
            table.write_excel(book, name)
    content.name = "livro.xlsx"
    content.seek(0)
    return content


@pytest.fixture
def told(unchanged: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Tells the portal what the administrator wrote into ``portal.json``."""
    from django.conf import settings

    sets = unchanged.model("DataSet").objects
    before = set(sets.values_list("pk", flat=True))
    yield lambda **said: monkeypatch.setattr(settings, "PORTAL_HOME", replace(unchanged.home, **said))
    for made in sets.exclude(pk__in=before):
        if made.place:
            Path(made.place).unlink(missing_ok=True)
        made.delete()


def handed_in(site: Site, **form: Any) -> Any:
    """What a page answers, and the job and the data set where it took the form."""
    before = site.model("DataSet").objects.count()
    answer = site.client("ana").post("/data/new", {"name": "Pessoas", **form})
    if site.model("DataSet").objects.count() == before:
        return answer, None, None
    site.work()
    made = site.model("DataSet").objects.latest("pk")
    return answer, made.jobs.first(), made


def sentence(site: Site, made: Any) -> str:
    """What the page of the data set says is wrong."""
    page = site.client("ana").get(f"/data/{made.pk}").content.decode()
    (said,) = re.findall(r'role="alert"><p>(.*?)</p>', page)
    return html.unescape(said)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table, and with all that nobody may choose."""
    place, outside = tmp_path / "tabelas", tmp_path / "fora"
    (place / "dentro").mkdir(parents=True)
    outside.mkdir()
    people().write_csv(place / "pessoas.csv")
    people().write_csv(outside / "secreta.csv")
    people().write_csv(place / "dentro" / "outra.csv")
    people().write_csv(place / ".escondida.csv")
    (place / "notas.sh").write_text("rm -rf /")
    (place / "link.csv").symlink_to(outside / "secreta.csv")
    (place / "fora").symlink_to(outside)
    os.mkfifo(place / "fila.csv")
    return place


def test_only_tables_that_lie_in_the_folder_itself_are_listed(unchanged: Site, told, folder: Path):
    told(folders=[str(folder)])
    page = unchanged.client("ana").get("/data/new").content.decode()

    assert "pessoas.csv · " in page
    for name in ("link.csv", "outra.csv", "secreta.csv", "escondida", "notas.sh", "fila.csv", str(folder)):
        assert name not in page


def test_without_folders_and_databases_there_is_nothing_to_choose(unchanged: Site):
    page = unchanged.client("ana").get("/data/new").content.decode()
    assert 'name="source"' not in page
    assert 'name="file"' in page


def test_a_file_of_the_server_is_copied_and_stays_where_it_is(unchanged: Site, told, folder: Path):
    from biombo._portal import forget_tables

    told(folders=[str(folder)])
    answer, job, made = handed_in(unchanged, source="folder", server_file="0/pessoas.csv")

    assert answer.status_code == 302
    assert (job.status, job.error) == ("done", {})
    place = Path(made.place)
    assert place.parent == unchanged.home.sources
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert place.read_bytes() == (folder / "pessoas.csv").read_bytes()
    assert "cidade" in made.schema
    forget_tables()
    assert (folder / "pessoas.csv").exists()


@pytest.mark.parametrize(
    "key",
    [
        *("0/../fora/secreta.csv", "0/link.csv", "0/fora/secreta.csv", "0/dentro/outra.csv", "0/fila.csv"),
        *("1/pessoas.csv", "-1/pessoas.csv", "../pessoas.csv", "0/.escondida.csv", "0/notas.sh", "0//etc/passwd", ""),
    ],
)
def test_nothing_but_what_is_listed_can_be_chosen(unchanged: Site, told, folder: Path, key: str):
    told(folders=[str(folder)])
    answer, job, _ = handed_in(unchanged, source="folder", server_file=key)
    assert (answer.status_code, job) == (200, None)

    nothing = unchanged.model("DataSet").objects.create(name="x", place="")
    job = unchanged.model("Job").objects.create(kind="fetch", data_set=nothing, asked={"file": key})
    unchanged.work()
    job.refresh_from_db()
    assert (job.status, job.error["key"]) == ("failed", "portal.file-gone")


def test_a_file_that_becomes_a_link_before_the_worker_comes_is_not_followed(unchanged: Site, told, folder: Path):
    told(folders=[str(folder)])
    before = sorted(unchanged.home.sources.iterdir())
    unchanged.client("ana").post("/data/new", {"name": "x", "source": "folder", "server_file": "0/pessoas.csv"})
    (folder / "pessoas.csv").unlink()
    (folder / "pessoas.csv").symlink_to(folder.parent / "fora" / "secreta.csv")
    unchanged.work()

    job = unchanged.model("DataSet").objects.latest("pk").jobs.first()
    assert (job.status, job.error["key"]) == ("failed", "portal.file-gone")
    assert sorted(unchanged.home.sources.iterdir()) == before


def test_the_portals_own_folder_is_never_chosen_from(unchanged: Site, told):
    told(folders=[str(unchanged.home.folder), str(unchanged.home.sources)])
    page = unchanged.client("ana").get("/data/new").content.decode()
    assert "portal.json" not in page
    assert 'name="server_file"' not in page


# Databases


@pytest.fixture
def sqlite(tmp_path: Path) -> Path:
    place = tmp_path / "pessoas.db"
    with sqlite3.connect(place) as connection:
        connection.execute("create table pessoas (nome text, idade integer, cidade text)")
        connection.executemany("insert into pessoas values (?, ?, ?)", people().rows())
    return place


def test_a_table_of_sqlite_is_read_once(unchanged: Site, told, sqlite: Path):
    told(databases={"saude": f"sqlite:///{sqlite}"})
    answer, job, made = handed_in(unchanged, source="database", database="saude", query="pessoas")

    assert answer.status_code == 302
    assert (job.status, job.error) == ("done", {})
    assert pl.read_parquet(made.place).equals(people())
    assert stat.S_IMODE(Path(made.place).stat().st_mode) == 0o600
    assert "idade" in made.schema


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """An address without password, of a database with a table."""
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(f"postgresql://manager:{PASSWORD}@{postgres_server}", autocommit=True) as connection:
        connection.execute("drop table if exists pessoas")
        connection.execute("create table pessoas (nome text, idade integer, cidade text, peso numeric)")
        with connection.cursor() as cursor:
            cursor.executemany("insert into pessoas values (%s, %s, %s, 61.5)", people().rows())
        yield f"postgresql://manager@{postgres_server}"
        assert connection.execute("select count(*) from pessoas").fetchone() == (300,)


@pytest.fixture
def asked(unchanged: Site, told, postgres: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Asks PostgreSQL by the portal."""
    monkeypatch.setenv("BIOMBO_PORTAL_DATABASE_SAUDE_2024", PASSWORD)
    told(databases={"Saude 2024": postgres})
    return lambda query: handed_in(unchanged, source="database", database="Saude 2024", query=query)


@pytest.mark.parametrize(
    "query",
    ["pessoas", 'public."pessoas"', "SELECT * FROM pessoas;", "with p as (select * from pessoas) select * from p"],
)
def test_a_query_of_postgresql_becomes_a_private_file(asked, query: str):
    answer, job, made = asked(query)

    assert answer.status_code == 302
    assert (job.status, job.error) == ("done", {})
    kept = pl.read_parquet(made.place)
    assert kept.select("nome", "idade", "cidade").equals(people())
    assert kept["peso"].cast(float).unique().to_list() == [61.5]


@pytest.mark.parametrize("query", ["drop table pessoas", "delete from pessoas", "pessoas; drop table pessoas", "", "1"])
def test_what_is_no_query_is_not_even_asked(asked, query: str):
    answer, job, _ = asked(query)
    assert (answer.status_code, job) == (200, None)
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("nao_existe", "não existe|does not exist"),
        ("select nao_existe from pessoas", "nao_existe"),
        ("select 1; delete from pessoas", "SELECT"),
        ("select 1) as x; commit; delete from pessoas; --", "SELECT"),
        ("with gone as (delete from pessoas returning *) select * from gone", "SELECT"),
        ("select nextval('numeros')", "só lê|numeros"),
        ("select nome::integer from pessoas", "valor"),
        ("select * from pessoas where idade = 1000", "nenhuma linha"),
        ("select pg_sleep(60) from pessoas", "demorou"),
        ("select nome, nome from pessoas", "nome"),
    ],
)
def test_a_query_that_does_not_work_ends_in_a_sentence(
    unchanged: Site, asked, query: str, says: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("biombo._portal.sources.SECONDS_TO_ASK", 2)
    before = sorted(unchanged.home.sources.iterdir())
    answer, job, made = asked(query)
    said = sentence(unchanged, made)

    assert answer.status_code == 302
    assert (job.status, made.place, made.schema) == ("failed", "", "")
    assert job.error["key"] != "portal.failed"
    assert re.search(says, said), said
    for secret in (SECRET, PASSWORD, "127.0.0.1", "postgresql://", "manager"):
        assert secret not in said
        assert secret not in str(job.error)
    assert sorted(unchanged.home.sources.iterdir()) == before


@pytest.mark.parametrize("wrong", ["password", "port", "sqlite"])
def test_a_database_that_cannot_be_asked_is_named_and_nothing_else(
    unchanged: Site, told, postgres: str, wrong: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BIOMBO_PORTAL_DATABASE_SAUDE", "not-the-password")
    port = str(urlsplit(postgres).port)
    address = {
        "password": postgres,
        "port": postgres.replace(port, "1"),
        "sqlite": "sqlite:////nowhere/at/all.db",
    }[wrong]
    told(databases={"saude": address})
    _, job, _ = handed_in(unchanged, source="database", database="saude", query="pessoas")

    assert (job.status, job.error) == ("failed", {"key": "portal.database-away", "values": {"name": "saude"}})


def test_a_password_in_the_settings_is_refused(tmp_path: Path):
    from biombo._errors import UsageError
    from biombo._portal import PortalHome

    with pytest.raises(UsageError, match="BIOMBO_PORTAL_DATABASE_SAUDE") as refused:
        PortalHome.at(tmp_path / "home", databases={"saude": "postgresql://ana:s3cr3t@host/db"})
    assert "s3cr3t" not in str(refused.value)


@pytest.mark.parametrize("said", [{"folders": "/srv"}, {"folders": [1]}, {"databases": ["a"]}, {"databases": {"a": 1}}])
def test_settings_of_another_shape_are_refused(tmp_path: Path, said: dict[str, Any]):
    import json

    from biombo._errors import InputError
    from biombo._portal import PortalHome

    PortalHome.at(tmp_path / "home", address="http://127.0.0.1:1")
    (tmp_path / "home" / "portal.json").write_text(json.dumps(said))
    with pytest.raises(InputError):
        PortalHome.at(tmp_path / "home")


def test_sqlite_does_not_quote_values(unchanged: Site, told, sqlite: Path):
    told(databases={"pessoas": f"sqlite:///{sqlite}"})
    form = {"source": "database", "database": "pessoas"}
    _, job, made = handed_in(unchanged, **form, query="SELECT json_extract('{}', nome) FROM pessoas")
    assert (job.status, job.error["key"]) == ("failed", "portal.query-failed")
    assert SECRET not in str(job.error)
    assert SECRET not in sentence(unchanged, made)
    _, job, made = handed_in(unchanged, **form, query="SELECT nada FROM pessoas")
    assert "no such column: nada" in sentence(unchanged, made)


def test_what_is_wrong_with_a_table_is_told_to_managers_by_the_name_they_gave(unchanged: Site, told):
    ragged = io.BytesIO(f"nome,idade\n{SECRET},3\na,b,c\n".encode())
    ragged.name = "pessoas.csv"
    _, job, made = handed_in(unchanged, file=ragged)
    assert job.status == "failed"
    said = sentence(unchanged, made)
    assert "Pessoas" in said
    assert str(unchanged.home.folder) not in said
    page = unchanged.client("davi").get(f"/data/{made.pk}").body.decode()
    assert said not in page


def test_of_a_workbook_with_several_sheets_a_manager_chooses_one(unchanged: Site, told):
    site = unchanged
    _, job, made = handed_in(site, file=workbook())
    assert (job.status, made.schema) == ("done", "")
    given, page = made.place, f"/data/{made.pk}"
    shown = site.client("ana").get(page).body.decode()
    assert re.findall(r'name="table" value="(\w+)"', shown) == ["pessoas", "cidades"]
    assert 'name="table"' not in site.client("davi").get(page).body.decode()
    assert site.client("ana").post(f"{page}/table", {"table": "outra"}).status_code == 422
    assert site.client("davi").post(f"{page}/table", {"table": "pessoas"}).status_code == 404

    assert site.client("ana").post(f"{page}/table", {"table": "pessoas"}).status_code == 302
    (job,) = site.work()
    made.refresh_from_db()

    assert job.status == "done", job.error
    assert pl.read_parquet(made.place).shape == (300, 3)
    assert not Path(given).exists()
    assert "idade" in made.schema
    assert 'name="table"' not in site.client("ana").get(page).body.decode()


def test_what_readers_of_files_say_of_a_chart_is_not_in_the_log(unchanged: Site, told):
    heard: list[logging.LogRecord] = []
    listening = logging.Handler()
    listening.emit = heard.append  # type: ignore[method-assign]
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        people().write_excel(book, "pessoas")
        chart = book.add_chart({"type": "column"})
        chart.add_series({"values": "=pessoas!$B$2:$B$20"})
        book.add_chartsheet("idades").set_chart(chart)
    content.name = "livro.xlsx"
    content.seek(0)

    logging.getLogger().addHandler(listening)
    try:
        _, job, made = handed_in(unchanged, file=content)
    finally:
        logging.getLogger().removeHandler(listening)

    assert (job.status, "idade" in made.schema) == ("done", True)
    assert [record.getMessage() for record in heard] == []


def test_of_two_managers_who_choose_a_sheet_the_second_is_told(unchanged: Site, told):
    site = unchanged
    _, _, made = handed_in(site, file=workbook())
    choose = f"/data/{made.pk}/table"
    said = "Outra pessoa já disse qual tabela deste arquivo"
    assert site.client("ana").post(choose, {"table": "pessoas"}).status_code == 302

    waiting = site.client("bruno").post(choose, {"table": "cidades"})
    jobs = site.work()
    done = site.client("bruno").post(choose, {"table": "cidades"})

    assert (waiting.status_code, done.status_code, len(jobs)) == (409, 409, 1)
    assert said in waiting.body.decode()
    assert said in done.body.decode()
    made.refresh_from_db()
    assert pl.read_parquet(made.place).shape == (300, 3)


def test_whoever_chooses_an_empty_sheet_can_choose_another(unchanged: Site, told):
    site, content = unchanged, io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        book.add_worksheet("vazia").write_row(0, 0, ["nome", "idade"])
        people().write_excel(book, "pessoas")
        people(3).write_excel(book, "cidades")
    content.name = "livro.xlsx"
    content.seek(0)
    _, _, made = handed_in(site, file=content)
    given, page = made.place, f"/data/{made.pk}"

    assert site.client("ana").post(f"{page}/table", {"table": "vazia"}).status_code == 302
    (job,) = site.work()
    made.refresh_from_db()
    assert job.status == "failed"
    assert (made.place, made.schema) == (given, "")
    assert Path(given).exists()
    assert sentence(site, made)

    assert site.client("ana").post(f"{page}/table", {"table": "pessoas"}).status_code == 302
    (job,) = site.work()
    made.refresh_from_db()
    assert job.status == "done", job.error
    assert pl.read_parquet(made.place).shape == (300, 3)
    assert not Path(given).exists()


def test_nothing_is_opened_before_a_sheet_was_chosen(unchanged: Site, told):
    site = unchanged
    _, _, made = handed_in(site, file=workbook())
    typed = {"schema": "columns:\n  idade: {role: quasi}\n", "seen": made.schema_hash, "is_offered": "on"}

    assert site.client("ana").post(f"/data/{made.pk}/edit", typed).status_code == 404
    made.refresh_from_db()
    assert (made.schema, made.is_offered) == ("", False)
    assert site.client("ana").post(f"/data/{made.pk}/table", {"table": "pessoas"}).status_code == 302


def test_only_managers_choose_sources(unchanged: Site, told, folder: Path):
    told(folders=[str(folder)])
    for who in ("rita", "davi", "alice", "celia"):
        answer = unchanged.client(who).post(
            "/data/new", {"name": "x", "source": "folder", "server_file": "0/pessoas.csv"}
        )
        assert answer.status_code == 404


# What a browser sends


def nested_bomb() -> bytes:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", bytes(10_000_000))
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.zip", inner.getvalue())
    return outer.getvalue()


def climbing() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../../tmp/out.csv", "a,b\n1,2\n")
        archive.writestr("/etc/other.csv", "a,b\n1,2\n")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [("nested.zip", nested_bomb()), ("cut.csv.gz", b"\x1f\x8b\x08\x00abc")],
    ids=["nested", "cut"],
)
def test_a_hostile_archive_ends_in_a_sentence(unchanged: Site, told, name: str, content: bytes):
    from django.core.files.uploadedfile import SimpleUploadedFile

    told()
    _, job, made = handed_in(unchanged, file=SimpleUploadedFile(name, content))
    assert (job.status, made.schema) == ("failed", "")
    assert job.error["key"] != "portal.failed", job.error
    assert sentence(unchanged, made)


def test_tables_of_an_archive_never_leave_the_portals_folder(unchanged: Site, told):
    from django.core.files.uploadedfile import SimpleUploadedFile

    told()
    _, _, made = handed_in(unchanged, file=SimpleUploadedFile("climbing.zip", climbing()))
    for name in ("../../../tmp/out.csv", "/etc/other.csv"):
        assert name in unchanged.client("ana").get(f"/data/{made.pk}").body.decode()
    unchanged.client("ana").post(f"/data/{made.pk}/table", {"table": "../../../tmp/out.csv"})
    (job,) = unchanged.work()
    made.refresh_from_db()
    assert job.status == "done", job.error
    assert Path(made.place).parent == unchanged.home.sources
    assert not Path("/tmp/out.csv").exists()
    assert not Path("/etc/other.csv").exists()


# What the web takes in before anybody is asked

MEBIBYTE = 1024**2


def answered(portal: Any, head: str, body: bytes = b"") -> tuple[bytes, int]:
    """What the web answers to headers, and how much of the body it took until then."""
    parts = urlsplit(portal.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as web:
        web.sendall(head.encode())
        taken = 0
        web.settimeout(0.2 if body else 20)
        while body and taken < 64 * MEBIBYTE:
            try:
                web.sendall(body)
                taken += len(body)
                if said := web.recv(1024):
                    return said, taken
            except TimeoutError:
                continue
            except OSError:
                break
        return _all_of(web), taken


def _all_of(web: socket.socket) -> bytes:
    """What is said until the other side has ended; it may come in pieces."""
    web.settimeout(20)
    said = b""
    with suppress(OSError):
        while piece := web.recv(4096):
            said += piece
    return said


def head(length: int | None, *more: str) -> str:
    size = f"Content-Length: {length}" if length is not None else "Transfer-Encoding: chunked"
    return "\r\n".join(["POST /account/login/ HTTP/1.1", "Host: 127.0.0.1", size, *more, "", ""])


@pytest.mark.parametrize(
    "cookie", [None, "sessionid=" + "a" * 32, "sessionid=\x7f;;=", "sessionid=../../x", "x" * 9000]
)
def test_strangers_are_refused_before_anything_is_taken_in(portal, cookie: str | None):
    more = [f"Cookie: {cookie}"] if cookie else []
    said, _ = answered(portal, head(100 * MEBIBYTE, *more))
    assert said.startswith((b"HTTP/1.1 413", b"HTTP/1.0 400"))


def test_strangers_who_wait_for_leave_get_none(portal):
    said, _ = answered(portal, head(100 * MEBIBYTE, "Expect: 100-continue"))
    assert b"100 Continue" not in said
    assert said.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(("language", "words"), [("pt", "grande demais"), ("en", "too large")])
def test_what_is_too_large_is_refused_in_words_with_a_way_back(portal, language: str, words: str):
    said, _ = answered(portal, head(100 * MEBIBYTE, f"Cookie: biombo_language={language}"))
    assert words in said.decode()
    assert '<a href="/account/login/">' in said.decode()
    assert "generated by" not in said.decode()


def test_strangers_who_send_in_pieces_are_stopped(portal):
    piece = b"40000\r\n" + bytes(0x40000) + b"\r\n"
    said, taken = answered(portal, head(None), piece)
    assert said.startswith(b"HTTP/1.1 413") or not said
    assert taken < 16 * MEBIBYTE  # what lies in the sockets of both sides included
