"""An engine that has as little as possible in common with the local one: for tests of what depends on no engine.

Every table is cut into partitions of random sizes. Each of them is on a machine of its own, as it were: it gets pickled
copies of changes and context, comes back at random, and shares nothing with the others. Tuples are counted by
partition, merged, and looked up by their values; the keys of records have nothing to do with their places.
"""

import pickle
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._data import Column, ColumnEncoder, Dataset, File, Schema, SourceTable, mixed_columns, written
from biombo._engine import (
    NAMES,
    Batch,
    Change,
    Counted,
    Counting,
    Dealing,
    Engine,
    FateCounts,
    Fates,
    Frames,
    FrameWriter,
    Head,
    Keys,
    MarkedChange,
    Origins,
    Paired,
    Printed,
    Printing,
    Randomness,
    Rows,
    Summary,
    Watching,
    Writer,
    Written,
    are,
    as_read,
    digest,
    readable,
    without_empty,
    writer_for,
)
from biombo._files import replacing


@dataclass(frozen=True, eq=False)
class Partition:
    batch: Batch
    keys: Keys
    label: str


@dataclass(frozen=True, eq=False)
class PartitionEngine(Engine):
    """``seed`` says how tables are cut."""

    seed: int = 0

    def open(
        self, table: SourceTable, kept: Sequence[str] = (), coded: Mapping[str, Column] | None = None
    ) -> "PartitionTable":
        del coded  # which saves reading, and nothing else
        chance = np.random.default_rng(self.seed)
        wanted = list(table.columns)
        batches = [(label, batch) for label, batch in table.batches(wanted)]
        rows = sum(batch.num_rows for _, batch in batches)
        key_of = chance.permutation(rows).astype(np.uint64) * np.uint64(3) + np.uint64(7)
        return PartitionTable(table, tuple(kept), list(_cut(batches, key_of, chance)), key_of)


def _cut(batches: list[tuple[str, pa.RecordBatch]], key_of: Keys, chance: np.random.Generator) -> Iterator[Partition]:
    """Partitions of random sizes, some of them empty, in random order."""
    parts: list[Partition] = []
    start = 0
    for label, batch in batches:
        names = batch.schema.names
        plain = readable(batch, label)
        twins = [plain.column(name) for name in names]
        whole = pa.RecordBatch.from_arrays([*plain.columns, *twins], [*names, *map(as_read, names)])
        ends = sorted(chance.integers(0, batch.num_rows + 1, int(chance.integers(1, 5))).tolist())
        for low, high in zip([0, *ends], [*ends, batch.num_rows], strict=True):
            rows = whole.slice(low, high - low)
            keys = key_of[start + low : start + high]
            parts.append(Partition(Batch(rows, np.zeros(high - low, np.uint8)), keys, label))
        start += batch.num_rows
    return (parts[place] for place in chance.permutation(len(parts)))


@dataclass(frozen=True, eq=False)
class PartitionTable:
    source: SourceTable
    kept: tuple[str, ...]
    partitions: list[Partition]
    key_of: Keys
    prints: list[np.ndarray] = field(default_factory=list)

    @property
    def label(self) -> str:
        return self.source.label

    @property
    def columns(self) -> Sequence[str]:
        return self.source.columns

    @property
    def rows(self) -> int | None:
        return None

    def flow(self, schema: Schema, context: Any = None, *, random: Randomness, warn, **_: Any) -> "Parted":
        mixed = {name for part in self.partitions for name in mixed_columns(part.batch.table)}
        return Parted(self.partitions, list(self.columns), self.label, schema, context, random, warn, mixed, table=self)

    def tuples(self, columns: Sequence[str], schema: Schema, _progress=None) -> Dataset:
        return self.flow(schema, random=Randomness(), warn=print).counted(list(columns)).data

    def surveyed(self, columns: Sequence[str], schema: Schema) -> Dataset:
        return self.tuples(columns, schema)

    def some(self, columns: Sequence[str], schema: Schema, at_most: int) -> Dataset:
        data = self.flow(schema, random=Randomness(), warn=print).gathered(list(columns)).data
        return data.take(np.random.default_rng().permutation(data.rows)[:at_most])

    def printed(self, printing: Printing, needed: Collection[str]) -> Sequence[Printed]:  # noqa: ARG002
        columns = list(self.columns)
        made = [sent(printing).of_rows(batch, label) for label, batch in self.source.whole.batches(columns)]
        self.prints.append(np.concatenate(made))
        (source,) = self.source.sources
        content = printing.of_file(source.path) if isinstance(source, File) else None
        return [Printed(tuple(columns), len(self.prints[0]), printing.of_all(made), content)]

    def origins(self, keys: Keys) -> Origins:
        place_of = dict(zip(self.key_of.tolist(), self.source.places().tolist(), strict=True))
        places = np.array([place_of[key] for key in keys.tolist()], np.uint64)
        return Origins(places, self.prints[0][places] if self.prints else None)


