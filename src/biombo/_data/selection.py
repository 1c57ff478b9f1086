"""Which rows of a table there are, as far as anybody who reads it is concerned."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._errors import ColumnError

Chosen = NDArray[np.bool_]
"""By row: is it selected?"""
Choosing = Callable[[pa.RecordBatch, str], Chosen]
"""Says which rows of a batch are selected; the text is where they come from, for messages."""


class Selection(Protocol):
    """What a row must be to be there. It survives ``pickle``: workers select."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that it takes to say so."""

    def choosing(self) -> Choosing:
        """What chooses in one pass over the rows; batches have at least the columns that it reads."""


def chosen_by(choosing: Sequence[Choosing], batch: pa.RecordBatch, source: str) -> Chosen:
    """The rows that all of several choose. What one leaves out, the next does not look at."""
    first, *others = choosing
    chosen = first(batch, source)
    for each in others:
        chosen[chosen] = each(only(batch, chosen, batch.schema.names), source)
    return chosen


def only(batch: pa.RecordBatch, chosen: Chosen, columns: Sequence[str]) -> pa.RecordBatch:
    """``columns`` of the rows that are chosen. No value is left in a dictionary that only other rows have.

    >>> words = pa.array(["a", "b", "a"]).dictionary_encode()
    >>> kept = only(pa.RecordBatch.from_arrays([words], ["x"]), np.array([False, True, False]), ["x"])
    >>> kept.column("x").dictionary.to_pylist()
    ['b']
    """
    names, rows = list(columns) or batch.schema.names[:1], pa.array(chosen)
    arrays = [_without_others(_filtered(batch.column(name), name, rows)) for name in names]
    fields = [
        pa.field(name, array.type, metadata=batch.schema.field(name).metadata)
        for name, array in zip(names, arrays, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))


def _filtered(chunk: pa.Array, column: str, rows: pa.Array) -> pa.Array:
    if pa.types.is_run_end_encoded(chunk.type):
        chunk = pc.run_end_decode(chunk)
    try:
        return _without_views(chunk).filter(rows)
    except pa.ArrowNotImplementedError:
        raise ColumnError("column.nested", column=column, type=str(chunk.type)) from None


def _without_views(chunk: pa.Array) -> pa.Array:
    """Arrow takes no values from views."""
    kind = chunk.type
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(chunk.indices, _without_views(chunk.dictionary), ordered=kind.ordered)
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        return chunk.cast(pa.large_string() if pa.types.is_string_view(kind) else pa.large_binary())
    return chunk


def _without_others(chunk: pa.Array) -> pa.Array:
    if not pa.types.is_dictionary(chunk.type):
        return chunk
    size = len(chunk.dictionary)
    places = pc.fill_null(chunk.indices.cast(pa.int64()), size).to_numpy()
    there = np.bincount(places, minlength=size + 1)[:-1] > 0
    if there.all():
        return chunk
    new_place = np.append(np.cumsum(there) - 1, 0)[places]
    indices = pa.array(new_place, chunk.type.index_type, mask=places == size)
    return pa.DictionaryArray.from_arrays(indices, chunk.dictionary.filter(pa.array(there)), ordered=chunk.type.ordered)
