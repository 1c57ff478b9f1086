"""What a release was made of: the parts of its source, as they were on that day."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._data import File, Progress, Source, SourceTable
from biombo._errors import BiomboError, InputError
from biombo._files import is_within_reach
from biombo._release.trace.fingerprints import Fingerprinting, Fingerprints


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

    @classmethod
    def of(cls, source: Source, columns: Sequence[str], prints: Fingerprints, fingerprinting: Fingerprinting) -> "Part":
        """``source``, whose records have these fingerprints over ``columns``."""
        path = source.path.absolute() if isinstance(source, File) else None
        return cls(
            name=source.label,
            path=None if path is None else str(path),
            rows=len(prints),
            columns=tuple(columns),
            complete=set(columns) == set(source.columns),
            content=None if path is None else fingerprinting.of_file(path),
            records=fingerprinting.of_all(prints),
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

    def located(self, places: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
        """The part of each place in the whole source, and the row there."""
        part = np.searchsorted(self._starts, places, side="right") - 1
        return part, places - self._starts[part]

    @cached_property
    def _starts(self) -> NDArray[np.uint64]:
        return np.cumsum([0, *(part.rows for part in self.parts[:-1])]).astype(np.uint64)


@dataclass(frozen=True, eq=False)
class Original:
    """A source as it is on the day of publication, with the fingerprints of all its records."""

    origin: Origin
    prints: Fingerprints
    label: str

    @classmethod
    def of(
        cls, table: SourceTable, needed: Collection[str], fingerprinting: Fingerprinting, progress: Progress | None
    ) -> "Original":
        """``table``, of which the columns that are ``needed`` are read in any case."""
        parts, prints, rows = [], [], 0
        for source in table.sources:
            reading = _Reading(fingerprinting, rows, table.rows, progress)
            columns, found = reading.as_much_as_possible(source, needed)
            parts.append(Part.of(source, columns, found, fingerprinting))
            prints.append(found)
            rows += len(found)
        return cls(Origin(tuple(parts)), np.concatenate(prints), table.label)

    def prints_at(self, places: NDArray[np.uint64]) -> Fingerprints:
        """The fingerprints of the records at ``places``."""
        if len(places) and int(places.max()) >= len(self.prints):
            raise InputError("plan.changed", source=self.label, rows=len(self.prints))
        return self.prints[places]


@dataclass(frozen=True)
class _Reading:
    fingerprinting: Fingerprinting
    before: int
    """Rows of earlier parts."""
    expected: int | None
    progress: Progress | None

    def as_much_as_possible(self, source: Source, needed: Collection[str]) -> tuple[Sequence[str], Fingerprints]:
        """All columns of ``source``, or those that are needed where others cannot be read, with the fingerprints."""
        try:
            return source.columns, self._prints(source, source.columns)
        except BiomboError:
            columns = [name for name in source.columns if name in needed]
            return columns, self._prints(source, columns)

    def _prints(self, source: Source, columns: Sequence[str]) -> Fingerprints:
        return self.fingerprinting.of_records(source, columns, self._seen)

    def _seen(self, rows: int) -> None:
        if self.progress is not None:
            self.progress(self.before + rows, self.expected)
