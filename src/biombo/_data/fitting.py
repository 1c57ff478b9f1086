"""Which of the schemas that come with Biombo a table is made for, by the names of its columns."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from functools import cache

from biombo._data.schema import built_in, built_in_text

_FEWEST_OWN = 5
"""Columns that no other built-in schema has: names such as SEXO and IDADE stand in files of all kinds."""

_OF_DECIDED = 0.6
"""The share of the schema's quasi and sensitive columns that must be there: it would be of little use otherwise."""

_COLUMN = re.compile(r"^  (?P<name>[^\s:#'\"]+):\n    role: (?P<role>\w+)$", re.MULTILINE)


def fitting_schema(names: Iterable[str]) -> str | None:
    """The name of the built-in schema for a table with columns of these ``names``, whatever their case; none where no
    schema fits, or several do. Some columns may be missing, and others there.

    >>> fitting_schema(["PA_CODUNI", "pa_proc_id", "PA_IDADE", "PA_SEXO", "PA_MUNPCN", "my_own"])
    'siapa'
    >>> fitting_schema(["age", "sex", "disease"])
    """
    there = {name.casefold() for name in names}
    known = {name: _roles(name) for name in built_in()}
    met = Counter(column for roles in known.values() for column in roles)
    own = {name: sum(met[column] == 1 for column in there & {*roles}) for name, roles in known.items()}
    fitting = [name for name, roles in known.items() if own[name] >= _FEWEST_OWN and _are_decided(roles, there)]
    best = max((own[name] for name in fitting), default=0)
    found = [name for name in fitting if own[name] == best]
    return found[0] if len(found) == 1 else None


def _are_decided(roles: Mapping[str, str], there: Set[str]) -> bool:
    decided = {column for column, role in roles.items() if role in ("quasi", "sensitive")}
    return len(decided & there) >= _OF_DECIDED * len(decided)


@cache
def _roles(name: str) -> dict[str, str]:
    """The columns of a built-in schema, as its file has them: to read all files takes half a second."""
    return {found["name"].casefold(): found["role"] for found in _COLUMN.finditer(built_in_text(name))}
