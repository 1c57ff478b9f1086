"""Which values of a column meet a condition, as a plan writes it, and which records meet all of several."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import partial
from operator import ge, gt, le, lt
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from biombo._engine import Rows
from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import Numerals, exact
from biombo._plan.values.distinct_values import Marked
from biombo._plan.values.numbers import is_text

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"above": gt, "below": lt, "at-least": ge, "at-most": le}
_ENTRIES = (*_COMPARISONS, "missing", "apart")


@dataclass(frozen=True)
class Condition(ABC):
    """Something that a value of ``column``, as it is written, may be."""

    column: str

    compares_all: ClassVar[bool] = False
    """Does it raise where a value cannot be compared?"""

    @abstractmethod
    def holds(self, value: str | None, numerals: Numerals) -> bool:
        """Is ``value`` so? ``numerals`` says how numbers are written in the column."""


@dataclass(frozen=True)
class OneOf(Condition):
    """One of some values, exactly as written: 7 is not 007. A missing value is an empty text."""

    values: frozenset[str]

    def holds(self, value: str | None, numerals: Numerals) -> bool:  # noqa: ARG002
        """Is it among them?"""
        return (value or "") in self.values


@dataclass(frozen=True)
class Missing(Condition):
    """A missing value, or one that is there."""

    missing: bool

    def holds(self, value: str | None, numerals: Numerals) -> bool:  # noqa: ARG002
        """Is the value missing, or there, as is asked?"""
        return (value is None) == self.missing


@dataclass(frozen=True)
class NumberLimit(Condition):
    """A number on one side of another. Missing values and those ``apart`` lie on no side."""

    compares_all: ClassVar[bool] = True

    compares: Callable[[Any, Any], bool]
    limit: Fraction
    apart: frozenset[str]

    def holds(self, value: str | None, numerals: Numerals) -> bool:
        """Is it on that side?"""
        if value is None or value in self.apart:
            return False
        number = numerals.read(value)
        if number is None:
            raise ColumnError("plan.where-number", column=self.column, value=value)
        return self.compares(number, self.limit)


@dataclass(frozen=True)
class DateLimit(Condition):
    """A date or time on one side of another; a limit without a time of day is for whole days."""

    compares_all: ClassVar[bool] = True

    compares: Callable[[Any, Any], bool]
    limit: date
    apart: frozenset[str]

    def holds(self, value: str | None, numerals: Numerals) -> bool:  # noqa: ARG002
        """Is it on that side?"""
        if value is None or value in self.apart:
            return False
        moment = _moment(value)
        if moment is None:
            raise ColumnError("plan.where-date", column=self.column, value=value)
        return self.compares(moment if isinstance(self.limit, datetime) else moment.date(), self.limit)


class Meeting:
    """Which rows of the batches that it is shown meet all conditions of ``where``; each distinct value is looked at
    once. Values are compared in no row that already fails a condition that compares nothing.

    >>> adults = Meeting({"age": {"at-least": 18}, "city": ["A"]}, Numerals())
    >>> people = {"city": ["A", "A", "B"], "age": ["17", "18", "unknown"]}
    >>> adults(pa.RecordBatch.from_pydict(people)).tolist()
    [False, True, False]
    """

    def __init__(self, where: Mapping[str, Any], declared: Numerals) -> None:
        conditions = [each for column, entry in where.items() for each in conditions_of(column, entry)]
        self._conditions = sorted(conditions, key=lambda each: each.compares_all)
        self._declared = declared
        self._meeting = {
            (place, numerals): Marked(partial(condition.holds, numerals=numerals))
            for place, condition in enumerate(self._conditions)
            for numerals in (declared, Numerals())
        }

    def __call__(self, batch: pa.RecordBatch) -> Rows:
        met = np.ones(batch.num_rows, bool)
        for place, condition in enumerate(self._conditions):
            chunk = batch.column(condition.column)
            numerals = self._declared if is_text(chunk) else Numerals()
            met &= self._meeting[place, numerals](chunk, condition.column, met)
        return met


def tidied(entry: Any) -> Any:
    """An entry under ``where``: lists as tuples, and the dates that YAML makes of 2024-01-31 as text again."""
    if isinstance(entry, Mapping):
        return {name: tidied(value) for name, value in entry.items()}
    if isinstance(entry, list | tuple):
        return tuple(tidied(value) for value in entry)
    return str(entry) if isinstance(entry, date) else entry


def conditions_of(column: str, entry: Any) -> list[Condition]:
    """The conditions that ``entry`` of a plan sets for the values of ``column``, all of which must hold."""
    if isinstance(entry, Mapping):
        return list(_limits(column, entry))
    values = [entry] if isinstance(entry, str) else entry
    if not isinstance(values, list | tuple) or not values or not all(isinstance(value, str) for value in values):
        raise UsageError("plan.where-values", column=column, value=entry)
    return [OneOf(column, frozenset(values))]


def _limits(column: str, entry: Mapping[str, Any]) -> Iterator[Condition]:
    unknown = [name for name in entry if name not in _ENTRIES]
    if unknown or not entry.keys() - {"apart"}:
        raise UsageError("plan.where-entries", column=column, known=", ".join(_ENTRIES))
    apart = entry.get("apart", ())
    if not isinstance(apart, list | tuple) or not all(isinstance(value, str) for value in apart):
        raise UsageError("plan.where-values", column=column, value=apart)
    if "missing" in entry:
        if not isinstance(entry["missing"], bool) or (entry["missing"] and len(entry) > 1):
            raise UsageError("plan.where-missing", column=column)
        yield Missing(column, entry["missing"])
    for name, compares in _COMPARISONS.items():
        if name in entry:
            yield _limit(column, name, compares, entry[name], frozenset(apart))


def _limit(
    column: str, name: str, compares: Callable[[Any, Any], bool], limit: Any, apart: frozenset[str]
) -> Condition:
    if type(limit) is int or (type(limit) is float and limit == limit and abs(limit) != float("inf")):
        return NumberLimit(column, compares, exact(limit), apart)
    moment = _moment(limit) if isinstance(limit, str) else None
    if moment is None:
        raise UsageError("plan.where-limit", column=column, entry=name, value=limit)
    return DateLimit(column, compares, moment.date() if len(limit.strip()) == len("2024-01-31") else moment, apart)


def _moment(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(written.strip()).replace(tzinfo=None)
    except ValueError:
        return None
