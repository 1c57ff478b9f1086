"""Columns that have one value in all rows of a file: those that stand in its name, or in those of its folders."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa


def with_constants(
    batch: pa.RecordBatch, columns: Sequence[str], constants: Mapping[str, str | None]
) -> pa.RecordBatch:
    """``columns``, each of them from the ``batch`` or from the ``constants``."""
    if not constants:
        return batch
    zeros = pa.array(np.zeros(batch.num_rows, np.int8))
    arrays = [
        pa.DictionaryArray.from_arrays(zeros, pa.array([constants[name]], pa.string()))
        if name in constants
        else batch.column(name)
        for name in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, list(columns))
