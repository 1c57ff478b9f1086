"""The parts of a table that workers read; what they cannot read by themselves is put where they can."""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from biombo._data import File, Source, SourceTable
from biombo._engine.spark.stores import StoredSource
from biombo._engine.spark.workplace import StockedPart, Workplace, packed
from biombo._files import in_sentences


def stocked(table: SourceTable, workplace: Workplace, rows: int) -> tuple[list[SourceTable], list[Source]]:
    """The parts of ``table``, about so many ``rows`` each: files as they are, with paths that hold everywhere, and
    what only this process can read, such as a table in memory or a query, in sealed files. What only Spark reads is
    put there by workers. And the source of each.
    """
    parts: list[SourceTable] = []
    sources: list[Source] = []
    for source in table.sources:
        alone = replace(table, sources=(source,))
        if isinstance(source, File):
            parts += alone.cut(rows)
        elif isinstance(source, StoredSource):
            parts += [replace(table, sources=(part,)) for part in source.parts]
        else:
            parts += [replace(table, sources=(part,)) for part in _put_there(alone.whole, source, workplace, rows)]
        sources += [source] * (len(parts) - len(sources))
    return parts, sources


def _put_there(table: SourceTable, source: Source, workplace: Workplace, rows: int) -> Iterator[Source]:
    """Parts of so many rows, the last of them of fewer; a part at least, though it be empty."""
    held: list[pa.RecordBatch] = []
    room, made = rows, 0
    for batch in _slices(table, source, rows):
        if batch.num_rows > room:
            yield _part([*held, batch.slice(0, room)], source, workplace)
            held, batch, room, made = [], batch.slice(room), rows, made + 1
        held.append(batch)
        room -= batch.num_rows
    if held or not made:
        yield _part(held, source, workplace)


def _slices(table: SourceTable, source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    """The batches, none of them larger than a part."""
    for _, batch in table.batches(source.columns):
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


def _part(held: list[pa.RecordBatch], source: Source, workplace: Workplace) -> Source:
    path = workplace.new("part")
    lengths = []
    with in_sentences(path), path.open("wb") as file:
        for batch in held:
            content = workplace.seal.closed(packed(batch))
            lengths.append(len(content))
            file.write(content)
    rows = sum(batch.num_rows for batch in held)
    return StockedPart(path, workplace.seal, source.label, list(source.columns), rows, tuple(lengths))
