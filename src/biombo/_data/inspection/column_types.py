"""Whether the values of a column are categories, whole numbers, decimals or dates."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import date

from biombo._data.inspection.few_people import different, passed_over, share_of
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
_COMPACT_DAY_FIRST = re.compile(r"(?P<day>\d\d)(?P<month>\d\d)(?P<year>\d{4})")
_DATE_SHAPES = (_YEAR_FIRST, _DAY_FIRST, _MONTH_FIRST, _COMPACT, _COMPACT_DAY_FIRST)

_EARLIEST, _LATEST = 1850, 2150


def column_type(sample: ValueSample, hint: ColumnType | None = None) -> ColumnType:
    """The type that the values of ``sample`` look like; ``hint`` decides between codes and numbers."""
    if dates(sample):
        return "date"
    if hint == "categorical" or not sample.values:
        return "categorical"
    if _most(sample, _INTEGER.fullmatch):
        return "discrete" if hint in ("discrete", "continuous") or _counts_something(sample) else "categorical"
    if _most(sample, _DECIMAL.fullmatch):
        return "continuous" if different(sample.weights) > _FEW_VALUES else "discrete"
    return "categorical"


def dates(sample: ValueSample) -> list[date]:
    """The dates that the values stand for, when nearly all of them do; else none."""
    for shape in _DATE_SHAPES:
        read = [_date(shape, value) for value in sample.values]
        if share_of([day is not None for day in read], sample.weights) >= _MOST:
            return [day for day in read if day is not None]
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
    padded = sum(
        weight for value, weight in zip(sample.values, sample.weights, strict=True) if _ZERO_LED.fullmatch(value)
    )
    if padded > passed_over(sum(sample.weights)):
        return False
    lengths: Counter[int] = Counter()
    for value, weight in zip(sample.values, sample.weights, strict=True):
        lengths[len(value)] += weight
    met = [length for length, _ in lengths.most_common(different(lengths.values()))]
    return len(met) > 1 or (sample.numeric and max(met) < 3)


def _most(sample: ValueSample, looks_so: Callable[[str], object]) -> bool:
    return share_of([bool(looks_so(value)) for value in sample.values], sample.weights) >= _MOST
