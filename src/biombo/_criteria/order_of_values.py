"""The order of a sensitive column's values, for distances by rank."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import Column, ColumnSchema, parse_numbers, written
from biombo._errors import ColumnError, shortened


def order_of_values(column: Column, schema: ColumnSchema) -> NDArray[np.int64]:
    """The codes of the column in ascending order of their values.

    Numbers and dates go by value, also those written as text (dates as 1964-09-27); other text goes by the order of the
    schema's ``domain``. Values that the schema calls invalid come after those, a missing one last of all.
    """
    names = written(column.values)
    invalid = names.is_in([value for value in schema.invalid if value is not None]).fill_null(False)
    last = names.is_null().cast(pl.Int8) * 2 + invalid
    ranks = _ranks(column, schema, (last == 0).to_numpy())
    sortable = pl.DataFrame({"code": range(len(names)), "last": last, "rank": ranks, "name": names})
    return sortable.sort("last", "rank", "name")["code"].to_numpy()


def _ranks(column: Column, schema: ColumnSchema, asked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A number for each code that rises with the value; what it is where not ``asked`` does not matter."""
    places = np.flatnonzero(asked)
    values = column.values.gather(places)
    if schema.domain is not None and column.values.dtype == pl.String:
        sortable = _in_domain(column.name, values, schema.domain)
    else:
        sortable = _by_value(column.name, values)
    ranks = np.zeros(len(asked), np.int64)
    ranks[places] = sortable.rank("dense").to_numpy()
    return ranks


def _in_domain(name: str, values: pl.Series, domain: tuple[str, ...]) -> pl.Series:
    place = {value: place for place, value in enumerate(domain)}
    strangers = [value for value in values if value not in place]
    if strangers:
        raise ColumnError("criteria.not-in-domain", column=name, values=shortened(map(repr, strangers), 5))
    return pl.Series([place[value] for value in values], dtype=pl.Int64)


def _by_value(name: str, values: pl.Series) -> pl.Series:
    if values.dtype != pl.String:
        return values
    for read in (parse_numbers(values), values.str.to_date("%Y-%m-%d", strict=False)):
        if not read.has_nulls():
            return read
    raise ColumnError("criteria.no-order", column=name, values=shortened(map(repr, values.head(3)), 3))
