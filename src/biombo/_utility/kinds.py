"""Which columns are amounts, so that means and distances make sense."""

import numpy as np

from biombo._data import Column, Schema, column_type, sample


def is_numeric(column: Column, schema: Schema) -> bool:
    """Does the column hold amounts? As the schema says, and where that is silent, by what its values look like."""
    if column.name in schema.columns:
        return schema[column.name].type in ("discrete", "continuous")
    counts = np.bincount(column.codes, minlength=column.cardinality)
    return column_type(sample(column, counts)) in ("discrete", "continuous")
