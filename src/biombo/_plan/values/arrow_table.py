"""Records that have been read, as Arrow has them."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from biombo._data import Dataset


def as_arrow(data: Dataset, columns: Iterable[str], rows: NDArray[np.intp] | None = None) -> pa.Table:
    """``columns`` with their dictionaries, all rows or some."""
    data.need_rows()
    arrays = {}
    for name in columns:
        column = data[name]
        codes = column.codes if rows is None else column.codes[rows]
        missing = column.values.is_null().to_numpy()[codes]
        indices = pa.array(codes.astype(np.int32), mask=missing)
        arrays[name] = pa.DictionaryArray.from_arrays(indices, column.values.to_arrow())
    return pa.table(arrays)
