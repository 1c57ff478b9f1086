"""The data dictionary: what each column of a release now means."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

import polars as pl

from biombo._cells import tallied
from biombo._criteria import Disclosure
from biombo._data import Schema, written
from biombo._engine import csv_text
from biombo._errors import UsageError
from biombo._files import write_whole
from biombo._hierarchy import TOP, Hierarchy
from biombo._i18n import language, share, text
from biombo._plan import (
    Generalise,
    MaskCharacters,
    MaskGroups,
    Operation,
    Plan,
    Pseudonymise,
    RecodedColumn,
    RecodeLocally,
    SelectRecords,
)
from biombo._release.trace.ids import TRACE_ID
from biombo._release.verify.recount import Released

JSON, CSV = "dictionary.json", "dictionary.csv"

_EXAMPLES = 3
_MOST_LEVELS = 6
_MOST_NAMES = 30
_LEVEL = re.compile(r" \[(\d+)\]'*$")
_NUMBER = re.compile(r"\d+")
_TOLD = ("level", "base", "with_", "smaller_than", "fewer_values_than", "k")
"""What of an operation is needed to read the data."""


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
    level_label: str | None
    """What that level is, in words."""
    height: int | None
    """The highest level of the hierarchy."""
    names: Mapping[str, str]
    """What people call its values, where these are codes."""
    masked_mark: str | None
    """What stands for the values of masked records."""
    examples: tuple[str, ...] = ()
    """Where values were made less precise: what they now look like."""
    value_levels: Mapping[str, int] = field(default_factory=dict)
    """Where records are at several levels of the hierarchy: that of each value which occurs."""
    levels: Mapping[int, str] = field(default_factory=dict)
    """What each of these levels is, in words."""


@dataclass(frozen=True)
class Dictionary:
    """What all columns of a release mean."""

    entries: tuple[ColumnEntry, ...]
    data: str
    """The file with the records."""
    title: str | None = None
    """What the release is called, where somebody said so."""

    @classmethod
    def of(
        cls,
        plan: Plan,
        used: Schema,
        labels: Mapping[str, str],
        released: Released,
        data: str,
        title: str | None = None,
    ) -> "Dictionary":
        """The dictionary of the ``released`` records, which ``plan`` made."""
        describe = _Describing(plan, used, labels, released)
        return cls(tuple(map(describe.entry, released.columns)), data, title)

    def write(self, folder: Path) -> None:
        """Put it into the folder of the release, for programs and for people."""
        write_whole(folder / JSON, json.dumps(self.to_tree(), ensure_ascii=False, indent=2) + "\n")
        write_whole(folder / CSV, self.to_csv())

    def to_tree(self) -> dict[str, Any]:
        """All of it as plain values."""
        in_csv = self.data.endswith(".csv")
        return {
            **({"title": self.title} if self.title else {}),
            "data": self.data,
            "missing_value": text("release.dictionary.missing"),
            "formulas_escaped": in_csv,
            "formulas": text("release.dictionary.formulas") if in_csv else None,
            "columns": [asdict(entry) for entry in self.entries],
        }

    def to_csv(self) -> str:
        """A line for each column."""
        heads = [text(f"release.head.{name}") for name in ("column", "label", "role", "done", "mark", "names")]
        rows = [
            (
                each.column,
                each.label,
                text(f"release.role.{each.role}"),
                " ".join(each.done),
                each.masked_mark or None,
                told_names(each.names) or None,
            )
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
            return ColumnEntry(column, text("release.dictionary.trace-id"), "trace-id", (), None, None, None, {}, None)
        touching = [each for each in self.plan.operations if _touches(each, column, self.used)]
        generalised = next((each for each in touching if isinstance(each, Generalise) and each.level > 0), None)
        locally = self._locally(column)
        described = generalised or locally
        recoded = None if locally is None else _LevelledColumn.of(self._held(column), locally.hierarchy)
        return ColumnEntry(
            column=column,
            label=self.labels.get(column, column),
            role=self.used[column].role,
            done=tuple(_told(each, recoded) for each in touching) or (text("release.done.nothing"),),
            level=generalised.level if generalised else None,
            level_label=generalised.hierarchy.level_label(generalised.level) if generalised else None,
            height=described.hierarchy.height if described else None,
            names=self._names(column, described),
            masked_mark=self._mark(column),
            examples=recoded.examples if recoded else tuple(self._examples(column)) if generalised else (),
            value_levels=recoded.level_of if recoded else {},
            levels=recoded.labels if recoded else {},
        )

    def _mark(self, column: str) -> str | None:
        return next((each.with_ for each in self.plan.operations if _masks(each, column, self.used)), None)

    def _locally(self, column: str) -> RecodedColumn | None:
        """How the column is recoded, where groups of records have levels of their own."""
        operation = self.plan.local_recoding
        return None if operation is None else next((each for each in operation.columns_ if each.column == column), None)

    def _held(self, column: str) -> dict[str, int]:
        """By value: how many records have it, those that are missing or masked aside."""
        tuples = self.released.tuples([column])
        found, mark = tuples[column], self._mark(column)
        counts = tallied(found.codes, found.cardinality, tuples.counts).tolist()
        told = zip(written(found.values).to_list(), counts, strict=True)
        return {value: count for value, count in told if value is not None and value != mark}

    def _names(self, column: str, generalised: Generalise | RecodedColumn | None) -> dict[str, str]:
        """What people call the values that occur in the release: those of the hierarchy that they were brought up, or
        codes of the schema that are still what they were."""
        called = generalised.hierarchy.name_of if generalised else self._codes(column).get
        if not generalised and not self._codes(column):
            return {}
        values = written(self.released.tuples([column])[column].values).to_list()
        named = {value: called(value) for value in values if value is not None}
        return {value: name for value, name in sorted(named.items()) if name is not None}

    def _codes(self, column: str) -> dict[str, str]:
        touching = (each for each in self.plan.operations if _touches(each, column, self.used))
        made_up = any(isinstance(each, Pseudonymise | MaskCharacters) for each in touching)
        return {} if made_up else self.used.called(column, language())

    def _examples(self, column: str) -> list[str]:
        """The most frequent values of enough people to be told."""
        least = Disclosure.of(self.plan.criteria).least
        enough = [(-count, value) for value, count in self._held(column).items() if count >= least]
        return [value for _, value in sorted(enough)[:_EXAMPLES]]


@dataclass(frozen=True)
class _LevelledColumn:
    """The values that occur in a column whose records are at several levels; all of them have enough people."""

    held: Mapping[str, int]
    level_of: Mapping[str, int]
    hierarchy: Hierarchy

    @classmethod
    def of(cls, held: Mapping[str, int], hierarchy: Hierarchy) -> "_LevelledColumn":
        levels = levels_of(list(held), hierarchy)
        return cls(held, {value: levels[value] for value in sorted(held) if value in levels}, hierarchy)

    @cached_property
    def _at_level(self) -> dict[int, list[str]]:
        """By level: the values that are at it, the most frequent first."""
        frequent = sorted(self.level_of, key=lambda value: (-self.held[value], value))
        return {
            level: [v for v in frequent if self.level_of[v] == level] for level in sorted({*self.level_of.values()})
        }

    @property
    def labels(self) -> dict[int, str]:
        """What the levels are."""
        return {level: self.hierarchy.level_told(level) for level in self._at_level}

    @property
    def examples(self) -> tuple[str, ...]:
        """The most frequent value of each level, of those levels that most records are at; none of what all kept."""
        if not any(self._at_level):
            return ()
        largest = sorted(self._at_level, key=lambda level: -self._records(level))[:_EXAMPLES]
        return tuple(self._at_level[level][0] for level in sorted(largest))

    def _records(self, level: int) -> int:
        return sum(self.held[value] for value in self._at_level[level])

    @property
    def told(self) -> str:
        """How many of the records are at which level, in words; of many levels those that most are at."""
        if not any(self._at_level):
            return text("release.done.recode-locally-kept")
        largest = sorted(self._at_level, key=lambda level: -self._records(level))
        named = largest if len(largest) <= _MOST_LEVELS else largest[: _MOST_LEVELS - 1]
        parts = [(self.labels[level], self._records(level)) for level in sorted(named)]
        if others := [level for level in largest if level not in named]:
            parts.append((text("release.done.other-levels"), sum(map(self._records, others))))
        records = sum(self.held[value] for value in self.level_of)
        levels = "; ".join(f"{label}: {share(number / records)}" for label, number in parts)
        return text("release.done.recode-locally-column", levels=levels)


def _told(operation: Operation, recoded: _LevelledColumn | None) -> str:
    """What the operation did to a column."""
    if isinstance(operation, RecodeLocally) and recoded is not None:
        return recoded.told
    return worded(operation)


def levels_of(values: Sequence[str], hierarchy: Hierarchy) -> dict[str, int]:
    """By value of any level, as far as that can be told without the original: the lowest level that has it.

    A hierarchy that goes by a rule is asked what there can be at its levels; where it cannot say, what becomes of the
    values themselves, and of the numbers in them.

    >>> levels_of(["*", "[20, 25)", "31"], Hierarchy.by_interval(5).with_top())
    {'31': 0, '[20, 25)': 1, '*': 2}
    >>> levels_of(["< 18", "[-2.5, 4)"], Hierarchy.by_bounds([[-2.5, 4, 18], [18]]))
    {'[-2.5, 4)': 1, '< 18': 2}
    """
    numbers = (match.group() for value in values if (match := _NUMBER.search(value)))
    asked = dict.fromkeys([*values, *numbers]) if hierarchy.values is None else hierarchy.values
    above = [(value, labels) for value in asked if (labels := hierarchy.ancestors(value)) is not None]
    higher = _known_labels(hierarchy)
    higher |= {label: level for _, labels in above for level, label in reversed([*enumerate(labels, start=1)])}
    own = {value for value, _ in above if value not in higher} if hierarchy.values is None else set(hierarchy.values)
    found = {value: 0 if value in own else higher.get(value, _level_behind(value)) for value in values}
    top = {TOP: hierarchy.height} if TOP in values and found[TOP] is None else {}
    told = {value: level for value, level in found.items() if level is not None} | top
    return dict(sorted(told.items(), key=lambda each: (each[1], each[0])))


def _known_labels(hierarchy: Hierarchy) -> dict[str, int]:
    """By label: the lowest level that has it, of a rule with so few that all are known; none for others."""
    if hierarchy.values is not None:
        return {}
    levels = range(hierarchy.height, 0, -1)
    try:
        return {label: level for level in levels for label in hierarchy.domain(level)}
    except UsageError:
        return {}


def _level_behind(value: str) -> int | None:
    """The level that a label carries along, since a lower one calls other values so; none where there is none."""
    behind = _LEVEL.search(value)
    return None if behind is None else int(behind[1])


def told_names(names: Mapping[str, str]) -> str:
    """Codes with their names, as far as they are few; thousands of towns stand in the JSON file."""
    return "; ".join(f"{code} = {name}" for code, name in names.items()) if len(names) <= _MOST_NAMES else ""


def done_to(columns: Sequence[str], plan: Plan, used: Schema) -> dict[str, list[str]]:
    """What is done to ``columns``, in order, in words; to which of them, by the sentence."""
    found: dict[str, list[str]] = {}
    for operation in plan.operations:
        touched = [column for column in columns if _touches(operation, column, used)]
        if touched:
            found.setdefault(worded(operation), []).extend(touched)
    return found


def _touches(operation: Operation, column: str, used: Schema) -> bool:
    """Does the operation change or make the column?"""
    return column in (*operation.columns, *operation.adds) or _masks(operation, column, used)


def _masks(operation: Operation, column: str, used: Schema) -> TypeGuard[MaskGroups]:
    """Groups are masked in all quasi columns."""
    return isinstance(operation, MaskGroups) and column in used.quasi


def worded(operation: Operation) -> str:
    """What the operation does, for whoever reads the data: without keys, conditions and tables."""
    told = {name: getattr(operation, name) for name in _TOLD if hasattr(operation, name)}
    if isinstance(operation, Generalise):
        hierarchy = operation.hierarchy
        told |= {"height": hierarchy.height, "called": hierarchy.level_label(operation.level)}
    if isinstance(operation, RecodeLocally):
        told["columns"] = len(operation.columns)
    if isinstance(operation, SelectRecords):
        told["columns"] = ", ".join(operation.reads)
    return text(f"release.done.{operation.name}", **told)


def labels_in_use(schema: Schema) -> dict[str, str]:
    """What people call the columns, in the language in use."""
    return schema.labels(language())
