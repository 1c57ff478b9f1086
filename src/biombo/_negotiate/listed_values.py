"""Hierarchies that list values one by one, or are read off the table: requesters do not get what may have been read off
it. They read of these hierarchies by their kind.
"""

from collections.abc import Mapping
from typing import Any

_LISTS = ("tree", "order")
"""Kinds of hierarchies whose documents name values; all others are rules, or names of lists that everybody has."""
_READ_OFF = "columns"
"""The kind of hierarchies that the table tells: which columns say so is no value, what they say is one."""
_HELD_BY = ("hierarchy", "then")


def lists_values(plain: Any) -> bool:
    """Is there such a list in operations as plain values?"""
    if isinstance(plain, Mapping):
        return any(lists_values(each) or (name in _HELD_BY and _is_list(each)) for name, each in plain.items())
    return isinstance(plain, list | tuple) and any(map(lists_values, plain))


def without_lists(plain: Any) -> Any:
    """The same, with the kind alone where a hierarchy lists values or is read off the table."""
    if isinstance(plain, Mapping):
        return {
            name: {"kind": each.get("kind", "tree")} if name in _HELD_BY and _is_private(each) else without_lists(each)
            for name, each in plain.items()
        }
    return [without_lists(each) for each in plain] if isinstance(plain, list | tuple) else plain


def _is_private(hierarchy: Any) -> bool:
    return _is_list(hierarchy) or (isinstance(hierarchy, Mapping) and hierarchy.get("kind") == _READ_OFF)


def _is_list(hierarchy: Any) -> bool:
    """Groups by hand have no kind. What is read off the table lists values once it was read."""
    if not isinstance(hierarchy, Mapping):
        return False
    return hierarchy.get("kind", "tree") in _LISTS or (hierarchy.get("kind") == _READ_OFF and "of" in hierarchy)
