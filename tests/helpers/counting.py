"""The same table with its distinct rows counted."""

from dataclasses import replace

import numpy as np

import biombo as bb
from biombo._cells import TupleCounter


def counted(data: bb.Dataset) -> bb.Dataset:
    """The rows of ``data`` as counted tuples, whose order is not that of the rows."""
    counter = TupleCounter(len(data.columns))
    counter.add([column.codes for column in data.columns.values()])
    tuples = counter.finish()
    columns = {
        column.name: replace(column, codes=codes)
        for column, codes in zip(data.columns.values(), tuples.codes, strict=True)
    }
    return replace(data, columns=columns, rows=tuples.rows, counts=tuples.counts)


def expanded(data: bb.Dataset) -> bb.Dataset:
    """Every tuple as often as its count says."""
    assert data.counts is not None
    columns = {name: replace(c, codes=np.repeat(c.codes, data.counts)) for name, c in data.columns.items()}
    return replace(data, columns=columns, rows=data.records, counts=None)
