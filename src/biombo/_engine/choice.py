"""Which engine a text names."""

from biombo._addresses import discreet
from biombo._engine.engine import Engine
from biombo._engine.local.engine import LOCAL
from biombo._engine.spark.master import CONNECT, STANDALONE, Master, master_of
from biombo._errors import UsageError

HERE = "local"
"""The name of the engine that works in this process."""

_IN_THIS_MACHINE = "spark:"


def engine_of(named: Engine | str) -> Engine:
    """The engine that a text names, or the one that was given; nothing is started.

    >>> engine_of("local") is LOCAL
    True
    """
    if not isinstance(named, str):
        return named
    master = _master(named)
    if master is None:
        return LOCAL
    from biombo._engine.spark.engine import SparkEngine

    return SparkEngine(master.text)


def check_engine(named: str) -> None:
    """Raise where no engine is called so.

    >>> check_engine("spark:local[2]")
    >>> check_engine("flink")
    Traceback (most recent call last):
        ...
    biombo._errors.UsageError: There is no engine 'flink'; the engines are local, spark:local[*], spark://host:7077 and sc://host:15002 (Spark Connect).
    """  # noqa: E501
    _master(named)


def _master(named: str) -> Master | None:
    """Where Spark is; none where the engine is this process."""
    if named == HERE:
        return None
    if named.startswith((STANDALONE, CONNECT)):
        return master_of(named)
    within = named.removeprefix(_IN_THIS_MACHINE)
    if within == named or not within.startswith("local"):
        raise UsageError("spark.engine", engine=discreet(named))
    return master_of(within)
