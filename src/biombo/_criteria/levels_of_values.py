"""How a hierarchy brings a sensitive column's values together, for distances by level."""

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, tallied
from biombo._data import Column, ColumnSchema, written
from biombo._hierarchy import Hierarchy


def levels_of_values(
    column: Column, schema: ColumnSchema, hierarchy: Hierarchy, counts: Counts | None = None
) -> NDArray[np.int64]:
    """Per level and code: the number of its group. The level at which all values are one is left out.

    Where the hierarchy does not end in one group, its top groups are taken to meet above it. Missing and invalid values
    meet the others only there. ``counts`` are the records of each of the column's codes.
    """
    recoded = hierarchy.recode(
        written(column.values).to_list(),
        counts=tallied(column.codes, column.cardinality, counts).tolist(),
        apart=frozenset(value for value in schema.invalid if value is not None),
        column=column.name,
    )
    levels = recoded.codes.astype(np.int64)
    return levels[:-1] if _ends_in_one(hierarchy) else levels


def _ends_in_one(hierarchy: Hierarchy) -> bool:
    """Does the hierarchy bring all values together, whether or not they occur here?"""
    if hierarchy.has_top or hierarchy.values is None:
        return hierarchy.has_top
    tops = {(hierarchy.ancestors(value) or (value,))[-1] for value in hierarchy.values}
    return len(tops) <= 1
