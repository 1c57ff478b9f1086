"""Charts as Vega-Lite takes them: layers of marks, whose channels are fields of the values or constants."""

from collections.abc import Mapping, Sequence
from typing import Any

Specification = dict[str, Any]
"""A chart, or a part of one. Field names are ours: what comes from the data is always a value, never a field."""

Values = Sequence[Mapping[str, Any]]


def number(field: str, **options: Any) -> Specification:
    """A channel that shows numbers."""
    return {"field": field, "type": "quantitative", **options}


def name(field: str, **options: Any) -> Specification:
    """A channel that shows names, or anything else as it is."""
    return {"field": field, "type": "nominal", **options}


def rank(field: str, **options: Any) -> Specification:
    """A channel that shows things that have an order."""
    return {"field": field, "type": "ordinal", **options}


def until(field: str) -> Specification:
    """A second end, on the scale of the first."""
    return {"field": field}


def constant(value: str | float) -> Specification:
    """A channel with one value for all marks."""
    return {"value": value}


AS_GIVEN = name("colour", scale=None)
"""The colours in the field ``colour``, as they are."""


def layer(
    mark: str, channels: Specification, values: Values | None = None, *, only: str | None = None, **look: Any
) -> Specification:
    """Marks that look like this, of ``values`` or else of those of the chart; ``only`` is a condition on them."""
    made: Specification = {"mark": {"type": mark, **look}, "encoding": channels}
    if values is not None:
        made["data"] = {"values": list(values)}
    if only is not None:
        made["transform"] = [{"filter": only}]
    return made


def chart(
    layers: Sequence[Specification], values: Values, *, width: float | Specification, height: float | Specification
) -> Specification:
    """Layers on top of each other, the first at the bottom."""
    return {"data": {"values": list(values)}, "layer": list(layers), "width": width, "height": height}


def each(pixels: float) -> Specification:
    """A width or height that gives every name so many pixels."""
    return {"step": pixels}
