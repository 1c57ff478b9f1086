"""The data dictionary: what each column of a release now means."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeGuard

import polars as pl

from biombo._cells import tallied
from biombo._criteria import Disclosure
from biombo._data import Schema, written
from biombo._engine import csv_text
from biombo._files import write_whole
from biombo._i18n import language, text
from biombo._plan import Generalise, MaskGroups, Operation, Plan
from biombo._release.trace.ids import TRACE_ID
from biombo._release.verify.recount import Released

JSON, CSV = "dictionary.json", "dictionary.csv"

_EXAMPLES = 3


@dataclass(frozen=True)
class ColumnEntry:
    """What one column of a release means."""

    column: str
    label: str
    """What people call it."""
    role: str
    done: tuple[str, ...]
    """What was done to it, in order, in words."""
    level: int | None
    """The level of its hierarchy that it was brought to."""
    height: int | None
    """The highest level of the hierarchy."""
    names: Mapping[str, str]
    """What people call its values, where these are codes."""
    masked_mark: str | None
    """What stands for the values of masked records."""
    examples: tuple[str, ...] = ()
    """Where values were made less precise: what they now look like."""


@dataclass(frozen=True)
class Dictionary:
    """What all columns of a release mean."""

    entries: tuple[ColumnEntry, ...]
    data: str
    """The file with the records."""

    @classmethod
    def of(cls, plan: Plan, used: Schema, labels: Mapping[str, str], released: Released, data: str) -> "Dictionary":
        """The dictionary of the ``released`` records, which ``plan`` made."""
        describe = _Describing(plan, used, labels, released)
        return cls(tuple(map(describe.entry, released.columns)), data)

    def write(self, folder: Path) -> None:
        """Put it into the folder of the release, for programs and for people."""
        write_whole(folder / JSON, json.dumps(self.to_tree(), ensure_ascii=False, indent=2) + "\n")
        write_whole(folder / CSV, self.to_csv())

    def to_tree(self) -> dict[str, Any]:
        """All of it as plain values."""
        in_csv = self.data.endswith(".csv")
        return {
            "data": self.data,
            "missing_value": text("release.dictionary.missing"),
            "formulas_escaped": in_csv,
            "formulas": text("release.dictionary.formulas") if in_csv else None,
            "columns": [asdict(entry) for entry in self.entries],
        }

    def to_csv(self) -> str:
        """A line for each column."""
        heads = [text(f"release.head.{name}") for name in ("column", "label", "role", "done", "mark")]
        rows = [
            (each.column, each.label, text(f"release.role.{each.role}"), " ".join(each.done), each.masked_mark or None)
            for each in self.entries
        ]
        return csv_text(pl.DataFrame(rows, dict.fromkeys(heads, pl.String), orient="row"))


@dataclass(frozen=True)
class _Describing:
    plan: Plan
    used: Schema
    labels: Mapping[str, str]
    released: Released

    def entry(self, column: str) -> ColumnEntry:
        if column == TRACE_ID:
            return ColumnEntry(column, text("release.dictionary.trace-id"), "trace-id", (), None, None, {}, None)
        touching = self._touching(column)
        generalised = next((each for each in touching if isinstance(each, Generalise) and each.level > 0), None)
        return ColumnEntry(
            column=column,
            label=self.labels.get(column, column),
            role=self.used[column].role,
            done=tuple(map(worded, touching)) or (text("release.done.nothing"),),
            level=generalised.level if generalised else None,
            height=generalised.hierarchy.height if generalised else None,
            names=self._names(column, generalised) if generalised else {},
            masked_mark=self._mark(column),
            examples=tuple(self._examples(column)) if generalised else (),
        )

    def _touching(self, column: str) -> list[Operation]:
        """The operations that change or make the column."""
        return [
            each for each in self.plan.operations if column in (*each.columns, *each.adds) or self._masks(each, column)
        ]

    def _masks(self, operation: Operation, column: str) -> TypeGuard[MaskGroups]:
        """Groups are masked in all quasi columns."""
        return isinstance(operation, MaskGroups) and column in self.used.quasi

    def _mark(self, column: str) -> str | None:
        return next((each.with_ for each in self.plan.operations if self._masks(each, column)), None)

    def _names(self, column: str, operation: Generalise) -> dict[str, str]:
        """What people call the values that occur in the release."""
        values = written(self.released.tuples([column])[column].values).to_list()
        named = {value: operation.hierarchy.name_of(value) for value in values if value is not None}
        return {value: name for value, name in sorted(named.items()) if name is not None}

    def _examples(self, column: str) -> list[str]:
        """The most frequent values of enough people to be told."""
        tuples = self.released.tuples([column])
        found = tuples[column]
        count = tallied(found.codes, found.cardinality, tuples.counts).tolist()
        least, mark = Disclosure.of(self.plan.criteria).least, self._mark(column)
        enough = [
            (-number, value)
            for value, number in zip(written(found.values).to_list(), count, strict=True)
            if value not in (None, mark) and number >= least
        ]
        return [value for _, value in sorted(enough)[:_EXAMPLES]]


def worded(operation: Operation) -> str:
    """What the operation does, for whoever reads the data: without keys, conditions and tables."""
    told = {name: getattr(operation, name) for name in ("level", "base", "with_") if hasattr(operation, name)}
    if isinstance(operation, Generalise):
        told["height"] = operation.hierarchy.height
    return text(f"release.done.{operation.name}", **told)


def labels_in_use(schema: Schema) -> dict[str, str]:
    """What people call the columns, in the language in use."""
    return schema.labels(language())
