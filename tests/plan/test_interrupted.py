"""Plans that draw, look twice and keep identities, on a full disk or ended from outside: all of it or nothing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import biombo as bb

ROWS = 100_000
APPLY = """
import resource, sys
import biombo as bb
source, plan, out, key, most = sys.argv[1:]
if int(most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
print("ready", flush=True)
try:
    bb.apply(source, plan, out, key=key, force=True)
except bb.BiomboError as error:
    sys.exit(f"{error.key}: {error}")
"""


@pytest.fixture(scope="module")
def people(tmp_path_factory) -> Path:
    """Made up. The identities take far more room than the table without them."""
    path = tmp_path_factory.mktemp("people") / "people.parquet"
    rows = pl.int_range(ROWS, eager=True)
    columns = {
        "name": pl.select(pl.format("somebody with a name of quite some length, number {}", rows)).to_series(),
        "city": (rows % 50).cast(pl.String),
        "income": rows * 7919 % 1_000_003,
        "disease": (rows % 50 % 3).cast(pl.String),
    }
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.fixture
def key(tmp_path) -> Path:
    (tmp_path / "keys").mkdir()
    path = tmp_path / "keys" / "research.key"
    bb.new_key(path)
    return path


@pytest.fixture
def out(tmp_path) -> Path:
    """A result of an earlier time, alone in a folder."""
    (tmp_path / "results").mkdir()
    path = tmp_path / "results" / "out.csv"
    path.write_text("old")
    return path


def written(folder: Path, *operations: dict[str, Any]) -> Path:
    plan = bb.Plan.from_tree(
        {
            "biombo-plan": 1,
            "identifiers": ["name"],
            "quasi": ["city"],
            "criteria": [{"k-anonymity": {"k": 2}}],
            "operations": list(operations),
        }
    )
    plan.save(folder / "plan.yaml")
    return folder / "plan.yaml"


def pseudonyms(key: Path) -> dict[str, Any]:
    entries = {"column": "name", "kind": "random", "reversible": True, "key": bb.key_id(key), "length": 6}
    return {"pseudonymise": entries}


DRAWN = ({"add-noise": {"column": "income", "spread": 90_000}}, {"swap": {"columns": ["disease"]}}, {"mask-groups": {}})


def applying(source: Path, plan: Path, out: Path, key: Path, most: int = 0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", APPLY, *map(str, (source, plan, out, key, most))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_left_alone_the_plan_is_carried_out(people, key, out) -> None:
    with applying(people, written(key.parent, pseudonyms(key), *DRAWN), out, key) as program:
        _, said = program.communicate(timeout=120)

    assert (program.returncode, said) == (0, "")
    assert names_in(out.parent) == ["out.csv", "out.csv.private"]
    assert [path.suffix for path in (out.parent / "out.csv.private").iterdir()] == [".identities"]
    assert len(out.read_text().splitlines()) == 1 + ROWS


def test_a_disk_that_is_full_between_the_passes_is_said_and_leaves_the_old_file(people, key, out) -> None:
    with applying(people, written(key.parent, *DRAWN), out, key, most=1 << 20) as program:
        _, said = program.communicate(timeout=120)

    assert program.returncode == 1
    assert said.startswith(f"output.refused: {out.parent} could not be written")
    assert (out.read_text(), names_in(out.parent)) == ("old", ["out.csv"])


def test_a_disk_without_room_for_the_identities_leaves_the_old_file(people, key, out) -> None:
    """Without them nobody could undo the pseudonyms of the new one, however small that is."""
    private = out.parent / "out.csv.private"
    plan = written(
        key.parent, pseudonyms(key), *({"suppress-column": {"column": name}} for name in ("income", "disease"))
    )
    with applying(people, plan, out, key, most=4 << 20) as program:
        _, said = program.communicate(timeout=120)

    assert program.returncode == 1
    assert said.startswith(f"output.refused: {private}")
    assert (out.read_text(), names_in(out.parent)) == ("old", ["out.csv", "out.csv.private"])
    assert names_in(private) == []


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("moment", ["between-the-passes", ".biombo-*.part", "out.csv.private/*"])
def test_a_program_that_is_ended_leaves_the_old_file_or_all_of_the_new_one(people, key, out, end, moment) -> None:
    with applying(people, written(key.parent, pseudonyms(key), *DRAWN), out, key) as program:
        program.stdout.readline()
        if moment == "between-the-passes":
            time.sleep(0.5)
        else:
            while program.poll() is None and not list(out.parent.glob(moment)):
                time.sleep(0.001)
        program.send_signal(end)
        program.wait(60)

    assert program.returncode == -end
    finished = out.read_text() != "old"
    beside = {path.name for path in out.parent.iterdir() if path.suffix != ".part"}
    private = out.parent / "out.csv.private"
    tables = [path for path in private.iterdir() if path.suffix != ".part"] if private.exists() else []
    assert beside <= {"out.csv", "out.csv.private"}
    if finished:
        assert len(out.read_text().splitlines()) == 1 + ROWS
        assert len(tables) == 1
    for path in tables:
        assert path.stat().st_size > ROWS * 50


class TestKeys:
    def test_a_missing_key_is_named_and_nothing_written(self, people, key, out) -> None:
        with pytest.raises(bb.UsageError, match=bb.key_id(key)):
            bb.apply(people, written(key.parent, pseudonyms(key)), out, force=True)

        assert (out.read_text(), names_in(out.parent)) == ("old", ["out.csv"])

    def test_a_wrong_key_is_recognised_before_anything_is_written(self, people, key, out) -> None:
        other = key.parent / "other.key"
        bb.new_key(other)
        with pytest.raises(bb.UsageError) as caught:
            bb.apply(people, written(key.parent, pseudonyms(key)), out, key=other, force=True)

        assert bb.key_id(key) in str(caught.value)
        assert bb.key_id(other) in str(caught.value)
        assert (out.read_text(), names_in(out.parent)) == ("old", ["out.csv"])

    def test_no_key_is_in_an_error(self, people, key, out) -> None:
        secret = key.read_text().split()[-1]
        damaged = key.parent / "damaged.key"
        damaged.write_text(key.read_text().replace(secret[:4], "0000"))
        damaged.chmod(0o600)
        for given in (damaged, None):
            with pytest.raises(bb.BiomboError) as caught:
                bb.apply(people, written(key.parent, pseudonyms(key)), out, key=given, force=True)
            assert secret[8:16] not in str(caught.value)
