"""How far apart the values of a sensitive column are: by rank, or by the level at which a hierarchy joins them.

Only values that some record that counts has are asked about: what only dropped records have is no value of the table.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Counts
from biombo._data import Column, ColumnSchema, parse_numbers, written
from biombo._errors import ColumnError, shortened
from biombo._hierarchy import Hierarchy


def order_of_values(column: Column, schema: ColumnSchema, records: Counts) -> NDArray[np.int64]:
    """The codes of the column that some of the ``records`` have, in ascending order of their values.

    Numbers and dates go by value, also those written as text (dates as 1964-09-27); other text goes by the order of the
    schema's ``domain``. Values that the schema calls invalid come after those, a missing one last of all.
    """
    held = np.flatnonzero(records)
    values = column.values.gather(held)
    names = written(values)
    invalid = names.is_in([value for value in schema.invalid if value is not None]).fill_null(False)
    last = names.is_null().cast(pl.Int8) * 2 + invalid
    ranks = _ranks(column.name, values, schema, (last == 0).to_numpy())
    sortable = pl.DataFrame({"code": held, "last": last, "rank": ranks, "name": names})
    return sortable.sort("last", "rank", "name")["code"].to_numpy()


def _ranks(name: str, values: pl.Series, schema: ColumnSchema, asked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A number for each value that rises with it; what it is where not ``asked`` does not matter."""
    places = np.flatnonzero(asked)
    values = values.gather(places)
    if schema.domain is not None and values.dtype == pl.String:
        sortable = _in_domain(name, values, schema.domain)
    else:
        sortable = _by_value(name, values)
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


def levels_of_values(column: Column, schema: ColumnSchema, hierarchy: Hierarchy, records: Counts) -> NDArray[np.int64]:
    """Per level and code: the number of its group. The level at which all values are one is left out.

    Where the hierarchy does not end in one group, its top groups are taken to meet above it. Missing and invalid values
    meet the others only there. ``records`` are those of each code; a code of none is in any group.
    """
    held = np.flatnonzero(records)
    values = written(column.values.gather(held)).to_list()
    hierarchy = hierarchy.for_column(column.name)
    recoded = hierarchy.recode(
        values,
        counts=records[held].tolist(),
        apart=frozenset(value for value in schema.invalid if value is not None),
        column=column.name,
    )
    levels = np.zeros((len(recoded.codes), column.cardinality), np.int64)
    levels[:, held] = recoded.codes
    return levels[:-1] if _ends_in_one(hierarchy) else levels


def _ends_in_one(hierarchy: Hierarchy) -> bool:
    """Does the hierarchy bring all values together, whether or not they occur here?"""
    if hierarchy.has_top or hierarchy.values is None:
        return hierarchy.has_top
    tops = {(hierarchy.ancestors(value) or (value,))[-1] for value in hierarchy.values}
    return len(tops) <= 1
