"""The names of a table's columns."""

from collections import Counter
from collections.abc import Iterable

from biombo._errors import InputError, shortened


def tidy_header(names: Iterable[object], source: str) -> list[str]:
    """The names in a file's header, without the space around them and each of them once.

    A column without a name is called by its place, such as ``column_3``.

    >>> tidy_header(["", " age"], "people.csv")
    ['column_1', 'age']
    """
    return unique((str(name).strip() or f"column_{place}" for place, name in enumerate(names, start=1)), source)


def unique(names: Iterable[str], source: str) -> list[str]:
    """``names``, unless one of them stands there twice."""
    listed = list(names)
    repeated = [name for name, times in Counter(listed).items() if times > 1]
    if repeated:
        raise InputError("input.repeated-columns", source=source, columns=shortened(repeated))
    return listed
