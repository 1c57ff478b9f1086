"""A copy of a portal on PostgreSQL, put back into another database: the same rows, sound, and it goes on."""

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from portal_server import missing_for_portal
from postgres_server import PASSWORD

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(missing_for_portal(browser=False) is not None, reason=str(missing_for_portal(browser=False))),
]
_HELPERS = Path(__file__).parents[1] / "helpers"

FILL = """
import sys
from pathlib import Path
import polars as pl
import biombo as bb
from biombo._negotiate import Amend
from portal_site import Site

site = Site(Path(sys.argv[1]), database=sys.argv[2])
case = site.led_to("available")
site.do("rita", case, Amend("ages in years"))
while site.work():
    pass
site.begun("caio", purpose="a second one"), site.unlisted("caio", declined=True), site.entry(), site.token("rita")
city = bb.ColumnSchema("quasi", domain=("A", "B", "C", "D"))
table = pl.DataFrame({"city": ["A"] * 3 + ["B"] * 4 + ["C"] * 60 + ["D"] * 50})
inside = site.add_table(table, bb.Schema({"city": city}), "Internações")
site.model("DataSet").objects.filter(pk=inside.pk).update(takes_questions=True, questions_k=5)
assert site.client("rita").post(f"/data/{inside.pk}/ask", {"by_0": "0", "purpose": "to know"}).status_code == 302
question = site.model("Inquiry").objects.get()
assert site.client("ana").post(f"/questions/{question.pk}/decide", {"decision": "approve"}).status_code == 302
site.work()
question.refresh_from_db()
assert question.state == "answered", question.error
"""

DUMP = """
import sys
from pathlib import Path
from biombo._portal import PortalHome, configure
configure(PortalHome.at(Path(sys.argv[1])))
from django.core.management import call_command
call_command("dumpdata", "portal", "account", "mfa", "socialaccount")
"""

GO_ON = """
import json, sys
from pathlib import Path
from biombo._portal import PortalHome, configure
configure(PortalHome.at(Path(sys.argv[1])))
from biombo._portal import run_job
from biombo._portal.models import Inquiry, Job, Person
first = Inquiry.objects.get()
asked = {"by": {}, "mean": None, "where": {"city": ["A", "B"]}, "totals": False}
told = {"person": first.person, "data_set": first.data_set, "asked": asked, "purpose": "to know more"}
told |= {"state": "approved", "decided_by": first.decided_by, "decided_at": first.decided_at}
made = Inquiry.objects.create(**told)
run_job(Job.objects.create(kind="answer-question", person=first.person, asked={"question": made.pk}).pk)
made.refresh_from_db()
print(json.dumps([made.pk > first.pk, made.answer and [cell["cell"] for cell in made.answer["cells"]]]))
"""

WHILE_OTHERS_WRITE = """
import sys
from pathlib import Path
import psycopg
from biombo._portal import PortalHome, back_up, configure
home = PortalHome.at(Path(sys.argv[1]))
configure(home)
from django.db.models.query import QuerySet
iterator, asked = QuerySet.iterator, []
def then_write(self, *args, **told):
    asked.append(self.model)
    if len(asked) == 2:
        with psycopg.connect(home.database, autocommit=True) as other:
            other.execute("insert into portal_department (name) values ('of a moment later')")
    return iterator(self, *args, **told)
QuerySet.iterator = then_write
back_up(home, Path(sys.argv[2]))
assert len(asked) > 2
"""

SLOWLY = """
import sys, time
from pathlib import Path
now = time.time
time.time = lambda: now() + 7200  # as if it had taken two hours since the files were unpacked
from biombo._portal import restore
restore(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
"""


