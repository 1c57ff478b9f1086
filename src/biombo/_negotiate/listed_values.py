"""Hierarchies that list values one by one: a list may have been read off the table, so requesters do not get it."""

from collections.abc import Mapping
from typing import Any

_LISTS = ("tree", "order")
"""Kinds of hierarchies whose documents name values; all others are rules, or names of lists that everybody has."""
_HELD_BY = ("hierarchy", "then")


def lists_values(plain: Any) -> bool:
    """Is there such a list in operations as plain values?"""
    if isinstance(plain, Mapping):
        return any(lists_values(each) or (name in _HELD_BY and _is_list(each)) for name, each in plain.items())
    return isinstance(plain, list | tuple) and any(map(lists_values, plain))


def without_lists(plain: Any) -> Any:
    """The same, with the kind alone where a hierarchy lists values."""
    if isinstance(plain, Mapping):
        return {
            name: {"kind": each.get("kind", "tree")} if name in _HELD_BY and _is_list(each) else without_lists(each)
            for name, each in plain.items()
        }
    return [without_lists(each) for each in plain] if isinstance(plain, list | tuple) else plain


def _is_list(hierarchy: Any) -> bool:
    """Groups by hand have no kind."""
    return isinstance(hierarchy, Mapping) and hierarchy.get("kind", "tree") in _LISTS
