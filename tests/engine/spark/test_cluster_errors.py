"""What goes wrong on a real cluster: exit code 2 and one sentence each, that names the table and the remedy."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from cluster_commands import ClusterCommand, Ended, command, here, several
from pyarrow import parquet
from spark_cluster import SparkCluster, wait_until
from spark_engine import needs_spark
from standing_still import Place, StandingStill

pytestmark = [needs_spark, pytest.mark.cluster, pytest.mark.slow]

MARKER = "Pessoa-0"
"""How all names begin: nothing of the table is told."""
ASKED = ("--quasi", "name,age", "--sensitive", "disease")
FILES, ROWS = 3, 2_000


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    row = pl.int_range(ROWS, eager=True)
    columns = {
        "name": pl.select(pl.format("Pessoa-0{}", row)).to_series(),
        "age": row * 7919 % 90,
        "disease": (row * 31 % 11).cast(pl.String),
    }
    for file in range(FILES):
        pl.DataFrame(columns).write_parquet(folder / f"part{file}.parquet")
    return folder / "*.parquet"


@pytest.fixture(scope="module", autouse=True)
def stranger(one_cluster: SparkCluster, people: Path) -> Iterator[ClusterCommand]:
    """A command that does not know the secret: Spark tries for a minute, in which other tests run."""
    with command(one_cluster, "risk", people, *ASKED, settings={"spark.authenticate.secret": "0" * 64}) as running:
        yield running


def refused(ended: Ended, *words: str) -> None:
    """One sentence with these words, which quotes nothing."""
    assert ended.code == 2, ended.err
    assert ended.out == ""
    assert all(word in ended.sentence for word in words), ended.sentence
    assert MARKER not in ended.sentence


def failed(cluster: SparkCluster, people: Path, settings: dict[str, str] | None = None, **environment: str) -> Ended:
    """``risk``, which does not end well and leaves nothing behind."""
    with command(cluster, "risk", people, *ASKED, settings=settings, **environment) as running:
        ended = running.ended()
    assert not list(running.folder.iterdir())
    return ended


def test_no_such_python(cluster: SparkCluster, people: Path, tmp_path: Path):
    ended = failed(cluster, people, PYSPARK_PYTHON=str(tmp_path / "absent"))
    refused(ended, str(people.parent), "PYSPARK_PYTHON")


def test_a_python_without_biombo(cluster: SparkCluster, people: Path, tmp_path: Path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    ended = failed(cluster, people, PYSPARK_PYTHON=str(tmp_path / "venv" / "bin" / "python"))
    refused(ended, str(people.parent), "pip install 'biombo[spark]'", "PYSPARK_PYTHON")


def test_too_little_memory_for_python(cluster: SparkCluster, people: Path):
    ended = failed(cluster, people, {"spark.executor.pyspark.memory": "300m"})
    refused(ended, str(people.parent), "spark.executor.memory")


def test_too_little_memory_for_the_driver(cluster: SparkCluster, people: Path):
    ended = failed(cluster, people, {"spark.driver.memory": "200m"})
    refused(ended, cluster.url, "spark.driver.memory")


def damaged_in_the_middle(path: Path, column: str) -> Path:
    """A Parquet file whose footer is fine."""
    row = pl.int_range(20_000, eager=True)
    pl.DataFrame({"name": row.cast(pl.String), "age": row % 90, "disease": row % 11}).write_parquet(path)
    footer = parquet.read_metadata(path)
    chunk = footer.row_group(0).column(footer.schema.names.index(column))
    content = bytearray(path.read_bytes())
    content[chunk.data_page_offset : chunk.data_page_offset + 64] = b"\xff" * 64
    path.write_bytes(content)
    return path


def with_a_row_too_long(path: Path) -> Path:
    rows = [f"Pessoa-0{row},{row % 90},flu" for row in range(20_000)]
    rows[15_000] += ",one,more"
    path.write_text("\n".join(["name,age,disease", *rows]) + "\n")
    return path


@pytest.fixture
def without_powers(tmp_path: Path) -> str:
    """A Python whose root may read no more than others."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can make files that it can read and workers cannot")
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\nexec setpriv --bounding-set=-all --inh-caps=-all {sys.executable} "$@"\n')
    program.chmod(0o755)
    return str(program)


