"""The Java that Spark needs: none, an old one, one that is not Java at all."""

from pathlib import Path

import pytest
from refusal import refused

from biombo._engine.spark import check_java


def java_that(does: str, folder: Path) -> Path:
    """A home of Java whose program does something else."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    return folder


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Where JAVA_HOME leads."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    return tmp_path / "java"


@pytest.mark.parametrize("told", ['openjdk version "17.0.9"', 'java version "21"', 'openjdk version "25-ea" 2025'])
def test_later_ones_will_do(home, told):
    java_that(f"echo '{told}' >&2", home)
    check_java()


@pytest.mark.parametrize(("told", "version"), [("1.8.0_392", "8"), ("11.0.21", "11"), ("16.0.1", "16")])
def test_an_old_one_is_refused_by_its_version(home, told, version):
    java_that(f"""echo 'openjdk version "{told}"' >&2""", home)
    with refused("spark.old-java", f"Java {version}", str(home), "17", "21"):
        check_java()


@pytest.mark.parametrize("does", ["echo hello", "exit 3", """echo 'version "17"' >&2; exit 1"""])
def test_what_does_not_say_what_it_is_is_refused(home, does):
    java_that(does, home)
    with refused("spark.no-java-version", str(home / "bin" / "java")):
        check_java()


def test_a_home_without_java_is_refused_though_the_path_has_one(home, tmp_path, monkeypatch):
    other = java_that("""echo 'version "17"' >&2""", tmp_path / "other")
    monkeypatch.setenv("PATH", str(other / "bin"))
    with refused("spark.no-java-home", str(home)):
        check_java()


def test_without_a_home_the_path_is_searched(tmp_path, monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with refused("spark.no-java", "JAVA_HOME", "openjdk-17-jre-headless"):
        check_java()
    java_that("""echo 'version "11"' >&2""", tmp_path / "old")
    monkeypatch.setenv("PATH", f"{tmp_path / 'old' / 'bin'}:/bin")
    with refused("spark.old-java", "Java 11"):
        check_java()


def test_a_home_of_spark_without_spark_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    with refused("spark.no-spark-home", str(tmp_path)):
        check_java()
