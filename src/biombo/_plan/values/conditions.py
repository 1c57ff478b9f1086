"""Which values of a column meet a condition, as a plan writes it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from operator import ge, gt, le, lt
from typing import Any

from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import Numerals, exact

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"above": gt, "below": lt, "at-least": ge, "at-most": le}
_ENTRIES = (*_COMPARISONS, "missing", "apart")


@dataclass(frozen=True)
class Condition(ABC):
    """Something that a value of ``column``, as it is written, may be."""

    column: str

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
