"""Derive a duration from two dates or times, which need not be released then."""

import re
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import polars as pl
import pyarrow as pa

from biombo._data import Role
from biombo._engine import Batch, Step
from biombo._errors import ColumnError, UsageError
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.values.distinct_values import column_values

Unit = Literal["days", "hours", "minutes", "years"]

_MOMENT = pl.Datetime("us")

_TOKENS = {"YYYY": ("%Y", "[0-9]{4}"), "MM": ("%m", "[0-9]{2}"), "DD": ("%d", "[0-9]{2}")}
_TIME = r"(?:[ T]((?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?)(?:\.[0-9]+)?)?"
_MINUTE = 60_000_000
_MICROSECONDS = {"minutes": _MINUTE, "hours": 60 * _MINUTE, "days": 24 * 60 * _MINUTE}


@dataclass(frozen=True)
class DeriveDuration(RowOperation):
    """Add the column ``into``: how many whole ``unit`` lie between ``from`` and ``to`` (PDPC 2018, 6.5).

    It is negative where ``to`` comes first, and missing where one of the two is. Years are those of the calendar, as in
    an age. Dates that are text are written as ``format`` says, a time of day may follow. The two columns are not
    released, unless ``drop`` is false.

    >>> DeriveDuration("admission", "discharge", "stay").to_tree()
    {'derive-duration': {'from': 'admission', 'to': 'discharge', 'into': 'stay'}}
    """

    name: ClassVar[str] = "derive-duration"
    roles: ClassVar[tuple[Role, ...]] = ("identifier", "quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.derive-duration"

    from_: str
    to: str
    into: str
    unit: Unit = "days"
    drop: bool = True
    format: str = "YYYY-MM-DD"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len({self.from_, self.to, self.into}) < 3:
            raise UsageError("plan.duration-columns", into=self.into)
        DateFormat(self.format)

    @property
    def columns(self) -> tuple[str, ...]:
        """The two columns, if they are dropped."""
        return self.reads if self.drop else ()

    @property
    def reads(self) -> tuple[str, ...]:
        """The two columns."""
        return (self.from_, self.to)

    @property
    def adds(self) -> tuple[str, ...]:
        """The duration."""
        return (self.into,)

    @property
    def removes(self) -> tuple[str, ...]:
        """The two columns, if they are dropped."""
        return self.columns

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Work on whole columns of a batch."""
        return _Deriving(self)


class _Deriving(Step):
    def __init__(self, operation: DeriveDuration) -> None:
        self._operation = operation
        self._format = DateFormat(operation.format)

    def __call__(self, batch: Batch) -> Batch:
        operation, table = self._operation, batch.table
        start, end = (self._format.moments(table.column(name), name) for name in operation.reads)
        found = (
            whole_years(start, end) if operation.unit == "years" else _whole(start, end, _MICROSECONDS[operation.unit])
        )
        return replace(batch, table=table.append_column(operation.into, found.cast(pl.Int64).to_arrow()))


def _whole(start: pl.Series, end: pl.Series, unit: int) -> pl.Series:
    """How many units of so many microseconds have passed."""
    between = (end - start).dt.total_microseconds()
    return (between.abs() // unit) * between.sign()


def whole_years(start: pl.Series, end: pl.Series) -> pl.Series:
    """How many years of the calendar have passed: one more on each day and time of year of the start.

    >>> from datetime import datetime
    >>> born, then = pl.Series([datetime(2000, 2, 29)] * 2), pl.Series([datetime(2018, 2, 28), datetime(2018, 3, 1)])
    >>> whole_years(born, then).to_list()
    [17, 18]
    """
    sign = (end - start).dt.total_microseconds().sign()
    frame = pl.DataFrame({"a": start, "b": end})
    first, last = (
        frame.select(pl.min_horizontal("a", "b")).to_series(),
        frame.select(pl.max_horizontal("a", "b")).to_series(),
    )
    before_the_day = (_in_year(last) < _in_year(first)).cast(pl.Int64)
    return sign * (last.dt.year().cast(pl.Int64) - first.dt.year() - before_the_day)


def _in_year(moments: pl.Series) -> pl.Series:
    """A number that grows from one day and time of the year to the next, the same in every year."""
    day = moments.dt.month().cast(pl.Int64) * 31 + moments.dt.day()
    return day * _MICROSECONDS["days"] + (moments - moments.dt.truncate("1d")).dt.total_microseconds()


class DateFormat:
    """How dates are written as text: YYYY, MM and DD with what stands between them. A time of day may follow."""

    def __init__(self, format: str) -> None:
        if sorted(re.findall("YYYY|MM|DD", format)) != ["DD", "MM", "YYYY"]:
            raise UsageError("plan.date-format", format=format)
        self._format = format
        directives, pattern = format, re.escape(format)
        for token, (directive, digits) in _TOKENS.items():
            directives = directives.replace(token, directive)
            pattern = pattern.replace(token, digits)
        self._directives = directives
        self._pattern = rf"^({pattern}){_TIME}$"

    def moments(self, chunk: pa.Array, column: str) -> pl.Series:
        """The moments in ``chunk``; null where a value is missing."""
        values = column_values(chunk)
        if isinstance(values.dtype, pl.Datetime):
            return values.dt.replace_time_zone(None).cast(_MOMENT)
        if values.dtype == pl.Date:
            return values.cast(_MOMENT)
        read = self._read(values.cast(pl.String).str.strip_chars())
        strange = values.filter(values.is_not_null() & read.is_null())
        if len(strange):
            raise ColumnError("plan.not-a-date", column=column, example=str(strange[0]), format=self._format)
        return read

    def _read(self, written: pl.Series) -> pl.Series:
        days = written.str.extract(self._pattern, 1).str.to_date(self._directives, strict=False)
        clock = written.str.extract(self._pattern, 2)
        return days.cast(_MOMENT) + (_seconds(clock) * 1_000_000).cast(pl.Duration("us"))


def _seconds(clock: pl.Series) -> pl.Series:
    """The seconds since midnight of ``clock``, such as 23:59 or 23:59:59; 0 where there is none."""
    hours, minutes, seconds = (
        clock.str.slice(start, 2).cast(pl.Int64, strict=False).fill_null(0) for start in (0, 3, 6)
    )
    return hours * 3600 + minutes * 60 + seconds