@dataclass(frozen=True, eq=False)
class Parted:
    """See :class:`biombo._engine.Flow`."""

    partitions: list[Partition]
    stored: list[str]
    label: str
    schema: Schema
    context: Any
    random: Randomness
    warn: Any
    mixed: set[str]
    changes: tuple[Any, ...] = ()
    table: Any = None

    @property
    def columns(self) -> list[str]:
        return [*self.stored, *(name for change in self.changes for name in change.adds)]

    @property
    def rows(self) -> int | None:
        return sum(len(part.keys) for part in self.partitions)

    @property
    def repeatable(self) -> bool:
        return all(change.repeatable for change in self.changes)

    def mapped(self, change: Change) -> "Parted":
        return replace(self, changes=(*self.changes, change))

    def spooled(self, without: Sequence[str], originals: Sequence[str] = ()) -> "Parted":
        kept = [name for name in self.columns if name not in without]
        names = [*kept, *map(as_read, originals)]
        parts = [
            replace(part, batch=replace(part.batch, table=part.batch.table.select(names))) for part in self._done()
        ]
        return replace(self, partitions=parts, stored=kept, changes=())

    def counted(self, columns: Sequence[str]) -> Counted:
        return _merged([_part_counted(part.batch, columns) for part in self._done()], columns, self.schema, self.label)

    def dealt(self, counted: Counted, dealing: Dealing, change: MarkedChange) -> "Parted":
        """Tuples are found again by their values, and what a record is dealt is noted by its key."""
        pile_of = dict(zip(_tuple_keys(counted), dealing.pile.tolist(), strict=True))
        in_pile: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for part in self._done():
            order = _order(part.batch, dealing, self.random)
            for key, values, turn in zip(
                part.keys.tolist(), _row_keys(part.batch, list(counted.data.columns)), order, strict=True
            ):
                in_pile[pile_of[values]].append((turn, key))
        marks: dict[int, int] = {}
        hands: dict[int, list[int]] = defaultdict(list)
        for to, mark, count in zip(dealing.to, dealing.mark, dealing.count, strict=True):
            hands[int(to)] += [int(mark)] * int(count)
        for pile, records in in_pile.items():
            for (_, key), mark in zip(sorted(records), hands[pile], strict=False):
                marks[key] = mark
        return replace(self, changes=(*self.changes, _Marked(change, marks)))

    def gathered(self, columns: Sequence[str]) -> "InOnePlace":
        done = self._done()
        keys = np.concatenate([part.keys for part in done])
        fates = np.concatenate([part.batch.fates for part in done])
        coded = _coded([part.batch for part in done], columns, self.label)
        return InOnePlace(self, Dataset(coded, len(keys), self.schema, self.label), fates, keys)

    def head(self, columns: Sequence[str], rows: int, counting: Counting) -> Head:
        done, frames = self._done(), Frames()
        shown = [replace(part.batch, fates=np.zeros(len(part.keys), np.uint8)) for part in done]
        found = [frames.released(batch, columns) for batch in shown]
        frame = pl.concat([frames.typed(each) for each in found])
        first = np.argsort(np.concatenate([part.keys for part in done]))[:rows]
        fates = np.concatenate([part.batch.fates for part in done])
        return Head(frame[first], fates[first], Tally(done, counting, self.schema, self.label))

    def write(
        self, columns: Sequence[str], target: Path | None, counting: Counting, keep_order: bool, watching: Watching
    ) -> Written:
        if target is None:
            with FrameWriter() as memory:
                tally, _ = self._written(columns, memory, counting, keep_order, watching)
            watching.complete()
            return Written(tally, memory.frame)
        with replacing(target) as file:
            with writer_for(target)(file) as writer:
                tally, keys = self._written(columns, writer, counting, keep_order, watching)
            watching.complete()
        return Written(tally, None, lambda read: CountedPairs.of(read(target), self.table, keys, columns, self.schema))

    def _written(
        self, columns: Sequence[str], writer: Writer, counting: Counting, keep_order: bool, watching: Watching
    ) -> tuple["Tally", Keys]:
        done, frames = self._done(), Frames(writer.target, self.mixed)
        tally = Tally(done, counting, self.schema, self.label)
        found = [frames.released(part.batch, columns) for part in done]
        watching.counted(tally)
        whole = pl.concat([frames.typed(frame) for frame in found])
        keys = np.concatenate([part.keys[~part.batch.out] for part in done])
        order = np.argsort(self.table.origins(keys).places) if keep_order else Randomness().order(len(keys))
        half = len(order) // 2
        for some in (order[:half], order[half:]):
            frame = whole[some]
            if watching.named is not None:
                frame, kept = sent(watching.named)(frame, self.table.origins(keys[some]))
                watching.kept(kept)
            writer.write(frame)
        return tally, keys[order]

    def _done(self) -> list[Partition]:
        """Change by change, in all partitions, as if each were on a machine of its own."""
        if not self.rows:
            self.table.source.refuse_empty()
        parts, told = self.partitions, []
        for change in self.changes:
            parts, summary = self._mapped(parts, change)
            told.append(summary)
        for summary in filter(None, told):
            summary.tell(self.warn)
        return [replace(part, batch=replace(part.batch, table=without_empty(part.batch.table))) for part in parts]

    def _mapped(self, parts: list[Partition], change: Any) -> tuple[list[Partition], Summary | None]:
        """The partitions, in whatever order, after one change, and what was noticed in them."""
        if change.remembers:
            values = {value for part in parts for value in sent(change).values_in(part.batch)}
            change = change.settled(values, self.context)
        done, merged = [], None
        for place in np.random.default_rng().permutation(len(parts)):
            part = parts[place]
            step = (
                sent(change).keyed(part.keys) if isinstance(change, _Keyed) else sent(change).start(sent(self.context))
            )
            done.append(replace(part, batch=step(part.batch)))
            summary = None if isinstance(change, _Keyed) else sent(step.summary())
            if summary is not None:
                merged = summary if merged is None else merged.merged(summary)
        return done, merged


