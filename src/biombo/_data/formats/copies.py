"""What a query gives, or one table of a file that has several, kept as a file of one's own: it is read once."""

import tempfile
import time
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from biombo._data.formats.open import open_sources
from biombo._data.formats.source import Source
from biombo._data.formats.sql_query import SqlQuery, database_at
from biombo._data.plain import as_written
from biombo._errors import InputError
from biombo._files import PRIVATE, replacing

_MEBIBYTE = 1024**2


def copy_query(query: str, database: str, path: Path, *, seconds: float, most: int) -> None:
    """Write the rows of ``query`` into a Parquet file for its owner alone. Raises where that takes longer than
    ``seconds``, or more than ``most`` bytes.
    """
    _copy(SqlQuery(query, database_at(database, seconds)), path, seconds=seconds, most=most)


def copy_table(source: Path, sheet: str, path: Path) -> None:
    """Write one table of a file that has several (:func:`tables_in`) into a Parquet file for its owner alone."""
    (table,) = open_sources(source, sheet=sheet)
    _copy(table, path)


def tables_in(source: Path) -> tuple[str, ...]:
    """The tables of a file among which somebody has to choose, by name; none where there is one alone."""
    try:
        for each in open_sources(source):
            each.columns  # noqa: B018 - workbooks are looked into only when they are asked
    except InputError as error:
        if "tables" not in error.values:
            raise
        return tuple(error.values["tables"])
    return ()


def _copy(asked: Source, path: Path, *, seconds: float = inf, most: float = inf) -> None:
    until = time.monotonic() + seconds
    with tempfile.TemporaryFile(dir=path.parent) as spool:
        schema: pa.Schema | None = None
        taken = 0
        for batch in asked.batches(asked.columns):
            taken += batch.nbytes
            if taken > most:
                raise InputError("input.query-large", mebibytes=int(most // _MEBIBYTE))
            if time.monotonic() > until:
                raise InputError("input.query-slow")
            schema = _plain(batch.schema) if schema is None else _in_common(schema, _plain(batch.schema))
            with pa.ipc.new_stream(spool, batch.schema) as stream:
                stream.write_batch(batch)
        if schema is None:
            raise InputError("input.empty", source=asked.label)
        spool.seek(0)
        with replacing(path, mode=PRIVATE) as file, pq.ParquetWriter(file, schema) as parquet:
            for batch in _spooled(spool):
                parquet.write_batch(_cast(batch, schema))


def _spooled(spool: IO[bytes]) -> Iterator[pa.RecordBatch]:
    """The batches, each of which has a schema of its own: what a column holds is known once all of it was seen."""
    end = spool.seek(0, 2)
    spool.seek(0)
    while spool.tell() < end:
        yield from pa.ipc.open_stream(spool)


def _plain(schema: pa.Schema) -> pa.Schema:
    """Without notes or dictionaries; lengths of time, for which Parquet has no type, as text."""
    types = (each.type.value_type if pa.types.is_dictionary(each.type) else each.type for each in schema)
    kinds = (pa.large_string() if pa.types.is_duration(each) else each for each in types)
    return pa.schema([pa.field(each.name, kind) for each, kind in zip(schema, kinds, strict=True)])


def _in_common(first: pa.Schema, second: pa.Schema) -> pa.Schema:
    return pa.schema([_shared(one, other) for one, other in zip(first, second, strict=True)])


def _shared(one: pa.Field, other: pa.Field) -> pa.Field:
    """The type that has the values of both; text where there is none."""
    try:
        return pa.unify_schemas([pa.schema([one]), pa.schema([other])], promote_options="permissive").field(0)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.field(one.name, pa.large_string())


def _cast(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    columns = [_as(column, field.type) for column, field in zip(batch.columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _as(column: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_large_string(kind) and not pa.types.is_string(column.type):
        return pa.array([None if value is None else as_written(value) for value in column.to_pylist()], kind)
    return column.cast(kind)
