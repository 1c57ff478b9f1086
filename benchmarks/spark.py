"""A cluster of two workers beside one machine: ``biombo risk`` on made-up records, from 10 to 100 million of them.

    python benchmarks/spark.py [--rows 10000000 30000000 100000000] [--tuples 20000000] [--folder FOLDER]

The cluster is one of several processes on this machine, with authentication and encryption on, so it shows what Spark
costs and what memory it takes where, not how fast a larger cluster would be. The same records, in Parquet parts, are
measured by the local engine, by the cluster, and, as the least that Spark takes, by one plain group-by of all columns
on the cluster. Prints the time, the peak memory of the driver (Python and its Java together; aim: below 4 GiB) and of
the executors, and the bytes shuffled. The answers of both engines must be the same. Making the records up is not
counted.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from billion import BYTES_A_ROW, ROWS_A_PART, distinct_tuples, part_paths, write_part

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))
from spark_cluster import Process, SparkCluster, bytes_shuffled, let_end, processes, why_not

WAYS = ("local", "group-by", "spark")
SECONDS_BETWEEN_LOOKS = 0.25
LONGEST = 3600.0
BIOMBO = "import sys; from biombo._cli import main; sys.exit(main())"
GROUP_BY = """
import json, sys
from pyspark.sql import SparkSession
session = SparkSession.builder.master(sys.argv[1]).getOrCreate()
records = session.read.parquet(*sys.argv[2:])
counted = records.groupBy(*records.columns).count()
rows, tuples = counted.selectExpr("sum(count)", "count(*)").collect()[0]
session.stop()
print(json.dumps({"records": rows, "tuples": tuples}))
"""


@dataclass
class Peak:
    """The most memory that some processes had together whenever one looked."""

    mebibytes: float = 0.0

    def look(self, running: list[Process]) -> None:
        self.mebibytes = max(self.mebibytes, sum(process.mebibytes for process in running))


@contextmanager
def watched(*looks: Callable[[], None]) -> Iterator[None]:
    """Looks again and again while the block runs."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SECONDS_BETWEEN_LOOKS):
            for look in looks:
                look()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


@dataclass(frozen=True)
class Run:
    """What a command took, and what it found."""

    seconds: float
    driver: float
    executors: float
    shuffled: int
    found: dict[str, Any] = field(repr=False)

    def line(self, label: str, peer: "Run") -> str:
        times = f"{self.seconds:8.1f}  {self.seconds / peer.seconds:8.2f}"
        memory = f"{self.driver / 1024:10.2f}  {self.executors / 1024:13.2f}"
        return f"  {label:22} {times}  {memory}  {self.shuffled / 1e9:11.2f}"


def measured(command: list[str], cluster: SparkCluster | None, folder: Path) -> Run:
    """A driver of its own, on the cluster or without one."""
    known = set(cluster.events.iterdir()) if cluster else set()
    driver_peak, executor_peak = Peak(), Peak()
    environment = cluster.environment if cluster else dict(os.environ)
    output = folder / "found.json"
    start = time.perf_counter()
    with output.open("w") as found:
        driver = subprocess.Popen(command, stdout=found, env=environment, start_new_session=True)
    looks = [lambda: driver_peak.look(processes([driver.pid]))]
    if cluster:
        looks.append(lambda: executor_peak.look(cluster.executor_processes()))
    try:
        with watched(*looks):
            code = driver.wait(LONGEST)
        seconds = time.perf_counter() - start
    finally:
        let_end(driver.pid)
    if code != 0:
        sys.exit(f"It ended with {code}: {' '.join(command[3:5])} …")
    logs = set(cluster.events.iterdir()) - known if cluster else set()
    shuffled = sum(bytes_shuffled(log) for log in logs)
    return Run(seconds, driver_peak.mebibytes, executor_peak.mebibytes, shuffled, json.loads(output.read_text()))


def risk(parts: list[Path], cluster: SparkCluster | None, folder: Path) -> Run:
    """``biombo risk``, on the cluster or without one."""
    engine = ["--engine", cluster.url] if cluster else []
    command = [sys.executable, "-c", BIOMBO, "risk", *map(str, parts), "--schema", "siapa", "--json", *engine]
    return measured(command, cluster, folder)


