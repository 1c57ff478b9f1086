"""Single records in the driver: what cannot be counted, up to a limit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from biombo._cells import Codes, narrowest
from biombo._data import Column, Dataset, SpelledValues
from biombo._engine.engine import Keys, Places
from biombo._engine.fates import Fates, Rows
from biombo._engine.local.exchange import Exchange
from biombo._engine.randomness import Randomness
from biombo._engine.spark.products import WORD
from biombo._engine.spark.tuples import FATE, coded_values, value_columns
from biombo._engine.spark.worker import KEY_BITS, Placed, keys_from
from biombo._engine.spark.workplace import Kept, Seal, unpacked
from biombo._engine.step import Change
from biombo._files import in_sentences

if TYPE_CHECKING:
    from biombo._engine.spark.flow import SparkFlow


@dataclass(frozen=True, eq=False)
class GatheredRecords:
    """See :class:`biombo._engine.engine.Gathered`."""

    flow: "SparkFlow"
    data: Dataset
    fates: Fates
    keys: Keys

    @classmethod
    def of(cls, flow: "SparkFlow", columns: Sequence[str]) -> "GatheredRecords":
        """All records, part by part."""
        found, kinds = flow.records(columns)
        pieces = sorted(_pieces(found), key=lambda piece: piece[:2])
        table = pa.concat_tables([piece[2] for piece in pieces]) if pieces else None
        if table is None:
            flow.table.source.refuse_empty()
        keys = np.concatenate([keys_from(part, start, each.num_rows) for part, start, each in pieces])
        data = _dataset(table, columns, kinds, flow)
        return cls(flow, data, table.column(FATE).to_numpy().astype(np.uint8), keys)

    def exchanged(self, columns: Sequence[str], rows: Rows, taken_from: Places) -> "SparkFlow":
        """Each of ``rows`` takes the values of one of them: of the one at its place in ``taken_from``."""
        workplace = self.flow.jobs.workplace
        folder = workplace.new("exchange")
        with in_sentences(folder):
            folder.mkdir(mode=0o700)
        after = {name: _exchanged(self.data[name], rows, taken_from) for name in columns}
        part_of = (self.keys >> np.uint64(KEY_BITS)).astype(np.int64)
        for number in range(len(self.flow.parts)):
            low, high = np.searchsorted(part_of, [number, number + 1])
            some = {name: _part(column, slice(low, high)) for name, column in after.items()}
            with in_sentences(folder):
                (folder / str(number)).write_bytes(workplace.seal.closed(_pickled(Exchange(some))))
        return self.flow.mapped(ExchangedByPlace(tuple(columns), folder, workplace.seal))


@dataclass(frozen=True, eq=False)
class ExchangedByPlace(Placed):
    """Values that have changed places between records, which lie in a file for each part."""

    exchanged: tuple[str, ...]
    folder: Path
    seal: Seal

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns whose values change places."""
        return self.exchanged

    def in_part(self, part: int) -> Change:
        """The values of one part."""
        found: Change = Kept(self.folder / str(part), self.seal).load()
        return found


def drawn_records(flow: "SparkFlow", columns: Sequence[str], at_most: int) -> Dataset:
    """All records, or so many that are drawn where there are more."""
    rows = flow.table.counted_rows()
    share = None if rows <= at_most else at_most / rows * 1.1 + 1000 / rows
    while True:
        found, kinds = flow.records(columns, share)
        pieces = [piece[2] for piece in sorted(_pieces(found), key=lambda piece: piece[:2])]
        if not pieces:
            flow.table.source.refuse_empty()
        table = pa.concat_tables(pieces)
        if share is None or share >= 1 or table.num_rows >= at_most:
            break
        share *= 2
    data = _dataset(table, columns, kinds, flow)
    if data.rows <= at_most:
        return data
    order = np.argsort(table.column(WORD).to_numpy()) if share is not None else Randomness().order(data.rows)
    return data.take(np.sort(order[:at_most]))


def _pieces(found: pa.Table) -> Iterator[tuple[int, int, pa.Table]]:
    columns = (found.column(name).to_pylist() for name in ("part", "start", "blob"))
    for part, start, blob in zip(*columns, strict=True):
        yield part, start, unpacked(blob)


def _dataset(table: pa.Table, columns: Sequence[str], kinds: Any, flow: "SparkFlow") -> Dataset:
    made = {}
    for name, place in zip(columns, value_columns(len(columns)), strict=True):
        codes, texts = coded_values(table.column(place))
        made[name] = SpelledValues(texts.to_pylist(), kinds[name]).column(name, codes)
    return Dataset(made, table.num_rows, flow.schema, flow.label)


def _exchanged(column: Column, rows: Rows, taken_from: Places) -> Column:
    codes = column.codes.copy()
    codes[rows] = column.codes[rows][taken_from]
    return Column(column.name, codes, column.values)


def _part(column: Column, rows: slice) -> Column:
    there, codes = np.unique(column.codes[rows], return_inverse=True)
    narrow: Codes = codes.astype(narrowest(len(there)))  # type: ignore[assignment]
    return Column(column.name, narrow, column.values.gather(there))


def _pickled(change: Change) -> bytes:
    import pickle

    return pickle.dumps(change)
