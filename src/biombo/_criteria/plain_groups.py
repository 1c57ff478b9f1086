"""Groups counted plainly, by nothing that criteria are judged with: a second opinion on the same records."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
import polars.selectors as cs

from biombo._data import Dataset, written

_ALL, _RECORDS, _NAMED = "\x1eall", "\x1erecords", "\x1enamed"
"""Names that no column has."""


@dataclass(frozen=True, eq=False)
class PlainGroups:
    """The groups of some quasi columns of a table."""

    data: Dataset
    quasi: Sequence[str]

    def fewest_records(self) -> float:
        """The records of the smallest group."""
        return float(self._cells()[_RECORDS].min())  # type: ignore[arg-type]

    def fewest_values(self, column: str) -> float:
        """The different values of ``column`` in the group that has the fewest."""
        values = self._cells(column).group_by(cs.by_name(_ALL, *self.quasi)).len(_RECORDS)
        return float(values[_RECORDS].min())  # type: ignore[arg-type]

    def guessed(self, column: str, *, over_table: bool) -> float:
        """The largest share that the most frequent value of ``column`` has of a group, or all of them of the table."""
        groups = self._cells(column).group_by(cs.by_name(_ALL, *self.quasi))
        found = groups.agg(top=pl.col(_RECORDS).max(), size=pl.col(_RECORDS).sum())
        shares = found["top"].sum() / self.data.records if over_table else (found["top"] / found["size"]).max()
        return float(shares)  # type: ignore[arg-type]

    def largest_share(self, column: str, values: Sequence[str]) -> float:
        """The largest share that one of ``values``, as they are written, has of a group."""
        cells, words = self._cells(column), written(self.data[column].values).fill_null("")
        named = cells[_RECORDS] * words.is_in(list(values)).gather(cells[column])
        groups = cells.with_columns(named.alias(_NAMED)).group_by(cs.by_name(_ALL, *self.quasi))
        found = groups.agg(top=pl.col(_NAMED).max(), size=pl.col(_RECORDS).sum())
        return float((found["top"] / found["size"]).max())  # type: ignore[arg-type]

    def picked(self) -> float:
        """The share of records that are picked out of their groups: one of each group."""
        return self._cells().height / self.data.records

    def alone(self) -> float:
        """The share of records that are alone in their group."""
        return int((self._cells()[_RECORDS] == 1).sum()) / self.data.records

    def _cells(self, *further: str) -> pl.DataFrame:
        """How many records there are of each combination of values."""
        columns = [*self.quasi, *further]
        everyone = pl.repeat(0, self.data.rows, dtype=pl.UInt8, eager=True).alias(_ALL)
        records = pl.DataFrame([everyone, *(pl.Series(name, self.data[name].codes) for name in columns)])
        if self.data.counts is None:
            return records.group_by(cs.by_name(_ALL, *columns)).len(_RECORDS)
        return records.with_columns(pl.Series(_RECORDS, self.data.counts)).group_by(cs.by_name(_ALL, *columns)).sum()
