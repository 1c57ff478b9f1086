"""The fingerprints of all records of a table, made in this process."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from biombo._data import File, Progress, Source, SourceTable
from biombo._engine.engine import Keys, Origins, Printed, Printing, Prints
from biombo._errors import BiomboError, InputError


@dataclass(eq=False)
class TablePrints:
    """Those of one table, once they are made: 8 bytes for each record."""

    label: str
    prints: Prints | None = field(default=None, repr=False)

    def make(
        self, table: SourceTable, printing: Printing, needed: Collection[str], progress: Progress | None
    ) -> list[Printed]:
        """Read all records for them."""
        made, found, rows = [], [], 0
        for source in table.sources:
            reading = _Reading(printing, rows, table.rows, progress)
            columns, prints = reading.as_much_as_possible(source, needed)
            content = printing.of_file(source.path.absolute()) if isinstance(source, File) else None
            made.append(Printed(tuple(columns), len(prints), printing.of_all([prints]), content))
            found.append(prints)
            rows += len(prints)
        self.prints = np.concatenate(found)
        return made

    def origins(self, places: Keys) -> Origins:
        """Those of the records at ``places``."""
        if self.prints is None:
            return Origins(places, None)
        if len(places) and int(places.max()) >= len(self.prints):
            raise InputError("plan.changed", source=self.label, rows=len(self.prints))
        return Origins(places, self.prints[places])


@dataclass(frozen=True)
class _Reading:
    printing: Printing
    before: int
    """Rows of earlier sources."""
    expected: int | None
    progress: Progress | None

    def as_much_as_possible(self, source: Source, needed: Collection[str]) -> tuple[Sequence[str], Prints]:
        """All columns of ``source``, or those that are needed where others cannot be read, with the fingerprints."""
        try:
            return source.columns, self._prints(source, source.columns)
        except BiomboError:
            columns = [name for name in source.columns if name in needed]
            return columns, self._prints(source, columns)

    def _prints(self, source: Source, columns: Sequence[str]) -> Prints:
        return np.concatenate([np.zeros(0, np.uint64), *self._batches(SourceTable((source,), None), columns)])

    def _batches(self, table: SourceTable, columns: Sequence[str]) -> Iterator[Prints]:
        table.check(columns)
        rows = self.before
        for label, batch in table.batches(columns):
            yield self.printing.of_rows(batch, label)
            rows += batch.num_rows
            if self.progress is not None:
                self.progress(rows, self.expected)
