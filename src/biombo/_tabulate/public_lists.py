"""Which categories a column can have, where that is known without looking at the table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from biombo._data import ColumnSchema
from biombo._errors import ColumnError, InputError, UsageError
from biombo._files import read_whole
from biombo._hierarchy import Hierarchy
from biombo._i18n import text

MOST_LISTED = 200
"""A list that nobody asked for is shown whole where it has no more categories than this."""

Categories = Sequence[str | None] | Literal["public", "data"]
"""The values of a column, none for a missing one; all that its schema or hierarchy lists; or those that are there."""

Row = tuple[str, ...]
"""What a category is at each level, the finest first."""


@dataclass(frozen=True)
class PublicList:
    """Categories that are shown whether anybody is in them or not."""

    rows: tuple[Row, ...]
    is_closed: bool
    """Are all other values counted together, however many people have them?"""

    def has(self, row: Sequence[str]) -> bool:
        """Is it a category of the list, or one that some of these are part of?"""
        return tuple(row) in self._tails

    @cached_property
    def _tails(self) -> frozenset[Row]:
        return frozenset(row[start:] for row in self.rows for start in range(len(row)))


def public_list(
    column: str,
    levels: Sequence[int],
    hierarchy: Hierarchy | None,
    declared: ColumnSchema,
    chosen: Categories | None,
) -> PublicList | None:
    """The list of a column: the one that was ``chosen``, else what its schema or its hierarchy says, as long as that is
    short and nobody's data; none where only the table tells which categories there are.
    """
    if chosen == "data":
        return None
    if chosen is not None and not isinstance(chosen, str):
        return PublicList(_rows(chosen, levels, hierarchy), is_closed=True)
    values = declared.domain or tuple(declared.values)
    asked = chosen == "public"
    rows = _rows(values, levels, hierarchy) if values else _of_hierarchy(levels, hierarchy, declared, asked=asked)
    if asked and not rows:
        raise ColumnError("tabulate.no-public-list", column=column)
    return PublicList(rows, is_closed=asked) if rows and (asked or len(rows) <= MOST_LISTED) else None


def _of_hierarchy(
    levels: Sequence[int], hierarchy: Hierarchy | None, declared: ColumnSchema, *, asked: bool
) -> tuple[Row, ...]:
    """What a hierarchy can become at the levels. One that somebody made may list what a table has, and its values may
    be written otherwise in this one: it takes somebody's word.
    """
    if hierarchy is None or (hierarchy.values is not None and not asked and not _is_public(hierarchy, levels)):
        return ()
    if len(levels) == 1:
        try:
            return tuple((label,) for label in hierarchy.domain(levels[0], declared.bounds))
        except UsageError:
            return ()
    return _rows(hierarchy.values or (), levels, hierarchy)


def _is_public(hierarchy: Hierarchy, levels: Sequence[int]) -> bool:
    return hierarchy.to_tree().get("kind") == "built-in" and levels[0] > 0


def _rows(values: Iterable[str | None], levels: Sequence[int], hierarchy: Hierarchy | None) -> tuple[Row, ...]:
    """The values at all levels, each once; those that the hierarchy has no place for are left to the others."""
    return tuple(dict.fromkeys(filter(None, (row_of(value, levels, hierarchy) for value in values))))


def row_of(value: str | None, levels: Sequence[int], hierarchy: Hierarchy | None) -> Row | None:
    """What a value is at each of some levels; a missing one is missing at all, and none has no place there.

    >>> row_of("Rio", [0, 1], Hierarchy.by_hand({"RJ": ["Rio"], "SP": ["Santos"]}))
    ('Rio', 'RJ')
    """
    if value is None:
        return (text("tabulate.missing"),) * len(levels)
    if hierarchy is None:
        return (value,)
    return tuple(hierarchy.generalised(value, level) for level in levels) if hierarchy.knows(value) else None


def load_categories(source: str | Path) -> dict[str, Categories]:
    """The lists in a YAML file: by column its values, ``public`` or ``data``."""
    from biombo._documents import load_yaml

    tree = load_yaml(read_whole(source))
    if not isinstance(tree, Mapping):
        raise InputError("tabulate.categories-file", path=str(source))
    return {str(column): _checked(str(column), each) for column, each in tree.items()}


def checked_categories(given: Mapping[str, Any] | None, columns: Iterable[str]) -> dict[str, Categories]:
    """The lists by column. Raises where one is none, or of a column that nothing is counted by."""
    known = [*columns]
    for column in given or {}:
        if column not in known:
            raise ColumnError("tabulate.categories-column", column=column, known=", ".join(known))
    return {column: _checked(column, each) for column, each in (given or {}).items()}


def _checked(column: str, given: Any) -> Categories:
    if given in ("public", "data"):
        return given  # type: ignore[no-any-return]
    is_list = isinstance(given, Sequence) and not isinstance(given, str)
    if not is_list or not given or not all(value is None or isinstance(value, str) for value in given):
        raise ColumnError("tabulate.categories", column=column)
    return tuple(given)
