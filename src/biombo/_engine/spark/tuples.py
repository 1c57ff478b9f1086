"""Counted tuples between workers and driver: values travel as they are spelled, and become codes where they arrive."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._cells import CodeBuffer, Codes, TupleCounter, narrowest
from biombo._data import Column, ColumnEncoder, Dataset, Schema, SpelledValues
from biombo._engine.engine import Counted, Counting, read_as
from biombo._engine.fates import Fate, Fates, Numbers
from biombo._engine.local.encode import Tuples
from biombo._engine.local.groups import numbered
from biombo._engine.spark.codebook import Codebook, Layout
from biombo._engine.spark.workplace import unpacked

Kinds = Mapping[str, frozenset[pa.DataType]]
"""By column: the types that its values had."""

SET, FATE, COUNT, NOTE = "s", "fate", "n", "note"
_ROWS_AT_A_TIME = 1 << 16


def value_columns(width: int) -> list[str]:
    """What the texts of tuples are called; the table's own names stay out of Spark's plans."""
    return [f"c{place}" for place in range(width)]


def word_columns(width: int) -> list[str]:
    """What the words of tuples are called."""
    return [f"w{place}" for place in range(width)]


@dataclass(frozen=True)
class Shape:
    """What tuples of several sets of columns look like on their way."""

    layouts: tuple[Layout, ...]

    @classmethod
    def of(cls, sets: Sequence[Sequence[str]], stored: Mapping[str, str], codebook: Codebook | None) -> "Shape":
        """With codes where there is a codebook."""
        book = codebook or Codebook({})
        return cls(tuple(book.layout([stored[name] for name in columns]) for columns in sets))

    @property
    def words(self) -> list[str]:
        """The columns of words."""
        return word_columns(max((layout.words for layout in self.layouts), default=0))

    @property
    def texts(self) -> list[str]:
        """The columns of texts."""
        return value_columns(max((layout.texts for layout in self.layouts), default=0))

    @property
    def keys(self) -> list[str]:
        """All by which tuples are the same."""
        return [SET, *self.words, *self.texts, FATE]

    @property
    def schema(self) -> str:
        """As Spark has it."""
        values = [*(f"{name} long" for name in self.words), *(f"{name} string" for name in self.texts)]
        return ", ".join([f"{SET} int", *values, f"{FATE} int", f"{COUNT} long"])


class SpellingCounter:
    """Counts tuples of one part of a table, and gives them out in words and texts."""

    def __init__(
        self, sets: Sequence[Sequence[str]], stored: Mapping[str, str], codebook: Codebook | None = None
    ) -> None:
        self._sets = sets
        self._stored = stored
        self._encoders = {name: ColumnEncoder(name) for name in stored.values()}
        self._tuples = [TupleCounter(1 + len(columns)) for columns in sets]
        self._codebook = codebook or Codebook({})
        self._shape = Shape.of(sets, stored, codebook)

    def add(self, table: pa.RecordBatch, fates: Fates, label: str) -> None:
        """Count the next rows."""
        codes = {name: each.coded(table.column(name), label) for name, each in self._encoders.items()}
        for columns, tuples in zip(self._sets, self._tuples, strict=True):
            tuples.add([fates, *(codes[self._stored[name]] for name in columns)])

    @property
    def kinds(self) -> Kinds:
        """The types that the values had."""
        return {name: self._encoders[stored].spelled.kinds for name, stored in self._stored.items()}

    def finish(self) -> Iterator[pa.RecordBatch]:
        """All tuples; the counter is spent."""
        spelled = {name: each.spelled.texts for name, each in self._encoders.items()}
        texts = {name: pa.array(each, pa.string()) for name, each in spelled.items()}
        agreed = {
            name: np.array([code_of[text] for text in spelled[name]], np.int64)
            for name, code_of in self._codebook.code_of.items()
            if name in spelled
        }
        for number, columns in enumerate(self._sets):
            tuples = self._tuples[number].finish()
            counts = np.ones(tuples.rows, np.int64) if tuples.counts is None else tuples.counts
            stored = [self._stored[name] for name in columns]
            for start in range(0, tuples.rows, _ROWS_AT_A_TIME):
                fates, *codes = (each[start : start + _ROWS_AT_A_TIME] for each in tuples.codes)
                named = list(zip(stored, codes, strict=True))
                coded = [agreed[name][code] if name in agreed else None for name, code in named]
                plain = [texts[name].take(pa.array(code)) for name, code in named if name not in agreed]
                words = self._shape.layouts[number].packed(coded, len(fates))
                yield self._rows(number, words, plain, fates, counts[start : start + _ROWS_AT_A_TIME])

    def _rows(
        self, number: int, words: list[pa.Array], texts: list[pa.Array], fates: Codes, counts: Numbers
    ) -> pa.RecordBatch:
        rows, shape = len(counts), self._shape
        arrays = [
            pa.array(np.full(rows, number, np.int32)),
            *words,
            *[pa.nulls(rows, pa.int64())] * (len(shape.words) - len(words)),
            *texts,
            *[pa.nulls(rows, pa.string())] * (len(shape.texts) - len(texts)),
            pa.array(fates.astype(np.int32)),
            pa.array(counts),
            pa.nulls(rows, pa.binary()),
        ]
        return pa.RecordBatch.from_arrays(arrays, [*shape.keys, COUNT, NOTE])


@dataclass(frozen=True, eq=False)
class SpelledTuples(Counted):
    """Counted tuples that know how they are spelled, so that workers find their records again."""

    came: "_Came"
    number: NDArray[np.integer]
    """By tuple as it came: its place; values without a type in common are one where they are written alike."""

    def spelled(self, rows: NDArray[np.bool_]) -> pl.DataFrame:
        """Some of the tuples as they came: their values, and the fate."""
        return self.came.spelled(rows)


@dataclass(frozen=True, eq=False)
class _Came:
    """Tuples as they came: codes for the texts of their values."""

    codes: list[Codes]
    texts: list[list[str | None]]
    fates: Fates

    def spelled(self, rows: NDArray[np.bool_]) -> pl.DataFrame:
        values = [
            pl.Series(name, texts, pl.String).gather(pl.Series(codes[rows]))
            for name, texts, codes in zip(value_columns(len(self.codes)), self.texts, self.codes, strict=True)
        ]
        return pl.DataFrame([*values, pl.Series(FATE, self.fates[rows])])


class Arrived:
    """Tuples of one set of columns, as they come to the driver: memory follows their codes."""

    def __init__(self, columns: Sequence[str], layout: Layout, texts: Sequence[list[str | None] | None]) -> None:
        self._columns = columns
        self._layout = layout
        self._code_of: list[dict[str | None, int]] = [
            {text: code for code, text in enumerate(each or ())} for each in texts
        ]
        self._codes = [CodeBuffer() for _ in columns]
        self._fates = CodeBuffer()
        self._counts: list[Numbers] = []

    def add(self, content: bytes) -> None:
        """More of them."""
        table = unpacked(content)
        words = [table.column(name).to_numpy() for name in word_columns(self._layout.words)]
        spelled = iter(value_columns(self._layout.texts))
        for place, codes in enumerate(self._layout.unpacked(words)):
            found = self._numbered(place, table.column(next(spelled))) if codes is None else codes
            self._codes[place].append(found)
        self._fates.append(table.column(FATE).to_numpy().astype(np.uint8))
        self._counts.append(table.column(COUNT).to_numpy())

    def _numbered(self, place: int, column: pa.ChunkedArray) -> Codes:
        codes, texts = coded_values(column)
        code_of = self._code_of[place]
        here = [code_of.setdefault(text, len(code_of)) for text in texts.to_pylist()]
        code_at: Codes = np.array(here, narrowest(len(code_of)))  # type: ignore[assignment]
        return code_at[codes]

    def values(self) -> list[list[str | None]]:
        """By column: the texts of its values."""
        return [list(code_of) for code_of in self._code_of]

    def counted(self, kinds: Kinds, schema: Schema, label: str, spelled_twice: Collection[str] = ()) -> SpelledTuples:
        """All of them; of some columns what came was spelled before it was counted."""
        counts = np.concatenate([np.zeros(0, np.int64), *self._counts])
        texts = self.values()
        codes, self._counts = [buffer.codes for buffer in self._codes], [counts]
        fates: Fates = self._fates.codes.astype(np.uint8, copy=False)
        columns = {
            name: replace(
                SpelledValues(_texts(spelled, name in spelled_twice), kinds[name]).column(read_as(name) or name, code),
                name=name,
            )
            for name, code, spelled in zip(self._columns, codes, texts, strict=True)
        }
        return _merged(columns, counts, _Came(codes, texts, fates), schema, label)


def _texts(texts: list[str | None], twice: bool) -> list[str | None]:
    return [each and each[1:] for each in texts] if twice else texts


def _merged(columns: dict[str, Column], counts: Numbers, came: _Came, schema: Schema, label: str) -> SpelledTuples:
    """Tuples that turn out to be one once their values are written as text are counted as one."""
    after, fates = [column.cardinality for column in columns.values()], came.fates
    number: NDArray[np.integer] = np.arange(len(counts))
    if after != [len(texts) for texts in came.texts]:
        codes = [fates, *(column.codes for column in columns.values())]
        number, tuples = numbered(codes, [len(Fate), *after])
        some = np.empty(tuples, np.intp)
        some[number] = np.arange(len(number))
        total = np.zeros(tuples, np.int64)
        np.add.at(total, number, counts)
        columns = {name: Column(name, column.codes[some], column.values) for name, column in columns.items()}
        fates, counts = fates[some], total
    data = Dataset(columns, len(counts), schema, label, counts=counts)
    return SpelledTuples(data, fates, came, number)


def coded_values(chunks: pa.ChunkedArray) -> tuple[Codes, pa.Array]:
    """Codes for the texts of a column, and the texts, a missing one among them where it occurs."""
    if not pa.types.is_dictionary(chunks.type):
        chunks = chunks.dictionary_encode()
    whole = chunks.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], pa.string()).dictionary_encode()
    texts, indices = whole.dictionary, whole.indices
    if indices.null_count:
        indices = pc.fill_null(indices, len(texts))
        texts = pa.concat_arrays([texts, pa.nulls(1, texts.type)])
    codes: Codes = indices.to_numpy().astype(narrowest(len(texts)))
    return codes, texts


def tally(counting: Counting, counted: Sequence[SpelledTuples]) -> Tuples:
    """What was counted of all records."""
    by_columns: Mapping[tuple[str, ...], Counted] = dict(zip(counting, counted, strict=True))
    return Tuples(counted[0].total, by_columns)
