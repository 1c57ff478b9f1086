"""A publication that is killed at whatever moment leaves no release, or a whole one with its private part."""

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import polars as pl
import publishing_server
import pytest

import biombo as bb

ROWS = 300
BOTH = {"release", "release.private"}
UNDER_WAY = ".release.biombo-part"
HIDDEN = {UNDER_WAY, ".release.private.biombo-part"}


class Publisher:
    """Publications in processes of their own, one at a time."""

    def __init__(self, server: "subprocess.Popen[str]") -> None:
        self._server = server
        assert self._answer() == "ready"

    def begin(self, source: Path, plan: Path, out: Path, **options: int) -> int:
        """Begin to publish; gives the id of the process."""
        job = {"source": str(source), "plan": str(plan), "out": str(out)}
        self._ask(json.dumps(job | {"die_before": None, "room": None, "umask": 0o022} | options))
        return int(self._answer())

    def ended(self) -> int:
        """Wait for its end: 0, or minus the signal that killed it."""
        self._ask("")
        return os.waitstatus_to_exitcode(int(self._answer()))

    def _ask(self, line: str) -> None:
        self._server.stdin.write(f"{line}\n")
        self._server.stdin.flush()

    def _answer(self) -> str:
        return self._server.stdout.readline().strip()


@pytest.fixture(scope="module")
def publisher() -> Iterator[Publisher]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    program = [sys.executable, publishing_server.__file__]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as server:
        yield Publisher(server)
        server.stdin.close()


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("source") / "people.parquet"
    rows = pl.int_range(ROWS, eager=True)
    columns = {"name": rows.cast(pl.String), "city": (rows % 31).cast(pl.String), "value": (rows % 7).cast(pl.String)}
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Path:
    """One whose report has no charts, so that a publication takes a fifth of a second."""
    path = tmp_path_factory.mktemp("plan") / "plan.yaml"
    bb.Plan([], sensitive=["value"], identifiers=["name"]).save(path)
    return path


@pytest.fixture(scope="module")
def masking_plan(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("plan") / "plan.yaml"
    criteria = [bb.KAnonymity(10), bb.LDiversity(2)]
    bb.Plan([bb.MaskGroups()], criteria, ["city"], ["value"], ["name"]).save(path)
    return path


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "release"


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def check_whole_or_nothing(out: Path) -> bool:
    """Is there a release? It is a whole one then, and its private part is there too, for nobody else to read."""
    private = out.with_name("release.private")
    for folder in (private, out.with_name(".release.private.biombo-part")):
        assert not folder.exists() or stat.S_IMODE(folder.stat().st_mode) == 0o700
    if not out.exists():
        assert not private.exists() or (private / "unfinished").exists()
        return False
    first = pl.read_csv(out / "data.csv", infer_schema=False)["trace_id"][0]
    assert bb.verify(out, key=private / "public.key").holds
    assert bb.trace(out, first, private=private, reason="test")[first]
    return True


def check_nothing_is_left_behind(out: Path) -> None:
    """But for hidden folders without anything that was published or private."""
    assert names_in(out.parent) - HIDDEN == BOTH
    left = [path for name in HIDDEN for path in (out.parent / name).rglob("*")]
    assert all(path.suffix == ".private" and path.is_file() for path in left)


def check_next_run(publisher: Publisher, source: Path, plan: Path, out: Path) -> None:
    """It publishes, unless the one before did, and sweeps everything else away."""
    if not check_whole_or_nothing(out):
        publisher.begin(source, plan, out)
        assert publisher.ended() == 0
    assert check_whole_or_nothing(out)
    check_nothing_is_left_behind(out)


@pytest.fixture(scope="module")
def duration(publisher, source, plan, masking_plan, tmp_path_factory) -> dict[Path, float]:
    """How long publications take that nobody kills."""
    taken = {}
    for each in (plan, masking_plan):
        out = tmp_path_factory.mktemp("unhindered") / "release"
        start = time.monotonic()
        publisher.begin(source, each, out)
        assert publisher.ended() == 0
        taken[each] = time.monotonic() - start
        assert names_in(out.parent) == BOTH
    return taken


def test_killed_twenty_times_at_random_moments(publisher, source, plan, masking_plan, duration, tmp_path) -> None:
    """What one run leaves behind, the next one finds. Where a release comes about, another place is next."""
    out = tmp_path / "first" / "release"
    out.parent.mkdir()
    for number in range(20):
        carried_out = masking_plan if number % 5 == 0 else plan
        child = publisher.begin(source, carried_out, out)
        time.sleep(random.uniform(0, 1.1 * duration[carried_out]))
        os.kill(child, signal.SIGKILL)
        assert publisher.ended() in (0, -signal.SIGKILL)
        if check_whole_or_nothing(out):
            out = tmp_path / f"after-{number}" / "release"
            out.parent.mkdir()

    check_next_run(publisher, source, plan, out)


def test_killed_before_each_change_to_the_disk(publisher, source, plan, out, tmp_path) -> None:
    """Where the umask hides nothing, and each run finds what the one before left behind."""
    for step in count():
        publisher.begin(source, plan, out, die_before=step, umask=0)
        status = publisher.ended()
        if check_whole_or_nothing(out):
            check_nothing_is_left_behind(out)
            out = tmp_path / f"after-{step}" / "release"
            out.parent.mkdir()
        if status == 0:
            break

    assert step > 30


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("moment", [UNDER_WAY, f"{UNDER_WAY}/*/data.csv", f"{UNDER_WAY}/*/manifest.json"])
def test_ended_as_soon_as_something_appears(publisher, source, plan, out, end, moment) -> None:
    child = publisher.begin(source, plan, out)
    while not any(out.parent.glob(moment)) and not out.exists():
        time.sleep(0.0005)
    os.kill(child, end)
    publisher.ended()

    check_next_run(publisher, source, plan, out)


def test_two_at_once_for_the_same_place_do_not_mix(publisher, source, plan, masking_plan, out) -> None:
    publisher.begin(source, masking_plan, out)
    while not any(out.parent.glob(f"{UNDER_WAY}/*/data.csv")) and not out.exists():
        time.sleep(0.0005)
    with pytest.raises(bb.UsageError, match=r"at this moment|never overwritten"):
        bb.publish(source, plan, out, unprotected="a test")

    assert publisher.ended() == 0
    assert check_whole_or_nothing(out)


@pytest.mark.parametrize("room", [500, 4000, 15_000])
def test_a_disk_that_is_full_is_said_and_leaves_nothing(publisher, source, plan, out, tmp_path, room) -> None:
    """Too small for the cells, for the records, for the reports."""
    publisher.begin(source, plan, out, room=room)

    assert publisher.ended() == publishing_server.REFUSED
    assert list(tmp_path.iterdir()) == []
