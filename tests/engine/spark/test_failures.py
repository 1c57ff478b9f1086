"""What goes wrong in Spark: one sentence each, which quotes nothing that Spark says."""

import os
import signal
import sys
import threading
import time

import pytest
from refusal import refused
from spark_engine import needs_spark, spark_session

import biombo as bb
from biombo._engine.spark import failures_in_sentences

VALUE = "Pessoa-042"


class SparkSaysError(Exception):
    """Stands for an exception of Spark's own."""

    __module__ = "pyspark.errors.exceptions.captured"


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("ExecutorLostFailure (executor 1 exited caused by one of the running tasks)", "spark.executor-lost"),
        ("ExecutorLostFailure: Container killed by YARN for exceeding memory limits", "spark.memory"),
        ("java.lang.OutOfMemoryError: Java heap space", "spark.memory"),
        ("Command exited with code 137: exit code 137", "spark.memory"),
        ("ImportError: polars.so: failed to map segment from shared object", "spark.memory"),
        ("java.io.IOException: No space left on device", "spark.disk-full"),
        ("Total size of serialized results of 8 tasks is bigger than spark.driver.maxResultSize", "spark.result-size"),
        ("[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.9", "spark.other-python"),
        ("ModuleNotFoundError: No module named 'biombo'", "spark.no-biombo"),
        ("ModuleNotFoundError: No module named 'biombo._engine'", "spark.no-biombo"),
        ("Job aborted: Master removed our application: KILLED", "spark.connection-lost"),
        ("Cannot call methods on a stopped SparkContext.", "spark.connection-lost"),
        ('the return value of "org.apache.spark.SparkContext._taskScheduler()" is null', "spark.connection-lost"),
        ("Can only call getServletHandlers on a running MetricsSystem", "spark.connection-lost"),
        ("All masters are unresponsive! Giving up.", "spark.not-accepted"),
        ("java.io.IOException: Mkdirs failed to create file:/shared/stage-3/_temporary/0", "spark.unseen-folder"),
        ("Lost task 0.3 in stage 2.0: TaskResultLost (result lost from block manager)", "spark.result-size"),
        ("[INVALID_DRIVER_MEMORY] System memory 200 must be at least 471859200", "spark.memory"),
        ("No FileSystem for scheme \"s3a\"", "spark.unknown-store"),
        ("something that nobody has seen before", "spark.failed"),
    ],
)  # fmt: skip
def test_what_spark_says_is_told_in_our_words(said, key):
    with refused(key, "people.parquet") as _, failures_in_sentences("people.parquet"):
        raise SparkSaysError(f"{said}: row ({VALUE})")


def test_nothing_of_it_is_quoted():
    with pytest.raises(bb.InputError) as caught, failures_in_sentences("people.parquet"):
        raise SparkSaysError(f"unexpected value {VALUE}")

    assert VALUE not in f"{caught.value} {caught.value!r}"
    assert caught.value.__suppress_context__


def test_errors_of_others_stay_what_they_are():
    with pytest.raises(KeyError), failures_in_sentences("people.parquet"):
        raise KeyError("mine")
    with refused("column.missing"), failures_in_sentences("people.parquet"):
        raise bb.ColumnError.missing("age", [], "people.parquet")


def mapped(change=None):
    """Workers do not have this module: what they are to do is a function within another."""

    def same(batches):
        yield from batches

    return spark_session().range(8).mapInArrow(change or same, "id long")


@pytest.fixture
def python_of_workers():
    """Lets workers be started by another program; the session is left as it was."""
    context = spark_session().sparkContext
    usual = context.pythonExec

    def choose(program) -> None:
        context.pythonExec = str(program)

    yield choose
    context.pythonExec = usual


@needs_spark
class TestRealFailures:
    def test_no_such_python(self, python_of_workers, tmp_path):
        python_of_workers(tmp_path / "absent")
        with refused("spark.no-python", "people", "PYSPARK_PYTHON"), failures_in_sentences("people"):
            mapped().count()

    def test_a_python_without_biombo(self, python_of_workers, tmp_path):
        (tmp_path / "sitecustomize.py").write_text(
            "import sys\n"
            "class Without:\n"
            "    def find_spec(self, name, *_):\n"
            "        if name == 'biombo':\n"
            "            raise ModuleNotFoundError(f'No module named {name!r}')\n"
            "sys.meta_path.insert(0, Without())\n"
        )
        program = tmp_path / "python"
        program.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}:$PYTHONPATH" exec {sys.executable} "$@"\n')
        program.chmod(0o755)
        python_of_workers(program)

        def with_biombo(batches):
            import biombo  # noqa: F401

            yield from batches

        with refused("spark.no-biombo", "people", "biombo[spark]"), failures_in_sentences("people"):
            mapped(with_biombo).count()

    def test_a_worker_that_dies(self):
        def dies(batches):
            os.kill(os.getpid(), signal.SIGKILL)
            yield from batches

        with refused("spark.worker-died", "people", "spark.executor.memoryOverhead"), failures_in_sentences("people"):
            mapped(dies).count()

    def test_a_worker_without_memory(self):
        def hungry(batches):
            yield from batches
            raise MemoryError

        with refused("spark.memory", "people"), failures_in_sentences("people"):
            mapped(hungry).count()

    def test_a_file_that_is_not_there(self, tmp_path):
        spark_session().range(8).write.parquet(f"{tmp_path}/people")
        table = spark_session().read.parquet(f"{tmp_path}/people")
        for part in (tmp_path / "people").glob("part-*"):
            part.unlink()
        with refused("spark.unseen-file", "people"), failures_in_sentences("people"):
            table.count()
        with refused("spark.unseen-file", "people"), failures_in_sentences("people"):
            spark_session().read.parquet(f"{tmp_path}/absent")

    def test_what_a_worker_says_is_not_told(self):
        def tells(batches):
            yield from batches
            raise ValueError(VALUE)

        with pytest.raises(bb.InputError) as caught, failures_in_sentences("people"):
            mapped(tells).count()
        assert caught.value.key == "spark.failed"
        assert VALUE not in str(caught.value)

    def test_after_a_failure_the_session_goes_on(self):
        assert mapped().count() == 8


def slowly():
    def slow(batches):
        time.sleep(60)
        yield from batches

    return mapped(slow)


def jobs_end() -> bool:
    """Do all jobs end within seconds?"""
    tracker = spark_session().sparkContext.statusTracker()
    for _ in range(100):
        if not tracker.getActiveJobsIds():
            return True
        time.sleep(0.1)
    return False


@needs_spark
@pytest.mark.parametrize("named", [True, False], ids=["of the session", "all"])
class TestStopping:
    def test_ctrl_c_ends_the_jobs_and_is_raised(self, named, capfd):
        session = spark_session()
        began = time.monotonic()
        threading.Timer(2, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt), failures_in_sentences("people", session if named else None):
            slowly().count()

        assert time.monotonic() - began < 30
        assert jobs_end()
        assert capfd.readouterr().err == ""
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert mapped().count() == 8

    def test_whoever_watches_can_stop_it(self, named):
        session = spark_session()
        with bb.Watch() as watch:
            threading.Timer(2, watch.cancel).start()
            with refused("watch.cancelled"), failures_in_sentences("people", session if named else None):
                slowly().count()

        assert jobs_end()
