"""A driver that is killed leaves nothing that is taken for a result, nothing that can be read, and nothing for long."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from quick_java import quick_options
from spark_engine import needs_spark

import biombo as bb
from biombo._engine.spark import OwnedFolder

ROWS = 5_000
COMMANDS = {
    "apply": ["apply", "people.csv", "--plan", "plan.yaml", "--out", "out.parquet"],
    "publish": ["publish", "people.csv", "--plan", "plan.yaml", "--out", "out", "--format", "parquet"],
}


def start(command: list[str], folder: Path) -> subprocess.Popen[str]:
    """A command in a process of its own, with its own place for temporary files."""
    (folder / "temporary").mkdir(exist_ok=True)
    return subprocess.Popen(
        [Path(sys.executable).with_name("biombo"), *command, "--engine", "spark:local[2]"],
        env=os.environ
        | {"TMPDIR": str(folder / "temporary"), "BIOMBO_SPARK_FOLDER": "", "SPARK_SUBMIT_OPTS": quick_options()},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kill_when(process: subprocess.Popen[str], folder: Path, pattern: str) -> None:
    """Kill it as soon as something fits."""
    until = time.monotonic() + 300
    while not list(folder.glob(pattern)):
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_in_the_middle(name: str, tmp_path: Path):
    people = "".join(f"marker-{each},{each % 50},{each % 7}\n" for each in range(ROWS))
    (tmp_path / "people.csv").write_text(f"name,age,illness\n{people}")
    plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(5)], ["age"], ["illness"], identifiers=["name"])
    plan.save(tmp_path / "plan.yaml")
    left = tmp_path / "temporary"

    kill_when(start(COMMANDS[name], tmp_path), left, "biombo-spark-*/stage-*")

    out = tmp_path / COMMANDS[name][5]
    assert not out.exists()
    folders = list(left.glob("biombo-spark-*"))
    assert folders
    assert all(stat.S_IMODE(folder.stat().st_mode) == 0o700 for folder in folders)
    files = [file.read_bytes() for file in left.rglob("*") if file.is_file()]
    assert not any(b"marker-1" in content or b"illness" in content for content in files)

    again = start(COMMANDS[name], tmp_path)
    _, said = again.communicate(timeout=600)
    assert again.returncode == 0, said
    file = out if out.is_file() else next(out.glob("*.parquet"))
    assert pl.read_parquet(file).height == ROWS
    assert not list(left.glob("biombo-spark-*"))
    assert not list(tmp_path.glob(".biombo-*"))
    if out.is_dir():
        assert bb.verify(out).holds


DYING = """
import os, pathlib, sys
from biombo._engine.spark import OwnedFolder
folders = [OwnedFolder(pathlib.Path(sys.argv[1])) for _ in range(2)]
for folder in folders:
    (folder.path / "stage").mkdir()
    (folder.path / "stage" / "part").write_text("x")
os._exit(9)
"""


def test_folders_of_the_dead_are_removed_and_others_stay(tmp_path: Path):
    """A folder stays while its owner lives, where it is of another machine, and where it is none of ours."""
    living = OwnedFolder(tmp_path)
    command = [sys.executable, "-c", DYING, tmp_path]
    subprocess.run(command, check=False)
    elsewhere, dead = (each for each in tmp_path.iterdir() if each != living.path)
    (elsewhere / ".owner").write_text("another-machine")
    (tmp_path / "biombo-spark-cluster").mkdir()
    (tmp_path / "biombo-spark-link").symlink_to(living.path)

    subprocess.run(command, check=False)

    assert living.path.is_dir()
    assert elsewhere.is_dir()
    assert (tmp_path / "biombo-spark-cluster").is_dir()
    assert not dead.exists()
    assert len(list(tmp_path.glob("*/stage"))) == 3
    living.remove()
    assert not living.path.exists()
