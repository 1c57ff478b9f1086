"""Text that a spreadsheet would take for a formula, and carry out.

A spreadsheet begins a cell wherever it splits a file: at commas, semicolons or tabs, as its country has it, and at
line breaks, those in quotes included when it does not know quotes. So a cell may begin where a text does and after each
of these marks in it; quotes there may be taken away, and so may a mark of the byte order. What would then start with
= + - @, a tab or a carriage return gets an apostrophe before that character, by which a spreadsheet knows text. Where
apostrophes stand there already it is one more, so that taking one away everywhere gives back what was there. Numbers
such as -5 stay.
"""

import re

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

_BEGIN = '(^|[,;\t\r\n])(["\ufeff]*)'
_FORMULA = r"[=+\-@\t\r]"
_APART = r"[,;\t\r\n]"
_AT_START = f"^[\"\ufeff]*'*{_FORMULA}"
_ANYWHERE = f"{_BEGIN}'*{_FORMULA}"
_ESCAPED_ANYWHERE = f"{_BEGIN}'+{_FORMULA}"
_SIGNED_NUMBER = r"^[+-][0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]+)?$"

_TO_ESCAPE = re.compile(f"{_BEGIN}('*)(?={_FORMULA})")  # what is looked ahead to may itself begin a cell
_TO_UNESCAPE = re.compile(f"{_BEGIN}'('*)(?={_FORMULA})")


def escaped(values: pl.Series, *, numbers: bool = False) -> pl.Series:
    """Text in which no cell starts a formula; ``numbers`` with a sign, too, where they begin a line of other text.

    >>> escaped(pl.Series(["=1+1", "-5", "'=a", "it's", "a;=1"])).to_list()
    ["'=1+1", '-5', "''=a", "it's", "a;'=1"]
    """
    doubtful = values.str.contains(_AT_START) | values.str.contains(_APART)  # quickly told, and mostly none
    if not doubtful.any():
        return values
    found = doubtful & values.str.contains(_ANYWHERE)
    if not numbers:
        found &= ~values.str.contains(_SIGNED_NUMBER)
    found = found.fill_null(False)
    if not found.any():
        return values
    changed = values.filter(found).unique()
    return values.replace(changed, pl.Series([escaped_text(text) for text in changed], dtype=pl.String))


def unescaped(values: pa.Array) -> pa.Array:
    """Text as it was before :func:`escaped`.

    >>> unescaped(pa.array(["'=1+1", "-5", "''=a", "it's", "a;'=1"])).to_pylist()
    ['=1+1', '-5', "'=a", "it's", 'a;=1']
    """
    found = pc.fill_null(pc.match_substring_regex(values, _ESCAPED_ANYWHERE), False)
    if not pc.any(found).as_py():
        return values
    changed = [unescaped_text(text) for text in values.filter(found).to_pylist()]
    return pc.replace_with_mask(values, found, pa.array(changed, values.type))


def escaped_text(text: str) -> str:
    """One text with all apostrophes that it needs, numbers not spared.

    >>> escaped_text("\\t=1")
    "'\\t'=1"
    """
    return _TO_ESCAPE.sub(r"\1\2'\3", text)


def unescaped_text(text: str) -> str:
    """One text as it was before its apostrophes.

    >>> unescaped_text("'\\t'=1")
    '\\t=1'
    """
    return _TO_UNESCAPE.sub(r"\1\2\3", text)
