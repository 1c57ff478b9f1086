"""Answers that hang together: what no longer stands when another one changes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from biombo._data import Schema

if TYPE_CHECKING:
    from biombo._requests import PublishRequest


def with_schema(request: "PublishRequest", schema: str | Mapping[str, Any]) -> "PublishRequest":
    """The request with another schema, without what it says of columns that are not what they were: bounds and weights
    of columns that nobody knows any more, and columns accepted as they are that do not go out so.
    """
    columns = Schema.load(schema)
    accepted = tuple(name for name in request.accept_column if columns[name].role in ("sensitive", "other"))
    return replace(
        request,
        schema=schema,
        level=_of_quasi(request.level, columns),
        weights=_of_quasi(request.weights, columns),
        accept_column=accepted,
        reason=request.reason if accepted else None,
    )


def _of_quasi(by_column: Mapping[str, Any] | None, columns: Schema) -> dict[str, Any] | None:
    return {name: value for name, value in (by_column or {}).items() if columns[name].role == "quasi"} or None
