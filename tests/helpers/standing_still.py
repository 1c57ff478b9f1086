"""Places in the work of Spark's Python processes at which one of them stands still."""

import contextlib
from pathlib import Path
from typing import NamedTuple

from spark_cluster import SparkCluster

WATCHING = """
import os, sys, time

FOLDER, PLACES = {folder!r}, {places!r}
left = [calls for _, calls, _ in PLACES]


def watch(frame, event, _):
    if event != "call":
        return
    for number, (function, _, condition) in enumerate(PLACES):
        if frame.f_code.co_qualname == function and eval(condition, {{}}, frame.f_locals):
            left[number] -= 1
            if not left[number]:
                stand(number)


def stand(number):
    mine, place = os.path.join(FOLDER, str(os.getpid())), os.path.join(FOLDER, f"standing-{{number}}")
    with open(mine, "w") as file:
        file.write(str(os.getpid()))
    try:
        os.link(mine, place)
    except FileExistsError:
        return
    while not os.path.exists(f"{{place}}-go"):
        time.sleep(0.02)


sys.setprofile(watch)
"""
"""What Python runs when it starts and finds it under the name of ``sitecustomize``."""


class Place(NamedTuple):
    """Where to stand."""

    function: str
    """Its name as its module has it."""
    call: int = 1
    """Which of its calls in a process: a generator is called each time it goes on, so that at its second call one row
    has left it."""
    condition: str = "True"
    """Of its variables; only calls with it count."""


class StandingStill:
    """The first process that comes to each of the ``places`` stands still there until it is killed or let go."""

    def __init__(self, folder: Path, *places: Place) -> None:
        self.folder = folder
        folder.mkdir()
        written = WATCHING.format(folder=str(folder), places=[tuple(place) for place in places])
        (folder / "sitecustomize.py").write_text(written)

    @property
    def settings(self) -> dict[str, str]:
        """Those of Spark with which executors look here."""
        return {"spark.executorEnv.PYTHONPATH": str(self.folder)}

    def is_anybody_at(self, place: int) -> bool:
        """Has a process come to a place?"""
        return (self.folder / f"standing-{place}").exists()

    def worker_at(self, place: int, cluster: SparkCluster) -> int | None:
        """The worker of a cluster whose process stands at a place, once one does."""
        with contextlib.suppress(FileNotFoundError):
            process = int((self.folder / f"standing-{place}").read_text())  # whole from the beginning, by its link
            for worker in range(cluster.workers):
                if any(each.pid == process for each in cluster.executor_processes(worker)):
                    return worker
        return None

    def go_on(self, place: int) -> None:
        """Let whoever stands there go on, and all who come later."""
        (self.folder / f"standing-{place}-go").touch()
