"""``--through COLUMN=…``: reading a column through a hierarchy."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from biombo._errors import UsageError

if TYPE_CHECKING:
    from biombo._data import Dataset


def read_through(data: "Dataset", typed: Iterable[str]) -> "Dataset":
    """The table with each column at its level: ``proc=prefix:2``, ``city=cities.csv:1`` or ``proc=sigtap:3``."""
    from biombo._data import through
    from biombo._hierarchy import Hierarchy

    for entry in typed:
        column, _, rest = entry.partition("=")
        source, _, number = rest.rpartition(":")
        if not column or not source or not number.isdecimal():
            raise UsageError("usage.through", typed=entry)
        if source == "prefix":
            data = through(data, column, Hierarchy.by_prefix([int(number)]), 1)
        else:
            data = through(data, column, Hierarchy.load(source), int(number))
    return data
