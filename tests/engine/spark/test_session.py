"""Sessions of Spark: started once, protected, silent, gone afterwards; or one sentence why not."""

import os
import signal
import socket
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from spark_engine import MASTER, needs_spark, spark_session

from biombo._engine.spark import is_connect, session_at

pytestmark = needs_spark


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own; what goes wrong is its exit code 2 and a sentence."""
    program = folder / "program.py"
    program.write_text(
        "import sys\nimport biombo as bb\nfrom biombo._engine.spark import *\ntry:\n"
        + textwrap.indent(textwrap.dedent(code), "    ")
        + "\nexcept bb.BiomboError as error:\n    print(error.key, error, file=sys.stderr)\n    sys.exit(2)\n"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    return subprocess.run(
        [sys.executable, "-W", "ignore:PySpark does not yet", program],
        env=kept | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def sentence(ended: subprocess.CompletedProcess[str]) -> str:
    """The only line that a failure prints."""
    assert ended.returncode == 2, ended.stderr
    (line,) = ended.stderr.strip().splitlines()
    return line


def settings(folder: Path, **values: str) -> str:
    """A folder with Spark's settings."""
    lines = [f"{name.replace('_', '.')} {value}\n" for name, value in values.items()]
    (folder / "conf").mkdir()
    (folder / "conf" / "spark-defaults.conf").write_text("".join(lines))
    return str(folder / "conf")


def test_there_is_one_for_each_place():
    session = spark_session()

    assert session_at(MASTER) is session
    assert not is_connect(session)
    assert session.range(5).count() == 5


def test_what_lies_on_the_disk_is_encrypted_and_for_the_user_alone():
    conf = spark_session().sparkContext.getConf()

    assert conf.get("spark.io.encryption.enabled") == "true"
    assert stat.S_IMODE(Path(conf.get("spark.local.dir")).stat().st_mode) == 0o700
    assert conf.get("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version") == "1"


def test_nobody_else_can_connect():
    context = spark_session().sparkContext

    assert context.getConf().get("spark.driver.host") == "127.0.0.1"
    assert context.uiWebUrl is None


def test_ctrl_c_is_what_it_was():
    spark_session()

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_workers_have_the_python_of_this_process():
    def which(batches):
        import sys

        import pyarrow as pa

        for _ in batches:
            yield pa.RecordBatch.from_pydict({"python": [sys.executable]})

    found = spark_session().range(1).mapInArrow(which, "python string").collect()

    assert {row.python for row in found} == {sys.executable}


def test_another_place_in_the_same_process_is_refused():
    from biombo import UsageError

    spark_session()
    with pytest.raises(UsageError, match="has Spark at local\\[2\\] already"):
        session_at("local[3]")


def test_rows_that_do_not_fit_into_memory_are_on_the_disk_unreadable(tmp_path):
    ended = run(
        """
        session = session_at("local[2]")
        rows = session.range(200_000).selectExpr("concat('MARKER-', id) as name", "id % 7 as part")
        from pyspark import StorageLevel
        kept = rows.repartition(4, "name").persist(StorageLevel.DISK_ONLY)
        assert kept.count() == 200_000
        from pathlib import Path
        folder = Path(session.conf.get("spark.local.dir"))
        files = [file for file in folder.rglob("*") if file.is_file()]
        sizes = sum(file.stat().st_size for file in files)
        found = [file for file in files if b"MARKER-" in file.read_bytes()]
        print(sizes > 1_000_000, len(found), folder)
        """,
        tmp_path,
    )

    on_disk, readable, folder = ended.stdout.split()
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (on_disk, readable) == ("True", "0")
    assert not Path(folder).exists()
    assert {path.name for path in tmp_path.iterdir()} == {"program.py"}


def test_the_users_settings_are_kept_unless_they_are_less_safe(tmp_path):
    (tmp_path / "large disk").mkdir()
    conf = settings(
        tmp_path,
        spark_sql_shuffle_partitions="3",
        spark_ui_showConsoleProgress="true",
        spark_io_encryption_enabled="false",
        spark_local_dir=f"{tmp_path}/large disk",
    )
    ended = run(
        """
        conf = session_at("local[1]").sparkContext.getConf()
        for name in ("sql.shuffle.partitions", "io.encryption.enabled", "local.dir"):
            print(conf.get(f"spark.{name}"))
        """,
        tmp_path,
        SPARK_CONF_DIR=conf,
    )

    partitions, encryption, folder = ended.stdout.splitlines()
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (partitions, encryption) == ("3", "true")
    assert Path(folder).parent == tmp_path / "large disk"
    assert not Path(folder).exists()


def test_without_pyspark_it_is_said_how_to_install_it(tmp_path):
    ended = run(
        """
        sys.modules["pyspark"] = None
        session_at("local[2]")
        """,
        tmp_path,
    )

    assert sentence(ended).startswith("spark.no-pyspark")
    assert "pip install 'biombo[spark]'" in sentence(ended)


def test_without_java_nothing_is_tried(tmp_path):
    ended = run('session_at("local[2]")', tmp_path, PATH=str(tmp_path), JAVA_HOME="")

    assert sentence(ended).startswith("spark.no-java ")


def test_with_an_old_java_nothing_is_tried(tmp_path):
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'openjdk version \"11.0.21\"' >&2\n")
    program.chmod(0o755)

    ended = run('session_at("local[2]")', tmp_path, JAVA_HOME=str(tmp_path))

    assert sentence(ended).startswith("spark.old-java")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    conf = settings(tmp_path, spark_local_dir=f"{tmp_path}/absent")

    ended = run('session_at("local[2]")', tmp_path, SPARK_CONF_DIR=conf)

    assert sentence(ended).startswith("spark.local-dir")
    assert f"{tmp_path}/absent" in sentence(ended)


@pytest.fixture
def open_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_cluster_without_protection_is_refused_before_it_is_talked_to(tmp_path, open_port):
    conf = settings(tmp_path, spark_authenticate_secret="s3cr3t-of-all")

    ended = run(f'session_at("spark://127.0.0.1:{open_port}")', tmp_path, SPARK_CONF_DIR=conf)

    assert sentence(ended).startswith("spark.unprotected")
    assert "spark.authenticate=true" in sentence(ended)
    assert "spark.network.crypto.enabled=true" in sentence(ended)
    assert "s3cr3t" not in ended.stdout + ended.stderr


def test_a_server_far_away_must_speak_tls(monkeypatch):
    from biombo import UsageError

    monkeypatch.setattr("biombo._engine.spark.master._answers", lambda *_: True)
    with pytest.raises(UsageError, match=";use_ssl=true"):
        session_at("sc://192.0.2.7:15002")


def test_what_answers_but_is_no_spark_server_is_told_soon(tmp_path, open_port):
    ended = run(f'session_at("sc://127.0.0.1:{open_port}")', tmp_path)

    assert sentence(ended).startswith("spark.no-server")
