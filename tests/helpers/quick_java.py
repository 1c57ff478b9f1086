"""Java for Spark in tests, whose tables are small: it does not compile for speed what runs once, does not check classes
of Spark each time that it loads them, and finds them in an archive, where there is one.

Run as a program, it makes that archive: half of what a session of Spark takes is the loading of some 20,000 classes.
"""

import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

_ARCHIVE = Path(sys.prefix) / "spark-classes.jsa"
_FLAGS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"


def spark_home() -> Path:
    """Where Spark is installed."""
    found = find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def quick_options() -> str:
    """What Java is told. An archive is of one list of classes, which must not have a folder with settings in it."""
    if not _ARCHIVE.exists():
        return _FLAGS
    return f"{_with_classes()} -XX:SharedArchiveFile={_ARCHIVE} -Xlog:disable"


def _with_classes() -> str:
    return f"{_FLAGS} -cp {spark_home()}/jars/*"


def _archive() -> None:
    """Do once what tests do, and keep the classes that it took."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    made = _ARCHIVE.with_suffix(".part")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_CONF_DIR"] = str(Path(__file__).parent / "quick_spark")
    os.environ["SPARK_SUBMIT_OPTS"] = f"{_with_classes()} -XX:ArchiveClassesAtExit={made} -Xlog:disable"
    with tempfile.TemporaryDirectory() as folder:
        session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
        numbers = session.range(100).selectExpr("id", "cast(id % 7 as string) as city", "id / 3 as amount")
        numbers.mapInArrow(lambda batches: batches, numbers.schema).write.parquet(f"{folder}/numbers")
        session.read.parquet(f"{folder}/numbers").write.option("header", True).csv(f"{folder}/text")
        text = session.read.option("header", True).csv(f"{folder}/text")
        counted = text.groupBy("city").count().hint("broadcast")
        assert text.join(counted, "city").orderBy("id").limit(5).toArrow().num_rows == 5
        session.stop()
        gateway = SparkContext._gateway
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait()
    made.replace(_ARCHIVE)


if __name__ == "__main__" and shutil.which("java") and " " not in f"{sys.prefix}{spark_home()}":
    _archive()
