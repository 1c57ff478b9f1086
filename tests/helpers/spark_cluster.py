"""Spark on a cluster of several processes, on the loopback interface only, of a test's own and gone afterwards.

All processes, those that Spark starts included, belong to sessions of the operating system that are ended as a whole,
by a guard if this process cannot do it any more. Authentication and encryption are on. Everything that is written goes
to one folder.
"""

import contextlib
import importlib.util
import io
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quick_java import quick_options, spark_home

SECONDS_TO_START = 180.0
SECONDS_TO_STOP = 20.0
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
CONNECT = "org.apache.spark.sql.connect.service.SparkConnectServer"
JAVA_AT_LEAST = 17

FEW = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""With which Spark answers sooner where tables are small, as ``quick_spark`` does where there is no cluster."""

SOON = {
    "spark.locality.wait": "0s",
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
}
"""What a lost worker has held is not waited for."""

GUARD = """
import os, sys
sys.path.insert(0, sys.argv[1])
from spark_cluster import end_sessions
sessions = {int(line) for line in sys.stdin}
end_sessions(sessions)
"""
"""Ends when this process does, however that ends, because nobody else holds the other end of its input."""


def why_not() -> str | None:
    """What is missing here to run Spark, if anything is."""
    if importlib.util.find_spec("pyspark") is None:
        return "PySpark is not installed"
    java = _java()
    if java is None:
        return "there is no Java here"
    told = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60).stderr
    version = re.search(r'version "(\d+)', told)
    if version is None or int(version[1]) < JAVA_AT_LEAST:
        return f"Spark needs Java {JAVA_AT_LEAST} or later"
    return None


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home and Path(home, "bin", "java").exists() else shutil.which("java")


@dataclass(frozen=True)
class Process:
    """A process of the machine, as ``/proc`` shows it."""

    pid: int
    session: int
    state: str
    command: str

    @property
    def mebibytes(self) -> float:
        """What it holds in memory; nothing once it has ended."""
        with contextlib.suppress(OSError):
            found = re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text(), re.MULTILINE)
            return int(found[1]) / 1024 if found else 0.0
        return 0.0


def processes(sessions: Iterable[int]) -> list[Process]:
    """All that still run in these sessions."""
    found, wanted = [], set(sessions)
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, _, session, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(session) in wanted and state not in "ZX":
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found.append(Process(int(folder.name), int(session), state, command))
    return found


def open_files(pid: int) -> list[Path]:
    """The files that a process has open; none once it has ended."""
    found = []
    with contextlib.suppress(OSError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                found.append(descriptor.readlink())
    return found


def end_sessions(sessions: Iterable[int]) -> None:
    """Kill all processes of these sessions, and those that they start meanwhile, at once and for good."""
    ended = set(sessions)

    def none_left() -> bool:
        left = processes(ended)
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        return not left

    wait_until(none_left, "killed processes to be gone", SECONDS_TO_STOP)


def let_end(session: int) -> None:
    """End what a process has left behind, after some time to tidy up: Java does so once Python has ended."""
    with contextlib.suppress(TimeoutError):
        wait_until(lambda: not processes([session]), "Java to end", SECONDS_TO_STOP)
    end_sessions([session])


def wait_until(reached: Callable[[], bool], what: str, seconds: float) -> None:
    """Raises ``TimeoutError`` if it takes longer."""
    until = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > until:
            raise TimeoutError(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.05)


def free_port() -> int:
    """One that nobody listens at on this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Sessions:
    """Processes started here, each of which leads a session."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", GUARD, str(Path(__file__).parent)]
        self._guard = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True)
        self._leaders: list[subprocess.Popen[str]] = []

    def start(
        self, command: list[str], environment: Mapping[str, str], log: Path, errors: Path | None = None
    ) -> subprocess.Popen[str]:
        """Its output goes to ``log``, and what it says of failures too, or to a file of its own."""
        with log.open("w") as output, (errors or Path(os.devnull)).open("w") as failures:
            leader = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=failures if errors else subprocess.STDOUT,
                text=True,
                start_new_session=True,
                cwd=log.parent,
            )
        self._leaders.append(leader)
        assert self._guard.stdin is not None
        print(leader.pid, file=self._guard.stdin, flush=True)
        return leader

    def running(self) -> list[Process]:
        return processes(leader.pid for leader in self._leaders)

    def end(self, leader: subprocess.Popen[str]) -> None:
        end_sessions([leader.pid])
        leader.wait(SECONDS_TO_STOP)

    def end_all(self) -> None:
        try:
            end_sessions(leader.pid for leader in self._leaders)
            for leader in self._leaders:
                leader.wait(SECONDS_TO_STOP)
        finally:
            self._guard.communicate(timeout=2 * SECONDS_TO_STOP)


class SparkCluster:
    """A standalone master and workers; ``with SparkCluster() as cluster: … cluster.url``.

    Args:
        workers: How many.
        cores: How many tasks a worker runs at a time.
        memory: What a worker gives to executors; each has one executor for an application.
        settings: Further lines of ``spark-defaults.conf``, for drivers and executors, which come before those here.
        event_log: Whether applications write what they do to ``events``.
        python: The Python of the executors.
        quick: Whether everything starts soon, works slowly, and does not wait long for what is lost.
        folder: Where to work; a temporary folder if none is named.
    """

    def __init__(
        self,
        workers: int = 2,
        cores: int = 1,
        memory: str = "1g",
        *,
        settings: Mapping[str, str] | None = None,
        event_log: bool = False,
        python: str = sys.executable,
        quick: bool = False,
        folder: Path | None = None,
    ) -> None:
        self.workers = workers
        self._cores = cores
        self._memory = memory
        self._settings = settings or {}
        self._event_log = event_log
        self._python = python
        self._java = quick_options() if quick else ""
        self._soon = FEW | SOON if quick else {}
        self._given = folder

    def __enter__(self) -> "SparkCluster":
        with contextlib.ExitStack() as stack:
            self.folder = self._given or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="biombo-spark-")))
            self.folder.mkdir(exist_ok=True)
            self.folder.chmod(0o700)
            self._sessions = _Sessions()
            stack.callback(self._sessions.end_all)
            self._ports = free_port(), free_port()
            self._configure()
            self._start()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def url(self) -> str:
        """The master's address: ``spark://…``."""
        return f"spark://127.0.0.1:{self._ports[0]}"

    @property
    def events(self) -> Path:
        """The folder of event logs."""
        return self.folder / "events"

    @property
    def environment(self) -> dict[str, str]:
        """What a driver needs to know, besides :attr:`url`: pass it to its process."""
        return self._environment(self.folder / "driver")

    def driver(
        self,
        *command: str,
        log: str = "driver.log",
        errors: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        """A process with the cluster's :attr:`environment`, and more of it, the output of which goes to a file in its
        folder, or to two.
        """
        more = self.environment | dict(environment or {})
        return self._sessions.start(list(command), more, self.folder / log, self.folder / errors if errors else None)

    def run(self, *command: str, seconds: float = 120.0, log: str = "driver.log") -> str:
        """The output of a driver that must end well, in time."""
        driver = self.driver(*command, log=log)
        try:
            code = driver.wait(seconds)
        finally:
            let_end(driver.pid)
        output = (self.folder / log).read_text()
        if code != 0:
            raise RuntimeError(f"the driver ended with {code}:\n{output[-4000:]}")
        return output

    def end(self, driver: subprocess.Popen[str]) -> None:
        """Kill a driver, its JVM and whatever else it has started."""
        self._sessions.end(driver)

    def executors(self, worker: int | None = None) -> list[int]:
        """The process numbers of executors, all or those of one worker."""
        return [process.pid for process in self.executor_processes(worker) if EXECUTOR in process.command]

    def executor_processes(self, worker: int | None = None) -> list[Process]:
        """Executors and the Python processes that belong to them, without the workers themselves."""
        leaders = {leader.pid for leader in (self._nodes if worker is None else [self._nodes[worker]])}
        return [process for process in processes(leaders) if process.pid not in leaders]

    def kill_worker(self, worker: int) -> None:
        """As if its machine had lost power: the worker, its executors and their Python end without a word."""
        self._sessions.end(self._nodes[worker])

    def kill_master(self) -> None:
        """The same for the master."""
        self._sessions.end(self._master)

    def revive(self) -> None:
        """Start again whatever was killed, and wait until the master knows all workers."""
        if self._master.poll() is not None:
            for worker in range(self.workers):  # which would look for it every ten seconds only
                self.kill_worker(worker)
            self._master = self._started_master()
        for worker, node in enumerate(self._nodes):
            if node.poll() is not None:
                self._nodes[worker] = self._started_worker(worker)
        self._await_workers()

    def running(self) -> list[Process]:
        """All processes of the cluster, drivers included."""
        return self._sessions.running()

    def alive(self) -> int:
        """How many workers the master believes to be there."""
        with contextlib.suppress(OSError, ValueError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self._ports[1]}/json/", timeout=5) as answer:
                told = json.load(answer)
            return sum(worker["state"] == "ALIVE" for worker in told["workers"])
        return 0

    def _start(self) -> None:
        self._master = self._started_master()
        self._nodes = [self._started_worker(worker) for worker in range(self.workers)]
        self._await_workers()

    def _started_master(self) -> subprocess.Popen[str]:
        port, page_port = map(str, self._ports)
        address = ["--host", "127.0.0.1", "--port", port, "--webui-port", page_port]
        environment = self._environment(self.folder / "master", **self._small)
        master = self._sessions.start(_spark_class(MASTER, *address), environment, self.folder / "master.log")
        wait_until(lambda: _listens(self._ports[0]) or master.poll() is not None, "the master", SECONDS_TO_START)
        return master

    def _started_worker(self, worker: int) -> subprocess.Popen[str]:
        folder = self.folder / f"worker-{worker}"
        limits = ["--cores", str(self._cores), "--memory", self._memory, "--work-dir", str(folder / "work")]
        host = f"127.0.0.{worker + 2}"  # Spark repeats a slow task on another host only
        command = _spark_class(WORKER, "--host", host, "--webui-port", "0", *limits, self.url)
        environment = self._environment(folder, **self._small, SPARK_LOCAL_IP=host)
        return self._sessions.start(command, environment, self.folder / f"worker-{worker}.log")

    def _await_workers(self) -> None:
        try:
            wait_until(lambda: self.alive() == self.workers, "the workers", SECONDS_TO_START)
        except TimeoutError as error:
            logs = sorted(self.folder.glob("*.log"))
            raise RuntimeError("\n".join([str(error), *(log.read_text()[-2000:] for log in logs)])) from None

    @property
    def _small(self) -> dict[str, str]:
        options = f"-Djava.io.tmpdir={self.folder / 'tmp'} {self._java}"
        return {"SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": options}

    def _configure(self) -> None:
        settings = {
            "spark.authenticate": "true",
            "spark.authenticate.secret": secrets.token_hex(32),
            "spark.network.crypto.enabled": "true",
            "spark.io.encryption.enabled": "true",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.executor.cores": str(self._cores),
            "spark.executor.memory": self._memory,
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.eventLog.enabled": str(self._event_log).lower(),
            "spark.eventLog.dir": self.events.as_uri(),
            **self._soon,
        }
        self.events.mkdir()
        write_settings(self.folder, settings | dict(self._settings), self._java)

    def _environment(self, folder: Path, **more: str) -> dict[str, str]:
        return spark_environment(self.folder / "conf", folder, self._python) | more


def write_settings(folder: Path, settings: Mapping[str, str], java: str = "") -> Path:
    """A private folder below ``folder`` for ``SPARK_CONF_DIR``, with which Java's temporary files go there too; with
    further options of ``java``.
    """
    temporary, written = folder / "tmp", folder / "conf"
    temporary.mkdir(exist_ok=True)
    written.mkdir(mode=0o700)
    options = f"-Djava.io.tmpdir={temporary} {java}"
    sides = {f"spark.{side}.extraJavaOptions": options for side in ("driver", "executor")}
    lines = [f"{name} {value}\n" for name, value in (sides | dict(settings)).items()]
    (written / "spark-defaults.conf").write_text("".join(lines))
    return written


def spark_environment(settings: Path, folder: Path, python: str = sys.executable) -> dict[str, str]:
    """This process's environment, with Spark's own folders below ``folder`` and ``settings`` of ``write_settings``."""
    for name in ("local", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    others = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    return others | {
        "SPARK_HOME": str(spark_home()),
        "SPARK_CONF_DIR": str(settings),
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "TMPDIR": str(folder / "tmp"),
    }


@contextlib.contextmanager
def connect_server(
    cluster: SparkCluster | None = None, *, settings: Mapping[str, str] | None = None, folder: Path | None = None
) -> Iterator[str]:
    """The address ``sc://…`` of a Spark Connect server on a cluster, or on two cores of this machine without one."""
    with contextlib.ExitStack() as stack:
        folder = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="biombo-connect-")))
        port = free_port()
        more = {
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": str(port),
            **(settings or {}),
        }
        if cluster is None:
            own = write_settings(
                folder, {"spark.io.encryption.enabled": "true", "spark.ui.enabled": "false"} | FEW, quick_options()
            )
            environment = spark_environment(own, folder)
        else:
            environment = cluster.environment
        options = [part for name, value in more.items() for part in ("--conf", f"{name}={value}")]
        master = "local[2]" if cluster is None else cluster.url
        submit = ["org.apache.spark.deploy.SparkSubmit", "--master", master, "--class", CONNECT]
        sessions = _Sessions()
        stack.callback(sessions.end_all)
        log = folder / "connect.log"
        server = sessions.start(_spark_class(*submit, *options, "spark-internal"), environment, log)
        try:
            wait_until(lambda: _listens(port) or server.poll() is not None, "Spark Connect", SECONDS_TO_START)
        except TimeoutError as error:
            raise RuntimeError(f"{error}\n{log.read_text()[-4000:]}") from None
        if server.poll() is not None:
            raise RuntimeError(f"Spark Connect ended with {server.returncode}:\n{log.read_text()[-4000:]}")
        yield f"sc://127.0.0.1:{port}"


def events(log: Path) -> Iterator[dict[str, Any]]:
    """The events of one application, from its entry in :attr:`SparkCluster.events`."""
    import zstandard

    for part in sorted(log.glob("events_*"), key=lambda part: int(part.name.split("_")[1])):
        with part.open("rb") as file:
            plain = part.suffix != ".zstd"
            stream = file if plain else zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            yield from map(json.loads, io.TextIOWrapper(stream, encoding="utf-8"))


def bytes_shuffled(log: Path) -> int:
    """What the tasks of one application wrote to be read by others, repeated tasks included."""
    ended = (event for event in events(log) if event["Event"] == "SparkListenerTaskEnd")
    metrics = (event["Task Metrics"] for event in ended if "Task Metrics" in event)
    return sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in metrics)


def _spark_class(*arguments: str) -> list[str]:
    return ["bash", str(spark_home() / "bin" / "spark-class"), *arguments]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
