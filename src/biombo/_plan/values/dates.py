"""Columns of dates and times, whatever their type, as moments."""

import re

import polars as pl
import pyarrow as pa

from biombo._errors import ColumnError, UsageError
from biombo._plan.values.distinct import column_values

MOMENT = pl.Datetime("us")

_TOKENS = {"YYYY": ("%Y", "[0-9]{4}"), "MM": ("%m", "[0-9]{2}"), "DD": ("%d", "[0-9]{2}")}
_TIME = r"(?:[ T]((?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?)(?:\.[0-9]+)?)?"


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
            return values.dt.replace_time_zone(None).cast(MOMENT)
        if values.dtype == pl.Date:
            return values.cast(MOMENT)
        read = self._read(values.cast(pl.String).str.strip_chars())
        strange = values.filter(values.is_not_null() & read.is_null())
        if len(strange):
            raise ColumnError("plan.not-a-date", column=column, example=str(strange[0]), format=self._format)
        return read

    def _read(self, written: pl.Series) -> pl.Series:
        days = written.str.extract(self._pattern, 1).str.to_date(self._directives, strict=False)
        clock = written.str.extract(self._pattern, 2)
        return days.cast(MOMENT) + (_seconds(clock) * 1_000_000).cast(pl.Duration("us"))


def _seconds(clock: pl.Series) -> pl.Series:
    """The seconds since midnight of ``clock``, such as 23:59 or 23:59:59; 0 where there is none."""
    hours, minutes, seconds = (
        clock.str.slice(start, 2).cast(pl.Int64, strict=False).fill_null(0) for start in (0, 3, 6)
    )
    return hours * 3600 + minutes * 60 + seconds
