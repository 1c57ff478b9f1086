"""What workers make of the parts of a table: counted tuples, files, rows, the turns of records."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._data import ColumnEncoder
from biombo._engine.engine import Keys, Prints, as_read
from biombo._engine.fates import Fates, Numbers, released
from biombo._engine.local.deal import digests
from biombo._engine.local.frames import Frames
from biombo._engine.local.spool import FATES
from biombo._engine.local.write import Target
from biombo._engine.randomness import Randomness
from biombo._engine.spark.lookup import Lookup
from biombo._engine.spark.tuples import FATE, Shape, SpellingCounter, value_columns
from biombo._engine.spark.worker import Making, Passing, Product, Rows, key_of, rows_with
from biombo._engine.spark.workplace import ORDER, Kept, Seal, packed
from biombo._engine.step import Batch, Change

if TYPE_CHECKING:
    from biombo._engine.spark.prints import TablePrints

_ROWS_IN_BLOB = 1 << 17


class CountingProduct(Product, ABC):
    """Something whose tuples Spark merges."""

    sets: Sequence[Sequence[str]]
    stored: Mapping[str, str]

    @abstractmethod
    def counting(self, sets: Sequence[Sequence[str]], shape: Shape, codebook: Kept | None) -> "CountingProduct":
        """The same for other sets of columns, or with codes."""


@dataclass(frozen=True)
class Tuples(CountingProduct):
    """The tuples of sets of columns, each part for itself; and, for a file, the types that released values ask for."""

    sets: Sequence[Sequence[str]]
    stored: Mapping[str, str]
    """By name: what it is called in the batches."""
    typed: "Typing | None" = None
    codebook: Kept | None = None
    shape: Shape | None = None

    @property
    def schema(self) -> str:  # type: ignore[override]
        """Of tuples of all sets."""
        return (self.shape or Shape.of(self.sets, self.stored, None)).schema

    def counting(self, sets: Sequence[Sequence[str]], shape: Shape, codebook: Kept | None) -> "Tuples":
        """The same for other sets of columns, or with codes."""
        typed = self.typed if sets is self.sets else None
        return replace(self, sets=sets, shape=shape, codebook=codebook, typed=typed)

    @property
    def columns(self) -> Sequence[str]:
        """What is counted, and what is released."""
        released = self.typed.columns if self.typed else ()
        return list(dict.fromkeys([*self.stored.values(), *released]))

    def start(self, part: int) -> Making:  # noqa: ARG002
        """Count one part."""
        return _Counting(self)


@dataclass(frozen=True)
class Typing:
    """What is asked of released columns."""

    columns: Sequence[str]
    target: Target
    mixed: frozenset[str]

    def frames(self) -> Frames:
        """For one part."""
        return Frames(self.target, self.mixed)


class _Counting(Making):
    def __init__(self, product: Tuples) -> None:
        codebook = None if product.codebook is None else product.codebook.load()
        self._counter = SpellingCounter(product.sets, product.stored, codebook)
        self._typing = product.typed
        self._frames = None if product.typed is None else product.typed.frames()

    def add(self, passing: Passing) -> Rows:
        if self._frames is not None and self._typing is not None:
            self._frames.released(passing.batch, self._typing.columns)
        self._counter.add(passing.batch.table, passing.batch.fates, passing.label)
        yield from ()

    def finish(self) -> Rows:
        yield from self._counter.finish()
        self.kinds = self._counter.kinds
        self.more = None if self._frames is None else self._frames.found


@dataclass(frozen=True)
class Values(Product):
    """The values that a change would meet, see :meth:`Change.values_in`."""

    change: Change
    schema: str = "value string"

    @property
    def columns(self) -> Sequence[str]:
        """What the change reads."""
        return self.change.reads

    def start(self, part: int) -> Making:  # noqa: ARG002
        """Look through one part."""
        return _Looking(self.change)


class _Looking(Making):
    def __init__(self, change: Change) -> None:
        self._change = change
        self._found: set[str] = set()

    def add(self, passing: Passing) -> Rows:
        self._found.update(self._change.values_in(passing.batch))
        yield from ()

    def finish(self) -> Rows:
        if self._found:
            yield rows_with({"value": pa.array(sorted(self._found), pa.string())})


@dataclass(frozen=True)
class Staging(Product):
    """The rows as they are, sealed; each with a random number by which they can be put in order."""

    kept: Sequence[str]
    seal: Seal
    schema: str = "part int, start long, blob binary"

    @property
    def columns(self) -> Sequence[str]:
        """What is kept."""
        return self.kept

    def start(self, part: int) -> Making:  # noqa: ARG002
        """Seal one part."""
        return _Sealing(self)


class _Sealing(Making):
    def __init__(self, staging: Staging) -> None:
        self._kept, self._seal = list(staging.kept), staging.seal

    def add(self, passing: Passing) -> Rows:
        batch = passing.batch
        words = Randomness().words(len(batch.fates))
        kept = [*(batch.table.column(name) for name in self._kept), pa.array(batch.fates), pa.array(words)]
        table = pa.RecordBatch.from_arrays(kept, [*self._kept, FATES, ORDER])
        for start in range(0, table.num_rows, _ROWS_IN_BLOB):
            sealed = self._seal.closed(packed(table.slice(start, _ROWS_IN_BLOB)))
            yield blob(passing.part, passing.start + start, sealed)


def blob(part: int, start: int, content: bytes) -> pa.RecordBatch:
    """A row with something for the driver, or for another pass."""
    place = {"part": pa.array([part], pa.int32()), "start": pa.array([start], pa.int64())}
    return rows_with({**place, "blob": pa.array([content], pa.binary())})


@dataclass(frozen=True)
class Records(Product):
    """Single records, spelled: all of them, or some that are drawn."""

    asked: Sequence[str]
    stored: Mapping[str, str]
    share: float | None = None
    """The chance of each of them; none for all."""
    schema: str = "part int, start long, blob binary"

    @property
    def columns(self) -> Sequence[str]:
        """What the asked columns are called in the batches."""
        return list(dict.fromkeys(self.stored[name] for name in self.asked))

    def start(self, part: int) -> Making:  # noqa: ARG002
        """Of one part."""
        return _Spelling(self)


WORD = "word"


class _Spelling(Making):
    def __init__(self, records: Records) -> None:
        self._records = records
        self._encoders = {name: ColumnEncoder(name) for name in records.asked}

    def add(self, passing: Passing) -> Rows:
        share, rows = self._records.share, len(passing.batch.fates)
        words = np.zeros(rows, np.uint64) if share is None else Randomness().words(rows)
        drawn = np.ones(rows, bool) if share is None else words <= np.uint64(min(share, 1.0) * (2.0**64 - 4096))
        arrays = [self._spelled(name, passing, pa.array(drawn)) for name in self._records.asked]
        names = value_columns(len(arrays))
        arrays += [pa.array(passing.batch.fates[drawn]), pa.array(words[drawn])]
        table = pa.RecordBatch.from_arrays(arrays, [*names, FATE, WORD])
        if table.num_rows:
            yield blob(passing.part, passing.start, packed(table))

    def _spelled(self, name: str, passing: Passing, drawn: pa.Array) -> pa.Array:
        column = passing.batch.table.column(self._records.stored[name]).filter(drawn)
        encoder = self._encoders[name]
        codes = encoder.coded(column, passing.label)
        return pa.array(encoder.spelled.texts, pa.string()).take(pa.array(codes)).dictionary_encode()

    def finish(self) -> Rows:
        self.kinds = {name: encoder.spelled.kinds for name, encoder in self._encoders.items()}
        yield from ()


@dataclass(frozen=True)
class FirstRecords(Product):
    """The first records of each part, with their fates, whether they come out or not."""

    shown: Sequence[str]
    rows: int
    schema: str = "part int, start long, blob binary"

    @property
    def columns(self) -> Sequence[str]:
        """What is shown."""
        return self.shown

    def start(self, part: int) -> Making:  # noqa: ARG002
        """Of one part."""
        return _FirstOnes(self)


class _FirstOnes(Making):
    def __init__(self, first: FirstRecords) -> None:
        self._shown, self._wanted = list(first.shown), first.rows

    def add(self, passing: Passing) -> Rows:
        batch, wanted = passing.batch, self._wanted - passing.start
        if wanted > 0:
            table = batch.table.select(self._shown).slice(0, wanted)
            table = table.append_column(FATES, pa.array(batch.fates[:wanted]))
            yield blob(passing.part, passing.start, packed(table))


def first_batch(table: pa.RecordBatch) -> tuple[Batch, Fates]:
    """Such records, as if all of them came out, and their fates."""
    fates = table.column(FATES).to_numpy(zero_copy_only=False)
    shown = table.select([name for name in table.schema.names if name != FATES])
    return Batch(shown, released(table.num_rows)), fates


@dataclass(frozen=True, eq=False)
class PileHeaps:
    """Where the records of piles are put in order: small piles share a heap, a large one has several, by the first bits
    of the numbers by which its records are put in order.
    """

    base: Numbers
    """By pile: its heap, or the first of them."""
    bits: Numbers
    count: int

    @classmethod
    def of(cls, sizes: Numbers, in_heap: int) -> "PileHeaps":
        """For piles of these sizes, so that about so many records are in each heap.

        >>> heaps = PileHeaps.of(np.array([3, 20, 4, 9]), 8)
        >>> heaps.base.tolist(), heaps.bits.tolist(), heaps.count
        ([0, 1, 0, 5], [0, 2, 0, 1], 7)
        """
        bits = np.ceil(np.log2(np.maximum(sizes / in_heap, 1))).astype(np.int64)
        small, width = bits == 0, np.where(bits > 0, 1 << bits, 0)
        before = np.cumsum(np.where(small, sizes, 0)) - sizes
        base = np.where(small, before // in_heap, 0)
        first = int(base[small].max(initial=-1)) + 1
        base[~small] = first + (np.cumsum(width) - width)[~small]
        return cls(base, bits, first + int(width.sum()))

    def found(self, pile: Numbers, words: Prints) -> Numbers:
        """The heap of each record."""
        bits = self.bits[pile].astype(np.uint64)
        within = np.where(bits > 0, words >> (np.uint64(64) - np.maximum(bits, np.uint64(1))), np.uint64(0))
        heap: Numbers = self.base[pile] + within.astype(np.int64)
        return heap

    def starts(self, sizes: Numbers) -> Numbers:
        """By heap, of which the sizes are known: how many records of its pile are in heaps before it."""
        starts = np.zeros(self.count, np.int64)
        for base, bits in zip(self.base[self.bits > 0], self.bits[self.bits > 0], strict=True):
            own = sizes[base : base + (1 << bits)]
            starts[base : base + (1 << bits)] = np.cumsum(own) - own
        return starts


@dataclass(frozen=True)
class Turns(Product):
    """For records in piles: the pile, and a number by which they are put in order there, drawn or of their values.

    Each part has one sealed piece for each heap, whether there is something in it or not: Spark tells on its pages how
    many rows there are.
    """

    lookup: Kept
    """A :class:`Lookup` of piles."""
    heaps: Kept
    """The :class:`PileHeaps`."""
    found_by: tuple[str, ...]
    by: tuple[str, ...] | None
    seal: Seal
    schema: str = "heap int, part int, blob binary"

    @property
    def columns(self) -> Sequence[str]:
        """What tuples and digests are made of."""
        return list(dict.fromkeys([*self.found_by, *(self.by or ())]))

    def start(self, part: int) -> Making:
        """Of one part."""
        return _Ordering(self, part)


class _Ordering(Making):
    def __init__(self, turns: Turns, part: int) -> None:
        self._turns, self._part = turns, part
        self._lookup: Lookup = turns.lookup.load()
        self._heaps: PileHeaps = turns.heaps.load()
        self._found = [(np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.int64))]

    def add(self, passing: Passing) -> Rows:
        piles = self._lookup.found(passing.batch)
        rows = np.flatnonzero(piles >= 0)
        if len(rows):
            self._found.append((piles[rows].astype(np.int64), self._words(passing, rows), passing.start + rows))
        yield from ()

    def finish(self) -> Rows:
        pile, word, row = (np.concatenate(each) for each in zip(*self._found, strict=True))
        heap = self._heaps.found(pile, word)
        order = np.argsort(heap, kind="stable")
        columns = {"pile": pile, "turn": word, "row": row}
        table = pa.RecordBatch.from_pydict({name: pa.array(each[order]) for name, each in columns.items()})
        self.more = sizes = np.bincount(heap, minlength=self._heaps.count)
        for number, start in enumerate(np.cumsum(sizes) - sizes):
            sealed = self._turns.seal.closed(packed(table.slice(start, sizes[number])))
            place = {"heap": pa.array([number], pa.int32()), "part": pa.array([self._part], pa.int32())}
            yield rows_with({**place, "blob": pa.array([sealed], pa.binary())})

    def _words(self, passing: Passing, rows: Numbers) -> Prints:
        by = self._turns.by
        if by is None:
            return Randomness().words(len(rows)).copy()
        encoders = {name: ColumnEncoder(name) for name in by}
        for name, encoder in encoders.items():
            encoder.add(passing.batch.table.column(name), passing.label)
        return digests([encoder.finish() for encoder in encoders.values()], rows)


PRINT = "\x1eprint"
KEY = "\x1ekey"
"""The column with the key of each record; no other column has such a name."""


@dataclass(frozen=True)
class Scattered(Product):
    """The records that come out, dealt to heaps by their random numbers, or by their places where these count."""

    released: Sequence[str]
    originals: Mapping[str, str]
    """By name: the column that has what it was in the table."""
    heaps: int
    keep_order: bool
    typing: Typing
    seal: Seal
    prints: "TablePrints | None"
    schema: str = "heap int, part int, start long, blob binary"

    @property
    def columns(self) -> Sequence[str]:
        """All that is handed on, and the random number."""
        return list(dict.fromkeys([*self.released, *self.originals.values(), ORDER]))

    def start(self, part: int) -> Making:  # noqa: ARG002
        """Of one part."""
        return _Scattering(self)


class _Scattering(Making):
    def __init__(self, product: Scattered) -> None:
        self._product = product
        self._frames = product.typing.frames()
        self._encoders = {name: ColumnEncoder(name) for name in product.originals}
        self._held: list[pl.DataFrame] = []
        self._part = 0
        self._selected: tuple[Prints, Keys] | None = None

    def add(self, passing: Passing) -> Rows:
        made, batch = self._product, passing.batch
        printed, keys = self._printed(passing)
        turn = keys if made.keep_order else batch.table.column(ORDER).to_numpy()[~batch.out]
        own = [self._own(passing, name) for name in made.originals]
        frame = self._frames.released(batch, made.released)
        self._held.append(frame.with_columns(*own, *printed, pl.Series(KEY, keys), pl.Series(ORDER, turn)))
        self._part = passing.part
        yield from ()

    def finish(self) -> Rows:
        for number, (_, alike) in enumerate(groupby(self._held, key=lambda frame: frame.schema)):
            yield from self._dealt(pl.concat(alike, rechunk=True), number)
        self.kinds = {name: encoder.spelled.kinds for name, encoder in self._encoders.items()}

    def _dealt(self, frame: pl.DataFrame, number: int) -> Rows:
        made, turns = self._product, frame[ORDER].to_numpy()
        heap = np.full(len(turns), self._part) if made.keep_order else heap_of(turns, made.heaps)
        table = frame[np.argsort(heap, kind="stable")].to_arrow()
        sizes = np.bincount(heap)
        for place, start in zip(np.flatnonzero(sizes), (np.cumsum(sizes) - sizes)[sizes > 0], strict=True):
            content = made.seal.closed(packed(table.slice(start, sizes[place])))
            placed = blob(self._part, number, content)
            heaps = pa.array([int(place)], pa.int32())
            yield pa.RecordBatch.from_arrays([heaps, *placed.columns], ["heap", *placed.schema.names])

    def _printed(self, passing: Passing) -> tuple[list[pl.Series], Keys]:
        """The fingerprints of the records, which lie where those of the part do, and keys by which their places in the
        sources are known.
        """
        released = ~passing.batch.out
        if self._product.prints is None:
            return [], passing.keys[released]
        if self._selected is None:
            self._selected = self._product.prints.of_selected(passing.part)
        rows = slice(passing.start, passing.start + len(released))
        prints, places = (each[rows][released] for each in self._selected)
        return [pl.Series(PRINT, prints)], key_of(passing.part, places)

    def _own(self, passing: Passing, name: str) -> pl.Series:
        """What a column was in the table, spelled, of the records that come out alone."""
        batch = passing.batch
        chunk = batch.table.column(self._product.originals[name]).filter(pa.array(~batch.out))
        codes = self._encoders[name].coded(chunk, passing.label)
        texts = pl.Series(as_read(name), self._encoders[name].spelled.texts, pl.String)
        return texts.gather(pl.Series(codes))


def heap_of(words: np.ndarray, heaps: int) -> np.ndarray:
    """The heap of each record, by the upper half of its number: heaps in their order are in that of the numbers."""
    return ((words >> np.uint64(32)) * np.uint64(heaps) >> np.uint64(32)).astype(np.int64)