def sent(thing: Any) -> Any:
    """A copy, as another machine would get it."""
    return pickle.loads(pickle.dumps(thing))


@dataclass(frozen=True, eq=False)
class CountedPairs:
    """See :class:`biombo._engine.Pairs`. Tuples are counted part by part."""

    rows: pa.RecordBatch
    columns: tuple[str, ...]
    originals: tuple[str, ...]
    schema: Schema
    label: str

    @classmethod
    def of(cls, released: Dataset, table: PartitionTable, keys: Keys, columns: Sequence[str], schema: Schema):
        names = [as_read(name) for name in table.kept]
        place_of = {key: i for i, key in enumerate(np.concatenate([p.keys for p in table.partitions]).tolist())}
        places = [place_of[key] for key in keys.tolist()]
        coded = _coded([part.batch for part in table.partitions], names, table.label)
        values = [
            *(released[name].decoded() for name in columns),
            *(coded[name].decoded().gather(places) for name in names),
        ]
        arrays = [each.to_arrow(compat_level=pl.CompatLevel.oldest()) for each in values]
        whole = pa.RecordBatch.from_arrays(arrays, [*columns, *names])
        return cls(whole, tuple(columns), table.kept, schema, table.label)

    @property
    def records(self) -> int:
        return self.rows.num_rows

    def counted(self, released: Sequence[str], own: Sequence[str] = ()) -> Paired:
        names = [*released, *map(as_read, own)]
        third = self.records // 3
        cuts = [self.rows.slice(third), self.rows.slice(0, third)]
        parts = [_part_counted(Batch(cut, np.zeros(len(cut), np.uint8)), names) for cut in cuts]
        return self._split(_merged(parts, names, self.schema, self.label).data, released, own)

    def some(self, at_most: int) -> Paired:
        chosen = self.rows.take(pa.array(np.random.default_rng().permutation(self.records)[:at_most]))
        names = [*self.columns, *map(as_read, self.originals)]
        coded = _coded([Batch(chosen, np.zeros(len(chosen), np.uint8))], names, self.label)
        return self._split(Dataset(coded, len(chosen), self.schema, self.label), self.columns, self.originals)

    @staticmethod
    def _split(data: Dataset, released: Sequence[str], own: Sequence[str]) -> Paired:
        originals = {name: replace(data[as_read(name)], name=name) for name in own}
        return Paired(replace(data, columns={name: data[name] for name in released}), replace(data, columns=originals))


class _Keyed:
    """Something that depends on the keys of records, which only this engine knows."""

    repeatable = True
    remembers = False
    adds = ()


@dataclass(frozen=True, eq=False)
class _Marked(_Keyed):
    change: MarkedChange
    marks: dict[int, int]

    def keyed(self, keys: Keys):
        step, marks = self.change.start(), np.array([self.marks.get(key, -1) for key in keys.tolist()], np.int32)
        return lambda batch: step(batch, marks)


@dataclass(frozen=True, eq=False)
class _Exchanged(_Keyed):
    values: dict[str, dict[int, Any]]

    def keyed(self, keys: Keys):
        def step(batch: Batch) -> Batch:
            for name, value_of in self.values.items():
                kind = batch.table.column(name).type
                values = pa.array([value_of[key] for key in keys.tolist()])
                kind = kind.value_type if pa.types.is_dictionary(kind) else kind
                batch = batch.with_column(name, values.cast(kind) if not pa.types.is_null(values.type) else values)
            return batch

        return step


