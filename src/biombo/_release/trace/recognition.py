"""Whether records still are where they were: nobody is told the number of another one."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from biombo._data import File, Source, SourceTable
from biombo._errors import InputError
from biombo._release.trace.fingerprints import Fingerprinting, Fingerprints
from biombo._release.trace.ids import bytes_of, written_ids
from biombo._release.trace.origin import Origin, Part
from biombo._release.trace.vault import Records


@dataclass(frozen=True)
class Recognised:
    """A source that holds the records of a part where they were."""

    source: Source
    rows: int
    """How many records it has now."""


@dataclass(frozen=True)
class Recognising:
    """Checks links against the source, as it is given or still lies where it was."""

    origin: Origin
    fingerprinting: Fingerprinting
    given: Sequence[Source] | None
    files: dict[File, str] = field(default_factory=dict)
    """The fingerprints of given files, made once."""

    def recognised(self, links: Records) -> dict[int, Recognised | None]:
        """By the parts that ``links`` lead to: the source that has all these records where they were; none where it is
        not at hand.

        Raises where one is another now, or may be.
        """
        parts = np.flatnonzero(np.bincount(links["part"])).tolist()
        if len(parts) == 1:
            return {parts[0]: self._recognised(parts[0], links)}
        return {number: self._recognised(number, links[links["part"] == number]) for number in parts}

    def _recognised(self, number: int, links: Records) -> Recognised | None:
        part = self.origin.parts[number]
        if self.given is None and part.file is None:
            return None
        source = self._where_it_was(part) if self.given is None else self._among(number, self.given)
        if source is None:
            raise InputError("release.other-source", source=part.name, trace_id=_first_id(links))
        return Recognised(source, self._rows_without_others(part, source, links))

    def _where_it_was(self, part: Part) -> Source:
        return SourceTable.open(part.file, sheet=part.sheet).sources[0]

    def _among(self, number: int, given: Sequence[Source]) -> Source | None:
        """The source that is a part: the same file, else one of the same name, else the one in the same place."""
        part = self.origin.parts[number]
        files = [source for source in given if isinstance(source, File)]
        same = (source for source in files if self._is(source, part))
        named = [source for source in files if part.file_name == source.path.name]
        if (found := next(same, None)) is not None:
            return found
        if len(named) == 1:
            return named[0]
        return given[number] if len(given) == len(self.origin.parts) else None

    def _is(self, source: Source, part: Part) -> bool:
        """Is it the very file?"""
        if part.content is None or not isinstance(source, File):
            return False
        if source not in self.files:
            self.files[source] = self.fingerprinting.of_file(source.path)
        return self.files[source] == part.content

    def _rows_without_others(self, part: Part, source: Source, links: Records) -> int:
        """The records in ``source``. Raises where one is not the one that was published, or cannot be told to be."""
        if self._is(source, part):
            return part.rows
        prints = self.fingerprinting.of_records(source, part.columns)
        if self.fingerprinting.of_all([prints]) == part.records:
            return part.rows
        others = links[:1] if not part.complete else links[~_are_the_same(prints, links)]
        if len(others):
            raise _refusal(part, source, prints, others[:1])
        return len(prints)


def _are_the_same(prints: Fingerprints, links: Records) -> NDArray[np.bool_]:
    """By link: is its record still in its place?"""
    there = links["row"] < len(prints)
    same = np.zeros(len(links), bool)
    same[there] = prints[links["row"][there]] == links["fingerprint"][there]
    return same


def _refusal(part: Part, source: Source, prints: Fingerprints, link: Records) -> InputError:
    """Says where the record is now if there is one place where it can be."""
    said = {"source": source.label, "trace_id": _first_id(link), "number": int(link["row"][0]) + 1}
    if not part.complete:
        return InputError("release.changed-source", **said)
    now = np.flatnonzero(prints == link["fingerprint"])
    if len(now) == 1:
        return InputError("release.moved-record", now=int(now[0]) + 1, **said)
    return InputError("release.other-record", **said)


def _first_id(links: Records) -> str:
    return str(written_ids(bytes_of(links["id"][:1]))[0])