def group_by(parts: list[Path], cluster: SparkCluster, folder: Path) -> Run:
    """All columns grouped and counted by Spark alone; nothing comes to the driver."""
    return measured([sys.executable, "-c", GROUP_BY, cluster.url, *map(str, parts)], cluster, folder)


def make_up(folder: Path, sizes: list[int], tuples: int) -> list[int]:
    """Write the parts that are missing; how many distinct tuples each size has."""
    # What this process holds would count as the command's memory: others make the records up.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as workers:
        parts = range(len(part_paths(folder, max(sizes))))
        list(workers.map(partial(write_part, rows=max(sizes), tuples=tuples, folder=folder), parts))
        return list(workers.map(partial(distinct_tuples, tuples=tuples), sizes))


def compare(parts: list[Path], rows: int, cluster: SparkCluster, only: set[str], folder: Path) -> None:
    """Print a line for each way to measure the same records."""
    ways = {
        "local": ("local engine", lambda: risk(parts, None, folder)),
        "group-by": ("one group-by in Spark", lambda: group_by(parts, cluster, folder)),
        "spark": ("Spark engine", lambda: risk(parts, cluster, folder)),
    }
    runs: dict[str, Run] = {}
    for name, (label, run) in ways.items():
        if name in only:
            runs[name] = run()
            if runs[name].found["records"] != rows:
                sys.exit(f"{runs[name].found['rows']:,} records were counted")
            print(runs[name].line(label, runs.get("local", runs[name])), flush=True)
    if {"local", "spark"} <= set(runs) and runs["local"].found != runs["spark"].found:
        sys.exit("The engines disagree.")


def measure(folder: Path, asked: argparse.Namespace) -> None:
    start = time.perf_counter()
    distinct = make_up(folder, asked.rows, asked.tuples)
    print(f"Made up {max(asked.rows):,} records in {time.perf_counter() - start:.0f} s", flush=True)
    settings = {"spark.driver.memory": asked.driver_memory, "spark.sql.shuffle.partitions": "16"}
    with (
        tempfile.TemporaryDirectory(dir=folder) as work,
        SparkCluster(2, 1, asked.memory, settings=settings, event_log=True, folder=Path(work) / "cluster") as cluster,
    ):
        headings = f"{'seconds':>8}  {'to local':>8}  {'driver GiB':>10}  {'executors GiB':>13}  {'GB shuffled':>11}"
        for rows, different in zip(asked.rows, distinct, strict=True):
            print(f"\n{rows:,} rows, {different:,} distinct tuples\n  {'':22} {headings}")
            compare(part_paths(folder, rows), rows, cluster, set(asked.only), Path(work))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**7, 3 * 10**7, 10**8])
    parser.add_argument("--tuples", type=int, default=20_000_000, help="how many combinations of values, about")
    parser.add_argument("--memory", default="4g", help="of each worker")
    parser.add_argument("--driver-memory", default="1g", help="of the driver's Java")
    parser.add_argument("--only", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--folder", type=Path, help="where the parts are kept; else they are removed afterwards")
    asked = parser.parse_args()
    if (reason := why_not()) is not None:
        sys.exit(reason)
    if any(rows % ROWS_A_PART for rows in asked.rows):
        sys.exit(f"A part has {ROWS_A_PART:,} rows; ask for a multiple of that.")
    if asked.folder:
        asked.folder.mkdir(parents=True, exist_ok=True)
    where = asked.folder or Path(tempfile.gettempdir())
    needed, free = 3 * max(asked.rows) * BYTES_A_ROW, shutil.disk_usage(where).free
    print(f"Needs about {needed / 1e9:.1f} GB in {where} ({free / 1e9:.1f} GB free), shuffles included.", flush=True)
    if needed > free:
        sys.exit("Not enough room there; choose another --folder.")
    with nullcontext(asked.folder) if asked.folder else tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), asked)


if __name__ == "__main__":
    main()
