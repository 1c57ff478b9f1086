"""Blocks of codes, cut into batches of any size and dressed as Arrow."""

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from biombo._samples.visits import Block


def rebatched(blocks: Iterator[Block], batch_rows: int) -> Iterator[Block]:
    """The same rows, ``batch_rows`` at a time; the last batch may be shorter."""
    held: list[Block] = []
    missing = batch_rows
    for block in blocks:
        while _rows(block) >= missing:
            yield _joined([*held, _cut(block, slice(missing))])
            block = _cut(block, slice(missing, None))
            held, missing = [], batch_rows
        held.append(block)
        missing -= _rows(block)
    if missing < batch_rows:
        yield _joined(held)


def as_arrow(block: Block, dictionaries: Mapping[str, pa.StringArray]) -> pa.RecordBatch:
    """The block as dictionary-encoded strings. A dictionary of one value and no codes makes a constant column."""
    rows = _rows(block)
    columns = {
        name: pa.DictionaryArray.from_arrays(block.get(name, np.zeros(rows, np.uint8)), values)
        for name, values in dictionaries.items()
    }
    return pa.RecordBatch.from_pydict(columns)


def _rows(block: Block) -> int:
    return len(next(iter(block.values())))


def _cut(block: Block, rows: slice) -> Block:
    return {name: codes[rows] for name, codes in block.items()}


def _joined(parts: list[Block]) -> Block:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
