"""Columns that tell next to nothing any more: one value for all records, or for nearly all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from biombo._cells import Counts, tallied
from biombo._data import Column, written
from biombo._i18n import text
from biombo._measures.marginals import Rows

NEARLY = 0.95
"""The share of the records with the same value from which on a column is as good as constant."""


@dataclass(frozen=True)
class ConstantColumn:
    """A column with one value for all records, or nearly all."""

    column: str
    value: str | None
    """The value; None where it is missing."""
    share: float
    """The share of the records that have it."""

    def __str__(self) -> str:
        """In the language in use.

        >>> print(ConstantColumn("city", "*", 1.0))
        city tells nothing any more: every record has *.
        """
        return self.called(self.column)

    def called(self, name: str) -> str:
        """The same sentence with what people call the column."""
        value = text("utility.constant.missing") if self.value is None else self.value
        key = "whole" if self.share == 1 else "nearly"
        return text(f"utility.constant.{key}", column=name, value=value, share=self.share)


Tops = Mapping[str, ConstantColumn]
"""By column: the value that most records have."""


def top_values(columns: Iterable[Column], counts: Counts | None = None, keep: Rows | None = None) -> Tops:
    """The most frequent value of each column among the rows that ``keep`` marks; none where there is no record."""
    found: dict[str, ConstantColumn] = {}
    for column in columns:
        held = tallied(column.codes, column.cardinality, counts, keep)
        if records := int(held.sum()):
            top = int(held.argmax())
            value = written(column.values[[top]])[0]
            found[column.name] = ConstantColumn(column.name, value, int(held[top]) / records)
    return found


def became_constant(after: Tops, before: Mapping[str, float] | None = None) -> tuple[ConstantColumn, ...]:
    """The columns that are constant now, or nearly, and were not ``before``, where the share of the most frequent value
    is known of that.
    """
    was = before or {}
    return tuple(top for name, top in after.items() if top.share >= NEARLY and was.get(name, 0) < NEARLY)
