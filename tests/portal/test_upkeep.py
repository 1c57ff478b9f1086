"""Copies of a portal, put back elsewhere, and what is found wrong with one."""

import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from portal_server import missing_for_portal

import biombo as bb
from biombo._i18n import text
from biombo._negotiate import plain_fact

PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"

pytestmark = pytest.mark.skipif(
    missing_for_portal(browser=False) is not None, reason=str(missing_for_portal(browser=False))
)


def biombo(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_what_is_in_the_code_is_in_the_migrations(site):
    from django.core.management import call_command

    call_command("makemigrations", "portal", check=True, dry_run=True, verbosity=0)


def test_a_copy_put_back_is_the_same_and_sound(site, tmp_path):
    site.cases()
    entry = site.entry()
    copy, place = tmp_path / "copy.tar.gz", tmp_path / "elsewhere"

    assert biombo("portal", "backup", copy, "--folder", site.home.folder).returncode == 0
    assert copy.stat().st_mode & 0o077 == 0
    assert biombo("portal", "restore", copy, "--folder", place).returncode == 0
    checked = biombo("portal", "check", "--folder", place)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    vault = place / "releases" / f"{entry.slug}.private"
    assert (vault.resolve() / "release.key").is_file()
    assert vault.resolve().is_relative_to(place)
    vault.unlink()
    checked = biombo("portal", "check", "--folder", place)
    assert (checked.returncode, "private folder" in checked.stdout) == (1, True)

    again = biombo("portal", "restore", copy, "--folder", place)
    assert again.returncode == 2
    assert "is not empty" in again.stderr
    _change_an_event(place)
    broken = biombo("portal", "check", "--folder", place)
    assert broken.returncode == 1
    assert "Request 0" in broken.stdout


def test_released_data_that_are_missing_are_told(site):
    from biombo._portal import faults

    case, entry = site.led_to("available"), site.entry()
    before = set(faults(site.home))  # other tests leave chains of requests that they took back
    assert not any(str(case.folder) in each or entry.title in each for each in before)
    lost = [Path(case.folder) / "available" / "data.csv", Path(entry.folder) / "data.csv"]
    kept = [path.read_bytes() for path in lost]
    for path in lost:
        path.unlink()
    try:
        found = [fault for fault in faults(site.home) if fault not in before]
    finally:
        for path, content in zip(lost, kept, strict=True):
            path.write_bytes(content)
    assert len(found) == 2
    assert any(str(case) in each for each in found)
    assert any(entry.title in each for each in found)


def test_a_copy_does_not_hold_itself_and_one_that_is_refused_leaves_nothing(site, tmp_path):
    copy, damaged, place = site.home.folder / "copy.tar.gz", tmp_path / "damaged.tar.gz", tmp_path / "elsewhere"
    assert biombo("portal", "backup", copy, "--folder", site.home.folder).returncode == 0
    with tarfile.open(copy) as packed:
        assert [name for name in packed.getnames() if name.endswith((".part", ".tar.gz"))] == []
        with tarfile.open(damaged, "w:gz") as other:
            for name, content in (("portal.json", b"{}"), ("portal.sqlite3", b"SQLite format 3\0" + b"x" * 5000)):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                other.addfile(entry, io.BytesIO(content))
    copy.unlink()

    refused = biombo("portal", "restore", damaged, "--folder", place)

    assert refused.returncode == 2
    assert "no copy of a portal" in refused.stderr
    assert not place.exists()


def _change_an_event(place: Path) -> None:
    for chain in (place / "negotiations").glob("*/events.jsonl"):
        told = chain.read_text()
        changed = re.sub(r'"process": ?1\b', '"process": 2', told, count=1)
        assert changed != told
        chain.write_text(changed)


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00damaged"])
def test_what_is_no_copy_is_refused_in_one_sentence(tmp_path, content):
    (tmp_path / "copy.tar.gz").write_bytes(content)

    ended = biombo("portal", "restore", tmp_path / "copy.tar.gz", "--folder", tmp_path / "there")

    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "is no copy of a portal" in ended.stderr


@pytest.mark.parametrize("command", ["backup", "check"])
def test_where_there_is_no_portal_none_is_made(tmp_path, command):
    """A copy of one that was just made would be taken for that of the agency's."""
    copy = [tmp_path / "copy.tar.gz"] if command == "backup" else []
    ended = biombo("portal", command, *copy, "--folder", tmp_path / "no-such")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "There is no portal in" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def packed_again(place: Path, copy: Path) -> Path:
    """A copy of a portal that nobody serves, as it lies there."""
    with tarfile.open(copy, "w:gz") as archive:
        for path in sorted(place.rglob("*")):
            if path.is_file() and not path.is_symlink() and not any(each.is_symlink() for each in path.parents):
                archive.add(path, str(path.relative_to(place)))
    return copy


OLDER = """
import sys
from biombo._portal import PortalHome, configure
configure(PortalHome.at(sys.argv[1]))
from django.core.management import call_command
call_command("migrate", "portal", sys.argv[2], verbosity=0)
"""


def test_a_copy_by_an_older_version_is_put_back_and_one_by_a_newer_refused(put_back: Path, tmp_path):
    older = subprocess.run(
        [sys.executable, "-c", OLDER, put_back, "0003"], capture_output=True, text=True, timeout=300, check=False
    )
    assert older.returncode == 0, older.stderr
    copy, place = packed_again(put_back, tmp_path / "older.tar.gz"), tmp_path / "again"
    restored = biombo("portal", "restore", copy, "--folder", place)
    assert restored.returncode == 0, restored.stdout + restored.stderr
    begun = started(place, tmp_path)
    assert begun.returncode == 0, begun.stderr

    with sqlite3.connect(place / "portal.sqlite3") as database:
        row = ("portal", "9999_from_the_future", "2030-01-01")
        database.execute("insert into django_migrations (app, name, applied) values (?, ?, ?)", row)
    copy, place = packed_again(place, tmp_path / "newer.tar.gz"), tmp_path / "never"
    refused = biombo("portal", "restore", copy, "--folder", place)
    assert (refused.returncode, refused.stderr.count("\n"), place.exists()) == (2, 1, False)
    assert "newer version" in refused.stderr


def test_a_copy_that_was_torn_before_is_put_back_and_said_to_be(site, tmp_path):
    """A table and an attachment are gone, and the vault of a release is another's."""
    entry, case, other = site.entry(), site.begun("caio"), site.publish(tmp_path / "other")
    told = {"slug": "b" * 32, "person": case.requester, "name": "termo.pdf", "sha256": "0" * 64, "size": 4}
    site.model("Attachment").objects.create(case=case, **told)
    (site.home.uploads / ("b" * 32)).write_bytes(b"%PDF")
    copy, place = tmp_path / "copy.tar.gz", tmp_path / "elsewhere"
    assert biombo("portal", "backup", copy, "--folder", site.home.folder).returncode == 0
    assert biombo("portal", "restore", copy, "--folder", place).returncode == 0
    shutil.rmtree(place / "published.private")
    shutil.copytree(f"{other}.private", place / "published.private")
    (place / "uploads" / ("b" * 32)).unlink()
    (place / "sources" / Path(site.data_set.place).name).unlink()

    torn = packed_again(place, tmp_path / "torn.tar.gz")
    restored = biombo("portal", "restore", torn, "--folder", tmp_path / "again", "--lang", "en")

    assert restored.returncode == 1
    assert re.fullmatch(r"Portal put back into .*\n[\d,]+ faults\.\n", restored.stderr)
    assert text("portal.check.other-vault", title=entry.title) in restored.stdout
    assert text("portal.check.no-attachment", number=str(case)) in restored.stdout
    assert text("portal.check.no-table", name=site.data_set.name) in restored.stdout


def test_where_a_copy_cannot_go_is_said(put_back: Path, tmp_path):
    copy, file = packed_again(put_back, tmp_path / "copy.tar.gz"), tmp_path / "file"
    file.write_text("mine")
    refused = biombo("portal", "restore", copy, "--folder", file)
    assert (refused.returncode, refused.stderr.count("\n"), file.read_text()) == (2, 1, "mine")
    assert "name a folder that is not there yet" in refused.stderr

    elsewhere = ("--folder", tmp_path / "again", "--database", "postgresql://nobody@127.0.0.1:1/none")
    refused = biombo("portal", "restore", copy, *elsewhere)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "without --database" in refused.stderr
    assert not (tmp_path / "again").exists()


WORK = """
import json, sys
from pathlib import Path
from biombo._portal import PortalHome, configure
home = PortalHome.at(Path(sys.argv[1]))
configure(home)
from biombo._negotiate import NegotiationRecord
from biombo._portal import run_job
from biombo._portal.models import Case, Job
for number in list(Job.objects.filter(status="waiting").order_by("pk").values_list("pk", flat=True)):
    run_job(number)
told = {}
for case in Case.objects.filter(pk__in=json.loads(sys.argv[2])):
    facts = [event.fact.name for event in NegotiationRecord.read(case.folder).events]
    told[case.pk] = [case.state, facts, [job.status for job in case.jobs.order_by("-pk")]]
chains = len(list(home.negotiations.glob("*/events.jsonl")))
print(json.dumps([told, chains == Case.objects.exclude(folder="").count()]))
"""


def test_a_copy_made_while_workers_go_on_agrees_with_its_chains(site, tmp_path, monkeypatch):
    """Between the database and the chains all that waits is done, and more is asked for."""
    from biombo._portal import back_up

    def waiting(kind, case, act=None):
        told = {} if act is None else {"asked": dict(plain_fact(act)), "seen": site.record(case).head}
        site.model("Job").objects.create(kind=kind, case=case, person=site.people["caio"], **told)
        return case

    written = waiting("act", site.begun("caio"), bb.Message("once"))
    ended = waiting("act", site.begun("caio"), bb.Withdraw("over"))
    begun = waiting("begin", site.asked("caio", purpose="to be begun once"))
    later = site.begun("caio")
    add = tarfile.TarFile.add

    def then_go_on(archive, path, name, **told):
        add(archive, path, name, **told)
        if name == "portal.sqlite3":
            site.work()
            site.do("caio", later, bb.Withdraw("after the copy"))
            site.begun("caio", purpose="asked after the copy")

    monkeypatch.setattr(tarfile.TarFile, "add", then_go_on)
    copy, place = tmp_path / "copy.tar.gz", tmp_path / "elsewhere"
    back_up(site.home, copy)
    assert biombo("portal", "restore", copy, "--folder", place).returncode == 0
    checked = biombo("portal", "check", "--folder", place)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    numbers = json.dumps([case.pk for case in (written, ended, begun, later)])
    worked = subprocess.run(
        [sys.executable, "-c", WORK, place, numbers], capture_output=True, text=True, timeout=300, check=False
    )
    assert worked.returncode == 0, worked.stderr
    told, is_each_known = json.loads(worked.stdout)
    assert told[str(written.pk)] == ["requested", ["ask", "message"], ["done", "done"]]
    assert told[str(ended.pk)] == ["withdrawn", ["ask", "withdraw"], ["done", "done"]]
    assert told[str(begun.pk)] == ["requested", ["ask"], ["done"]]
    assert told[str(later.pk)] == ["withdrawn", ["ask", "withdraw"], ["done"]]
    assert is_each_known


def test_a_request_that_differs_from_its_chain_and_a_chain_of_nobody_are_told(site):
    from biombo._portal import faults

    differs, nobodys = site.begun("caio"), site.begun("caio")
    cases = site.model("Case").objects
    cases.filter(pk=differs.pk).update(state="withdrawn", owner="")
    nobodys.jobs.all().delete()
    cases.filter(pk=nobodys.pk).update(folder="")

    found = list(faults(site.home))

    assert len([each for each in found if str(differs) in each and "withdrawn" in each]) == 1
    assert len([each for each in found if Path(nobodys.folder).name in each]) == 1


def test_a_request_that_goes_on_while_it_is_checked_is_no_fault(site, monkeypatch: pytest.MonkeyPatch):
    from biombo._negotiate import NegotiationRecord
    from biombo._portal import faults

    case, before = site.begun("caio"), list(faults(site.home))
    read = NegotiationRecord.read.__func__  # type: ignore[attr-defined]

    def then_goes_on(cls: type, folder: object, **told: object) -> NegotiationRecord:
        found: NegotiationRecord = read(cls, folder, **told)
        if str(folder) == case.folder and found.state.name == "requested":
            monkeypatch.undo()
            site.do("caio", case, bb.Withdraw("over"))
        return found

    monkeypatch.setattr(NegotiationRecord, "read", classmethod(then_goes_on))
    assert list(faults(site.home)) == before
    case.refresh_from_db()
    assert case.state == "withdrawn"


SERVED = """
import sys
from biombo._portal import PortalHome
from biombo._portal.server import prepare
prepare(PortalHome.at(sys.argv[1]))
from biombo._portal.models import Case, DataSet
from biombo._portal.negotiations import chains_without_request
from biombo._portal.sources import original_of
for each in DataSet.objects.exclude(place=""):
    assert open(original_of(each), "rb").read(1)
assert chains_without_request() == []
"""


def started(folder: object, where: Path) -> subprocess.CompletedProcess[str]:
    """What a portal does at its start, from a folder."""
    command = [sys.executable, "-c", SERVED, str(folder)]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def put_back(site, tmp_path) -> Path:
    """A copy of a portal, put back and left alone for long."""
    copy, place = tmp_path / "copy.tar.gz", tmp_path / "elsewhere"
    assert biombo("portal", "backup", copy, "--folder", site.home.folder).returncode == 0
    assert biombo("portal", "restore", copy, "--folder", place).returncode == 0
    for path in (place / "sources").iterdir():
        os.utime(path, (1, 1))
    return place


def keep_whole(place: Path) -> None:
    """Have the database name whole paths, as older versions did."""
    with sqlite3.connect(place / "portal.sqlite3") as database:
        for table, column in (("dataset", "place"), ("case", "folder"), ("catalogueentry", "folder")):
            known = f"{column} <> '' and {column} not like '/%'"
            database.execute(f"update portal_{table} set {column} = ? || {column} where {known}", [f"{place}/"])
        database.execute("delete from django_migrations where app = 'portal' and name like '0006%'")


@pytest.mark.parametrize("is_older", [False, True])
def test_a_portal_keeps_its_tables_however_its_folder_is_called(put_back: Path, tmp_path, is_older):
    tables = {path.name for path in (put_back / "sources").iterdir()}
    if is_older:
        keep_whole(put_back)
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(put_back)
    for folder, where in ((tmp_path / "link", tmp_path), ("../elsewhere", tmp_path / "sub"), (put_back, tmp_path)):
        begun = started(folder, where)
        assert begun.returncode == 0, begun.stderr
        assert {path.name for path in (put_back / "sources").iterdir()} == tables
    checked = biombo("portal", "check", "--folder", tmp_path / "link")
    assert checked.returncode == 0, checked.stdout

    if is_older:
        keep_whole(put_back)
    moved = put_back.rename(tmp_path / "moved")
    begun = started(moved, tmp_path)
    assert begun.returncode == 0, begun.stderr
    assert {path.name for path in (moved / "sources").iterdir()} == tables
    checked = biombo("portal", "check", "--folder", moved)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("lacks", ["a table", "its database"])
def test_files_that_the_database_does_not_name_stay_where_it_may_not_be_theirs(put_back: Path, tmp_path, lacks):
    sources = put_back / "sources"
    unnamed = sources / f"{'e' * 32}.csv"
    if lacks == "a table":
        next(sources.iterdir()).unlink()
        unnamed.write_bytes(b"whose?")
        os.utime(unnamed, (1, 1))
    else:
        (put_back / "portal.sqlite3").unlink()
        shutil.rmtree(put_back / "negotiations")
    there = sorted(sources.iterdir())

    started(put_back, tmp_path)

    assert sorted(sources.iterdir()) == there
    checked = biombo("portal", "check", "--folder", put_back)
    assert checked.returncode == 1
    assert any(str(path) in checked.stdout for path in there)