def test_tables_that_cannot_be_read(cluster: SparkCluster, tmp_path: Path):
    """The local engine says the same."""
    tables = [damaged_in_the_middle(tmp_path / "damaged.parquet", "name"), with_a_row_too_long(tmp_path / "long.csv")]
    for table, ended in zip(tables, several(cluster, [(("risk", table, *ASKED), {}) for table in tables]), strict=True):
        refused(ended, str(table))
        assert ended.err == here("risk", table, *ASKED).err


def test_what_is_not_there_for_workers(cluster: SparkCluster, people: Path, tmp_path: Path, without_powers: str):
    """A file, and the folder that they should share with the driver, which may be there for neither."""
    table, folder = tmp_path / "private.parquet", tmp_path / "folder"
    pl.read_parquet(people).write_parquet(table)
    folder.mkdir(mode=0o700)
    table.chmod(0o600)
    for path in (table, folder):
        os.chown(path, 65534, 65534)
    absent = tmp_path / "absent"
    folders = [(("risk", people, *ASKED), {"BIOMBO_SPARK_FOLDER": str(place)}) for place in (folder, absent)]
    asked = [(("risk", table, *ASKED), {}), *folders]
    unseen_file, unseen_folder, no_folder = several(cluster, asked, PYSPARK_PYTHON=without_powers)

    refused(unseen_file, str(table), "where all of them see it")
    refused(unseen_folder, "BIOMBO_SPARK_FOLDER")
    refused(no_folder, str(absent))
    assert not list(folder.iterdir())


def test_another_secret(cluster: SparkCluster, stranger: ClusterCommand):
    refused(stranger.ended(), cluster.url, "spark.authenticate.secret")
    assert not list(stranger.folder.iterdir())


@pytest.fixture
def still(tmp_path: Path) -> StandingStill:
    """Somebody counts."""
    return StandingStill(tmp_path / "still", Place("_Counting.add"))


def test_the_workers_are_gone(cluster: SparkCluster, people: Path, still: StandingStill):
    """Nobody comes back: it is said after some time, and not waited for ever."""
    soon = {"spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout": "3s"}
    with command(cluster, "risk", people, *ASKED, settings=still.settings | soon) as running:
        running.wait_until(lambda: still.is_anybody_at(0), "work begins")
        cluster.kill_master()
        for worker in range(cluster.workers):
            cluster.kill_worker(worker)
        ended = running.ended()
    refused(ended, str(people.parent), "start again")
    assert not list(running.folder.iterdir())


def test_the_master_is_gone(cluster: SparkCluster, people: Path, still: StandingStill):
    """Whoever has workers already goes on with them."""
    asked = ("risk", people, *ASKED, "--json")
    with command(cluster, *asked, settings=still.settings) as running:
        running.wait_until(lambda: still.is_anybody_at(0), "work begins")
        cluster.kill_master()
        still.go_on(0)
        ended = running.ended()
    assert (ended.code, ended.out) == (0, here(*asked).out), ended.err
    assert not list(running.folder.iterdir())


def test_ctrl_c(cluster: SparkCluster, people: Path, still: StandingStill):
    with command(cluster, "risk", people, *ASKED, settings=still.settings) as running:
        running.wait_until(lambda: still.is_anybody_at(0), "work begins")
        os.killpg(running.process.pid, signal.SIGINT)  # as a terminal does
        ended = running.ended()
    assert (ended.code, ended.out) == (130, "")
    assert len(ended.err.splitlines()) == 1
    assert not list(running.folder.iterdir())
    wait_until(lambda: not cluster.executor_processes(), "executors to end", 30)
