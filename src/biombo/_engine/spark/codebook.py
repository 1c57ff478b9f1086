"""Codes that all workers agree on: few words travel for a tuple, instead of the texts of its values.

A column of very many values has no codes: its texts travel, and are nowhere collected but in the tuples themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from biombo._cells import Codes, narrowest

MOST_VALUES = 1 << 20
"""A column of more values has no codes."""

_BITS = 62
"""Of a word: Spark's are signed."""

Words = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Codebook:
    """By column: the texts of its values, whose places are the codes; none for a column of very many."""

    texts: Mapping[str, list[str | None] | None]

    @cached_property
    def code_of(self) -> dict[str, dict[str | None, int]]:
        """By column and text."""
        return {
            name: {text: code for code, text in enumerate(texts)}
            for name, texts in self.texts.items()
            if texts is not None
        }

    def layout(self, columns: Sequence[str]) -> "Layout":
        """Where the values of some columns are in a tuple that travels."""
        sizes = [None if self.texts.get(name) is None else len(self.texts[name] or ()) for name in columns]
        return Layout.of(sizes)


class Field(NamedTuple):
    """Some bits of a word."""

    word: int
    shift: int
    bits: int


@dataclass(frozen=True)
class Layout:
    """The fields of coded columns in words; the others have a text each."""

    fields: tuple[Field | None, ...]
    words: int

    @classmethod
    def of(cls, sizes: Sequence[int | None]) -> "Layout":
        """For columns of so many values.

        >>> Layout.of([3, None, 1 << 60]).fields
        (Field(word=0, shift=0, bits=2), None, Field(word=0, shift=2, bits=60))
        """
        fields: list[Field | None] = []
        word, used = 0, 0
        for size in sizes:
            if size is None:
                fields.append(None)
                continue
            bits = max(1, (size - 1).bit_length())
            if used + bits > _BITS:
                word, used = word + 1, 0
            fields.append(Field(word, used, bits))
            used += bits
        return cls(tuple(fields), word + 1 if used else 0)

    @property
    def texts(self) -> int:
        """How many columns have texts."""
        return sum(field is None for field in self.fields)

    def packed(self, codes: Sequence[NDArray[np.integer] | None], rows: int) -> list[pa.Array]:
        """The words of tuples with these codes."""
        words = np.zeros((self.words, rows), np.int64)
        for field, some in zip(self.fields, codes, strict=True):
            if field is not None and some is not None:
                words[field.word] |= some.astype(np.int64) << field.shift
        return [pa.array(each) for each in words]

    def unpacked(self, words: Sequence[Words]) -> list[Codes | None]:
        """The codes again."""
        return [None if field is None else _codes(words[field.word], field) for field in self.fields]


def _codes(word: Words, field: Field) -> Codes:
    codes: Codes = ((word >> field.shift) & ((1 << field.bits) - 1)).astype(narrowest(1 << field.bits))  # type: ignore[assignment]
    return codes
