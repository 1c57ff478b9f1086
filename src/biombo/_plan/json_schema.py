"""What a plan may hold, for editors that check and complete YAML as it is typed."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from biombo._criteria import KINDS
from biombo._hierarchy import Hierarchy
from biombo._plan.document import MARK, VERSION
from biombo._plan.entry_types import entry_name
from biombo._plan.operations import OPERATIONS

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_FRAME = {
    MARK: {"const": VERSION},
    "identifiers": _TEXTS,
    "quasi": _TEXTS,
    "sensitive": _TEXTS,
    "person": {"type": "string"},
    "max-suppression": {"type": "number", "minimum": 0, "maximum": 1},
}


def json_schema() -> dict[str, Any]:
    """See :meth:`Plan.json_schema`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Biombo plan",
        "type": "object",
        "properties": _FRAME | {"criteria": _list_of(KINDS), "operations": _list_of(OPERATIONS)},
        "required": [MARK],
        "additionalProperties": False,
    }


def _list_of(kinds: Mapping[str, type]) -> dict[str, Any]:
    """Members with one name each, and the entries of that name."""
    member = {
        "type": "object",
        "properties": {name: _entries(kind) for name, kind in kinds.items()},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"type": "array", "items": member}


def _entries(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    known = {entry_name(field.name): field for field in fields(kind)}
    needed = [entry for entry, field in known.items() if field.default is MISSING]
    return {
        "description": cleandoc(kind.__doc__ or "").partition("\n\n")[0].replace("\n", " ").replace("``", ""),
        "type": "object" if needed else ["object", "null"],
        "properties": {entry: _value(hints[field.name]) | _usual(field) for entry, field in known.items()},
        "required": needed,
        "additionalProperties": False,
    }


def _usual(field: Field[Any]) -> dict[str, Any]:
    """What an entry is where it is left out."""
    if field.default is MISSING or field.default is None:
        return {}
    return {"default": list(field.default) if isinstance(field.default, tuple) else field.default}


def _value(hint: Any) -> dict[str, Any]:
    """The values that a type allows."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin in (UnionType, Union):
        return {"anyOf": [_value(option) for option in arguments]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (tuple, Sequence):
        return {"type": "array", "items": _value(arguments[0])}
    if hint is Hierarchy:
        return {"type": ["string", "object"]}
    return {"type": "object"}
