"""Searching among the records without invalid values only, as attacks do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from biombo._attack import Dropped, refuse_all_invalid, valid_rows
from biombo._cells import recoded
from biombo._data import Column, Dataset
from biombo._plan import DropInvalid


@dataclass(frozen=True, eq=False)
class WithoutInvalid:
    """A table without the records that hold an invalid value in a column in use."""

    data: Dataset
    dropped: Dropped
    operation: DropInvalid | None
    """What leaves the same records out when a plan is applied; none where the schema calls no value invalid."""

    @classmethod
    def of(cls, data: Dataset, columns: Sequence[str]) -> "WithoutInvalid":
        """Leave out what is invalid in any of the ``columns``."""
        keep, dropped = valid_rows(data, [data[name] for name in columns])
        refuse_all_invalid(data, dropped)
        invalid = {name: tuple(values) for name in columns if (values := data.schema[name].invalid)}
        operation = DropInvalid(invalid) if invalid else None
        return cls(data if keep is None else _only(data, keep), dropped, operation)


def _only(data: Dataset, keep: NDArray[np.bool_]) -> Dataset:
    columns = {name: _rows_of(column, keep) for name, column in data.columns.items()}
    counts = None if data.counts is None else data.counts[keep]
    return replace(data, columns=columns, rows=int(keep.sum()), counts=counts)


def _rows_of(column: Column, keep: NDArray[np.bool_]) -> Column:
    """Some rows of a column, with the values that occur there and no others."""
    codes = column.codes[keep]
    occurs = np.bincount(codes, minlength=column.cardinality) > 0
    places = np.cumsum(occurs) - 1
    values = column.values.gather(np.flatnonzero(occurs))
    return Column(column.name, recoded(codes, np.maximum(places, 0).tolist(), len(values)), values)
