"""Whether the values of a column are categories, whole numbers, decimals or dates."""

import re
from collections.abc import Callable
from datetime import date

from biombo._data.inspection.profile import ValueSample
from biombo._data.schema import ColumnType

_MOST = 0.9
"""The share of values that must look alike: files have typing errors."""

_FEW_VALUES = 20
"""Decimals with no more different values than this are steps on a scale."""

_INTEGER = re.compile(r"-?\d{1,18}")
_DECIMAL = re.compile(r"-?(\d{1,3}(\.\d{3})+|\d{1,3}(,\d{3})+|\d+)([.,]\d+)?([eE][+-]?\d+)?")
_ZERO_LED = re.compile(r"0\d+")

_TIME = r"(?:[T ]\d{2}:\d{2}.*)?"
_YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d){_TIME}")
_DAY_FIRST = re.compile(rf"(?P<day>\d\d?)/(?P<month>\d\d?)/(?P<year>\d{{4}}){_TIME}")
_MONTH_FIRST = re.compile(rf"(?P<month>\d\d?)/(?P<day>\d\d?)/(?P<year>\d{{4}}){_TIME}")
_COMPACT = re.compile(r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)")
_DATE_SHAPES = (_YEAR_FIRST, _DAY_FIRST, _MONTH_FIRST, _COMPACT)

_EARLIEST, _LATEST = 1850, 2150


def column_type(sample: ValueSample, hint: ColumnType | None = None) -> ColumnType:
    """The type that the values of ``sample`` look like; ``hint`` decides between codes and numbers."""
    values = sample.values
    if dates(sample):
        return "date"
    if hint == "categorical" or not values:
        return "categorical"
    if _most(values, _INTEGER.fullmatch):
        return "discrete" if hint in ("discrete", "continuous") or _counts_something(sample) else "categorical"
    if _most(values, _DECIMAL.fullmatch):
        return "continuous" if len(set(values)) > _FEW_VALUES else "discrete"
    return "categorical"


def dates(sample: ValueSample) -> list[date]:
    """The dates that the values stand for, when nearly all of them do; else none."""
    for shape in _DATE_SHAPES:
        read = [found for value in sample.values if (found := _date(shape, value))]
        if read and len(read) >= _MOST * len(sample.values):
            return read
    return []


def _date(shape: re.Pattern[str], value: str) -> date | None:
    match = shape.fullmatch(value)
    if not match or not _EARLIEST <= int(match["year"]) <= _LATEST:
        return None
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None


def _counts_something(sample: ValueSample) -> bool:
    """Whether integers are amounts: codes are padded with zeros or all have the same length."""
    if any(_ZERO_LED.fullmatch(value) for value in sample.values):
        return False
    lengths = {len(value) for value in sample.values}
    return len(lengths) > 1 or (sample.numeric and max(lengths) < 3)


def _most(values: tuple[str, ...], looks_so: Callable[[str], object]) -> bool:
    return sum(1 for value in values if looks_so(value)) >= _MOST * len(values)
