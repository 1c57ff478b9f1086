"""The codes of one column as they arrive."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._cells import CodeBuffer, Codes, narrowest
from biombo._data.dataset import Column
from biombo._data.equality import keys_of, read_spelled, spelled, texts_of, values_of
from biombo._data.plain import coarse, common_type, hashed, plain
from biombo._i18n import text
from biombo._watch import warn

_ROWS_AT_A_TIME = 1 << 14


class _Numbering(dict[Any, int]):
    """Numbers values in the order in which they are first asked for."""

    def __missing__(self, value: Any) -> int:
        self[value] = code = len(self)
        return code


class ColumnEncoder:
    """Codes one column chunk by chunk. Each chunk is hashed once, or not at all when it comes with a dictionary."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._code_of = _Numbering()
        self._kinds: set[pa.DataType] = set()
        self._codes = CodeBuffer()

    def add(self, chunk: pa.Array, source: str = "") -> None:
        """Code the next rows and keep the codes; ``source`` is where they come from, for messages."""
        self._codes.append(self.coded(chunk, source))

    def coded(self, chunk: pa.Array, source: str = "") -> Codes:
        """The codes of the next rows, for whoever keeps them. Codes given out before stay what they are."""
        coded = hashed(chunk, self.name)
        values = plain(coded.dictionary, self.name, source)
        used = _used(coded.indices, len(values)) if coded is chunk else np.arange(len(values))
        code_at = np.zeros(len(values) + 1, np.uint32)
        occurring = values.take(pa.array(used))
        if occurring.null_count < len(occurring):
            self._kinds.add(coarse(values.type))
        code_at[used] = list(map(self._code_of.__getitem__, keys_of(occurring)))
        if coded.indices.null_count:
            code_at[-1] = self._code_of[None]
        return _looked_up(_narrowed(code_at, len(self._code_of)), coded.indices)

    def finish(self) -> Column:
        """The whole column; the encoder is spent."""
        return self.column(self._codes.take())

    def column(self, codes: Codes) -> Column:
        """The column that ``codes`` make with the values that came."""
        return _column(self.name, codes, list(self._code_of), self._kinds)

    @property
    def spelled(self) -> "SpelledValues":
        """The values by code, as they can be told elsewhere."""
        return SpelledValues([spelled(key) for key in self._code_of], frozenset(self._kinds))


@dataclass(frozen=True)
class SpelledValues:
    """The values of a column as text, however they are told apart, and the types that they had.

    Parts of a table that are coded apart agree by these: equal values have the same text in all of them.
    """

    texts: list[str | None]
    kinds: frozenset[pa.DataType]

    def column(self, name: str, codes: Codes) -> Column:
        """The column that ``codes`` make with these values, as one encoder would have made it."""
        return _column(name, codes, [read_spelled(each) for each in self.texts], self.kinds)


def _column(name: str, codes: Codes, keys: list[Any], kinds: Collection[pa.DataType]) -> Column:
    values = values_of(keys, kinds)
    if values is None:
        if common_type(kinds) is None:
            warn(text("errors.column.mixed", column=name))
        values, codes = _as_text(texts_of(keys, kinds), codes)
    return Column(name, codes, values.alias(name))


def _used(indices: pa.Array, size: int) -> NDArray[np.intp]:
    """Which of a dictionary's ``size`` values occur in the rows; mostly the first rows have shown them all."""
    occurs = np.zeros(size, bool)
    for start in range(0, len(indices), _ROWS_AT_A_TIME):
        occurs[indices.slice(start, _ROWS_AT_A_TIME).drop_null().to_numpy()] = True
        if occurs.all():
            break
    return np.flatnonzero(occurs)


def _looked_up(code_at: Codes, indices: pa.Array) -> Codes:
    """Each row's code; the last of ``code_at`` is for a missing value."""
    if indices.null_count:
        if indices.type.bit_width < 32:
            indices = indices.cast(pa.int32())
        indices = pc.fill_null(indices, len(code_at) - 1)
    codes: Codes = pc.take(pa.array(code_at), indices).to_numpy()
    return codes


def _narrowed(codes: NDArray[np.uint32], cardinality: int) -> Codes:
    narrow: Codes = codes.astype(narrowest(cardinality))  # type: ignore[assignment]
    return narrow


def _as_text(texts: list[str | None], codes: Codes) -> tuple[pl.Series, Codes]:
    """Values that no type holds, told apart by how they are written."""
    code_of = _Numbering()
    merged = [code_of[value] for value in texts]
    lookup = np.array(merged, narrowest(len(code_of)))
    return pl.Series(list(code_of), dtype=pl.String), lookup[codes]  # type: ignore[return-value]
