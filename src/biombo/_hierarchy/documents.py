"""Hierarchies as documents: YAML files, and trees of plain values such as a plan holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
from biombo._hierarchy.dates import DateHierarchy
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._hierarchy.intervals import BoundsHierarchy, IntervalHierarchy
from biombo._hierarchy.lists import by_hand, by_order, from_csv
from biombo._hierarchy.prefix import PrefixHierarchy
from biombo._hierarchy.rule import AllOrNothing

_DOCUMENT = Document("hierarchy")
_KIND, _WITH_TOP = "kind", "with-top"
"""The entries that hierarchies of all kinds have."""


def load(source: Hierarchy | str | Path | Mapping[str, Any]) -> Hierarchy:
    """See :meth:`Hierarchy.load`."""
    if isinstance(source, Hierarchy):
        return source
    if isinstance(source, Mapping):
        return from_tree(source)
    if not isinstance(source, str | Path):
        raise UsageError("hierarchy.source", type=type(source).__name__)
    if str(source) in sources():
        return built_in(str(source))
    if Path(source).suffix.lower() not in (".yaml", ".yml"):
        return from_csv(source)
    content = read_whole(source)
    with _DOCUMENT.errors_in(source):
        return from_tree(load_yaml(content))


def from_tree(tree: Any) -> Hierarchy:
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
        given = by_entry(others, (*entries_of(_KINDS[kind]), _WITH_TOP))
        topped = given.pop(_WITH_TOP, None)
        made = read_entries(_KINDS[kind], given)
        hierarchy: Hierarchy = made if isinstance(made, Hierarchy) else made.made()
        return hierarchy.with_top() if topped is not None and checked(bool, _WITH_TOP, topped) else hierarchy


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
    entries = own["properties"] | {_WITH_TOP: {"type": ["boolean", "null"]}}
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
    "order": _Order,
    "tree": _Tree,
    "built-in": _BuiltIn,
}
