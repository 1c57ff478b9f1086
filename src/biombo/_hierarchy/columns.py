"""Hierarchies read off a table: what a column's values belong to, as other columns say that it determines."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast

from biombo._documents import limited, spelled
from biombo._errors import ColumnError, InputError, UsageError
from biombo._hierarchy.hierarchy import TOP, Hierarchy, Rows
from biombo._hierarchy.table import Row, nested
from biombo._i18n import text

_PATH = "(columns)"


def _listed(values: Mapping[str, tuple[str, ...]] | None) -> dict[str, list[str]] | None:
    return None if values is None else {value: list(above) for value, above in values.items()}


def _values(value: Any, where: Any) -> dict[str, tuple[str, ...]]:
    texts = isinstance(value, Mapping) and all(
        isinstance(key, str) and isinstance(above, list) and all(isinstance(label, str) for label in above)
        for key, above in value.items()
    )
    if not texts:
        raise InputError("hierarchy.columns-values", entry=where.entry)
    return {key: tuple(above) for key, above in value.items()}


@dataclass(frozen=True)
class ColumnsHierarchy(Hierarchy):
    """A value becomes what ``columns`` say in its rows, one a level, and then what ``then`` makes of the last of these.

    Before it is read off a table (:meth:`read_off`), which a search does, it names no value: a schema that holds it can
    be given away.

    >>> facility = Hierarchy.from_columns(["city"], then=Hierarchy.by_prefix([2]))
    >>> facility.read_off([("2000733", "120040"), ("2001586", "120033")]).ancestors("2000733")
    ('120040', '12')
    """

    kind: ClassVar[str] = "columns"

    columns: tuple[str, ...] = field(metadata=limited(members=1))
    """Those that are read, from the finest to the coarsest."""
    then: Hierarchy | None = field(default=None, metadata=spelled(schema={"type": ["string", "object", "null"]}))
    """Of the last column's values, if they have one."""
    of: Mapping[str, tuple[str, ...]] | None = field(
        default=None, repr=False, metadata=spelled(read=_values, write=_listed, schema={"type": "object"})
    )
    """For each value what the columns say, once that was read."""

    def __post_init__(self) -> None:
        if not self.columns or len(set(self.columns)) < len(self.columns):
            raise UsageError("hierarchy.columns", columns=", ".join(self.columns))
        if any(len(above) != len(self.columns) or "" in above for above in (self.of or {}).values()):
            raise InputError("hierarchy.columns-values", entry="of")

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.columns) + (0 if self.then is None else self.then.height)

    @property
    def has_top(self) -> bool:
        """Does every value end in ``*``?"""
        return self.then is not None and self.then.has_top

    @property
    def level_names(self) -> tuple[str | None, ...]:
        """The columns, and what the levels of the hierarchy behind them are called."""
        return (*self.columns, *(() if self.then is None else self.then.level_names))

    def _level_label(self, level: int) -> str:
        behind = level - len(self.columns)
        if behind <= 0 or self.then is None:
            return text("hierarchy.level.column", column=self.columns[level - 1])
        return self.then.level_label(behind)

    def _level_told(self, level: int) -> str:
        behind = level - len(self.columns)
        return self._level_label(level) if behind <= 0 or self.then is None else self.then.level_told(behind)

    @property
    def values(self) -> Collection[str] | None:
        """The values that the table had."""
        return None if self.of is None else self.of.keys()

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that are to be read, none where they were."""
        return self.columns if self.of is None else ()

    def read_off(self, rows: Rows) -> "ColumnsHierarchy":
        """The hierarchy of the values in ``rows``, each a value and what the columns say with it; all texts, or
        ``None``. A value that comes with two different ones is refused. What is missing becomes ``*``.
        """
        if self.of is not None:
            return self
        found: dict[str, tuple[str, ...]] = {}
        for value, *above in rows:
            if value is None:
                continue
            told = _until_missing(above)
            if (known := found.setdefault(value, told)) != told:
                level = next(level for level, pair in enumerate(zip(known, told, strict=True)) if len(set(pair)) > 1)
                words = {"column": self.columns[level], "one": known[level], "other": told[level]}
                raise ColumnError("hierarchy.not-determined", value=value, **words)
        if found:
            nested([Row((value, *above), line=None) for value, above in found.items()], _PATH)
        return replace(self, of=found)

    def name_of(self, label: str) -> str | None:
        """What the hierarchy behind the columns calls it."""
        return None if self.then is None else self.then.name_of(label)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """What the columns say, and what becomes of that."""
        if self.of is None:
            raise UsageError("hierarchy.unread", columns=", ".join(self.columns))
        above = self.of.get(value)
        if above is None or self.then is None:
            return above
        behind = (TOP,) * self.then.height if above[-1] == TOP else self._behind(above[-1])
        return (*above, *behind)

    def _behind(self, label: str) -> tuple[str, ...]:
        """What ``then`` makes of the last column's value; one that it lacks stays what it is."""
        found = cast(Hierarchy, self.then).answering("own-branch").ancestors(label)
        return cast(tuple[str, ...], found)

    def to_tree(self) -> dict[str, Any]:
        """The columns, and what they say where that was read."""
        entries: dict[str, Any] = {"kind": self.kind, "columns": list(self.columns)}
        if self.then is not None:
            entries["then"] = self.then.to_tree()
        return entries if self.of is None else entries | {"of": _listed(self.of)}

    def _content(self) -> dict[str, Any]:
        if self.of is None:
            behind = None if self.then is None else self.then._content()
            return {"kind": self.kind, "columns": list(self.columns), "then": behind}
        rows = {value: list(self.ancestors(value) or ()) for value in self.of}
        return {"kind": "table", "rows": rows, "spellings": {}}


def _until_missing(above: Iterable[str | None]) -> tuple[str, ...]:
    """The labels; from the first missing one on nothing is told."""
    told: list[str] = []
    for label in above:
        told.append(TOP if label is None or (told and told[-1] == TOP) else label)
    return tuple(told)
