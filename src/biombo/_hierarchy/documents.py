"""Hierarchies as documents: YAML files, and trees of plain values such as a plan holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from biombo._documents import (
    Document,
    by_entry,
    checked,
    entries_of,
    entries_schema,
    errors_within,
    load_yaml,
    read_entries,
    unknown_name,
    with_underscores,
)
from biombo._errors import InputError, UsageError
from biombo._files import read_whole
from biombo._hierarchy.built_in import built_in, sources
from biombo._hierarchy.coded_age import CodedAgeHierarchy
from biombo._hierarchy.codes import Answer
from biombo._hierarchy.columns import ColumnsHierarchy
from biombo._hierarchy.date_bounds import DateBoundsHierarchy
from biombo._hierarchy.dates import DateHierarchy
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._hierarchy.intervals import BoundsHierarchy, IntervalHierarchy
from biombo._hierarchy.lists import by_hand, by_order, from_csv
from biombo._hierarchy.prefix import PrefixHierarchy
from biombo._hierarchy.rule import AllOrNothing

_DOCUMENT = Document("hierarchy")
_KIND, _WITH_TOP, _MISSING, _ONLY = "kind", "with-top", "missing", "only"
"""The entries that hierarchies of all kinds have."""
_OF_ALL = (_WITH_TOP, _MISSING, _ONLY)


def load(source: Hierarchy | str | Path | Mapping[str, Any], folder: Path | None = Path()) -> Hierarchy:
    """See :meth:`Hierarchy.load`. Files are looked for in ``folder``; without one, none is read."""
    if isinstance(source, Hierarchy):
        return source
    if isinstance(source, Mapping):
        return from_tree(source, folder)
    if not isinstance(source, str | Path):
        raise UsageError("hierarchy.source", type=type(source).__name__)
    if str(source) in sources():
        return built_in(str(source))
    if folder is None:
        raise InputError("hierarchy.no-files", names=", ".join(sources()))
    return _in_file(folder / source)


def _in_file(path: Path) -> Hierarchy:
    if path.suffix.lower() not in (".yaml", ".yml"):
        return from_csv(path)
    content = read_whole(path)
    with _DOCUMENT.errors_in(path):
        return from_tree(load_yaml(content))


def from_tree(tree: Any, folder: Path | None = Path()) -> Hierarchy:
    """The hierarchy that plain values describe: ``kind`` and its entries, or groups within groups."""
    if not isinstance(tree, Mapping):
        raise InputError("hierarchy.document", found=type(tree).__name__)
    kind = tree.get(_KIND)
    if not isinstance(kind, str):
        return by_hand(tree)
    with errors_within("hierarchy.in-kind", kind=kind):
        if kind not in _KINDS:
            raise unknown_name(kind, sorted(_KINDS))
        others = {entry: value for entry, value in tree.items() if entry != _KIND}
        given = by_entry(others, (*entries_of(_KINDS[kind]), *_OF_ALL))
        topped, missing, only = (given.pop(entry, None) for entry in _OF_ALL)
        made = read_entries(_KINDS[kind], given, folder)
        hierarchy: Hierarchy = made if isinstance(made, Hierarchy) else made.made()
        if only is not None:
            hierarchy = hierarchy.picked(_levels(only))
        if missing is not None:
            hierarchy = hierarchy.answering(checked(Answer, _MISSING, missing))
        return hierarchy.with_top() if topped is not None and checked(bool, _WITH_TOP, topped) else hierarchy


def _levels(only: Any) -> list[int | str]:
    """Numbers or names of levels."""
    if not isinstance(only, list | tuple) or not all(type(each) in (int, str) for each in only):
        raise InputError("hierarchy.only-shape", entry=_ONLY, value=only)
    return list(only)


def json_schema() -> dict[str, Any]:
    """See :meth:`Hierarchy.json_schema`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Biombo {_DOCUMENT.name}",
        "anyOf": shapes(),
    }


def shapes() -> list[dict[str, Any]]:
    """The JSON schemas of what a hierarchy may look like: each kind, and groups by hand."""
    group = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object"}]}
    by_hand_only = {
        "type": "object",
        "not": {"required": [_KIND], "properties": {_KIND: {"type": "string"}}},
        "additionalProperties": group,
    }
    return [*(_schema_of(name, kind) for name, kind in _KINDS.items()), by_hand_only]


def _schema_of(name: str, kind: type[Any]) -> dict[str, Any]:
    """The entries of one kind, with hyphens or underscores."""
    own = entries_schema(kind)
    levels = {"type": "array", "items": {"type": ["integer", "string"]}}
    answers = {"enum": [*get_args(Answer), None]}
    entries = own["properties"] | {_WITH_TOP: {"type": ["boolean", "null"]}, _MISSING: answers, _ONLY: levels}
    properties = {_KIND: {"const": name}} | with_underscores(entries)
    return own | {"type": "object", "properties": properties, "required": [_KIND, *own["required"]]}


@dataclass(frozen=True)
class _Order:
    """The entries of a hierarchy that merges neighbours in an order."""

    values: tuple[str, ...]
    every: int

    def made(self) -> Hierarchy:
        """The hierarchy that they describe."""
        return by_order(self.values, self.every)


@dataclass(frozen=True)
class _Tree:
    """The entries of a hierarchy by hand."""

    tree: Any

    def made(self) -> Hierarchy:
        """The hierarchy that they describe."""
        return by_hand(self.tree)


@dataclass(frozen=True)
class _BuiltIn:
    """The entries of a hierarchy that comes with Biombo."""

    name: str

    def made(self) -> Hierarchy:
        """The hierarchy that they describe."""
        return built_in(self.name)


_KINDS: dict[str, type[Any]] = {
    "all-or-nothing": AllOrNothing,
    "interval": IntervalHierarchy,
    "bounds": BoundsHierarchy,
    "prefix": PrefixHierarchy,
    "date": DateHierarchy,
    "date-bounds": DateBoundsHierarchy,
    "coded-age": CodedAgeHierarchy,
    "columns": ColumnsHierarchy,
    "order": _Order,
    "tree": _Tree,
    "built-in": _BuiltIn,
}
