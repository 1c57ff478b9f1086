"""Copies that were damaged, stopped half-way, or are older than what was answered since: none is taken for sound."""

import io
import json
import random
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from portal_server import missing_for_portal
from portal_site import BACKEND, Site

import biombo as bb
from biombo._i18n import LANGUAGES, speaking, text

pytestmark = pytest.mark.skipif(
    missing_for_portal(browser=False) is not None, reason=str(missing_for_portal(browser=False))
)

FLIPPED = """
import json, sys
from pathlib import Path
from biombo import BiomboError
from biombo._portal import restore
copy, there, place = map(Path, sys.argv[1:4])
whole, told = copy.read_bytes(), []
for at, bit in json.loads(sys.argv[4]):
    damaged = bytearray(whole)
    damaged[at] ^= 1 << bit
    there.write_bytes(damaged)
    try:
        restore(there, place)
        told.append("taken")
        break
    except BiomboError as error:
        told.append([str(error), list(place.iterdir())])
print(json.dumps(told))
"""


def biombo(*arguments: object) -> subprocess.CompletedProcess[str]:
    program = "import sys; from biombo._cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "portal", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def python(program: str, *arguments: object) -> Any:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.fixture
def copy(site: Site, tmp_path: Path) -> Path:
    from biombo._portal import back_up

    back_up(site.home, tmp_path / "copy.tar.gz")
    return tmp_path / "copy.tar.gz"


def test_a_copy_of_which_one_bit_is_another_is_refused_and_leaves_nothing(copy: Path, tmp_path: Path) -> None:
    whole, drawn, place = copy.read_bytes(), random.Random(7), tmp_path / "place"
    place.mkdir()
    ends = [(len(whole) - each, 3) for each in range(1, 9)]  # what it should sum up to, and how long it should be
    flips = [*ends, *((drawn.randrange(64, len(whole) - 9), drawn.randrange(8)) for _ in range(60))]

    told = python(FLIPPED, copy, tmp_path / "damaged.tar.gz", place, json.dumps(flips))

    sentence = f"{tmp_path / 'damaged.tar.gz'} is no copy of a portal, or it is damaged."
    assert told == [[sentence, []]] * len(flips)


def packed(copy: Path, other: Path, change: Any) -> Path:
    """The same members, some of them changed or left out: whole by all that the archive itself says."""
    with tarfile.open(copy) as whole, tarfile.open(other, "w:gz") as made:
        for member in whole:
            content = whole.extractfile(member)
            assert content is not None
            told = change(member.name, content.read())
            if told is not None:
                member.size = len(told)
                made.addfile(member, io.BytesIO(told))
    return other


@pytest.mark.parametrize("what", ["changed", "lacking"])
def test_a_copy_with_a_file_that_is_not_what_was_copied_is_refused(copy: Path, tmp_path: Path, what: str) -> None:
    def change(name: str, content: bytes) -> bytes | None:
        if not name.endswith("events.jsonl"):
            return content
        return content[:200] + b"\xff" + content[201:] if what == "changed" else None

    other, place = packed(copy, tmp_path / "other.tar.gz", change), tmp_path / "place"
    refused = biombo("restore", other, "--folder", place, "--lang", "en")
    assert (refused.returncode, refused.stderr.count("\n"), place.exists()) == (2, 1, False), refused.stderr
    assert "is no copy of a portal, or it is damaged" in refused.stderr


KILLED = """
import os, shutil, signal, sys, tarfile
from pathlib import Path
from biombo._portal import PortalHome, back_up, restore
left, what, folder, copy = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
def dies(run, name):
    def then(*args, **told):
        global left
        left -= name is None or name in args
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return run(*args, **told)
    return then
if what == "backup":
    tarfile.TarFile.add = dies(tarfile.TarFile.add, "portal.sqlite3")
    back_up(PortalHome.at(folder), copy)
else:
    shutil.copyfileobj = dies(shutil.copyfileobj, None)
    restore(copy, folder, *sys.argv[5:])
"""


