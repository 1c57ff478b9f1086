"""``origin_records``: the original records behind many trace ids, or all of a release, at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import Source, SourceTable
from biombo._documents import listed
from biombo._errors import InputError
from biombo._frames import framed
from biombo._glance import Glance, Result
from biombo._release.trace.ids import TRACE_ID, bytes_of, raw_id, raw_ids, written_ids
from biombo._release.trace.inquiry import Inquiry, Located, opened
from biombo._release.trace.vault import Records
from biombo._secrets import KeyPlace

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OriginPart:
    """One file of the source, or its table, or its query, and which of its records were asked for."""

    source: str
    """What the publisher called it."""
    rows: int
    """The records that it has."""
    numbers: Numbers = field(repr=False)
    """Which of them were asked for, counted from 1, in ascending order."""
    checked: bool
    """Were these found to be the same? Else they are those of these numbers on the day of publication."""
    at_hand: Source | None = field(repr=False)
    """Where they can be read; nothing where the source is not at hand, or none of its records were asked for."""
    columns: tuple[str, ...] = field(repr=False)
    """Those that can be read."""

    @classmethod
    def of(cls, number: int, located: Located) -> Self:
        """The part of this number."""
        part, found = located.origin.parts[number], located.sources.get(number)
        rows = located.links["row"][located.links["part"] == number]
        return cls(
            part.name,
            part.rows if found is None else found.rows,
            np.sort(rows).astype(np.int64) + 1,
            not len(rows) or found is not None,
            None if found is None else found.source,
            part.columns,
        )

    @property
    def mask(self) -> NDArray[np.bool_]:
        """By record of this part: was it asked for?"""
        asked = np.zeros(self.rows, bool)
        asked[self.numbers - 1] = True
        return asked

    def frame(self, columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of the records that were asked for, in the order of the source."""
        if self.at_hand is None:
            raise InputError("release.not-at-hand", source=self.source)
        asked, first, found = self.mask, 0, list[pl.DataFrame]()
        table = SourceTable((self.at_hand,), None)
        table.check(columns)
        for _, batch in table.batches(columns):
            rows = asked[first : first + batch.num_rows]
            found.append(pl.DataFrame(batch).filter(pl.Series(rows)))
            first += batch.num_rows
        return pl.concat(found, how="vertical_relaxed")


@dataclass(frozen=True, eq=False, repr=False)
class OriginRecords(Result):
    """Where the original records of a release are. Made by :func:`biombo.origin_records`; private."""

    release: str
    """The id of the release."""
    parts: tuple[OriginPart, ...]
    """All parts of the source, in their order."""
    unknown: tuple[str, ...]
    """What was asked for and is no trace id of the release."""
    records: Records = field(repr=False)

    @property
    def found(self) -> int:
        """How many records these are."""
        return len(self.records)

    @property
    def checked(self) -> bool:
        """Were all of them found to be the same?"""
        return all(part.checked for part in self.parts)

    @property
    def mask(self) -> NDArray[np.bool_]:
        """By record of the whole source, part after part: was it asked for? What a selection of rows is made of."""
        return np.concatenate([part.mask for part in self.parts])

    @cached_property
    def links(self) -> pl.DataFrame:
        """A row for each record: ``trace_id``, ``source`` and ``number``, which counts from 1 in its source."""
        names = pl.Series("source", [part.source for part in self.parts])
        return pl.DataFrame(
            [
                written_ids(bytes_of(self.records["id"])).alias(TRACE_ID),
                names.gather(pl.Series(self.records["part"])),
                pl.Series("number", self.records["row"].astype(np.int64) + 1),
            ]
        )

    def frame(self, columns: Sequence[str] | None = None) -> Any:
        """The original records, or some ``columns`` of them, in the order of the source, as the kind of frame that it
        came as. Raises where the source is not at hand.
        """
        wanted = [part for part in self.parts if len(part.numbers)] or list(self.parts[:1])
        names = list(wanted[0].columns if columns is None else listed("columns", columns))
        kinds = [SourceTable((part.at_hand,), None).kind for part in wanted if part.at_hand is not None]
        return framed(pl.concat([part.frame(names) for part in wanted], how="vertical_relaxed"), kinds[0])

    def as_json(self) -> dict[str, Any]:
        """How many records there are in each part, as plain values, without their numbers."""
        parts = [
            {"source": part.source, "rows": part.rows, "records": len(part.numbers), "checked": part.checked}
            for part in self.parts
        ]
        return {"release": self.release, "records": self.found, "unknown": list(self.unknown), "parts": parts}

    def _glance(self) -> Glance:
        from biombo._release.glance import of_origin_records

        return of_origin_records(self)


def origin_records(
    release: str | Path,
    ids: Iterable[str] | None = None,
    *,
    source: Any = None,
    database: str | None = None,
    sheet: str | None = None,
    private: str | Path | None = None,
    reason: str,
    who: str | None = None,
    key: KeyPlace | None = None,
) -> OriginRecords:
    """The original records behind many trace ids of a release, or behind all: what a new release of the same people
    begins with.

    As with :func:`biombo.trace`, the source is checked, and refused where a record is no longer the same; and one line
    of ``traces.jsonl`` says who asked for how many records and why, before anything is given. Where all are asked for,
    the line says ``all`` instead of their ids.

    Args:
        release: The folder of the release.
        ids: Trace ids; by default all of the release.
        source: The table that was published, or a copy: whatever :func:`biombo.read` takes, or what it gave; by default
            the files where they were then.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        private: Its private folder; by default the release's name with ``.private`` added.
        reason: What for.
        who: Who asks; by default the user of the system.
        key: The key that sealed the vault; by default the one in the private folder.

    >>> import tempfile, polars as pl, biombo as bb
    >>> table = pl.DataFrame({"sex": ["F", "M", "F", "M", "X"], "year": [1990, 1991, 1992, 1993, 1994]})
    >>> plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], quasi=["sex"], sensitive=["year"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     release = bb.publish(table, plan, f"{folder}/release")
    ...     found = bb.origin_records(release.out, source=table, reason="a request for the years by month")
    >>> found.parts[0].numbers.tolist(), found.mask.tolist(), found.frame(["year"])["year"].to_list()
    ([1, 2, 3, 4], [True, True, True, True, False], [1990, 1991, 1992, 1993])
    """
    asked = None if ids is None else list(dict.fromkeys(listed("ids", ids)))
    inquiry = Inquiry.of(release, private, reason, who, key)
    raw = None if asked is None else [raw_id(each) for each in asked]
    known = None if raw is None else raw_ids(each for each in raw if each is not None)
    located = inquiry.located(asked, known, lambda _origin: opened(source, database, sheet, twice=True))
    located.warn_of_unchecked()
    parts = tuple(OriginPart.of(number, located) for number in range(len(located.origin.parts)))
    unknown = () if asked is None or raw is None else _unknown(asked, raw, located)
    return OriginRecords(inquiry.manifest.id, parts, unknown, located.links)


def _unknown(asked: Sequence[str], raw: Sequence[bytes | None], located: Located) -> tuple[str, ...]:
    if len(located.links) == len(asked):  # each is known, as nearly always
        return ()
    there = {found.tobytes() for found in bytes_of(located.links["id"])}
    return tuple(each for each, found in zip(asked, raw, strict=True) if found not in there)
