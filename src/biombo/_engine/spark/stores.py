"""Sources that only Spark reads: files in object stores and other file systems, and databases behind JDBC.

They are read once, by executors, into sealed files; whoever asks for their rows later, worker or driver, reads these.
CSV files come as lines and are read by Biombo's own reader, so that they are read alike wherever they lie.
"""

import os
import re
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pyarrow as pa

from biombo._addresses import JDBC, discreet, is_store, jdbc_parts, may_hold_password
from biombo._data import CsvStream, Distant, SourceTable
from biombo._engine.spark.failures import failures_in_sentences
from biombo._engine.spark.intake import (
    BLOBS_IN_FILE,
    FILE,
    SCHEMA,
    START,
    CsvIntake,
    Intake,
    StoredPart,
    Taken,
    TypedIntake,
    joined_lines,
    taken_in,
    unreadable,
)
from biombo._engine.spark.session import is_connect
from biombo._engine.spark.worker import Rows
from biombo._engine.spark.workplace import exactly
from biombo._errors import BiomboError, ColumnError, InputError, UsageError, shortened
from biombo._i18n import text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructType

    from biombo._engine.spark.engine import SparkEngine

_SETTINGS = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.files.maxPartitionNum": str((1 << 31) - 1),
    "spark.sql.legacy.parquet.nanosAsLong": "false",
    "spark.sql.parquet.binaryAsString": "false",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.inferTimestampNTZ.enabled": "true",
    "spark.sql.parquet.int96AsTimestamp": "true",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96TimestampConversion": "false",
    "spark.sql.parquet.mergeSchema": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.sql.timeType.enabled": "true",
}
"""With which values are read as they are: no time is moved, no name is taken for a number, nothing is left out."""

_SPLIT, _WHOLE = 1 << 27, 1 << 60
"""Bytes that one task reads of a file that can be cut, and of one that cannot. To begin another file costs as much, so
that no task has two."""

_CSV, _PARQUET = (".csv", ".tsv", ".txt"), (".parquet", ".pq")
_PACKED = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")
_LOOKING_AT_ONCE = 8
_NESTED = {"array", "map", "struct", "variant"}
_FIRST_ROW = "CASE WHEN monotonically_increasing_id() & 8589934591 = 0 THEN {} END"
"""Something of the first row of a task, and nothing of the others."""


@dataclass(frozen=True, eq=False)
class SparkStores:
    """Opens sources for one engine."""

    engine: "SparkEngine"

    def files(self, address: str) -> Distant:
        """The file, the folder or the files of a pattern at ``address``."""
        if may_hold_password(address):
            raise UsageError("spark.store-password")
        return StoredFiles(self, address)

    def query(self, query: str, database: str) -> Distant:
        """What the database at an address for JDBC answers."""
        parts = jdbc_parts(database) if database.startswith(f"{JDBC}postgresql://") else None
        if parts is None:
            raise UsageError("usage.database-jdbc")
        url, apart = parts
        known = os.environ.get("PGPASSWORD")
        return JdbcQuery(self, query, url, {"password": known, **apart} if known else apart)

    def session(self, most: int) -> "SparkSession":
        """A session of the same Spark with settings of its own; a task reads so many bytes of a file."""
        session = apart_from(self.engine.session)
        for name, value in _SETTINGS.items():
            session.conf.set(name, value)
        for name in ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes"):
            session.conf.set(name, str(most))
        return session


def apart_from(session: "SparkSession") -> "SparkSession":
    """A session of the same Spark whose settings are its own."""
    apart: SparkSession = session.cloneSession() if is_connect(session) else session.newSession()
    return apart


def names_store(source: Any, database: str | None) -> bool:
    """Is there something that only Spark reads?"""
    if database is not None:
        return database.startswith(JDBC)
    several = source if isinstance(source, list | tuple) else [source]
    return any(isinstance(each, str) and is_store(each) for each in several)


@dataclass(frozen=True, eq=False)
class StoredSource(Distant):
    """What all such sources do."""

    stores: SparkStores = field(repr=False)

    @property
    def rows(self) -> int | None:
        """As many as were read, once they were."""
        return sum(part.rows for part in self.parts) if self.is_held else None

    @property
    def is_held(self) -> bool:
        """Was it read?"""
        return "parts" in self.__dict__

    def hold(self) -> None:
        """Read it now, if it was not."""
        _ = self.parts

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        for part in self.parts:
            yield from part.batches(columns)

    @cached_property
    def parts(self) -> list[StoredPart]:
        """The rows in sealed files, which executors write."""
        jobs = self.stores.engine.jobs(self.label)
        workplace = jobs.workplace
        with failures_in_sentences(self.label):
            session, frame, intake, refused = self._reading(workplace.seal)
        made = frame.mapInArrow(taken_in(workplace.keep(intake)), SCHEMA)
        stage = jobs.of(session).staged(made, BLOBS_IN_FILE)
        taken = Taken.of(stage, workplace.seal)
        self._check(taken)

        def part(path: Any, rows: int) -> StoredPart:
            keeps = stage, workplace
            return StoredPart(path, workplace.seal, self.label, list(self.columns), rows, refused, keeps)

        return [part(path, rows) for path, rows in taken.parts] or [part(None, 0)]

    @abstractmethod
    def _reading(self, seal: Any) -> "tuple[SparkSession, DataFrame, Intake, Mapping[str, BiomboError]]":
        """The session and its frame to read, what is done with the rows, and the columns that cannot be had."""

    def _check(self, taken: Taken) -> None:
        """Raise where something was left out."""


