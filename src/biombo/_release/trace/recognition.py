"""Whether records still are where they were: nobody is told the number of another one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from biombo._data import File, Source, SourceTable
from biombo._errors import InputError
from biombo._release.trace.fingerprints import Fingerprinting, Fingerprints
from biombo._release.trace.origin import Origin, Part
from biombo._release.trace.vault import Link


@dataclass(frozen=True)
class Recognising:
    """Checks links against the source, as it is given or still lies where it was."""

    origin: Origin
    fingerprinting: Fingerprinting
    given: Sequence[Source] | None
    files: dict[File, str] = field(default_factory=dict)
    """The fingerprints of given files, made once."""

    def checked(self, links: Mapping[str, Link]) -> frozenset[int]:
        """The parts whose records that ``links`` lead to were found to be the same; the others are not at hand.

        Raises where one is another now, or may be.
        """
        by_part: dict[int, dict[str, Link]] = {}
        for trace_id, link in links.items():
            by_part.setdefault(link.part, {})[trace_id] = link
        return frozenset(number for number, here in by_part.items() if self._is_checked(number, here))

    def _is_checked(self, number: int, links: Mapping[str, Link]) -> bool:
        part = self.origin.parts[number]
        if self.given is None and part.file is None:
            return False
        source = self._where_it_was(part) if self.given is None else self._among(number, self.given)
        if source is None:
            raise InputError("release.other-source", source=part.name, trace_id=next(iter(links)))
        self._refuse_others(part, source, links)
        return True

    def _where_it_was(self, part: Part) -> Source:
        return SourceTable.open(part.file).sources[0]

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

    def _refuse_others(self, part: Part, source: Source, links: Mapping[str, Link]) -> None:
        """Raise where a record in ``source`` is not the one that was published, or cannot be told to be."""
        if self._is(source, part):
            return
        prints = self.fingerprinting.of_records(source, part.columns)
        if self.fingerprinting.of_all([prints]) == part.records:
            return
        for trace_id, link in links.items():
            said = {"source": source.label, "trace_id": trace_id, "number": link.row + 1}
            if not part.complete:
                raise InputError("release.changed-source", **said)
            if link.row >= len(prints) or prints[link.row] != link.fingerprint:
                raise _other_record(prints, link, said)


def _other_record(prints: Fingerprints, link: Link, said: Mapping[str, object]) -> InputError:
    """The refusal, which says where the record is now if there is one place where it can be."""
    now = np.flatnonzero(prints == np.uint64(link.fingerprint))
    if len(now) == 1:
        return InputError("release.moved-record", now=int(now[0]) + 1, **said)
    return InputError("release.other-record", **said)
