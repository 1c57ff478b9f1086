"""What people call values that are codes."""

from collections.abc import Iterable, Mapping
from typing import Any

from biombo._data.plain import as_written
from biombo._data.schema import Schema
from biombo._hierarchy import Hierarchy


def named_values(schema: Schema, column: str, values: Iterable[Any]) -> dict[Any, str]:
    """``name (code)`` for each of the values that the hierarchy of the column has a name for.

    >>> schema = Schema.from_tree({"columns": {"care": {"role": "sensitive", "hierarchy": "sigtap"}}})
    >>> named_values(schema, "care", ["0301010072", "?", None])
    {'0301010072': 'CONSULTA MEDICA EM ATENÇÃO ESPECIALIZADA (0301010072)'}
    """
    source = schema[column].hierarchy
    if not isinstance(source, Mapping) and source not in Hierarchy.built_in_sources():
        return {}
    hierarchy = Hierarchy.load(source)
    found = {value: hierarchy.name_of(as_written(value)) for value in values if value is not None}
    return {value: f"{name} ({as_written(value)})" for value, name in found.items() if name is not None}
