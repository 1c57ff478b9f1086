"""A worker of a real cluster is lost while it counts, changes or writes: the answer is right, and nothing doubled."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
import spark_cluster
import yaml
from cluster_commands import ClusterCommand, Ended, command, events_of, here, lost_tasks
from spark_cluster import SparkCluster, open_files

import biombo as bb

missing = spark_cluster.why_not()
pytestmark = [pytest.mark.spark, pytest.mark.cluster, pytest.mark.skipif(missing is not None, reason=str(missing))]

FILES, ROWS = 4, 40_000
SAMPLE = 100_000
K = 5
PLAN = {
    "biombo-plan": 1,
    "identifiers": ["name"],
    "quasi": ["age", "city"],
    "sensitive": ["number"],
    "criteria": [{"k-anonymity": {"k": K}}],
    "max-suppression": 0.2,
}
ROUGHER = {"generalise": {"column": "age", "hierarchy": {"kind": "interval", "width": 5}, "level": 1}}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    with SparkCluster(event_log=True, folder=tmp_path_factory.mktemp("spark")) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def revived(cluster: SparkCluster) -> Iterator[None]:
    yield
    cluster.revive()


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made up, in several files; no two records have the same number, some groups are small."""
    folder = tmp_path_factory.mktemp("people")
    for file in range(FILES):
        row = pl.int_range(file * ROWS, (file + 1) * ROWS, eager=True)
        columns = {
            "name": pl.select(pl.format("Pessoa {}", row)).to_series(),
            "sex": (row % 2).cast(pl.String),
            "age": row * 7919 % 90,
            "city": pl.select(pl.when(row % 1000 == 0).then(row // 2000).otherwise(row % 17)).to_series(),
            "disease": (row * 31 % 11).cast(pl.String),
            "weight": 40 + row * 13 % 80,
            "number": row,
        }
        pl.DataFrame(columns).write_parquet(folder / f"part{file}.parquet", row_group_size=10_000)
    return folder / "*.parquet"


def plan_at(folder: Path, *operations: dict[str, object], **more: object) -> Path:
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(PLAN | {"operations": list(operations)} | more))
    return path


def counts(running: ClusterCommand, worker: int) -> bool:
    """Has a worker begun with something of ours?"""
    return any("pyspark.daemon" in process.command for process in running.cluster.executor_processes(worker))


class Writes:
    """Is a worker writing into a certain one of the folders that are written into one after the other?"""

    def __init__(self, number: int) -> None:
        self._number = number
        self._seen: list[Path] = []

    def __call__(self, running: ClusterCommand, worker: int) -> bool:
        self._seen += [path for path in running.stages() if path not in self._seen]
        return len(self._seen) > self._number and any(
            path.is_relative_to(self._seen[self._number])
            for executor in running.cluster.executors(worker)
            for path in open_files(executor)
        )


def lose_worker(running: ClusterCommand, works: Callable[[ClusterCommand, int], bool]) -> None:
    """Kill a worker, with its executor, at a time when it works for certain."""
    cluster = running.cluster

    def is_caught(worker: int) -> bool:
        if not works(running, worker):
            return False
        cluster.freeze_executors(worker)
        if not works(running, worker):
            cluster.freeze_executors(worker, over=True)
            return False
        cluster.kill_worker(worker)
        return True

    running.wait_until(lambda: any(map(is_caught, range(2))), "a worker works")


def finished(running: ClusterCommand, losses: int = 1) -> Ended:
    """It ends well though tasks were lost, and leaves nothing behind."""
    ended = running.ended()
    assert ended.code == 0, ended.err
    assert lost_tasks(running.cluster) >= losses
    assert not list(running.folder.iterdir())
    return ended


def test_while_it_counts(cluster: SparkCluster, people: Path):
    asked = ("risk", people, "--quasi", "sex,age,city", "--sensitive", "disease", "--json")
    with command(cluster, *asked) as running:
        lose_worker(running, counts)
        ended = finished(running)
    assert ended.out == here(*asked).out


def test_while_it_changes_records(cluster: SparkCluster, people: Path, tmp_path: Path):
    """Noise is drawn, groups are suppressed and a sample is taken; nobody is there twice, or has two draws."""
    noise, sample = {"add-noise": {"column": "weight", "spread": 2}}, {"sample": {"records": SAMPLE}}
    plan = plan_at(tmp_path, sample, noise, ROUGHER, {"suppress-groups": {}})
    with command(cluster, "apply", people, "--plan", plan, "--out", tmp_path / "out.parquet", "--json") as running:
        lose_worker(running, Writes(0))
        ended = finished(running)

    told, data = json.loads(ended.out), pl.read_parquet(tmp_path / "out.parquet")
    assert (told["rows"], told["rows"] + told["suppressed"]) == (data.height, SAMPLE)
    assert data["number"].n_unique() == data.height
    assert data.group_by(PLAN["quasi"]).len()["len"].min() >= K
    original = pl.read_parquet(people).rename({"weight": "before"}).select("number", "before")
    both = data.join(original, on="number")
    assert both.height == data.height
    assert 0 < (both["weight"] - both["before"]).abs().mean() < 10


@pytest.fixture(scope="module")
def published_here(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same release, without a cluster."""
    folder = tmp_path_factory.mktemp("here")
    bb.publish(people, plan_at(folder, ROUGHER, {"suppress-groups": {}}), folder / "release")
    return folder / "release"


def assert_whole(release: Path, people: Path, here: Path) -> None:
    """Each record once, named, and found again by its name."""
    data, there = pl.read_csv(release / "data.csv"), pl.read_csv(here / "data.csv")
    assert data.drop("trace_id").sort("number").equals(there.drop("trace_id").sort("number"))
    assert data["trace_id"].n_unique() == data.height
    found = bb.trace(release, data["trace_id"], reason="a test")
    places = {name: (record.source, record.number) for name, record in found.items() if record and record.checked}
    files = sorted(people.parent.glob(people.name))
    own = {name: files.index(Path(file)) * ROWS + row - 1 for name, (file, row) in places.items()}
    assert own == dict(zip(data["trace_id"], data["number"], strict=True))
    vaults = [Path(f"{folder}.private", "trace.vault") for folder in (release, here)]
    assert len({vault.stat().st_size for vault in vaults}) == 1


def test_while_it_writes(cluster: SparkCluster, people: Path, tmp_path: Path, published_here: Path):
    """One worker is lost with records that it writes, another with the order that it puts them in."""
    plan = plan_at(tmp_path, ROUGHER, {"suppress-groups": {}})
    with command(cluster, "publish", people, "--plan", plan, "--out", tmp_path / "release") as running:
        lose_worker(running, Writes(1))
        cluster.revive()
        lose_worker(running, Writes(2))
        finished(running, losses=2)

    assert here("verify", tmp_path / "release").code == 0
    assert_whole(tmp_path / "release", people, published_here)


EAGER = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.minTaskRuntime": "10ms",
    "spark.speculation.multiplier": "1.0001",
    "spark.speculation.quantile": "0.1",
}


def test_tasks_that_are_done_twice_count_once(
    cluster: SparkCluster, people: Path, tmp_path: Path, published_here: Path
):
    """Spark starts a task again that another one is faster than: whoever ends first wins."""
    plan = plan_at(tmp_path, ROUGHER, {"suppress-groups": {}})
    with command(cluster, "publish", people, "--plan", plan, "--out", tmp_path / "release", settings=EAGER) as running:
        ended = running.ended()

    assert ended.code == 0, ended.err
    assert any(event["Task Info"]["Speculative"] for event in events_of(cluster, "SparkListenerTaskStart"))
    assert not list(running.folder.iterdir())
    assert_whole(tmp_path / "release", people, published_here)
