"""What goes wrong in Spark, in sentences.

What Spark says may quote values, so nothing of it is told; it is only searched for what is known.
"""

import _thread
import contextvars
import os
import re
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from biombo._errors import BiomboError, CancelledError, InputError
from biombo._watch import stop_if_cancelled

_KNOWN: tuple[tuple[str, str], ...] = (
    (r"No module named '(biombo|pyspark|pyarrow|polars|numpy|cryptography|opendp|ffx|yaml)[.'\"]", "spark.no-biombo"),
    (r"Cannot run program", "spark.no-python"),
    (r"PYTHON_VERSION_MISMATCH|Python in worker has different version", "spark.other-python"),
    (r"No space left on device", "spark.disk-full"),
    (
        r"OutOfMemoryError|OOMKilled|Container killed .{0,80}memory|exit code 137|Cannot allocate memory|"
        r"MemoryError|bad_alloc|failed to map segment|UNABLE_TO_ACQUIRE_MEMORY|SparkOutOfMemory|"
        r"INVALID_(DRIVER|EXECUTOR)_MEMORY",
        "spark.memory",
    ),
    (r"Total size of serialized results .{0,200}maxResultSize", "spark.result-size"),
    (
        r"Python worker exited unexpectedly|PYTHON_WORKER_EXITED|Python worker failed to connect back",
        "spark.worker-died",
    ),
    (
        r"ExecutorLostFailure|executor lost|Executor heartbeat timed out|Slave lost|Worker lost|FetchFailed",
        "spark.executor-lost",
    ),
    (r"TaskResultLost", "spark.result-size"),  # the driver has no memory to fetch it, and does not say so
    (r"UnseenFolderError|Mkdirs failed to create", "spark.unseen-folder"),
    (
        r"FileNotFoundException|FileNotFoundError|PATH_NOT_FOUND|AccessControlException|AccessDeniedException|"
        r"FILE_NOT_EXIST|PermissionError|NoSuchFileException|Permission denied",
        "spark.unseen-file",
    ),
    (r"ClassNotFoundException: org\.postgresql|No suitable driver", "spark.no-jdbc"),
    (
        r"PSQLException: (FATAL|Connection|The connection|The authentication)|SocketTimeoutException",
        "spark.jdbc-connection",
    ),
    (r"PSQLException", "spark.jdbc-query"),
    (
        r"UNABLE_TO_INFER_SCHEMA|CANNOT_READ_FILE|UNSUPPORTED_TIME_TYPE|PARQUET_TYPE|Illegal Parquet type",
        "spark.parquet",
    ),
    (r"UnknownHostException|No FileSystem for scheme|ClassNotFoundException", "spark.unknown-store"),
    (r"All masters are unresponsive|stopped while waiting for backend|Authentication failed", "spark.not-accepted"),
    (
        r"stopped SparkContext|SparkContext was shut down|Master removed our application|"
        r"Py4JNetworkError|Connection refused|StatusCode\.UNAVAILABLE|Connection reset|SESSION_NOT_FOUND|"
        r"INVALID_HANDLE\.SESSION|RETRIES_EXCEEDED|"
        r"\"org\.apache\.spark\.Spark(Context|Env\$?)\.\w+\(\)\" is null|a running MetricsSystem",  # ended as it began
        "spark.connection-lost",
    ),
)
"""What is looked for in what Spark says, the more telling first."""

_FOREIGN = ("pyspark.", "py4j.", "grpc.", "grpc")
_PATIENCE = 5.0
"""Seconds that jobs may take to end once they were cancelled."""
_TURNS_PER_LOOK = 5
"""How seldom executors are counted, which takes Spark some work."""

