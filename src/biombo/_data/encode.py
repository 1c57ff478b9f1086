"""From values to codes, as chunks of a column stream in."""

import warnings
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._data.dataset import Codes, Column, narrowest
from biombo._errors import BiomboWarning
from biombo._i18n import text


class ColumnEncoder:
    """Codes one column chunk by chunk. Each chunk is hashed once, or not at all when it comes with a dictionary."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._code_of: dict[Any, int] = {}
        self._chunks: list[Codes] = []

    def add(self, chunk: pa.Array) -> None:
        """Code the next rows."""
        if not pa.types.is_dictionary(chunk.type):
            chunk = pc.dictionary_encode(chunk)
        values = [*chunk.dictionary.to_pylist(), None]
        positions = _positions(chunk.indices, missing=len(values) - 1)
        occurs = np.zeros(len(values), bool)
        occurs[positions] = True
        code_at = np.zeros(len(values), np.uint32)
        for position in np.flatnonzero(occurs):
            code_at[position] = self._code(values[position])
        self._chunks.append(code_at.astype(narrowest(len(self._code_of)))[positions])

    def add_constant(self, value: str, rows: int) -> None:
        """Code ``rows`` rows that all hold ``value``."""
        code = self._code(value)
        self._chunks.append(np.full(rows, code, narrowest(code + 1)))

    def finish(self) -> Column:
        """The whole column; the encoder is spent."""
        codes = _joined(self._chunks, narrowest(len(self._code_of)))
        self._chunks.clear()
        values = list(self._code_of)
        if len({type(value) for value in values if value is not None}) > 1:
            warnings.warn(text("errors.column.mixed", column=self.name), BiomboWarning, stacklevel=3)
            values, codes = _as_text(values, codes)
        return Column(self.name, codes, pl.Series(self.name, values))

    def _code(self, value: Any) -> int:
        if value != value:  # NaN, which stands for a missing number and equals nothing, not even itself
            value = None
        return self._code_of.setdefault(value, len(self._code_of))


def _positions(indices: pa.Array, missing: int) -> NDArray[Any]:
    """Where each row's value stands in the chunk's dictionary; ``missing`` where there is none."""
    if indices.null_count:
        indices = pc.fill_null(indices.cast(pa.int64()), missing)
    positions: NDArray[Any] = indices.to_numpy(zero_copy_only=False)
    return positions


def _joined(chunks: list[Codes], dtype: type[np.unsignedinteger[Any]]) -> Codes:
    joined = np.empty(sum(map(len, chunks)), dtype)
    start = 0
    for chunk in chunks:
        joined[start : start + len(chunk)] = chunk
        start += len(chunk)
    return joined  # type: ignore[return-value]


def _as_text(values: list[Any], codes: Codes) -> tuple[list[Any], Codes]:
    """Values of several types, told apart by how they are written."""
    code_of: dict[str | None, int] = {}
    merged = [code_of.setdefault(None if value is None else str(value), len(code_of)) for value in values]
    lookup = np.array(merged, narrowest(len(code_of)))
    return list(code_of), lookup[codes]  # type: ignore[return-value]