@dataclass(frozen=True, eq=False)
class InOnePlace:
    flow: Parted
    data: Dataset
    fates: Fates
    keys: Keys

    def exchanged(self, columns: Sequence[str], rows: Rows, taken_from: np.ndarray) -> Parted:
        values = {}
        for name in columns:
            now = self.data[name].decoded().to_list()
            takers = np.flatnonzero(rows)
            after = list(now)
            for taker, giver in zip(takers.tolist(), takers[taken_from].tolist(), strict=True):
                after[taker] = now[giver]
            values[name] = dict(zip(self.keys.tolist(), after, strict=True))
        return replace(self.flow, changes=(*self.flow.changes, _Exchanged(values)))


@dataclass(frozen=True, eq=False)
class Tally:
    done: list[Partition]
    counting: Counting
    schema: Schema
    label: str
    fates: FateCounts = field(init=False)

    def __post_init__(self) -> None:
        parts = [FateCounts.of(part.batch.fates) for part in self.done]
        object.__setattr__(self, "fates", sum(parts, FateCounts()))

    def counted(self, columns: Sequence[str]) -> Counted:
        assert tuple(columns) in self.counting
        return _merged([_part_counted(part.batch, columns) for part in self.done], columns, self.schema, self.label)

    def people(self, column: str) -> Mapping[str, int]:
        assert any(column in columns for columns in self.counting)
        found: dict[str, set[str | None]] = {name: set() for name in NAMES}
        for part in self.done:
            who = [values[1] for values in _row_keys(part.batch, [column])]
            for name, fates in NAMES.items():
                found[name] |= {who[place] for place in np.flatnonzero(are(part.batch.fates, *fates))}
        return {name: len(people) for name, people in found.items()}


def _coded(batches: Sequence[Batch], columns: Sequence[str], label: str) -> dict[str, Column]:
    encoders = {name: ColumnEncoder(name) for name in columns}
    for batch in batches:
        for name, encoder in encoders.items():
            encoder.add(batch.table.column(name), label)
    return {name: encoder.finish() for name, encoder in encoders.items()}


def _part_counted(batch: Batch, columns: Sequence[str]) -> tuple[pa.Table, Fates, np.ndarray]:
    """The first row of each tuple of a partition, its fate, and how many rows have it."""
    first: dict[Any, int] = {}
    counts: dict[Any, int] = defaultdict(int)
    for place, values in enumerate(_row_keys(batch, columns)):
        first.setdefault(values, place)
        counts[values] += 1
    rows = np.array(list(first.values()), np.intp)
    taken = batch.table.select(list(columns)).take(pa.array(rows)) if columns else None
    return taken, batch.fates[rows], np.array([counts[values] for values in first], np.int64)


def _merged(
    parts: Sequence[tuple[pa.RecordBatch, Fates, np.ndarray]], columns: Sequence[str], schema: Schema, label: str
) -> Counted:
    """Tuples of all partitions: equal ones are added up, in an order that nobody should rely on."""
    parts = [part for part in parts if len(part[1])]
    coded = _coded([Batch(table, fates) for table, fates, _ in parts], columns, label)
    fates = np.concatenate([part[1] for part in parts])
    total: dict[tuple[int, ...], int] = defaultdict(int)
    rows = zip(*(coded[name].codes.tolist() for name in columns), fates.tolist(), strict=True)
    for values, count in zip(rows, np.concatenate([part[2] for part in parts]).tolist(), strict=True):
        total[values] += count
    tuples = sorted(total, reverse=True)
    found = {
        name: Column(name, np.array([values[i] for values in tuples], coded[name].codes.dtype), coded[name].values)
        for i, name in enumerate(columns)
    }
    counts = np.array([total[values] for values in tuples], np.int64)
    data = Dataset(found, len(tuples), schema, label, counts=counts)
    return Counted(data, np.array([values[-1] for values in tuples], np.uint8))


def _row_keys(batch: Batch, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """By row: its fate, and its values as they are written."""
    coded = _coded([batch], columns, "") if len(batch.fates) else {}
    texts = [written(coded[name].decoded()).to_list() if coded else [] for name in columns]
    return list(zip(batch.fates.tolist(), *texts, strict=True))


def _tuple_keys(counted: Counted) -> list[tuple[Any, ...]]:
    columns = counted.data.columns.values()
    texts = [written(column.values).gather(column.codes).to_list() for column in columns]
    return list(zip(counted.fates.tolist(), *texts, strict=True))


def _order(batch: Batch, dealing: Dealing, random: Randomness) -> list[int]:
    if dealing.by is None:
        return random.words(len(batch.fates)).tolist()
    return [digest(values[1:]) for values in _row_keys(batch, dealing.by)]
