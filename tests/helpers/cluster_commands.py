"""``biombo`` as people type it, with its work done on a cluster of the tests."""

import contextlib
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_cluster import SparkCluster, events, let_end, wait_until

PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"
SEVERAL = """
import contextlib, io, json, os, sys, time, warnings
from biombo._cli import main
warnings.simplefilter("ignore")
ended = []
for words, environment in json.loads(sys.argv[2]):
    os.environ.update(environment)
    out, err, since = io.StringIO(), io.StringIO(), time.monotonic()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words, "--engine", sys.argv[4]])
    ended.append((code, out.getvalue(), err.getvalue(), time.monotonic() - since))
print(json.dumps(ended))
"""
SECONDS = 300.0


@dataclass(frozen=True)
class Ended:
    """A command that has ended."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def sentence(self) -> str:
        """The only line that a failure prints."""
        (line,) = self.err.strip().splitlines()
        return line


@dataclass
class ClusterCommand:
    """A command that runs."""

    cluster: SparkCluster
    folder: Path
    """The one that driver and workers share."""
    process: subprocess.Popen[str]
    log: str
    since: float = field(default_factory=time.monotonic)

    def wait_until(self, reached: Callable[[], bool], what: str) -> None:
        """Raises if it does not come to that."""

        def reached_or_ended() -> bool:
            if self.process.poll() is not None:
                raise RuntimeError(f"the command ended before {what}:\n{self._read('err')[-4000:]}")
            return reached()

        wait_until(reached_or_ended, what, SECONDS)

    def ended(self) -> Ended:
        """Wait for its end."""
        try:
            code = self.process.wait(SECONDS)
        finally:
            let_end(self.process.pid)
        return Ended(code, self._read("out"), self._read("err"), time.monotonic() - self.since)

    def stages(self) -> list[Path]:
        """The folders into which workers write or have written, in their order."""
        return sorted(self.folder.glob("biombo-spark-*/stage-*"), key=lambda path: int(path.name.split("-")[1]))

    def _read(self, ending: str) -> str:
        return (self.cluster.folder / f"{self.log}.{ending}").read_text()


@contextlib.contextmanager
def command(
    cluster: SparkCluster, *arguments: object, settings: dict[str, str] | None = None, **environment: str
) -> Iterator[ClusterCommand]:
    """``biombo …`` on the cluster, with further settings of Spark's; killed in the end if it still runs."""
    log = f"{arguments[0]}-{uuid.uuid4().hex[:8]}"
    folder = cluster.folder / f"shared-{log}"
    folder.mkdir()
    options = [part for name, value in (settings or {}).items() for part in ("--conf", f"{name}={value}")]
    more = {"BIOMBO_SPARK_FOLDER": str(folder), "PYSPARK_SUBMIT_ARGS": " ".join([*options, "pyspark-shell"])}
    words = [*map(str, arguments), "--engine", cluster.url]
    program = SEVERAL if arguments[0] == "several" else PROGRAM
    process = cluster.driver(
        sys.executable, "-c", program, *words, log=f"{log}.out", errors=f"{log}.err", environment=more | environment
    )
    try:
        yield ClusterCommand(cluster, folder, process, log)
    finally:
        cluster.end(process)


def several(
    cluster: SparkCluster, asked: Sequence[tuple[Sequence[object], dict[str, str]]], **environment: str
) -> list[Ended]:
    """Commands one after the other in the same process, so that Spark starts once, each with more environment."""
    words = json.dumps([([str(word) for word in line], more) for line, more in asked])
    with command(cluster, "several", words, **environment) as running:
        ended = running.ended()
    assert (ended.code, list(running.folder.iterdir())) == (0, []), ended.err
    return [Ended(*each) for each in json.loads(ended.out)]


def here(*arguments: object) -> Ended:
    """``biombo …`` without a cluster."""
    since = time.monotonic()
    words = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    return Ended(ended.returncode, ended.stdout, ended.stderr, time.monotonic() - since)


def events_of(cluster: SparkCluster, name: str) -> list[dict[str, Any]]:
    """All events of one kind of the application that ended last."""
    last = max(cluster.events.iterdir(), key=lambda path: path.stat().st_mtime)
    return [event for event in events(last) if event["Event"] == name]


def lost_tasks(cluster: SparkCluster) -> int:
    """How many tasks of the application that ended last went down with their executor."""
    ended = events_of(cluster, "SparkListenerTaskEnd")
    return sum(event["Task End Reason"]["Reason"] == "ExecutorLostFailure" for event in ended)
