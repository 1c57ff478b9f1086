"""The parts of a table that workers read; what they cannot read by themselves is put where they can."""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from biombo._data import File, Source, SourceTable
from biombo._engine.spark.stores import StoredSource
from biombo._engine.spark.workplace import StockedPart, Workplace, packed


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
            parts += [replace(table, sources=(part,)) for part in _put_there(alone, source, workplace, rows)]
        sources += [source] * (len(parts) - len(sources))
    return parts, sources


def _put_there(table: SourceTable, source: Source, workplace: Workplace, rows: int) -> Iterator[Source]:
    """Parts of about so many rows; a part at least, though it be empty."""
    held: list[pa.RecordBatch] = []
    made = 0
    for _, batch in table.batches(source.columns):
        held.append(batch)
        if sum(each.num_rows for each in held) >= rows:
            yield _part(held, source, workplace)
            held, made = [], made + 1
    if held or not made:
        yield _part(held, source, workplace)


def _part(held: list[pa.RecordBatch], source: Source, workplace: Workplace) -> Source:
    path = workplace.new("part")
    lengths = []
    with path.open("wb") as file:
        for batch in held:
            content = workplace.seal.closed(packed(batch))
            lengths.append(len(content))
            file.write(content)
    rows = sum(batch.num_rows for batch in held)
    return StockedPart(path, workplace.seal, source.label, list(source.columns), rows, tuple(lengths))
