"""Re-identification: how often an adversary who knows some quasi columns picks a person's record.

The adversary picks one of the records that share the person's values, so

    prior = 1/|D|,   posterior = number of groups / |D|,   unique = records alone in their group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import Dropped, Evidence
from biombo._attack.subset_table import flat, one_subset, rows_of_adversaries, rows_of_subset, strongest
from biombo._cells import SIZE_CLASSES, SubsetCounts, tallied
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Result


@dataclass(frozen=True, eq=False, repr=False)
class Reidentification(Result, Framed):
    """The outcome for every subset of the quasi columns. Made by :func:`biombo.reidentification`."""

    quasi: tuple[str, ...]
    rows: int
    """Valid records."""
    dropped: Dropped
    prior: float
    subsets: pl.DataFrame
    """A row for each subset: size, quasi, posterior, groups, unique, and by group size ``groups_by_size`` and
    ``records_by_size``, lists that go with :data:`SIZE_CLASSES`."""
    evidence: Evidence

    @classmethod
    def of(cls, evidence: Evidence, counts: SubsetCounts, named: pl.DataFrame) -> "Reidentification":
        """Read the attack off a sweep, whose subsets are ``named``."""
        return cls(
            quasi=evidence.scope.quasi,
            rows=evidence.rows,
            dropped=evidence.dropped,
            prior=1 / evidence.rows,
            subsets=_with_sizes(named, counts.groups, counts.records, evidence.rows),
            evidence=evidence,
        )

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        from biombo._attack.as_json import identity_as_json

        return identity_as_json(self)

    def _table(self) -> pl.DataFrame:
        return flat(self.subsets.drop("groups_by_size", "records_by_size"))

    @property
    def _kind(self) -> FrameKind:
        return self.evidence.data.kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_identity

        return of_identity(self)

    def best(self) -> pl.DataFrame:
        """The strongest subset for each number of columns."""
        return strongest(self.subsets, "size")

    def adversaries(self) -> pl.DataFrame:
        """What the adversaries that the schema names gain: adversary, then the columns of ``subsets``."""
        return rows_of_adversaries(self.subsets, self.evidence.adversaries, self._evaluate)

    def group_sizes(self, subset: Sequence[str]) -> pl.DataFrame:
        """Groups and records by group size for one subset: from, to (null: no limit), groups, records, share."""
        rows = rows_of_subset(self.subsets, self.evidence.checked(subset))
        row = (self._evaluate(subset) if rows.is_empty() else rows).row(0, named=True)
        ends = [low - 1 for low in SIZE_CLASSES[1:]] + [None]
        return pl.DataFrame(
            {"from": SIZE_CLASSES, "to": ends, "groups": row["groups_by_size"], "records": row["records_by_size"]}
        ).with_columns((pl.col("records") / self.rows).alias("share"))

    def _evaluate(self, subset: Sequence[str]) -> pl.DataFrame:
        """The row that ``subsets`` would have for a subset that was not swept."""
        found = self.evidence.cells.groups(subset)
        place = np.searchsorted(SIZE_CLASSES, found.size, side="right") - 1
        groups = tallied(place, len(SIZE_CLASSES), found.times)
        records = tallied(place, len(SIZE_CLASSES), found.size * found.times)
        named = one_subset(subset, int(found.times.sum()))
        return _with_sizes(named, groups[None, :], records[None, :], self.rows)


def _with_sizes(named: pl.DataFrame, groups: NDArray[np.int64], records: NDArray[np.int64], rows: int) -> pl.DataFrame:
    """The subsets of ``named`` with what their groups' sizes say."""
    return named.select(
        "size",
        "quasi",
        pl.Series("posterior", groups.sum(axis=1) / rows),
        "groups",
        pl.Series("unique", groups[:, 0]),
        pl.Series("groups_by_size", groups),
        pl.Series("records_by_size", records),
    )
