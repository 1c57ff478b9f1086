"""Numbers written as text, with a decimal point or a decimal comma."""

import polars as pl

_NUMBER = r"^[+-]?(?:(?:[0-9]{1,3}(?:THOUSANDS[0-9]{3})+|[0-9]+)(?:DECIMAL[0-9]*)?|DECIMAL[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_BOTH_MARKS = r"^[+-]?[0-9]{1,3}(?:THOUSANDS[0-9]{3})+DECIMAL[0-9]+$"
_SEVERAL_THOUSANDS = r"^[+-]?[0-9]{1,3}(?:THOUSANDS[0-9]{3}){2,}$"
_ONE_MARK = r"^[+-]?[0-9]*DECIMAL[0-9]*(?:[eE][+-]?[0-9]+)?$"
_ONE_MARK_OR_THOUSANDS = r"^[+-]?[1-9][0-9]{0,2}DECIMAL[0-9]{3}$"


def parse_numbers(values: pl.Series) -> pl.Series:
    """``values`` as numbers; null where one is not a finite number.

    Whether text has a decimal point or a decimal comma is decided once for all values, by those that leave no doubt:
    ``1.234,56``, ``12,5``, ``1,234,567``. A mark that could be either (``1,234``) is then read like the others; when
    nothing else tells, the only mark in use is taken for the decimal one, and of two the point.

    >>> parse_numbers(pl.Series(["1.234,50", "12,5", "7", "n/a"])).to_list()
    [1234.5, 12.5, 7.0, None]
    """
    if values.dtype.is_numeric():
        return _finite(values.cast(pl.Float64))
    if values.dtype != pl.String:
        return pl.Series(values.name, [None] * len(values), pl.Float64)
    written = values.str.strip_chars()
    decimal, thousands = _marks(written)
    plain = written.str.replace_all(thousands, "", literal=True).str.replace(decimal, ".", literal=True)
    numbers = plain.cast(pl.Float64, strict=False)
    is_number = written.str.contains(_with(_NUMBER, decimal, thousands)).fill_null(False)
    return _finite(numbers.set(~is_number, None))


def _finite(numbers: pl.Series) -> pl.Series:
    return numbers.set(~numbers.is_finite().fill_null(True), None)


def _marks(written: pl.Series) -> tuple[str, str]:
    """The mark before decimals and the one between thousands."""
    for_point, for_comma = _evidence(written, ".", ","), _evidence(written, ",", ".")
    if for_point == for_comma == 0:
        only_comma = written.str.contains(",", literal=True).any() and not written.str.contains(".", literal=True).any()
        return (",", ".") if only_comma else (".", ",")
    return (",", ".") if for_comma > for_point else (".", ",")


def _evidence(written: pl.Series, decimal: str, thousands: str) -> int:
    """How many values can only be read with ``decimal`` as the mark before decimals."""

    def holds(pattern: str) -> pl.Series:
        return written.str.contains(_with(pattern, decimal, thousands))

    certain = holds(_BOTH_MARKS) | holds(_SEVERAL_THOUSANDS) | (holds(_ONE_MARK) & ~holds(_ONE_MARK_OR_THOUSANDS))
    return int(certain.sum())


def _with(pattern: str, decimal: str, thousands: str) -> str:
    return pattern.replace("DECIMAL", f"[{decimal}]").replace("THOUSANDS", f"[{thousands}]")
