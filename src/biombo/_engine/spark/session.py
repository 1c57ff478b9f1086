"""Sessions of Spark: started once for each place, with what protects data switched on, and stopped at the end."""

import atexit
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._engine.spark.failures import TO_COME, Helpers, failures_in_sentences
from biombo._engine.spark.java import check_java
from biombo._engine.spark.master import Master, master_of
from biombo._engine.spark.owned_folder import OwnedFolder
from biombo._engine.spark.protection import refuse_unprotected, settings_of
from biombo._errors import InputError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = [
    "failures_in_sentences",
    "is_connect",
    "refuse_unprotected_session",
    "session_at",
]

COMMAND = "pip install 'biombo[spark]'"

_IF_NOT_SET = {
    "spark.app.name": "biombo",
    "spark.log.level": "ERROR",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_ALWAYS = {
    "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version": "1",
    "spark.io.encryption.enabled": "true",
}
"""Otherwise files of failed attempts would be taken for results, or rows on the disk be readable."""

_ALWAYS_LOCAL = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
_ALWAYS_BEYOND = {"spark.network.crypto.saslFallback": "false"}
"""Or a partner that does not encrypt would be talked to in the clear."""

_JAVA_OPTIONS = "JDK_JAVA_OPTIONS"
"""What Java itself reads, whoever starts it."""
_LOCALE = "LC_ALL"
_PAGES_AT = "SPARK_LOCAL_IP"
"""The address of Spark's pages, which no setting tells."""
_SECONDS_FOR_SERVER = 10.0
_SECONDS_TO_STOP = 20.0

_lock = threading.RLock()
_started: "dict[str, SparkSession]" = {}


def session_at(master: str) -> "SparkSession":
    """The session at ``master``, which is started where there is none yet and stopped when this process ends."""
    where = master_of(master)
    if find_spec("pyspark") is None:
        raise UsageError("spark.no-pyspark", command=COMMAND)
    with _lock:
        known = _started.get(where.text)
        if known is None or _is_over(known):
            known = _started[where.text] = _remote(where) if where.kind == "connect" else _classic(where)
        return known


def is_connect(session: "SparkSession") -> bool:
    """Is it a session of Spark Connect?"""
    return type(session).__module__.startswith("pyspark.sql.connect.")


def refuse_unprotected_session(session: "SparkSession") -> None:
    """Raise where somebody's own session would send data to other machines in the clear."""
    setting = settings_of(session)
    with failures_in_sentences("Spark"):
        own_secret = not is_connect(session)
        refuse_unprotected(setting, setting("spark.master") or "Spark", own_secret=own_secret)


def _is_over(session: "SparkSession") -> bool:
    if is_connect(session):
        return bool(session.is_stopped)
    context = session.sparkContext
    try:
        return context._jsc is None or bool(context._jsc.sc().isStopped())
    except Exception:  # its Java is gone
        return True


def _remote(where: Master) -> "SparkSession":
    """A session of Connect. Its own class makes it: asked in the usual way, Spark would make all of the process
    remote.
    """
    where.refuse_unreachable()
    if not where.is_near and not where.is_encrypted:
        raise UsageError("spark.connect-in-the-clear", master=where.shown)
    try:
        from pyspark.sql.connect.session import SparkSession
    except ImportError:
        raise UsageError("spark.no-pyspark", command=COMMAND) from None
    with failures_in_sentences(where.shown):
        session: Any = SparkSession.builder.remote(where.text).create()
        with _closed_on_failure(session):
            _await_server(session, where)
            refuse_unprotected(settings_of(session), where.shown, own_secret=False)
    atexit.register(_stop, session)
    return session


def _await_server(session: Any, where: Master) -> None:
    """Raise where no server answers in its own way within seconds: Spark itself tries for ten minutes."""
    import grpc

    try:
        grpc.channel_ready_future(session.client._channel).result(_SECONDS_FOR_SERVER)
    except grpc.FutureTimeoutError:
        raise InputError("spark.no-server", master=where.shown) from None


@contextmanager
def _closed_on_failure(session: Any) -> Iterator[None]:
    try:
        yield
    except BaseException:
        _give_up_soon(session)
        session.client.close()
        raise


def _give_up_soon(session: Any) -> None:
    """What is said to a server when all ends is not said again and again."""
    session.client.set_retry_policies([])


def _classic(where: Master) -> "SparkSession":
    """A session whose driver is in a Java process of this one's own."""
    from pyspark import SparkContext
    from pyspark.sql.session import SparkSession

    active = SparkContext._active_spark_context
    if active is not None and active.master == where.text:
        session = SparkSession(active)
        refuse_unprotected_session(session)
        return session
    check_java()
    where.refuse_unreachable()
    if active is not None:
        raise UsageError("spark.other-active", active=active.master, master=where.shown)
    try:
        with failures_in_sentences(where.shown):
            return _begun(where)
    except InputError as error:
        if error.key == "spark.connection-lost":  # somebody was there, and did not talk to us
            raise InputError("spark.not-accepted", source=where.shown) from None
        raise


def _begun(where: Master) -> "SparkSession":
    from pyspark import SparkConf, SparkContext
    from pyspark.sql.session import SparkSession

    gateway = _gateway(where)
    conf = SparkConf(_jvm=gateway.jvm)  # with what the user has set
    conf.setMaster(where.text)
    folders = _settled(conf, where)
    refuse_unprotected(conf.get, where.shown)
    with _signals_as_they_are(), _removed_on_failure(folders):
        context = SparkContext(conf=conf, gateway=gateway)
    context.pythonExec = _python(conf, where)
    session = SparkSession(context)
    atexit.register(_stop, session, gateway, folders)
    if where.kind == "standalone":
        _await_workers(session, where)
    return session


def _settled(conf: Any, where: Master) -> list[OwnedFolder]:
    """The settings that are ours made, in the place of the user's only where these would be less safe; the folders
    that were made for them.
    """
    usual = _IF_NOT_SET
    if where.kind == "local":
        usual = usual | {"spark.sql.shuffle.partitions": str(4 * (os.cpu_count() or 2))}
    for name, value in usual.items():
        conf.setIfMissing(name, value)
    for name, value in (_ALWAYS | (_ALWAYS_LOCAL if where.kind == "local" else _ALWAYS_BEYOND)).items():
        conf.set(name, value)
    return _private_folders(conf)


def _private_folders(conf: Any) -> list[OwnedFolder]:
    """Folders that only the user may look into, for what Spark puts on the disk: in those that the user chose, or
    where temporary files are.
    """
    chosen = [each for each in conf.get("spark.local.dir", "").split(",") if each] or [tempfile.gettempdir()]
    folders = []
    for place in chosen:
        try:
            folders.append(OwnedFolder(Path(place)))
        except OSError:
            raise InputError("spark.local-dir", folder=place) from None
    conf.set("spark.local.dir", ",".join(str(each.path) for each in folders))
    conf.set("spark.sql.warehouse.dir", str(folders[0].path / "warehouse"))
    return folders


def _python(conf: Any, where: Master) -> str:
    """The Python of workers: here it is this one; elsewhere the one that the user named."""
    if where.kind == "local":
        return sys.executable
    named: str = os.environ.get("PYSPARK_PYTHON") or conf.get("spark.pyspark.python", "") or "python3"
    return named


@contextmanager
def _java_told(where: Master) -> Iterator[None]:
    """What only the environment tells Java. One that has no memory left goes on as long as it can do anything at all,
    and nobody hears of it. In one machine nobody else may look at Spark's pages, where somebody has turned them on.
    Names of files have letters of all languages.
    """
    told = {_JAVA_OPTIONS: " ".join(filter(None, [os.environ.get(_JAVA_OPTIONS), "-XX:+ExitOnOutOfMemoryError"]))}
    if where.kind == "local":
        told[_PAGES_AT] = "127.0.0.1"
    if not _names_are_utf8():
        told[_LOCALE] = "C.UTF-8"
    before = {name: os.environ.get(name) for name in told}
    os.environ.update(told)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _names_are_utf8() -> bool:
    """Does the locale, by which Java reads names of files, know all letters?"""
    named = next(filter(None, map(os.environ.get, (_LOCALE, "LC_CTYPE", "LANG"))), "")
    return "utf-8" in named.lower() or "utf8" in named.lower()


def _gateway(where: Master) -> Any:
    """The way into Java, whose process is started where there is none. What it would write to the terminal is not
    for our users.
    """
    from pyspark import SparkContext
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is None:
        quiet = {} if is_debugged() else {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            with _java_told(where):
                SparkContext._gateway = launch_gateway(popen_kwargs=quiet)
        except PySparkRuntimeError:
            raise InputError("spark.not-started") from None
        SparkContext._jvm = SparkContext._gateway.jvm
    return SparkContext._gateway


def is_debugged() -> bool:
    """Does the user want to see what libraries say?"""
    return bool(os.environ.get("BIOMBO_DEBUG"))


def _await_workers(session: Any, where: Master) -> None:
    """Raise where no worker comes to help: Spark itself would wait for ever."""
    helpers, waited = Helpers.of(session, TO_COME), threading.Event()
    while helpers is not None and helpers.are_missing:
        if helpers.are_gone():
            raise InputError("spark.no-workers", master=where.shown, seconds=helpers.patience)
        waited.wait(0.2)


@contextmanager
def _signals_as_they_are() -> Iterator[None]:
    """Spark takes over what Ctrl-C does in the process; it is given back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _removed_on_failure(folders: list[OwnedFolder]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        _remove(folders)
        raise


def _remove(folders: list[OwnedFolder]) -> None:
    for folder in folders:
        folder.remove()


def _stop(session: Any, gateway: Any = None, folders: list[OwnedFolder] | None = None) -> None:
    """End the session, its Java, and what lies on the disk. The process ends anyway, whatever goes wrong here."""
    with suppress(Exception):
        if is_connect(session):
            _give_up_soon(session)
        session.stop()
    if gateway is not None:
        with suppress(Exception):
            gateway.shutdown()
        if gateway.proc is not None:
            with suppress(Exception):
                gateway.proc.stdin.close()
                gateway.proc.wait(_SECONDS_TO_STOP)
    _remove(folders or [])
