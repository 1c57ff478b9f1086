"""Text that a spreadsheet would take for a formula, and carry out.

Such text gets an apostrophe in front, by which a spreadsheet knows that it is text. Text that has apostrophes before
what would be a formula gets one more, so that taking one away always gives back what was there.
"""

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

_FORMULA = r"^'*[=+\-@\t\r]"
_NUMBER = r"^[+-][0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]+)?$"
_ESCAPED = r"^'('*[=+\-@\t\r])"


def escaped(values: pl.Series) -> pl.Series:
    """Text with an apostrophe before what starts with = + - @, a tab or a carriage return; -5 is a number and stays.

    >>> escaped(pl.Series(["=1+1", "-5", "'=a", "it's"])).to_list()
    ["'=1+1", '-5', "''=a", "it's"]
    """
    if not ((values < "0") | values.is_between("=", "A")).any():  # where all of these lie, and quickly told
        return values
    is_formula = values.str.contains(_FORMULA) & ~values.str.contains(_NUMBER)
    return values.zip_with(~is_formula.fill_null(False), "'" + values)


def unescaped(values: pa.Array) -> pa.Array:
    """Text without the apostrophe.

    >>> unescaped(pa.array(["'=1+1", "-5", "''=a", "it's"])).to_pylist()
    ['=1+1', '-5', "'=a", "it's"]
    """
    return pc.replace_substring_regex(values, _ESCAPED, r"\1")
