"""A publication that is killed at whatever moment leaves no release, or a whole one with its private part."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

ROWS = 20_000
PUBLISH = """
import sys
import biombo as bb
from biombo import _release, _report
source, plan, out = sys.argv[1:]
bb.publish
print("ready", flush=True)
bb.publish(source, plan, out)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("source") / "people.parquet"
    rows = pl.int_range(ROWS, eager=True)
    columns = {"name": rows.cast(pl.String), "city": (rows % 300).cast(pl.String), "value": (rows % 7).cast(pl.String)}
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("plan") / "plan.yaml"
    criteria = [bb.KAnonymity(10), bb.LDiversity(2)]
    bb.Plan([bb.MaskGroups()], criteria, ["city"], ["value"], ["name"]).save(path)
    return path


def publishing(source: Path, plan: Path, out: Path) -> subprocess.Popen[str]:
    program = subprocess.Popen(
        [sys.executable, "-c", PUBLISH, *map(str, (source, plan, out))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    program.stdout.readline()
    return program


@pytest.fixture(scope="module")
def duration(source, plan, tmp_path_factory) -> float:
    """How long a publication takes that nobody kills."""
    out = tmp_path_factory.mktemp("unhindered") / "release"
    with publishing(source, plan, out) as program:
        start = time.monotonic()
        _, said = program.communicate(timeout=120)

    assert (program.returncode, said) == (0, "")
    assert {path.name for path in out.parent.iterdir()} == {"release", "release.private"}
    return time.monotonic() - start


def check_whole_or_nothing(out: Path) -> bool:
    """Is there a release? It is a whole one then, and its private part is there too."""
    private = out.with_name("release.private")
    if not out.exists():
        assert not private.exists() or (private / "unfinished").exists()
        return False
    first = pl.read_csv(out / "data.csv", infer_schema=False)["trace_id"][0]
    assert bb.verify(out, key=private / "public.key").holds
    assert bb.trace(out, first, private=private, reason="test")[first]
    return True


def killed(source: Path, plan: Path, out: Path, after: float) -> None:
    with publishing(source, plan, out) as program:
        time.sleep(after)
        program.kill()
        program.wait(60)


def check_random_kills(source: Path, plan: Path, out: Path, duration: float, times: int) -> None:
    """What one run leaves behind, the next one finds. Where a release comes about, another place is next."""
    for number in range(times):
        place = out.with_name(f"run-{number}") / out.name if check_whole_or_nothing(out) else out
        place.parent.mkdir(exist_ok=True)
        killed(source, plan, place, random.uniform(0, 1.1 * duration))
        out = place
    if not check_whole_or_nothing(out):
        bb.publish(source, plan, out)
    assert check_whole_or_nothing(out)
    assert {path.name for path in out.parent.iterdir()} == {"release", "release.private"}


def test_killed_a_dozen_times_at_random_moments(source, plan, duration, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    check_random_kills(source, plan, tmp_path / "out" / "release", duration, 12)


@pytest.mark.slow
def test_killed_fifty_times_at_random_moments(source, plan, duration, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    check_random_kills(source, plan, tmp_path / "out" / "release", duration, 50)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize(
    "moment",
    [".release.biombo-part", ".release.biombo-part/data.csv", ".release.biombo-part/manifest.json", "release.private"],
)
def test_killed_as_soon_as_something_appears(source, plan, tmp_path, end, moment) -> None:
    out = tmp_path / "release"
    with publishing(source, plan, out) as program:
        while program.poll() is None and not (tmp_path / moment).exists():
            time.sleep(0.0005)
        program.send_signal(end)
        program.wait(60)

    if not check_whole_or_nothing(out):
        bb.publish(source, plan, out)
    assert check_whole_or_nothing(out)
    assert {path.name for path in tmp_path.iterdir()} == {"release", "release.private"}


def test_two_at_once_for_the_same_place_do_not_mix(source, plan, tmp_path) -> None:
    out = tmp_path / "release"
    with publishing(source, plan, out) as first:
        while first.poll() is None and not (tmp_path / ".release.biombo-part/data.csv").exists():
            time.sleep(0.0005)
        with pytest.raises(bb.UsageError, match=r"at this moment|never overwritten"):
            bb.publish(source, plan, out)
        _, said = first.communicate(timeout=60)

    assert (first.returncode, said) == (0, "")
    assert check_whole_or_nothing(out)


def test_a_private_part_without_its_release_is_recognised_and_replaced(source, plan, tmp_path) -> None:
    """As it is when the program is killed between the two names."""
    out = tmp_path / "release"
    first = bb.publish(source, plan, out)
    out.rename(tmp_path / ".release.biombo-part")
    (first.private / "unfinished").touch()
    second = bb.publish(source, plan, out)

    assert second.id != first.id
    assert check_whole_or_nothing(out)
    assert {path.name for path in tmp_path.iterdir()} == {"release", "release.private"}


def test_a_disk_that_is_full_is_said_and_leaves_nothing(source, plan, tmp_path) -> None:
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))\n"
    program = limited + PUBLISH.replace(
        "bb.publish(source, plan, out)\n",
        "try:\n    bb.publish(source, plan, out)\nexcept bb.BiomboError as error:\n    sys.exit(error.key)\n",
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *map(str, (source, plan, tmp_path / "release"))],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        timeout=120,
        check=False,
    )

    assert (ended.returncode, ended.stderr.strip()) == (1, "output.refused")
    assert list(tmp_path.iterdir()) == []
