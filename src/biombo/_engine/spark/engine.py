"""Plans carried out on Apache Spark: in this machine, on a cluster, or by Spark Connect."""

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._data import Column, Dataset, FarTuples, Progress, Schema, Source, SourceTable
from biombo._engine.engine import Engine, Printed, Printing, StoreTarget, Table
from biombo._engine.randomness import Randomness
from biombo._engine.step import Warn
from biombo._errors import InputError, LimitError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from biombo._engine.spark.flow import SparkFlow
    from biombo._engine.spark.jobs import Alone, Jobs
    from biombo._engine.spark.prints import TablePrints
    from biombo._engine.spark.products import Tuples
    from biombo._engine.spark.worker import Note, Work

ROWS_IN_PART = 1 << 20
"""Rows that one task reads, about, where a file can be read in parts."""
FOLDER = "BIOMBO_SPARK_FOLDER"
"""Says where the folder is that driver and workers share, where nothing else does."""
MOST_TUPLES, MOST_ROWS = "BIOMBO_SPARK_TUPLES", "BIOMBO_SPARK_ROWS"
"""Say how many may come to this process, where nothing else does."""

_SHARE = 4
"""Of the driver's memory, one part in so many is for tuples."""
_BYTES_OF_TUPLE = 256
_BYTES_OF_ROW = 128
_LIMIT = re.compile("[0-9]{1,18}")


class SparkEngine(Engine):
    """Rows are read, changed and counted by Spark's workers; tuples of values come to this process, which thinks.

    >>> SparkEngine("local[2]")
    SparkEngine('local[2]')
    """

    def __init__(
        self,
        master: str | None = None,
        *,
        session: "SparkSession | None" = None,
        folder: str | Path | None = None,
        most_tuples: int | None = None,
        most_rows: int | None = None,
        rows_in_part: int | None = None,
    ) -> None:
        """Nothing is started before a table is worked on.

        Args:
            master: ``local[2]``, ``spark://host:7077`` or ``sc://host:15002``.
            session: A session that is there already, instead of ``master``.
            folder: A folder that this process and all workers see, for sealed files that are removed in the end; by
                default what the variable ``BIOMBO_SPARK_FOLDER`` says, or the one for temporary files.
            most_tuples: How many distinct tuples may come to this process; by default what the variable
                ``BIOMBO_SPARK_TUPLES`` says, or as many as fit into a quarter of its memory.
            most_rows: How many single records may, where an operation needs them all; likewise ``BIOMBO_SPARK_ROWS``.
            rows_in_part: How many rows one task reads, about, where they can be read in parts; by default a million.
        """
        if (master is None) == (session is None):
            raise UsageError("spark.master-or-session")
        self.master = master
        self._session = session
        self._folder = None if folder is None else Path(folder)
        self._most_tuples, self._most_rows = most_tuples, most_rows
        self.rows_in_part = rows_in_part or ROWS_IN_PART

    def __repr__(self) -> str:
        from biombo._addresses import discreet

        return f"SparkEngine({discreet(self.master) if self.master else 'a session'!r})"

    @property
    def session(self) -> "SparkSession":
        """The session, started now if need be."""
        from biombo._engine.spark.session import refuse_unprotected_session, session_at

        if self._session is None:
            return session_at(str(self.master))
        refuse_unprotected_session(self._session)
        return self._session

    def reached(
        self, source: Any, *, filename: str | None = None, database: str | None = None, sheet: str | None = None
    ) -> Any:
        """``source`` opened by Spark, where only Spark reads what it names; else as it is."""
        from biombo._engine.spark.stores import opened_by_spark

        return opened_by_spark(self, source, filename, database, sheet)

    def target(self, out: str | Path, *, force: bool) -> Path | StoreTarget:
        """A place that Spark writes to, where it is the address of one."""
        from biombo._engine.spark.store_target import target_in_store

        return target_in_store(self, str(out), force) or Path(out)

    def open(
        self, table: SourceTable, kept: Sequence[str] = (), coded: Mapping[str, Column] | None = None
    ) -> "SparkTable":
        """A table to work on."""
        del coded  # which saves reading in one process, and nothing here
        return SparkTable(self, table, tuple(kept))

    def jobs(self, label: str, rows: int | None = None) -> "Jobs":
        """Jobs on one table."""
        from biombo._engine.spark.jobs import Jobs
        from biombo._engine.spark.workplace import Workplace

        there = os.environ.get(FOLDER)
        place = self._folder or (Path(there) if there else None)
        most = _memory() // _SHARE
        most_tuples = self._most_tuples or _limit(MOST_TUPLES) or most // _BYTES_OF_TUPLE
        most_rows = self._most_rows or _limit(MOST_ROWS) or most // _BYTES_OF_ROW
        return Jobs(self.session, Workplace(place), label, most_tuples, most_rows, self.rows_in_part, rows)


def _limit(variable: str) -> int | None:
    """The number that a variable of the environment says, where it is set."""
    text = os.environ.get(variable, "")
    if not text:
        return None
    if not _LIMIT.fullmatch(text) or int(text) < 1:
        raise UsageError("spark.limit", variable=variable, text=text[:40])
    return int(text)


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 32


