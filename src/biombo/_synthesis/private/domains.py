"""Public domains: what values a column may have, said by people, never read from the table."""

from collections.abc import Sequence
from math import floor, log10

import numpy as np
import polars as pl

from biombo._cells import tallied
from biombo._data import Column, ColumnSchema
from biombo._errors import ColumnError
from biombo._hierarchy import Hierarchy
from biombo._synthesis.gauge import NumberGauge
from biombo._synthesis.scale import Fitted, Intervals, Listed, Scale, listed_scale

_MOST = 10_000
"""Values of a domain: more would drown in noise, and take too long."""
_STEPS = 3
"""Digits of the span of a continuous column that are drawn."""


def public_scale(column: Column, schema: ColumnSchema, stated: Sequence[str] | None, bins: int) -> Fitted:
    """The scale of a column by what is public of it; whatever is not in its domain counts as missing, which is always a
    place, whether anybody's value is missing or not.
    """
    scale = _scale(column, schema, stated, bins)
    missing = scale.size - 1
    places = scale.placed(column.values)
    inside = np.where(places < 0, missing, places)
    records = tallied(column.codes, column.cardinality)
    strange = (places < 0) & column.values.is_not_null().to_numpy()
    return Fitted(column.name, scale, inside[column.codes], int(records[strange].sum()), 0)


def _scale(column: Column, schema: ColumnSchema, stated: Sequence[str] | None, bins: int) -> Scale:
    domain = stated or schema.domain
    if domain is None and schema.bounds is not None:
        return _between(column, schema, *schema.bounds, bins)
    if domain is None and schema.values:
        domain = tuple(schema.values)
    if domain is None and schema.hierarchy is not None:
        domain = tuple(Hierarchy.load(schema.hierarchy).values or ()) or None
    if domain is None:
        raise ColumnError("synthesis.no-domain", column=column.name)
    values = list(dict.fromkeys(domain))
    if len(values) > _MOST:
        raise ColumnError("synthesis.large-domain", column=column.name, values=len(values), most=_MOST)
    return listed_scale([*values, None], column.values.dtype)


def _between(column: Column, schema: ColumnSchema, low: float, high: float, bins: int) -> Intervals:
    """Equally wide intervals between the bounds."""
    dtype = column.values.dtype
    if schema.type == "date" or dtype == pl.Date:
        raise ColumnError("synthesis.no-domain", column=column.name)
    decimals = 0 if schema.type == "discrete" else max(0, _STEPS - 1 - floor(log10(high - low)))
    gauge = NumberGauge(decimals, as_text=dtype == pl.String)
    ends = round(low * 10**decimals), round(high * 10**decimals) + 1
    edges = np.unique(np.linspace(*ends, min(bins, ends[1] - ends[0]) + 1).round().astype(np.int64))
    return Intervals(gauge, edges, Listed(pl.Series([None], dtype=dtype)))
