"""The fingerprints of all records of a table, made in this process."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from biombo._data import Chosen, File, Progress, SourceTable
from biombo._engine.engine import Keys, Origins, Printed, Printing, Prints
from biombo._errors import BiomboError, InputError


@dataclass(eq=False)
class TablePrints:
    """Those of one table, once they are made: 8 bytes for each record, and as many for the places of selected ones."""

    table: SourceTable = field(repr=False)
    prints: Prints | None = field(default=None, repr=False)
    """Of the records that are selected, or of all."""

    def make(self, printing: Printing, needed: Collection[str], progress: Progress | None) -> list[Printed]:
        """Read all records for them, selected or not: a source is recognised as a whole."""
        table, made, rows = self.table, list[Printed](), 0
        found, places = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)]
        for source in table.sources:
            reading = _Reading(replace(table, sources=(source,)), printing, rows, table.whole.rows, progress)
            columns, prints, chosen = reading.as_much_as_possible(needed)
            content = printing.of_file(source.path.absolute()) if isinstance(source, File) else None
            made.append(Printed(tuple(columns), len(prints), printing.of_all([prints]), content))
            found.append(prints if chosen is None else prints[chosen])
            if chosen is not None:
                places.append((rows + np.flatnonzero(chosen)).astype(np.uint64))
            rows += len(prints)
        self.prints = np.concatenate(found)
        if table.selections:
            self._places = np.concatenate(places)
        return made

    @cached_property
    def _places(self) -> Keys:
        """Where the selected records lie."""
        return self.table.places()

    def origins(self, keys: Keys) -> Origins:
        """Those of the records that are called so: by their place among all that are selected."""
        if self.prints is not None and len(keys) and int(keys.max()) >= len(self.prints):
            raise InputError("plan.changed", source=self.table.label, rows=len(self.prints))
        places = self._places[keys] if self.table.selections else keys
        return Origins(places, None if self.prints is None else self.prints[keys])


@dataclass(frozen=True)
class _Reading:
    table: SourceTable
    """Of one source."""
    printing: Printing
    before: int
    """Rows of earlier sources."""
    expected: int | None
    progress: Progress | None

    def as_much_as_possible(self, needed: Collection[str]) -> tuple[Sequence[str], Prints, Chosen | None]:
        """All columns of the source, or those that are needed where others cannot be read, with the fingerprints, and
        which of the records are selected; all where it is missing.
        """
        (source,) = self.table.sources
        try:
            return source.columns, *self._prints(source.columns)
        except BiomboError:
            columns = [name for name in source.columns if name in needed]
            return columns, *self._prints(columns)

    def _prints(self, columns: Sequence[str]) -> tuple[Prints, Chosen | None]:
        self.table.check(columns)
        prints, marks, rows = [np.zeros(0, np.uint64)], [np.zeros(0, bool)], self.before
        for label, batch, chosen in self.table.marked(columns):
            prints.append(self.printing.of_rows(batch.select(list(columns)), label))
            if chosen is not None:
                marks.append(chosen)
            rows += batch.num_rows
            if self.progress is not None:
                self.progress(rows, self.expected)
        return np.concatenate(prints), np.concatenate(marks) if self.table.selections else None
