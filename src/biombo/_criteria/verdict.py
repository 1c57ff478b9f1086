"""How a table stands to one criterion, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import tallied
from biombo._criteria.base import Criterion
from biombo._criteria.disclosure import Count
from biombo._criteria.groups import Case, JudgedGroups, Standing, standing_of
from biombo._data import written
from biombo._errors import UsageError
from biombo._i18n import text


@dataclass(frozen=True)
class WorstGroup:
    """One group of a table, as bad as it is. Personal data: keep it out of public folders."""

    values: Mapping[str, Any]
    """What its records have in the quasi columns."""
    records: int
    value: float
    """What the criterion measures, here: people, different values, distance, share …"""
    sensitive: str | None
    """The sensitive column that this is about, the worst one of several."""
    holds: bool
    """Does the group meet the criterion? Always so with a table-level one."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """How a table stands to one criterion."""

    criterion: Criterion
    _case: Case = field(repr=False)
    _found: JudgedGroups = field(repr=False)
    _standing: Standing = field(repr=False)

    @classmethod
    def of(cls, criterion: Criterion, case: Case, found: JudgedGroups) -> "Verdict":
        """The verdict on one of the criteria of ``case``, whose groups are ``found``."""
        return cls(criterion, case, found, standing_of(criterion, case.asks, found))

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi columns that the groups are by."""
        return self._case.quasi

    @property
    def holds(self) -> bool:
        """Is the criterion met?"""
        return self._standing.holds

    @property
    def achieved(self) -> float | None:
        """The worst value found: smallest group, least diversity, largest distance, highest share or gain.

        For recursive diversity it is r₁ / (rₗ + … + rₘ), infinite where a group has fewer than l values. Of several
        sensitive columns, the worst counts. ``None`` where no record is left.
        """
        return self._standing.achieved

    @property
    def groups(self) -> int:
        """Groups that fail; none with a table-level criterion, which no single group breaks."""
        return int(self._standing.fails.sum())

    @property
    def records(self) -> int:
        """Records in the groups that fail."""
        return self._standing.records

    def worst(self, n: int = 10) -> list[WorstGroup]:
        """The ``n`` worst groups, the larger ones first where they are equally bad.

        Private: small groups tell who is in them. Never show this to a requester or in a public report.
        """
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise UsageError("criteria.worst", n=n)
        badness = self._standing.value if self.criterion.lowest_is_worst else -self._standing.value
        codes = self._found.codes.T[::-1].astype(np.float64)
        order = np.lexsort(np.vstack([codes, -self._found.size, badness]))
        return [self._group(int(place)) for place in order[:n]]

    def causes(self) -> pl.DataFrame:
        """What each quasi column has to do with it: would the criterion fail by this column alone, and without it?

        A row for each column: ``column``; ``alone_groups``, ``alone_records`` (failing) and ``alone_achieved`` when
        groups are by this column only; ``without_groups``, ``without_records`` and ``without_achieved`` when they are
        by all columns but this one.
        """
        return pl.DataFrame(
            [
                {"column": column}
                | self._by("alone", (column,))
                | self._by("without", tuple(name for name in self.quasi if name != column))
                for column in self.quasi
            ]
        )

    def failing_rows(self) -> NDArray[np.bool_]:
        """Which rows of the table lie in a group that fails."""
        return self._case.rows_of(self._found.codes[self._standing.fails])

    def values(self) -> dict[str, dict[str, int]]:
        """By sensitive column: all values of the groups that fail for it, and how many records have each there.

        Values are as they are written, an empty text for a missing one. No group breaks a table-level criterion; where
        one is not met, all values of the table are concerned.

        Private: they are what groups have in common. Never show this to a requester or in a public report.
        """
        asked = [(place, ask.column) for place, ask in enumerate(self._case.asks) if ask.criterion is self.criterion]
        return {
            column: self._values_in(column, self._concerned(place)) for place, column in asked if column is not None
        }

    def holders(self, column: str) -> dict[str, Count]:
        """By value of ``column``, written as in :meth:`values`: how many records of the table have it, suppressed ones
        left out, and how many people these are about, where the schema names them. Private.
        """
        words, places = self._as_written(column)
        data, there = self._case.data, self._case.there
        records = people = tallied(places, len(words), data.counts, there)
        person = data.schema.person
        if person is not None and person in data.columns:
            width = data[person].cardinality
            pairs = np.unique(places[there] * width + data[person].codes[there])
            people = np.bincount(pairs // width, minlength=len(words))
        counted = zip(words, records.tolist(), people.tolist(), strict=True)
        return {word: Count(records, people) for word, records, people in counted if records}

    def __str__(self) -> str:
        """The verdict as one sentence, in the language in use."""
        return self.worded("criteria.verdict")

    def worded(self, kind: str, **more: str) -> str:
        """The verdict in one of the sentences that stand under ``kind`` in the catalogue."""
        key = "met" if self.holds else "table" if self.criterion.scope == "table" else "groups"
        if self.achieved is None:
            achieved = text("criteria.achieved.nothing")
        else:
            achieved = self.criterion.worded_value(self.achieved)
        found = {"criterion": self.criterion, "achieved": achieved, "groups": self.groups, "records": self.records}
        return text(f"{kind}.{key}", **found, **more)

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain values, an infinite one as null; nothing about what is in small groups."""
        achieved = self.achieved
        return {
            "criterion": self.criterion.to_tree(),
            "quasi": list(self.quasi),
            "holds": self.holds,
            "achieved": achieved if achieved is not None and isfinite(achieved) else None,
            "failing": {"groups": self.groups, "records": self.records},
        }

    def _concerned(self, place: int) -> NDArray[np.bool_]:
        """Which groups fail what is asked at ``place``; all where the table as a whole fails."""
        if self.criterion.scope == "table":
            return np.full(len(self._found.size), not self.holds)
        return ~self._found.meets[:, place]

    def _values_in(self, column: str, groups: NDArray[np.bool_]) -> dict[str, int]:
        words, places = self._as_written(column)
        rows = self._case.rows_of(self._found.codes[groups])
        counts = tallied(places, len(words), self._case.data.counts, rows)
        return {word: count for word, count in zip(words, counts.tolist(), strict=True) if count}

    def _as_written(self, column: str) -> tuple[list[str], NDArray[np.int64]]:
        """The different values of a column as text, and the place of each row's among them."""
        coded = self._case.data[column]
        by_code = written(coded.values).fill_null("").to_list()
        words = sorted({*by_code})
        place_of = {word: place for place, word in enumerate(words)}
        return words, np.array([place_of[word] for word in by_code], np.int64)[coded.codes]

    def _by(self, prefix: str, quasi: tuple[str, ...]) -> dict[str, Any]:
        outcome = standing_of(self.criterion, self._case.asks, self._case.groups(quasi))
        return {
            f"{prefix}_groups": int(outcome.fails.sum()),
            f"{prefix}_records": outcome.records,
            f"{prefix}_achieved": outcome.achieved,
        }

    def _group(self, place: int) -> WorstGroup:
        codes = self._found.codes[place]
        return WorstGroup(
            {name: self._case.data[name].values[int(code)] for name, code in zip(self.quasi, codes, strict=True)},
            int(self._found.size[place]),
            float(self._standing.value[place]),
            self._case.asks[self._standing.ask[place]].column,
            not self._standing.fails[place],
        )
