"""Lists and pairs as people type them: ``a,b,c`` and ``a=1,b=2``."""

import re
from collections.abc import Iterable

from biombo._errors import UsageError


def names(typed: str | None) -> list[str] | None:
    """The names in ``a,b,c``; nothing where nothing was typed.

    >>> names("age, sex")
    ['age', 'sex']
    """
    if typed is None:
        return None
    found = [name.strip() for name in typed.split(",")]
    if not all(found):
        raise UsageError("usage.empty-name", typed=typed)
    return found


def pairs(typed: Iterable[str]) -> dict[str, str | None]:
    """The pairs in ``a=1,b=2``, typed in one piece or several. A comma inside of a value is taken as such; no value
    means a missing one.

    >>> pairs(["age=45,sex=F", "income=32,19", "race="])
    {'age': '45', 'sex': 'F', 'income': '32,19', 'race': None}
    """
    found: dict[str, str | None] = {}
    for piece in typed:
        for pair in re.split(r",(?=[^,=]+=)", piece):
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not name or not equals:
                raise UsageError("usage.pairs", typed=piece)
            found[name] = value or None
    return found
