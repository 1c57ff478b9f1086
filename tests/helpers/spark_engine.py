"""Spark for tests: one session for all of them, or a reason why there is none."""

from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

from biombo import BiomboError
from biombo._engine import SparkEngine
from biombo._engine.spark import check_java, session_at

MASTER = "local[2]"
ROWS_IN_PART = 30

needs_spark = pytest.mark.spark
"""Tests marked so run in one process, and are skipped where there is no Spark."""


@cache
def missing_for_spark() -> str | None:
    """Why there is no Spark here."""
    if find_spec("pyspark") is None or find_spec("grpc") is None:
        return "PySpark is not installed (make .venv/.spark)"
    try:
        check_java()
    except BiomboError as error:
        return str(error)
    return None


@cache
def spark_engine() -> SparkEngine:
    """The engine that all tests share; its session starts when it is first used, and tables are in several parts."""
    return SparkEngine(MASTER, rows_in_part=ROWS_IN_PART)


def spark_session() -> Any:
    """The session that all tests share."""
    return session_at(MASTER)