@dataclass(frozen=True, eq=False)
class StoredFiles(StoredSource):
    """Parquet or CSV files: one, those of a folder, or those of a pattern."""

    address: str

    @property
    def label(self) -> str:
        """The address."""
        return str(discreet(self.address))

    @cached_property
    def columns(self) -> list[str]:
        """Those of the files, and those that stand in the names of their folders."""
        both = [name for name in self._folders if name in self._inside]
        if both:
            raise ColumnError("column.also-in-name", source=self.label, columns=shortened(both))
        return [*self._inside, *self._folders]

    @cached_property
    def _session(self) -> "SparkSession":
        return self.stores.session(_WHOLE if self._is_csv else _SPLIT)

    @cached_property
    def _listed(self) -> "tuple[list[str], list[str]]":
        """The files, and the columns in the names of their folders."""
        session = self.stores.session(_WHOLE)
        with failures_in_sentences(self.label, session):
            frame = session.read.text(self.address)
            files, columns = sorted(map(unquote, frame.inputFiles())), frame.columns
        if not files:
            raise InputError("input.no-match", pattern=self.label)
        return files, [name for name in columns if name != "value"]

    @property
    def _folders(self) -> list[str]:
        return self._listed[1]

    @cached_property
    def _is_csv(self) -> bool:
        kinds = {file: _suffix(file) for file in self._listed[0]}
        for file, kind in kinds.items():
            if kind not in (*_CSV, *_PARQUET):
                raise InputError("input.unknown-format", path=file, known=" ".join((*_CSV, *_PARQUET)))
        found = {kind in _CSV for kind in kinds.values()}
        if len(found) > 1:
            raise InputError("spark.mixed-formats", source=self.label)
        return found.pop()

    @cached_property
    def _inside(self) -> list[str]:
        """The columns in the files."""
        if not self._is_csv:
            return list(self._types)
        first = self._listed[0][0]
        with failures_in_sentences(self.label, self._session):
            lines = _lines(self._session, exactly(first)).mapInArrow(_beginning, "sample binary").toArrow()
        samples = lines.column(0).to_pylist()
        if not samples:
            raise InputError("input.empty-file", path=first)
        return CsvStream.of(first, iter(samples)).columns

    @cached_property
    def _types(self) -> "dict[str, DataType]":
        """The columns of Parquet files, with their types, which must be the same in all of them."""
        files = self._listed[0]
        with failures_in_sentences(self.label, self._session), ThreadPoolExecutor(_LOOKING_AT_ONCE) as looking:
            first, *others = looking.map(self._types_in, files)
        for file, types in zip(files[1:], others, strict=True):
            if types != first:
                raise InputError("spark.files-differ", source=self.label, first=files[0], other=file)
        return first

    def _types_in(self, file: str) -> "dict[str, DataType]":
        return _types(self._session.read.parquet(exactly(file)).schema)

    def _has_int96(self) -> bool:
        """Are times in the old way of Parquet, which says of no zone? Only by failing does Spark tell."""
        from pyspark.sql.types import TimestampType

        if not any(isinstance(kind, TimestampType) for kind in self._types.values()):
            return False
        session = self.stores.session(_SPLIT)
        session.conf.set("spark.sql.parquet.int96AsTimestamp", "false")
        try:
            return not session.read.parquet(exactly(self._listed[0][0])).schema
        except Exception as error:
            if "INT96" not in str(error):
                raise
            return True

    def _reading(self, seal: Any) -> "tuple[SparkSession, DataFrame, Intake, Mapping[str, BiomboError]]":
        place = [_first_row("_metadata.file_path", FILE), _first_row("_metadata.file_block_start", START)]
        if self._is_csv:
            folders = [_first_row(_quoted(name), f"p{at}") for at, name in enumerate(self._folders)]
            frame = _lines(self._session, self.address, *place, *folders)
            return self._session, frame, CsvIntake(seal, list(self.columns), self._folders), {}
        refused = {name: unreadable(self.label, name, kind.simpleString()) for name, kind in _nested(self._types)}
        kept = [name for name in self.columns if name not in refused]
        without_zone = _moments(self._types) if self._has_int96() else set()
        frame = self._session.read.parquet(self.address).selectExpr(*_named(kept, without_zone), *place)
        return self._session, frame, TypedIntake(seal, kept), refused

    def _check(self, taken: Taken) -> None:
        if self._is_csv:
            came = {_bare(unquote(file)) for file in taken.files}
            for file in self._listed[0]:
                if _bare(file) not in came:
                    raise InputError("input.empty-file", path=file)


