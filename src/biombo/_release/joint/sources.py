"""The originals of two releases in one place, so that it can be told who is in both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset, File, Schema, Source, SourceTable, read
from biombo._errors import InputError
from biombo._release.trace.inquiry import Located, opened
from biombo._release.trace.origin import Origin, Part
from biombo._release.trace.recognition import Recognised


class SourcesAtHand:
    """Where the sources of one release and then of another are looked for: in what is given, else where they were."""

    def __init__(self, source: Any, database: str | None, sheet: str | None) -> None:
        self._given = None if source is None and database is None else (source, database, sheet)
        self._open: list[Source] = []

    def __call__(self, origin: Origin) -> tuple[Source, ...]:
        """All that is open so far, with what this origin names. Raises where some of that is not at hand."""
        if self._given is not None and not self._open:
            self._open = list(opened(*self._given, twice=True) or ())
        if self._given is None:
            for part in origin.parts:
                if part.rows and not any(_is_where(source, part) for source in self._open):
                    self._open.append(_where_it_was(part))
        return tuple(self._open)


def _where_it_was(part: Part) -> Source:
    if part.file is None:
        raise InputError("release.joint-source", source=part.name)
    return SourceTable.open(part.file, sheet=part.sheet).sources[0]


def _is_where(source: Source, part: Part) -> bool:
    """Is it the file that the part was?"""
    if not isinstance(source, File) or part.file is None:
        return False
    return source.table == part.sheet and source.path.resolve() == part.file.resolve()


@dataclass(frozen=True, eq=False)
class Sources:
    """All sources of both releases, one after the other."""

    found: Sequence[Recognised]

    @classmethod
    def of(cls, *located: Located) -> "Sources":
        """Each source once."""
        found = [each for one in located for each in one.sources.values() if each is not None]
        return cls(list({id(each.source): each for each in found}.values()))

    @property
    def columns(self) -> list[str]:
        """Those of the first."""
        return self.found[0].source.columns

    def places(self, located: Located) -> NDArray[np.int64]:
        """By link: the place of its record among those of all sources."""
        starts = np.cumsum([0, *(each.rows for each in self.found)])
        first = {id(each.source): starts[number] for number, each in enumerate(self.found)}
        start_of = np.zeros(len(located.origin.parts), np.int64)
        for part, each in located.sources.items():
            start_of[part] = 0 if each is None else first[id(each.source)]
        places: NDArray[np.int64] = start_of[located.links["part"]] + located.links["row"].astype(np.int64)
        return places

    def read(self, columns: Sequence[str]) -> Dataset:
        """Some columns of all records, by their places."""
        return read(SourceTable(tuple(each.source for each in self.found), None), Schema(), columns=columns)