def python(program: str, *arguments: object) -> str:
    paths = os.pathsep.join(filter(None, [str(_HELPERS), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def portal(*arguments: object) -> subprocess.CompletedProcess[str]:
    program = "import sys; from biombo._cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "portal", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def rows(folder: Path, before: Path) -> list[dict[str, Any]]:
    """All rows of a portal, wherever it is, or was: jobs that are over say where something lay then."""
    dumped = python(DUMP, folder).replace(str(folder), "PORTAL").replace(str(before), "PORTAL")
    dumped = dumped.replace(".000Z", "Z")  # a moment in the first thousandth of a second is written in either way
    return sorted(json.loads(dumped), key=lambda row: (row["model"], str(row["pk"])))


@pytest.fixture(scope="module")
def new_database(postgres_server: str) -> Callable[[], str]:
    """Makes an empty database; gives its address."""
    psycopg = pytest.importorskip("psycopg")
    server = f"postgresql://manager:{PASSWORD}@{postgres_server}"

    def make() -> str:
        name = f"copy_{uuid4().hex}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{server.rpartition('/')[0]}/{name}"

    return make


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str]) -> tuple[Path, Path]:
    """A portal on PostgreSQL, and a copy of it."""
    folder = tmp_path_factory.mktemp("on-postgres")
    python(FILL, folder, new_database())
    copy = folder / "copy.tar.gz"
    written = portal("backup", copy, "--folder", folder / "portal")
    assert written.returncode == 0, written.stderr
    return folder / "portal", copy


def test_a_copy_put_back_has_the_same_rows_is_sound_and_goes_on(copied, new_database, tmp_path: Path) -> None:
    (home, copy), place = copied, tmp_path / "elsewhere"
    restored = portal("restore", copy, "--folder", place, "--database", new_database())
    assert restored.returncode == 0, restored.stderr
    original = rows(home, home)
    kinds = {row["model"] for row in original}
    assert {"portal.case", "portal.inquiry", "portal.trailentry", "portal.token", "account.emailaddress"} <= kinds
    assert rows(place, home) == original
    checked = portal("check", "--folder", place)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert json.loads(python(GO_ON, place)) == [True, ["refused"]]
    assert not (place / "database.json").exists()
    assert not (place / "migrations.json").exists()


def test_a_database_that_has_people_in_it_or_a_damaged_copy_is_refused(copied, new_database, tmp_path: Path) -> None:
    (home, copy), place = copied, tmp_path / "elsewhere"
    taken = json.loads((home / "portal.json").read_text())["database"]
    refused = portal("restore", copy, "--folder", place, "--database", taken)
    assert (refused.returncode, refused.stderr.count("\n"), place.exists()) == (2, 1, False)

    silent = portal("restore", copy, "--folder", place, "--database", taken.rpartition("/")[0] + "/no_such")
    assert (silent.returncode, silent.stderr.count("\n"), place.exists()) == (2, 1, False)
    assert "could not be asked" in silent.stderr

    damaged = tmp_path / "damaged.tar.gz"
    with tarfile.open(copy) as whole, tarfile.open(damaged, "w:gz") as cut:
        for member in whole:
            content = whole.extractfile(member)
            if member.name == "database.json":
                member.size //= 2
            cut.addfile(member, content)
    refused = portal("restore", damaged, "--folder", place, "--database", new_database())
    assert (refused.returncode, refused.stderr.count("\n"), place.exists()) == (2, 1, False), refused.stderr
    assert "is no copy of a portal" in refused.stderr


def _rewritten(copy: Path, out: Path, changed: Mapping[str, Callable[[Any], Any]]) -> Path:
    """A copy of which some files say something else."""
    with tarfile.open(copy) as whole, tarfile.open(out, "w:gz") as other:
        for member in whole:
            content = whole.extractfile(member)
            if member.name in changed:
                assert content is not None
                told = json.dumps(changed[member.name](json.loads(content.read()))).encode()
                member.size, content = len(told), io.BytesIO(told)
            other.addfile(member, content)
    return out


@pytest.mark.parametrize(
    "changed",
    [
        {"migrations.json": lambda told: [*told, ["portal", "9999_from_the_future"]]},
        {"database.json": lambda rows: [{**row, "fields": {**row["fields"], "mood": "calm"}} for row in rows]},
        {"database.json": lambda rows: [*rows, {"model": "portal.mood", "pk": 1, "fields": {}}]},
    ],
    ids=["migration", "field", "model"],
)
def test_a_copy_by_a_newer_version_is_said_to_be(copied, new_database, tmp_path: Path, changed) -> None:
    place, copy = tmp_path / "elsewhere", _rewritten(copied[1], tmp_path / "newer.tar.gz", changed)
    refused = portal("restore", copy, "--folder", place, "--database", new_database())
    assert (refused.returncode, refused.stderr.count("\n"), place.exists()) == (2, 1, False), refused.stderr
    assert "newer version" in refused.stderr


def test_tables_that_were_unpacked_long_ago_stay(copied, new_database, tmp_path: Path) -> None:
    """Until their rows are there nothing names them."""
    (home, copy), place = copied, tmp_path / "elsewhere"
    python(SLOWLY, copy, place, new_database())
    assert {path.name for path in (place / "sources").iterdir()} == {path.name for path in (home / "sources").iterdir()}


def test_what_is_written_while_it_is_copied_is_not_half_in_the_copy(copied, tmp_path: Path) -> None:
    home, _ = copied
    python(WHILE_OTHERS_WRITE, home, tmp_path / "copy.tar.gz")
    with tarfile.open(tmp_path / "copy.tar.gz") as packed:
        told = packed.extractfile("database.json")
        assert told is not None
        assert b"of a moment later" not in told.read()
    assert "of a moment later" in python(DUMP, home)


HELD = """
import sys
from biombo._portal import PortalHome, hold
hold(PortalHome.at(sys.argv[1], database=sys.argv[2]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_database_is_served_from_one_folder_at_a_time(new_database: Callable[[], str], tmp_path: Path) -> None:
    """A folder that was copied or put back names the same one."""
    database = new_database()
    first, second = (tmp_path / name for name in ("first", "second"))
    command = [sys.executable, "-c", HELD]
    with subprocess.Popen([*command, first, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "held\n"
        refused = subprocess.run([*command, second, database], capture_output=True, text=True, timeout=60, check=False)
        assert "portal.database-served" in refused.stderr
        one.communicate(timeout=60)
    assert python(HELD, second, database) == "held\n"
    silent = subprocess.run(
        [*command, tmp_path / "third", f"{database}_gone"], capture_output=True, text=True, timeout=60, check=False
    )
    assert "portal.database-silent" in silent.stderr
