"""How far Spark is, told to whoever watches."""

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from biombo._engine.spark.session import is_connect
from biombo._watch import advance

_SECONDS = 0.3

Done = Callable[[], tuple[int, int]]
"""How many tasks have ended, and how many there are."""


@contextmanager
def progress_told(session: Any, rows: int | None) -> Iterator[None]:
    """Tells, while the block runs, of how many of so many rows the tasks have ended: those of the stage that has come
    farthest, so that it never goes back.
    """
    told = contextvars.copy_context()
    farthest = 0.0
    ended = threading.Event()

    def tell(done: int, tasks: int) -> None:
        nonlocal farthest
        if tasks and done / tasks > farthest:
            farthest = done / tasks
            with suppress(Exception):  # who watches may have asked to stop: that is heard elsewhere
                told.run(advance, *((int(farthest * rows), rows) if rows else (done, tasks)))

    def watch(done: Done) -> None:
        while not ended.wait(_SECONDS):
            with suppress(Exception):  # its Java may be gone
                tell(*done())

    if is_connect(session):
        with _handling(session, tell):
            yield
        return
    threading.Thread(target=watch, args=(_classic(session),), name="biombo-spark-progress", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _classic(session: Any) -> Done:
    tracker = session.sparkContext.statusTracker()

    def done() -> tuple[int, int]:
        stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        known = [stage for stage in stages if stage is not None]
        return sum(stage.numCompletedTasks for stage in known), sum(stage.numTasks for stage in known)

    return done


@contextmanager
def _handling(session: Any, tell: Callable[[int, int], None]) -> Iterator[None]:
    def handle(stages: Any, *_: Any, **__: Any) -> None:
        tell(sum(stage.num_completed_tasks for stage in stages or ()), sum(stage.num_tasks for stage in stages or ()))

    session.registerProgressHandler(handle)
    try:
        yield
    finally:
        session.removeProgressHandler(handle)
