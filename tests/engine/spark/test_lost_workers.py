"""A worker of a real cluster is lost while it counts, changes or writes: the answer is right, and nothing doubled."""

import json
from pathlib import Path

import polars as pl
import pytest
import yaml
from cluster_commands import ClusterCommand, Ended, command, events_of, here, lost_tasks
from spark_cluster import SparkCluster, open_files
from spark_engine import needs_spark
from standing_still import Place, StandingStill

import biombo as bb

pytestmark = [needs_spark, pytest.mark.cluster, pytest.mark.slow]

FILES, ROWS = 2, 4_000
SAMPLE = 5_000
K = 5
PLAN = {
    "biombo-plan": 1,
    "identifiers": ["name"],
    "quasi": ["age", "city"],
    "sensitive": ["number"],
    "criteria": [{"k-anonymity": {"k": K}}],
    "max-suppression": 0.2,
}
COUNTS = Place("_Counting.add")
CHANGES = Place("_Sealing.add", 2, "passing.part == 0")
"""The records of the first part, for which Spark opens a file at once, are on their way there."""
ORDERS = Place("_put_in_order.<locals>.put_in_order", 2)
"""The first records of the release are."""
ROUGHER = {"generalise": {"column": "age", "hierarchy": {"kind": "interval", "width": 5}, "level": 1}}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made up, in several files; no two records have the same number, some groups are small."""
    folder = tmp_path_factory.mktemp("people")
    for file in range(FILES):
        row = pl.int_range(file * ROWS, (file + 1) * ROWS, eager=True)
        columns = {
            "name": pl.select(pl.format("Pessoa {}", row)).to_series(),
            "age": row * 7919 % 90,
            "city": pl.select(pl.when(row % 1000 == 0).then(row // 2000).otherwise(row % 17)).to_series(),
            "weight": 40 + row * 13 % 80,
            "number": row,
        }
        pl.DataFrame(columns).write_parquet(folder / f"part{file}.parquet")
    return folder / "*.parquet"


def plan_at(folder: Path, *operations: dict[str, object], **more: object) -> Path:
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(PLAN | {"operations": list(operations)} | more))
    return path


def lose_worker(running: ClusterCommand, still: StandingStill, place: int = 0, *, writing: bool = True) -> None:
    """Kill the worker that stands at a place, with its executor, and with a file that this is writing."""
    cluster, found = running.cluster, []

    def is_caught() -> bool:
        worker = still.worker_at(place, cluster)
        found[:] = [] if worker is None else [worker]
        return worker is not None and (not writing or is_writing(running, worker))

    running.wait_until(is_caught, "a worker is at work")
    cluster.kill_worker(found[0])


def is_writing(running: ClusterCommand, worker: int) -> bool:
    """Has a worker a file of the folder open?"""
    files = [path for executor in running.cluster.executors(worker) for path in open_files(executor)]
    return any(path.is_relative_to(stage) for path in files for stage in running.stages())


def finished(running: ClusterCommand, losses: int = 1) -> Ended:
    """It ends well though tasks were lost, and leaves nothing behind."""
    ended = running.ended()
    assert ended.code == 0, ended.err
    assert lost_tasks(running.cluster) >= losses
    assert not list(running.folder.iterdir())
    return ended


def test_while_it_counts(cluster: SparkCluster, people: Path, tmp_path: Path):
    asked = ("risk", people, "--quasi", "age,city", "--sensitive", "weight", "--json")
    still = StandingStill(tmp_path / "still", COUNTS)
    with command(cluster, *asked, settings=still.settings) as running:
        lose_worker(running, still, writing=False)
        ended = finished(running)
    assert ended.out == here(*asked).out


def test_while_it_changes_records(cluster: SparkCluster, people: Path, tmp_path: Path):
    """Noise is drawn, groups are suppressed and a sample is taken; nobody is there twice, or has two draws."""
    noise, sample = {"add-noise": {"column": "weight", "spread": 2}}, {"sample": {"records": SAMPLE}}
    plan = plan_at(tmp_path, sample, noise, ROUGHER, {"suppress-groups": {}})
    asked = ("apply", people, "--plan", plan, "--out", tmp_path / "out.parquet", "--json")
    still = StandingStill(tmp_path / "still", CHANGES)
    with command(cluster, *asked, settings=still.settings) as running:
        lose_worker(running, still)
        ended = finished(running)

    told, data = json.loads(ended.out), pl.read_parquet(tmp_path / "out.parquet")
    assert (told["records"], told["records"] + told["suppressed"]) == (data.height, SAMPLE)
    assert data["number"].n_unique() == data.height
    assert data.group_by(PLAN["quasi"]).len()["len"].min() >= K
    original = pl.read_parquet(people).rename({"weight": "before"}).select("number", "before")
    both = data.join(original, on="number")
    assert both.height == data.height
    assert 0 < (both["weight"] - both["before"]).abs().mean() < 10


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


def test_while_it_writes(cluster: SparkCluster, people: Path, tmp_path: Path):
    """One worker is lost with records that it writes, another with the order that it puts them in."""
    plan = plan_at(tmp_path, ROUGHER, {"suppress-groups": {}})
    asked = ("publish", people, "--plan", plan, "--out", tmp_path / "release")
    still = StandingStill(tmp_path / "still", CHANGES, ORDERS)
    with command(cluster, *asked, settings=still.settings) as running:
        lose_worker(running, still, 0)
        cluster.revive()
        lose_worker(running, still, 1)
        finished(running, losses=2)

    assert bb.verify(tmp_path / "release").holds
    bb.publish(people, plan, tmp_path / "here")
    assert_whole(tmp_path / "release", people, tmp_path / "here")


EAGER = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.minTaskRuntime": "10ms",
    "spark.speculation.multiplier": "1.0001",
    "spark.speculation.quantile": "0.1",
}


def test_tasks_that_are_done_twice_count_once(cluster: SparkCluster, people: Path, tmp_path: Path):
    """Spark starts a task again that others are faster than, here one that hangs: whoever ends first wins."""
    plan = plan_at(tmp_path, ROUGHER, {"suppress-groups": {}})
    asked = ("apply", people, "--plan", plan, "--out")
    still = StandingStill(tmp_path / "still", CHANGES)
    with command(cluster, *asked, tmp_path / "there.parquet", settings=still.settings | EAGER) as running:
        ended = running.ended()

    assert ended.code == 0, ended.err
    assert still.is_anybody_at(0)
    assert any(event["Task Info"]["Speculative"] for event in events_of(cluster, "SparkListenerTaskStart"))
    assert not list(running.folder.iterdir())
    assert here(*asked, tmp_path / "here.parquet").code == 0
    there, same = (pl.read_parquet(tmp_path / f"{name}.parquet").sort("number") for name in ("there", "here"))
    assert there.equals(same)