def killed(at: int, *arguments: object) -> None:
    """Kill what packs the database, or unpacks so many files."""
    command = [sys.executable, "-c", KILLED, str(at), *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr


def databases_beside(site: Site) -> list[Path]:
    return [path for name in ("portal.sqlite3", "database.json") for path in site.home.folder.glob(f"*/{name}")]


def test_the_database_that_a_killed_copy_left_is_removed(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from biombo._portal import back_up, faults, remove_leftovers

    copy, kept, older = tmp_path / "copy.tar.gz", tmp_path / "kept", site.home.folder / "tmp_0az9xyz"
    killed(1, "backup", site.home.folder, copy)
    (left,) = databases_beside(site)
    shutil.copytree(left.parent, kept)
    ways = {
        "a copy": lambda: back_up(site.home, copy),
        "a start, and each hour": remove_leftovers,
        "a check": lambda: list(faults(site.home)),
        "an erasure": lambda: erased(site),
    }
    try:
        for way, remove in ways.items():
            shutil.copytree(kept, left.parent, dirs_exist_ok=True)
            shutil.copytree(kept, older)  # as older versions called it
            remove()
            assert (way, databases_beside(site)) == (way, [])
        shutil.copytree(kept, older)
        (older / "notes.txt").write_text("somebody's own")
        remove_leftovers()
        assert databases_beside(site) == [older / "portal.sqlite3"]
    finally:
        shutil.rmtree(older, ignore_errors=True)
        shutil.rmtree(left.parent, ignore_errors=True)

    add, seen = tarfile.TarFile.add, []

    def while_it_is_written(archive: Any, path: Any, name: str, **told: Any) -> None:
        if name == "portal.sqlite3":
            remove_leftovers()
            seen.extend(databases_beside(site))
        add(archive, path, name, **told)

    monkeypatch.setattr(tarfile.TarFile, "add", while_it_is_written)
    back_up(site.home, tmp_path / "whole.tar.gz")
    assert len(seen) == 1


def erased(site: Site) -> None:
    case = site.led_to("withdrawn", "caio")
    told = {"number": case.pk, "events": "", "reason": "art. 18"}
    assert site.client("alice").post("/erasures", told).status_code == 302
    site.work()


def test_a_copy_in_the_folder_of_a_portal_is_not_in_the_next(site: Site, tmp_path: Path) -> None:
    from biombo._portal import back_up

    inside = site.home.folder / "copies"
    inside.mkdir()
    try:
        back_up(site.home, inside / "monday.tar.gz")
        (inside / "notes.txt").write_text("mine")
        back_up(site.home, tmp_path / "tuesday.tar.gz")
    finally:
        shutil.rmtree(inside)
    with tarfile.open(tmp_path / "tuesday.tar.gz") as told:
        assert [name for name in told.getnames() if name.startswith("copies/")] == ["copies/notes.txt"]


def test_a_restore_that_did_not_end_is_no_portal(copy: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    killed(3, "restore", place, copy)
    program = "import sys; from biombo._cli import main; sys.exit(main())"
    for told in (["portal", "check"], ["serve"], ["portal", "restore", copy]):
        command = [sys.executable, "-c", program, *map(str, told), "--folder", str(place), "--lang", "en"]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stdout + refused.stderr
        assert "a restore did not end" in refused.stderr
        assert "remove the folder" in refused.stderr


def test_a_restore_into_another_database_never_names_the_first(copy: Path, tmp_path: Path) -> None:
    def change(name: str, content: bytes) -> bytes | None:
        if name == "portal.json":
            return json.dumps({"database": "postgresql://live@127.0.0.1:1/first"}).encode()
        return None if name in ("portal.sqlite3", "sha256.json") else content

    of_postgres, place = packed(copy, tmp_path / "of-postgres.tar.gz", change), tmp_path / "place"
    with tarfile.open(of_postgres) as whole, tarfile.open(tmp_path / "with-rows.tar.gz", "w:gz") as made:
        rows = tarfile.TarInfo("database.json")
        rows.size = 2
        for member in whole:
            made.addfile(member, whole.extractfile(member))
        made.addfile(rows, io.BytesIO(b"[]"))
        files = len(whole.getnames())  # all but the settings, and the rows
    killed(files, "restore", place, tmp_path / "with-rows.tar.gz", "postgresql://other@127.0.0.1:1/second")
    assert json.loads((place / "portal.json").read_text())["database"].endswith("/second")


OPENED = """
import json, sys
from biombo._portal import PortalHome, closed_by_restore, configure
home = PortalHome.at(sys.argv[1])
configure(home)
from django.test import Client
from biombo._portal.models import DataSet, Person
number, where = int(sys.argv[2]), f"/data/{sys.argv[2]}"
client = Client(headers={"accept-language": "en", "host": "127.0.0.1"})
client.force_login(Person.objects.get(name=sys.argv[3]), backend=sys.argv[4])
def now():
    return [DataSet.objects.get(pk=number).takes_questions, closed_by_restore(home), client.get(where).content.decode()]
told = [[None, *now()]]
for sent in ({"takes_questions": "on"}, {"takes_questions": "on", "knowing": "on"}, {}):
    answer = client.post(f"{where}/questions", {"questions_k": 5, **sent})
    told.append([answer.status_code, *now()])
print(json.dumps(told))
"""


def test_a_copy_put_back_answers_nothing_until_a_manager_knows_what_it_lacks(site: Site, tmp_path: Path) -> None:
    table = pl.DataFrame({"city": ["A"] * 60 + ["B"] * 50})
    schema = bb.Schema({"city": bb.ColumnSchema("quasi", domain=("A", "B"))})
    inside = site.add_table(table, schema, "Internações")
    site.model("DataSet").objects.filter(pk=inside.pk).update(takes_questions=True, questions_k=5)
    copy, place = tmp_path / "copy.tar.gz", tmp_path / "place"
    assert biombo("backup", copy, "--folder", site.home.folder).returncode == 0

    restored = biombo("restore", copy, "--folder", place, "--lang", "en")
    assert "until a manager opens them again: “Internações”. Answers that were given after" in restored.stderr

    told = python(OPENED, place, inside.pk, site.people["ana"].name, BACKEND)
    sentences = []
    for language in LANGUAGES:
        with speaking(language):
            sentences.append(text("portal.inquiry.put-back"))
    found = [(*rest, any(each in page for each in sentences)) for *rest, page in told]
    assert found == [
        (None, False, ["Internações"], True),
        (422, False, ["Internações"], True),
        (302, True, [], False),
        (302, False, [], False),
    ]
