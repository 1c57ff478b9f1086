"""What a document may hold, for editors that check and complete YAML as it is typed."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field
from datetime import date
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from biombo._documents.document import Document
from biombo._documents.entries import entries_of, is_needed, plain, spelling_of
from biombo._documents.entry_types import hints_of, options_of
from biombo._documents.kinds import kind_of_type
from biombo._documents.limits import limit_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_PLAIN = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Path: "string",
    date: "string",
}

_NOTHING = {"type": "null"}


def document_schema(document: Document, kind: "type[DataclassInstance]") -> dict[str, Any]:
    """The JSON schema of documents whose entries are the fields of ``kind``."""
    mark = {} if document.mark is None else {document.mark: {"const": document.version}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Biombo {document.name}",
        "type": "object",
        "properties": mark | _properties(kind),
        **_needed_in(kind, *mark),
        "additionalProperties": False,
    }


def entries_schema(kind: "type[DataclassInstance]") -> dict[str, Any]:
    """The JSON schema of the entries of ``kind``, wherever in a document they stand."""
    return {
        "description": cleandoc(kind.__doc__ or "").partition("\n\n")[0].replace("\n", " ").replace("``", ""),
        "type": "object" if _needed(kind) or one_of(kind) else ["object", "null"],
        "properties": _properties(kind),
        **_needed_in(kind),
        "additionalProperties": False,
    }


def _properties(kind: "type[DataclassInstance]") -> dict[str, Any]:
    hints = hints_of(kind)
    return with_underscores({entry: _entry(field, hints[field.name]) for entry, field in entries_of(kind).items()})


def with_underscores(properties: Mapping[str, Any]) -> dict[str, Any]:
    """All of them by both names that an entry may have."""
    return {**properties, **{entry.replace("-", "_"): values for entry, values in properties.items()}}


def one_of(kind: "type[DataclassInstance]") -> tuple[str, ...]:
    """The entries of which exactly one must be there, where the class says so."""
    return getattr(kind, "one_of", ())


def _needed_in(kind: "type[DataclassInstance]", *first: str) -> dict[str, Any]:
    """Which entries must be there; some may be by either of two names."""
    plain_names = [entry for entry in _needed(kind) if "-" not in entry]
    either = [{"anyOf": [_there(entry), _there(entry.replace("-", "_"))]} for entry in _needed(kind) if "-" in entry]
    chosen = {"oneOf": [_there(entry) for entry in one_of(kind)]} if one_of(kind) else {}
    return {"required": [*first, *plain_names]} | ({"allOf": either} if either else {}) | chosen


def _there(entry: str) -> dict[str, Any]:
    return {"required": [entry], "properties": {entry: {"not": _NOTHING}}}


def _needed(kind: "type[DataclassInstance]") -> list[str]:
    return [entry for entry, field in entries_of(kind).items() if is_needed(field)]


def _entry(field: Field[Any], hint: Any) -> dict[str, Any]:
    """What may stand there: with nothing after it, an entry is as one that was left out."""
    own = spelling_of(field).schema
    allowed = (_value(hint) if own is None else dict(own)) | limit_of(field).schema()
    return (allowed if is_needed(field) else _or_nothing(allowed)) | _usual(field)


def _or_nothing(schema: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in schema:
        return schema if _NOTHING in schema["anyOf"] else schema | {"anyOf": [*schema["anyOf"], _NOTHING]}
    if "enum" in schema:
        return schema | {"enum": [*schema["enum"], None]}
    return schema | {"type": [schema["type"], "null"]} if isinstance(schema.get("type"), str) else schema


def _usual(field: Field[Any]) -> dict[str, Any]:
    """What an entry is where it is left out, as far as that says something."""
    if field.default is MISSING or field.default is None or spelling_of(field).write is not None:
        return {}
    return {"default": plain(field.default)}


def _value(hint: Any) -> dict[str, Any]:
    """The values that a type allows."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if len(options_of(hint)) > 1:
        return {"anyOf": [_value(option) for option in options_of(hint)]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (tuple, Sequence):
        return {"type": "array", "items": _value(arguments[0])}
    if (kind := kind_of_type(hint)) is not None:
        return kind.schema()
    return {"type": "object"} if origin is Mapping else {}
