"""Numbers and sentences as a report writes them, in the language in use."""

from datetime import datetime
from typing import Any

from markupsafe import Markup, escape

from biombo._i18n import integer, number, percent, text


def rich(key: str, **values: Any) -> Markup:
    """A text of the catalogue, which may hold tags, with ``values`` escaped before they are filled in."""
    safe = {name: escape(value) if isinstance(value, str) else value for name, value in values.items()}
    return Markup(text(key, **safe))


def counted(key: str, n: int, **values: Any) -> Markup:
    """The text under ``key`` that fits the number ``n``: ``.one`` or ``.many``."""
    return rich(f"{key}.{'one' if n == 1 else 'many'}", n=n, **values)


def percentage(share: float) -> str:
    """A share with two digits: 57.79%."""
    return f"{points(share)}%"


def points(share: float) -> str:
    """A difference of shares in percentage points, two digits: 41.14."""
    return number(_no_minus_zero(100 * share, 2), 2)


def of_records(count: int, rows: int) -> str:
    """A number of records with their share: 9,300 (11.3%)."""
    return text("report.number.of-records", count=count, share=count / rows)


def per_hundred(share: float) -> str:
    """A share for everyone: 58 of 100. Says so when rounding would turn it into nobody or everybody."""
    n = round(100 * share)
    if n == 0 and share > 0:
        return text("report.number.hardly-any")
    if n == 100 and share < 1:
        return text("report.number.nearly-all")
    return text("report.number.per-hundred", n=n)


def certainty(share: float, digits: int = 1) -> str:
    """A share for a sentence: 34.2%. Says so when rounding would turn it into nothing or everything."""
    least = 10.0 ** -(digits + 2)
    if 0 < share < least / 2:
        return text("report.number.less-than", share=percent(least, digits))
    if 1 - least / 2 < share < 1:
        return text("report.number.more-than", share=percent(1 - least, digits))
    return percent(share, digits)


def correlation(value: float | None) -> str:
    """A correlation coefficient, or that there is none."""
    if value is None:
        return text("report.number.not-defined")
    return number(_no_minus_zero(value, 2), 2).replace("-", "−")


def size_class(low: int, high: int | None) -> str:
    """A class of group sizes: 1, 5–9 or 100+."""
    if high is None:
        return f"{integer(low)}+"
    return integer(low) if low == high else f"{integer(low)}–{integer(high)}"


def moment(time: datetime) -> str:
    """A point in time with its offset from UTC."""
    offset = time.strftime("%z")
    zone = "" if offset in ("", "+0000") else f"{offset[:3]}:{offset[3:5]}".replace("-", "−")
    month = text(f"report.month.m{time.month}")
    return text(
        "report.month.moment", day=time.day, month=month, year=time.year, clock=f"{time:%H:%M}", zone=f"UTC{zone}"
    )


def _no_minus_zero(value: float, digits: int) -> float:
    return round(value, digits) + 0.0