Setting = tuple[str, str]
TO_COME: Setting = ("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
TO_COME_BACK: Setting = ("spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout", "120s")
"""How long executors may take: settings of Spark's own, and what holds where the user has not set them."""


@contextmanager
def failures_in_sentences(source: str, session: Any = None) -> Iterator[None]:
    """What fails in Spark while ``source`` is worked on is told in one sentence; Ctrl-C, or whoever watches, stops what
    runs there. Only jobs of ``session`` that begin inside are stopped, or all where none is given.
    """
    with _stoppable(session) as minder:
        try:
            yield
        except Exception as error:
            if not _is_foreign(error):
                raise
            stop_if_cancelled()
            if minder.is_forsaken:
                raise InputError("spark.executor-lost", source=source) from None
            raise _sentence(_said(error), source) from (error if os.environ.get("BIOMBO_DEBUG") else None)


def _is_foreign(error: Exception) -> bool:
    return type(error).__module__.startswith(_FOREIGN) or isinstance(error, ConnectionError | EOFError | TimeoutError)


def _said(error: BaseException) -> str:
    """All that Spark says, for us only."""
    parts: list[str] = []
    seen: BaseException | None = error
    while seen is not None and len(parts) < 10:
        with suppress(Exception):  # the text of some is in Java, which may be gone
            parts.append(f"{type(seen).__name__}: {seen}\n{getattr(seen, '_stackTrace', '') or ''}")
        seen = seen.__cause__ or seen.__context__
    return "\n".join(parts) or type(error).__name__


def _sentence(said: str, source: str) -> BiomboError:
    for known, key in _KNOWN:
        if re.search(known, said, re.IGNORECASE | re.DOTALL):
            return InputError(key, source=source)
    return InputError("spark.failed", source=source)


@contextmanager
def _stoppable(session: Any) -> "Iterator[_Minder]":
    """Jobs that begin inside end when somebody asks for it, or when nobody is left to do them."""
    tags = _Tags(session)
    tags.add()
    minder = _Minder(tags.stop, contextvars.copy_context(), Helpers.of(session, TO_COME_BACK))
    minder.start()
    try:
        with minder.hearing_interrupts():
            yield minder
    except KeyboardInterrupt:
        minder.cancel_once()
        raise
    finally:
        minder.over.set()
        with suppress(Exception):
            tags.remove()


class _Tags:
    """A mark on the jobs of this thread, by which they are stopped from another one; without a session all are."""

    def __init__(self, session: Any) -> None:
        self._tag = f"biombo-{uuid.uuid4()}"
        self._session = session
        is_remote = session is None or type(session).__module__.startswith("pyspark.sql.connect.")
        self._context = None if is_remote else session.sparkContext

    def add(self) -> None:
        if self._context is not None:
            self._context.addJobTag(self._tag)
        elif self._session is not None:
            self._session.addTag(self._tag)

    def remove(self) -> None:
        if self._context is not None:
            self._context.removeJobTag(self._tag)
        elif self._session is not None:
            self._session.removeTag(self._tag)

    def stop(self) -> None:
        if self._context is not None:
            self._context.cancelJobsWithTag(self._tag)
        elif self._session is not None:
            self._session.interruptTag(self._tag)
        else:
            _stop_everything()


def _stop_everything() -> None:
    from pyspark import SparkContext

    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.cancelAllJobs()
    connect = sys.modules.get("pyspark.sql.connect.session")
    remote = connect and connect.SparkSession._get_default_session()
    if remote:
        remote.interruptAll()


@dataclass
class Helpers:
    """The executors of a cluster. Where there are none, Spark itself would wait for ever."""

    context: Any
    setting: Setting
    since: float | None = None
    """Since when there are none."""

    @classmethod
    def of(cls, session: Any, setting: Setting) -> "Helpers | None":
        """Those of a session whose driver is in this machine and whose executors are not."""
        if session is None or type(session).__module__.startswith("pyspark.sql.connect."):
            return None
        context = session.sparkContext
        return None if context.master.startswith("local") else cls(context, setting)

    @property
    def patience(self) -> int:
        """Seconds that they may take to come."""
        return int(self.context._conf._jconf.getTimeAsSeconds(*self.setting))

    @property
    def are_missing(self) -> bool:
        """Is there none now?"""
        return bool(self.context._jsc.sc().getExecutorMemoryStatus().size() <= 1)  # the driver is one of them

    def are_gone(self) -> bool:
        """Have there been none for too long?"""
        now = time.monotonic()
        self.since = (self.since or now) if self.are_missing else None
        return self.since is not None and now - self.since > self.patience


class _Minder:
    """Stops what runs in Spark when it is asked to, from a thread of its own: the one that waits for Spark cannot."""

    def __init__(self, cancel: Callable[[], object], context: contextvars.Context, helpers: Helpers | None) -> None:
        self.over = threading.Event()
        self.is_forsaken = False
        """Was it stopped because nobody was left to do it?"""
        self._cancel, self._context, self._helpers = cancel, context, helpers
        self._asked = threading.Event()
        self._gives_up = False

    def start(self) -> None:
        threading.Thread(target=self._mind, name="biombo-spark-minder", daemon=True).start()

    def cancel_once(self) -> None:
        """From another thread than the one whose talk with Java was interrupted."""
        thread = threading.Thread(target=self._quietly, daemon=True)
        thread.start()
        thread.join(_PATIENCE)

    def _quietly(self) -> None:
        with suppress(Exception):
            self._cancel()

    def _mind(self) -> None:
        since = None
        for turn in count():
            if self.over.wait(0.2):
                return
            if not (self._asked.is_set() or self._is_cancelled() or self._is_forsaken(turn)):
                continue
            since = since or time.monotonic()
            self._quietly()
            if self._asked.is_set() and time.monotonic() - since > _PATIENCE and not self.over.is_set():
                self._gives_up = True
                _thread.interrupt_main()
                return

    def _is_cancelled(self) -> bool:
        try:
            self._context.run(stop_if_cancelled)
        except CancelledError:
            return True
        return False

    def _is_forsaken(self, turn: int) -> bool:
        if self._helpers is not None and turn % _TURNS_PER_LOOK == 0 and not self.is_forsaken:
            with suppress(Exception):  # the other thread notices that Java is gone
                self.is_forsaken = self._helpers.are_gone()
        return self.is_forsaken

    @contextmanager
    def hearing_interrupts(self) -> Iterator[None]:
        """Ctrl-C makes the jobs end, and is raised then: raised at once it would cut the talk with Java in the middle.
        A second one is raised at once.
        """
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return

        def hear(number: int, frame: Any) -> None:
            if self._asked.is_set() or self._gives_up:
                signal.default_int_handler(number, frame)
            self._asked.set()

        signal.signal(signal.SIGINT, hear)
        try:
            yield
        except Exception:
            if not self._asked.is_set():
                raise
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._asked.is_set():
            raise KeyboardInterrupt
