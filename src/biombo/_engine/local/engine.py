"""Plans carried out on this machine, in one process."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from biombo._data import CodedTable, Column, Dataset, Progress, Schema, SourceTable, count_table
from biombo._engine.engine import Engine, Printed, Printing, Table
from biombo._engine.local.prints import TablePrints
from biombo._engine.randomness import Randomness
from biombo._engine.step import Warn
from biombo._watch import advance, instead

if TYPE_CHECKING:
    from biombo._engine.local.stream import Stream


class LocalEngine(Engine):
    """Rows stream through this process. See :mod:`biombo._engine.engine`."""

    def open(
        self, table: SourceTable, kept: Sequence[str] = (), coded: Mapping[str, Column] | None = None
    ) -> "LocalTable":
        """A table to work on; the first pass that reads a column to be kept codes it."""
        opened = CodedTable.of(table, kept, coded) if kept else table
        return LocalTable(opened, TablePrints(opened))


@dataclass(frozen=True)
class LocalTable(Table):
    """A table whose records are called by their place in it, or among those of it that are selected."""

    source: SourceTable
    prints: TablePrints

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
        """How many rows it has, where that is known beforehand."""
        return self.source.rows

    def flow(
        self,
        schema: Schema,
        context: Any = None,
        *,
        random: Randomness,
        folder: Path | None,
        warn: Warn,
        progress: Progress | None = None,
    ) -> "Stream":
        """All its rows as they are."""
        from biombo._engine.local.stream import Stream  # whoever only counts needs nothing that writes

        return Stream(self.source, schema, context, random, folder, warn, progress, kept=self._kept, prints=self.prints)

    def tuples(self, columns: Sequence[str], schema: Schema, progress: Progress | None = None) -> Dataset:
        """Count while the rows stream by; what was to be kept is at hand, or soon will be."""
        kept = self._kept
        if kept is not None and {*columns} <= {*kept.wanted}:
            data = kept.dataset(schema, progress)
            return replace(data, columns={name: data[name] for name in columns})
        return count_table(self.source, columns, schema, progress)

    def surveyed(self, columns: Sequence[str], schema: Schema) -> Dataset:
        """The tuples: this process is where they are."""
        return self.tuples(columns, schema)

    def some(self, columns: Sequence[str], schema: Schema, at_most: int) -> Dataset:
        """All rows, or so many of them."""
        random = Randomness()
        data = self.flow(schema, random=random, folder=None, warn=print).gathered(columns).data
        return data if data.rows <= at_most else data.take(np.sort(random.order(data.rows)[:at_most]))

    @property
    def _kept(self) -> CodedTable | None:
        return self.source if isinstance(self.source, CodedTable) else None

    def printed(self, printing: Printing, needed: Collection[str]) -> Sequence[Printed]:
        """Make the fingerprints of all records, which are kept until the table is let go of."""
        return self.prints.make(printing, needed, instead(None, advance))


LOCAL: Engine = LocalEngine()
"""The engine that is used where nobody says otherwise."""