@dataclass(eq=False)
class SparkTable(Table):
    """A table whose records are called by their part, and their place in it."""

    engine: SparkEngine
    source: SourceTable
    kept: tuple[str, ...]
    seen: dict[int, int] = field(default_factory=dict)
    """Rows by part, as far as they were counted."""
    prints: "TablePrints | None" = None
    """The fingerprints of the records, where these were made."""

    @property
    def label(self) -> str:
        """What it is called."""
        return self.source.label

    @property
    def columns(self) -> Sequence[str]:
        """Its columns."""
        return self.source.columns

    @property
    def rows(self) -> int | None:
        """How many rows it has, where that is known."""
        return sum(self.seen.values()) if self.seen else self.source.rows

    @property
    def _rows_at_most(self) -> int | None:
        """How many rows there can be, selected or not, where that is known."""
        return self.source.whole.rows if self.rows is None else self.rows

    def flow(
        self,
        schema: Schema,
        context: Any = None,
        *,
        random: Randomness,
        folder: Path | None,  # noqa: ARG002 - that may be one that is published
        warn: Warn,
        progress: Progress | None = None,
    ) -> "SparkFlow":
        """All its rows as they are."""
        from biombo._engine.spark.flow import SparkFlow

        parts, _ = self._stocked
        return SparkFlow(self, self.jobs, parts, list(self.columns), schema, context, random, warn, progress)

    @cached_property
    def jobs(self) -> "Jobs":
        """The jobs on this table, which share a folder."""
        return self.engine.jobs(self.label, self.source.whole.rows)

    @cached_property
    def _stocked(self) -> "tuple[list[SourceTable], list[Source]]":
        """The parts of the table, which stay the same ones, with their sources; what only this process can read lies
        in the folder.
        """
        from biombo._engine.spark.stock import stocked

        return stocked(self.source, self.jobs.workplace, self.engine.rows_in_part)

    def tuples(self, columns: Sequence[str], schema: Schema, progress: Progress | None = None) -> Dataset:  # noqa: ARG002
        """Count as the sources have the values. Of a small table all that was to be kept comes at once."""
        if {*columns} <= {*self.kept} and self.jobs.is_small(self._rows_at_most):
            columns_at_hand = {name: self._at_hand[name] for name in columns}
            return replace(self._at_hand, columns=columns_at_hand, schema=schema)
        return self._counted(columns, schema)

    @cached_property
    def _at_hand(self) -> Dataset:
        return self._counted(self.kept, Schema())

    def _counted(self, columns: Sequence[str], schema: Schema) -> Dataset:
        from biombo._engine.spark.worker import merged_kinds

        if len(columns) == 1 and (one := self._alone.columns.get(columns[0])) is not None:
            return one.counted(merged_kinds(self._alone.notes), schema, self.label).data
        book = self._alone.book if {*columns} <= {*self._alone.columns} else None
        arrived, notes = self.jobs.tuples(*self._counting(columns), schema.person, book)
        self.heed(notes)
        return arrived[0].counted(merged_kinds(notes), schema, self.label).data

    @cached_property
    def _alone(self) -> "Alone":
        """What was to be kept, each column for itself: it is asked for in many ways, of which many are answered so."""
        from biombo._engine.spark.jobs import Alone

        parts, _ = self._stocked
        if not self.kept or len(parts) == 1 or self.jobs.is_small(self._rows_at_most):
            return Alone({}, [])
        found = self.jobs.alone(*self._counting(self.kept))
        self.heed(found.notes)
        return found

    def surveyed(self, columns: Sequence[str], schema: Schema) -> Dataset | FarTuples:
        """The same, or tuples that Spark keeps."""
        from biombo._engine.spark.far import kept_by_spark

        try:
            return self.tuples(columns, schema)
        except LimitError:
            return kept_by_spark(self.jobs, self._counting(columns)[0], columns, schema, self.heed)

    def _counting(self, columns: Sequence[str]) -> "tuple[Work, Tuples]":
        from biombo._engine.spark.products import Tuples
        from biombo._engine.spark.worker import Work

        parts, _ = self._stocked
        names = tuple(columns)
        product = Tuples([names], {name: name for name in names})
        return Work(parts, (), None, product, as_is=True), product

    def heed(self, notes: "Sequence[Note]") -> None:
        """Take notice of what workers tell of the parts, which have rows."""
        from biombo._watch import warn

        if not sum(note.rows for note in notes):
            self.source.refuse_empty()
        self.remember_rows(notes)
        for sentence in dict.fromkeys(sentence for note in notes for sentence in note.warnings):
            warn(sentence)

    def some(self, columns: Sequence[str], schema: Schema, at_most: int) -> Dataset:
        """All rows, or so many of them."""
        from biombo._engine.spark.gathered import drawn_records
        from biombo._watch import warn

        return drawn_records(self.flow(schema, random=Randomness(), folder=None, warn=warn), columns, at_most)

    def printed(self, printing: Printing, needed: Collection[str]) -> Sequence[Printed]:
        """Have workers make the fingerprints of all records, which stay in sealed files."""
        from biombo._engine.spark.prints import made_prints

        self.prints, printed = made_prints(self.jobs, *self._stocked, printing, needed)
        return printed

    def remember_rows(self, notes: "Sequence[Note]") -> None:
        """Rows by part, which are the same in all passes."""
        for note in notes:
            if self.seen.setdefault(note.part, note.rows) != note.rows:
                raise InputError("plan.changed", source=self.label, rows=self.seen[note.part])

    def rows_by_part(self) -> tuple[int, ...]:
        """How many rows each part has, once all were passed over."""
        return tuple(self.seen[number] for number in range(len(self.seen)))

    def counted_rows(self) -> int:
        """How many rows there are; counted where the sources do not tell."""
        if self.rows is None:
            self.tuples(self.columns[:1], Schema())
        return int(self.rows or 0)

    def refuse_many_rows(self) -> None:
        """Raise where single records are needed in this process and are too many for it."""
        rows, most = self.counted_rows(), self.jobs.most_rows
        if rows > most:
            raise LimitError("spark.too-many-rows", source=self.label, rows=rows, most=most)
