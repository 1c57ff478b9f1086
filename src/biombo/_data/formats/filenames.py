"""Columns that stand in a file's name, such as the state and month in ``PAAC2401.dbc``."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath

from biombo._errors import InputError, UsageError

_FIELD = re.compile(r"\{([^{}:]+)(?::([1-9][0-9]{0,2}))?\}")


class FilenamePattern:
    """A pattern of file names: ``{name}`` is a column of any length, ``{name:2}`` one of exactly two characters.

    It is held against the file's own name, without its folder; upper and lower case are the same in what is not a
    column.

    >>> FilenamePattern("PA{uf:2}{year:2}{month:2}.dbc").match("data/paAC2401.DBC")
    {'uf': 'AC', 'year': '24', 'month': '01'}
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        fields = list(_FIELD.finditer(pattern))
        self.columns = [field[1] for field in fields]
        if problem := next(_problems(pattern, fields), None):
            raise UsageError(problem, pattern=pattern)

    def __repr__(self) -> str:
        return f"FilenamePattern({self.pattern!r})"

    def match(self, path: str | PurePath) -> dict[str, str]:
        """The columns that the name of the file at ``path`` holds."""
        found = self._regex.fullmatch(PurePath(path).name)
        if found is None:
            raise InputError("input.filename", path=str(path), pattern=self.pattern)
        return dict(zip(self.columns, found.groups(), strict=True))

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        # re.split on two groups gives: literal, name, length, literal, name, length, …, literal
        pieces = _FIELD.split(self.pattern)
        regex = re.escape(pieces[0])
        for length, literal in zip(pieces[2::3], pieces[3::3], strict=True):
            regex += (f"(.{{{length}}})" if length else "(.+?)") + re.escape(literal)
        return re.compile(regex, re.IGNORECASE | re.DOTALL)


def _problems(pattern: str, fields: list[re.Match[str]]) -> Iterator[str]:
    """What is wrong with ``pattern``, as message keys."""
    names = [field[1] for field in fields]
    if "/" in pattern or "\\" in pattern:
        yield "usage.pattern-folder"
    if not fields or set("{}") & set(_FIELD.sub("", pattern)):
        yield "usage.pattern"
    if len(set(names)) < len(names):
        yield "usage.pattern-repeated"
    for left, right in pairwise(fields):
        if left.end() == right.start() and left[2] is None and right[2] is None:
            yield "usage.pattern-ambiguous"
