"""Hierarchies as documents: YAML files, and trees of plain values such as a plan holds."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from biombo._errors import BiomboError, InputError, UsageError
from biombo._hierarchy.all_or_nothing import AllOrNothing
from biombo._hierarchy.bounds import BoundsHierarchy
from biombo._hierarchy.built_in import built_in, sources
from biombo._hierarchy.by_hand import by_hand
from biombo._hierarchy.csv_table import from_csv
from biombo._hierarchy.dates import DateHierarchy
from biombo._hierarchy.entries import Entries
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._hierarchy.interval import IntervalHierarchy
from biombo._hierarchy.ordering import by_order
from biombo._hierarchy.prefix import PrefixHierarchy
from biombo._hierarchy.yaml_tree import read_yaml

_NUMERIC = {"labels": str, "lowest": float, "highest": float, "decimal": str, "thousands": str}


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
    tree = read_yaml(source)
    try:
        return from_tree(tree)
    except BiomboError as error:
        raise InputError("hierarchy.in-file", path=str(source), detail=str(error)) from None


def from_tree(tree: Any) -> Hierarchy:
    """The hierarchy that plain values describe: ``kind`` and its entries, or groups within groups."""
    if not isinstance(tree, Mapping):
        raise InputError("hierarchy.document", found=type(tree).__name__)
    kind = tree.get("kind")
    if not isinstance(kind, str):
        return by_hand(tree)
    if kind not in _KINDS:
        raise InputError("hierarchy.kind", kind=kind, kinds=", ".join(sorted(_KINDS)))
    entries = Entries({name: entry for name, entry in tree.items() if name != "kind"}, kind)
    topped = entries.options(with_top=bool).get("with_top", False)
    hierarchy = _KINDS[kind](entries)
    entries.refuse_others()
    return hierarchy.with_top() if topped else hierarchy


def _interval(entries: Entries) -> Hierarchy:
    return IntervalHierarchy(
        entries.number("width"),
        entries.whole_numbers("multiples", needed=False),
        **entries.options(origin=float, bottom=float, top=float, **_NUMERIC),
    )


def _bounds(entries: Entries) -> Hierarchy:
    return BoundsHierarchy(entries.lists_of_numbers("levels"), **entries.options(**_NUMERIC))


def _prefix(entries: Entries) -> Hierarchy:
    return PrefixHierarchy(entries.whole_numbers("lengths"), **entries.options(pad=str, separators=str, digits=int))


def _date(entries: Entries) -> Hierarchy:
    levels = entries.texts("levels", needed=False)
    return DateHierarchy(levels or DateHierarchy.levels, **entries.options(format=str, keep_type=bool))


def _order(entries: Entries) -> Hierarchy:
    return by_order(entries.texts("values"), entries.whole_number("every"))


def _tree(entries: Entries) -> Hierarchy:
    return by_hand(entries.needed("tree"))


def _built_in(entries: Entries) -> Hierarchy:
    return built_in(entries.text("name"))


_KINDS: dict[str, Callable[[Entries], Hierarchy]] = {
    "all-or-nothing": lambda _: AllOrNothing(),
    "interval": _interval,
    "bounds": _bounds,
    "prefix": _prefix,
    "date": _date,
    "order": _order,
    "tree": _tree,
    "built-in": _built_in,
}
