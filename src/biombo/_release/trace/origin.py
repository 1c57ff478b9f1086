"""What a release was made of: the parts of its source, as they were on that day."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._data import File, Source, SourceTable
from biombo._engine import Printed
from biombo._files import is_within_reach


@dataclass(frozen=True)
class Part:
    """One file of a source, or its table, or its query."""

    name: str
    """As the publisher called it."""
    path: str | None
    """Where the file was."""
    rows: int
    columns: tuple[str, ...]
    """Those that the fingerprints of its records are over."""
    complete: bool
    """Are these all that it has? Columns that nothing reads may be unreadable."""
    content: str | None
    """The fingerprint of the file."""
    records: str
    """The fingerprint of all its records."""
    sheet: str | None = None
    """Which table of the file it was, where it has several."""

    @classmethod
    def of(cls, source: Source, printed: Printed) -> "Part":
        """``source``, whose records have fingerprints."""
        path = source.path.absolute() if isinstance(source, File) else None
        return cls(
            name=source.label,
            path=None if path is None else str(path),
            rows=printed.rows,
            columns=printed.columns,
            complete=set(printed.columns) == set(source.columns),
            content=printed.content,
            records=printed.records,
            sheet=source.table if isinstance(source, File) else None,
        )

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Part":
        """The part that :meth:`to_tree` gave."""
        return cls(**{**tree, "columns": tuple(tree["columns"])})

    def to_tree(self) -> dict[str, Any]:
        """All of it as plain values."""
        return asdict(self)

    @property
    def file_name(self) -> str | None:
        """What its file was called."""
        return None if self.path is None else Path(self.path).name

    @property
    def file(self) -> Path | None:
        """Its file, if there still is one where it was."""
        return Path(self.path) if self.path is not None and is_within_reach(self.path) else None


@dataclass(frozen=True)
class Origin:
    """All parts, in their order."""

    parts: tuple[Part, ...]

    @classmethod
    def of(cls, source: SourceTable, printed: Iterable[Printed]) -> "Origin":
        """A source as it is on the day of publication, all of whose records have fingerprints."""
        return cls(tuple(Part.of(*each) for each in zip(source.sources, printed, strict=True)))

    def located(self, places: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
        """The part of each place in the whole source, and the row there."""
        part = np.searchsorted(self._starts, places, side="right") - 1
        return part, places - self._starts[part]

    @cached_property
    def _starts(self) -> NDArray[np.uint64]:
        return np.cumsum([0, *(part.rows for part in self.parts[:-1])]).astype(np.uint64)
