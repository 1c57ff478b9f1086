"""Rows kept in memory because their source may not give them a second time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from biombo._data.formats.memory_table import ArrowTable, PandasTable, PolarsTable
from biombo._data.formats.source import File, Source
from biombo._watch import stoppable


def gives_twice(source: Source) -> bool:
    """Are the rows the same whenever they are asked for? A query or a stream may give others, or none."""
    return isinstance(source, File | ArrowTable | PandasTable | PolarsTable)


@dataclass(frozen=True)
class Held:
    """All batches of another source."""

    label: str
    columns: list[str]
    parts: list[pa.RecordBatch] = field(repr=False)

    @classmethod
    def of(cls, source: Source) -> "Held":
        """Read everything."""
        return cls(source.label, source.columns, list(stoppable(source.batches(source.columns))))

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(part.num_rows for part in self.parts)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        return (part.select(list(columns)) for part in self.parts)