@dataclass(frozen=True, eq=False)
class JdbcQuery(StoredSource):
    """A query, asked by one executor in a transaction that only reads."""

    query: str
    url: str
    apart: Mapping[str, str] = field(repr=False)
    """Who asks, with which password."""

    @property
    def label(self) -> str:
        """The query without its database."""
        return text("errors.input.the-query")

    @cached_property
    def columns(self) -> list[str]:
        """The names of the columns that the query gives."""
        with failures_in_sentences(self.label, self._session):
            return list(_types(self._frame.schema))

    @cached_property
    def _session(self) -> "SparkSession":
        return self.stores.session(_SPLIT)

    @cached_property
    def _frame(self) -> "DataFrame":
        if is_connect(self._session) and set(self.apart) - {"user"}:
            raise UsageError("spark.jdbc-connect")
        options = {
            **self.apart,
            "driver": "org.postgresql.Driver",
            "fetchsize": "10000",
            "preferTimestampNTZ": "true",
            "query": self.query.strip().removesuffix(";"),
            "sessionInitStatement": "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
            "url": self.url,
        }
        return self._session.read.format("jdbc").options(**options).load()

    def _reading(self, seal: Any) -> "tuple[SparkSession, DataFrame, Intake, Mapping[str, BiomboError]]":
        refused = dict(self._refused())
        kept = [name for name in self.columns if name not in refused]
        frame = self._frame.selectExpr(*_named(kept), f"'' AS {FILE}", f"0L AS {START}")
        return self._session, frame, TypedIntake(seal, kept), refused

    def _refused(self) -> Iterator[tuple[str, BiomboError]]:
        """Columns that do not come as they are: what has no fixed number of places is cut by Spark, and times of a day
        become moments of a day in 1970.
        """
        for each in self._frame.schema.fields:
            kind = each.dataType
            if kind.typeName() in _NESTED:
                yield each.name, unreadable(self.label, each.name, kind.simpleString())
            elif getattr(kind, "precision", 0) == 38 or each.metadata.get("logical_time_type"):
                shown = "time" if each.metadata.get("logical_time_type") else "numeric"
                yield each.name, InputError("spark.inexact", source=self.label, column=each.name, type=shown)


def opened_by_spark(
    engine: "SparkEngine", source: Any, filename: str | None, database: str | None, sheet: str | None
) -> Any:
    """``source`` as a table whose rows come by Spark, where only Spark reads it; else as it is."""
    if not names_store(source, database):
        return source
    return SourceTable.open(source, filename=filename, database=database, sheet=sheet, stores=SparkStores(engine))


def _lines(session: "SparkSession", address: str, *also: str) -> "DataFrame":
    """All lines, byte for byte, each file by one task."""
    return session.read.option("lineSep", "\n").text(address).selectExpr("CAST(value AS BINARY) AS value", *also)


def _beginning(batches: Rows) -> Rows:
    first = next(batches, None)
    if first is not None:
        sample = CsvStream.of("", joined_lines(first, batches)).beginning
        yield pa.RecordBatch.from_arrays([pa.array([sample], pa.binary())], ["sample"])


def _first_row(what: str, name: str) -> str:
    return f"{_FIRST_ROW.format(what)} AS {name}"


def _named(columns: Sequence[str], without_zone: Collection[str] = ()) -> Iterator[str]:
    """The columns under names that mean nothing; moments that have no zone as what a clock shows in UTC."""
    for at, name in enumerate(columns):
        value = f"CAST({_quoted(name)} AS TIMESTAMP_NTZ)" if name in without_zone else _quoted(name)
        yield f"{value} AS c{at}"


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _bare(file: str) -> str:
    """An address however many strokes it begins with."""
    return re.sub(r"^(\w+):/+", r"\1:/", file)


def _suffix(file: str) -> str:
    name = PurePosixPath(file)
    return PurePosixPath(name.stem if name.suffix.lower() in _PACKED else name.name).suffix.lower()


def _types(schema: "StructType") -> "dict[str, DataType]":
    return {each.name: each.dataType for each in schema.fields}


def _nested(types: "Mapping[str, DataType]") -> "Iterator[tuple[str, DataType]]":
    return ((name, kind) for name, kind in types.items() if kind.typeName() in _NESTED)


def _moments(types: "Mapping[str, DataType]") -> set[str]:
    from pyspark.sql.types import TimestampType

    return {name for name, kind in types.items() if isinstance(kind, TimestampType)}
