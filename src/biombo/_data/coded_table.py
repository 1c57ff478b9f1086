"""A table that codes columns while something else reads them, so that they need not be read again for a comparison."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from biombo._data.dataset import Column, Dataset
from biombo._data.encoder import ColumnEncoder
from biombo._data.schema import Schema
from biombo._data.source_table import Progress, SourceTable
from biombo._errors import InputError


@dataclass(frozen=True)
class CodedTable(SourceTable):
    """The rows of another table. The first whole pass that reads a wanted column keeps its codes.

    That takes 1 to 4 bytes for each value, from then on; as much as reading the columns afterwards would take.
    """

    wanted: tuple[str, ...] = ()
    coded: dict[str, Column] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, table: SourceTable, wanted: Iterable[str], coded: Mapping[str, Column] | None = None) -> "CodedTable":
        """``table``, some columns of which may be ``coded`` already. It stays the same table for all passes: what may
        not give its rows twice is kept in memory.
        """
        held = table.held()
        return cls(held.sources, held.pattern, tuple(wanted), dict(coded or {}), selections=held.selections)

    def batches(self, columns: Sequence[str], progress: Progress | None = None) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows, with only ``columns``."""
        encoders = {name: ColumnEncoder(name) for name in columns if name in self.wanted and name not in self.coded}
        for label, batch in super().batches(columns, progress):
            for name, encoder in encoders.items():
                encoder.add(batch.column(name), label)
            yield label, batch
        self.coded.update({name: encoder.finish() for name, encoder in encoders.items()})

    def dataset(self, schema: Schema, progress: Progress | None = None) -> Dataset:
        """The wanted columns of all rows. Those that nothing has read so far are read now."""
        missing = [name for name in self.wanted if name not in self.coded]
        if missing:
            for _ in self.batches(missing, progress):
                pass
        columns = {name: self.coded[name] for name in self.wanted}
        (rows, *others) = {len(column.codes) for column in columns.values()} or {0}
        if others:
            raise InputError("plan.changed", source=self.label, rows=rows)
        return Dataset(columns, rows, schema, self.label)
