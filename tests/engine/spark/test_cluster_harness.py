"""The cluster of the tests is one: several processes, of which one may die, and none of which stays."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import spark_cluster
from spark_cluster import SparkCluster, connect_server, processes, wait_until
from spark_engine import needs_spark

pytestmark = [needs_spark, pytest.mark.cluster, pytest.mark.slow]

ROWS = 1_000
COUNTING = """
import os, sys, time, uuid
from pathlib import Path
from pyspark.sql import SparkSession

address, begun, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])
builder = SparkSession.builder
session = (builder.remote(address) if address.startswith("sc:") else builder.master(address)).getOrCreate()

def slowly(batches):
    (Path(begun) / f"{os.getpid()}-{uuid.uuid4().hex}").touch()
    for number, batch in enumerate(batches):
        time.sleep(0 if number else 0.5)
        yield batch

counted = session.range(0, 1_000, 1, parts).mapInArrow(slowly, "id long").groupBy().sum("id").toArrow()
print("sum", counted.column(0)[0].as_py())
session.stop()
"""
SUM = ROWS * (ROWS - 1) // 2

OWNER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from spark_cluster import SparkCluster
with SparkCluster(workers=1) as cluster:
    print(*(process.session for process in cluster.running()), flush=True)
    time.sleep(600)
"""


def counting(address: str, begun: Path, parts: int) -> list[str]:
    begun.mkdir()
    return [sys.executable, "-c", COUNTING, address, str(begun), str(parts)]


def test_connect_counts_on_the_cluster(cluster: SparkCluster, tmp_path: Path):
    with connect_server(cluster) as address:
        assert f"sum {SUM}\n" in cluster.run(*counting(address, tmp_path / "begun", 2))
    assert len(list((tmp_path / "begun").iterdir())) == 2


def test_nothing_outlives_whoever_started_it(tmp_path: Path):
    helpers = str(Path(spark_cluster.__file__).parent)
    command = [sys.executable, "-c", OWNER, helpers]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as owner:
        assert owner.stdout is not None
        sessions = {int(session) for session in owner.stdout.readline().split()}
        assert len(processes(sessions)) == 2
        owner.send_signal(signal.SIGKILL)
    wait_until(lambda: not processes(sessions), "all of it to end", 30)
