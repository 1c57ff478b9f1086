"""Results in places that only Spark writes to: a folder of Parquet files, whole or not at all."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

from biombo._addresses import is_store, may_hold_password
from biombo._data import written
from biombo._engine.engine import StoreTarget
from biombo._engine.spark.failures import failures_in_sentences
from biombo._engine.spark.jobs import Jobs
from biombo._engine.spark.release import Heap, Heaps, heap_at, opened_heap
from biombo._engine.spark.stores import apart_from
from biombo._engine.spark.worker import Rows
from biombo._engine.spark.workplace import Seal, exactly
from biombo._errors import InputError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from biombo._engine.spark.engine import SparkEngine


def target_in_store(engine: "SparkEngine", address: str, force: bool) -> StoreTarget | None:
    """Where Spark writes, where ``address`` is of such a place, and nothing is there yet unless it is replaced."""
    if not is_store(address):
        return None
    if may_hold_password(address):
        raise UsageError("spark.store-password")
    if not force and _is_there(engine.session, address):
        raise UsageError("output.exists", path=address)
    return StoreTarget(address, replace=force)


def _is_there(session: "SparkSession", address: str) -> bool:
    from pyspark.errors import AnalysisException

    with failures_in_sentences(address):
        try:
            return bool(session.read.format("binaryFile").load(exactly(address)).schema)
        except AnalysisException as error:
            if error.getCondition() != "PATH_NOT_FOUND":
                raise
            return False


def write_to_store(jobs: Jobs, heaps: Heaps, target: StoreTarget) -> None:
    """Have workers write all records under Spark's commit protocol: a folder without ``_SUCCESS`` is none."""
    from pyspark.sql.pandas.types import from_arrow_schema

    if not heaps.places:
        raise InputError("output.store-empty", path=str(target))
    schema = _storable(heap_at(*heaps.places[0], heaps.seal)).schema
    apart = jobs.of(written_by(jobs.session))
    sealed = apart.read_stage(heaps.stage).where("heap is not null").select("blob")
    opened = sealed.mapInArrow(_opening(heaps.seal), from_arrow_schema(schema, prefer_timestamp_ntz=True))
    with failures_in_sentences(str(target), apart.session):
        opened.write.mode("overwrite" if target.replace else "error").parquet(target.address)


def written_by(above: "SparkSession") -> "SparkSession":
    """A session of the same Spark that writes names and moments as they are."""
    session = apart_from(above)
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    return session


def _opening(seal: Seal) -> Callable[[Rows], Rows]:
    def opening(batches: Rows) -> Rows:
        for batch in batches:
            for content in batch.column(0).to_pylist():
                yield from _storable(opened_heap(content, seal)).to_batches()

    return opening


_SETTINGS = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.session.timeZone": "UTC",
}

_STORED: dict[Any, Any] = {
    pl.UInt8: pl.Int16,
    pl.UInt16: pl.Int32,
    pl.UInt32: pl.Int64,
    pl.UInt64: pl.Decimal(20, 0),
    pl.Null: pl.String,
    pl.Time: pl.String,
    pl.Duration: pl.String,
}
"""What becomes of types that Spark has not."""


def _storable(heap: Heap) -> pa.Table:
    shown = [heap.frame[name] for name in heap.names]
    columns = [_stored(column) for column in shown]
    arrays = [column.to_arrow(compat_level=pl.CompatLevel.oldest()) for column in columns]
    return pa.table([_plain(array) for array in arrays], names=heap.names)


def _stored(column: pl.Series) -> pl.Series:
    """A column in a type that Spark has; times finer than Spark's as texts, so that nothing is cut off."""
    if isinstance(column.dtype, pl.Datetime) and column.dtype.time_unit == "ns":
        return written(column).alias(column.name)
    return column.cast(_STORED.get(column.dtype.base_type(), column.dtype))


def _plain(array: pa.Array) -> pa.Array:
    if pa.types.is_large_string(array.type):
        return array.cast(pa.string())
    if pa.types.is_timestamp(array.type) and array.type.unit != "us":
        return array.cast(pa.timestamp("us", array.type.tz))
    return array
