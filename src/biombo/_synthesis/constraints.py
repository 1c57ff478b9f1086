"""What must hold between the columns of every synthetic record, said by a person and never learned from records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._documents import Document, read_entries, spelled
from biombo._errors import ColumnError, UsageError
from biombo._files import read_whole
from biombo._plan import SelectRecords
from biombo._synthesis.gauge import gauge_of

Rows = NDArray[np.bool_]

_DOCUMENT = Document("constraints", mark="biombo-constraints")


@dataclass(frozen=True)
class Constraint:
    """One rule. Conditions are those of :class:`SelectRecords`.

    >>> people = pl.DataFrame({"sex": ["M"], "pregnant": ["yes"]})
    >>> Constraint(never={"sex": "M", "pregnant": "yes"}).met(people).tolist()
    [False]
    """

    never: Mapping[str, Any] | None = None
    """What no record meets as a whole."""
    when: Mapping[str, Any] | None = None
    """Whoever meets this …"""
    then: Mapping[str, Any] | None = None
    """… meets this too."""
    order: tuple[str, ...] = ()
    """Columns of numbers, dates or times, none of which is below the one before it; missing values are in any order."""

    def __post_init__(self) -> None:
        forms = (self.never is not None, self.when is not None and self.then is not None, len(self.order) > 1)
        if sum(forms) != 1 or (self.when is None) != (self.then is None):
            raise UsageError("synthesis.constraint")
        for where in filter(None, (self.never, self.when, self.then)):
            SelectRecords(where)  # raises what is wrong with its conditions

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that it is about."""
        conditions = [name for where in (self.never, self.when, self.then) for name in where or ()]
        return tuple(dict.fromkeys([*conditions, *self.order]))

    def met(self, table: pl.DataFrame) -> Rows:
        """Which records keep to it."""
        if self.never is not None:
            return ~_meeting(self.never, table)
        if self.when is not None and self.then is not None:
            return ~_meeting(self.when, table) | _meeting(self.then, table)
        found = np.ones(table.height, bool)
        units = [_units(table[name]) for name in self.order]
        for lower, upper in pairwise(units):
            found &= ~(lower > upper).fill_null(False).to_numpy()
        return found

    def __str__(self) -> str:
        entries = {name: getattr(self, name) for name in ("never", "when", "then", "order")}
        return ", ".join(f"{name}: {_plain(entry)}" for name, entry in entries.items() if entry)


def _plain(entry: Any) -> Any:
    return dict(entry) if isinstance(entry, Mapping) else list(entry)


def _meeting(where: Mapping[str, Any], table: pl.DataFrame) -> Rows:
    selection = SelectRecords(where)
    batches = table.select(selection.reads).to_arrow().combine_chunks().to_batches()
    return np.concatenate([np.zeros(0, bool), *(selection.choosing()(batch, "") for batch in batches)])


def _units(values: pl.Series) -> pl.Series:
    distinct = values.unique()
    gauge = gauge_of(distinct, np.ones(len(distinct), np.int64))
    if gauge is None:
        raise ColumnError("synthesis.no-order", column=values.name)
    return gauge.units(values)


def _listed(value: Any, where: Any) -> tuple[Constraint, ...]:
    if not isinstance(value, list | tuple):
        raise UsageError("document.entry-list", entry="constraints")
    return tuple(read_entries(Constraint, each, where.folder) for each in value)


@dataclass(frozen=True)
class _Constraints:
    constraints: tuple[Constraint, ...] = field(default=(), metadata=spelled(read=_listed))


Rules = Iterable[Constraint | Mapping[str, Any]] | str | Path


def constraints_of(given: Rules) -> tuple[Constraint, ...]:
    """The constraints themselves, those that plain values describe, or those in a YAML file."""
    if isinstance(given, str | Path):
        from biombo._documents import load_yaml

        content = read_whole(given)
        with _DOCUMENT.errors_in(given):
            return _DOCUMENT.read(_Constraints, load_yaml(content)).constraints
    return tuple(each if isinstance(each, Constraint) else read_entries(Constraint, each, None) for each in given)


def violations(constraints: Sequence[Constraint], table: pl.DataFrame) -> tuple[list[int], Rows]:
    """How many records break each of the constraints, and which keep to all."""
    kept, broken = np.ones(table.height, bool), list[int]()
    for constraint in constraints:
        met = constraint.met(table)
        broken.append(int((~met).sum()))
        kept &= met
    return broken, kept
