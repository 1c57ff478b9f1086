"""One sample: which state, how many rows, from which seed; as codes or as Arrow."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from biombo._samples.batches import as_arrow, rebatched
from biombo._samples.invalid import with_invalid
from biombo._samples.state import State, between
from biombo._samples.values import dictionaries
from biombo._samples.visits import Block, blocks
from biombo._samples.world import build_world

_MOST_ROWS = 10_000_000_000


@dataclass(frozen=True)
class Sample:
    """The records of one state and year. Equal samples give equal rows in the same order, however they are cut."""

    state: State
    rows: int
    seed: int
    year: int = 2023
    invalid_share: float = 0.0

    def __post_init__(self) -> None:
        between("rows", self.rows, 1, _MOST_ROWS)
        between("invalid_share", self.invalid_share, 0, 1)

    def codes(self, batch_rows: int) -> Iterator[Block]:
        """The records as code arrays, ``batch_rows`` at a time."""
        between("batch_rows", batch_rows, 1, _MOST_ROWS)
        world = build_world(self.state, self.seed)
        records = blocks(world, self.seed, self.rows, self.year)
        if self.invalid_share:
            records = with_invalid(records, world, self.seed, self.invalid_share)
        return rebatched(records, batch_rows)

    def batches(self, batch_rows: int, **constants: str) -> Iterator[pa.RecordBatch]:
        """The records as dictionary-encoded strings, ``constants`` being columns of one value before the others."""
        values = {name: pa.array([value]) for name, value in constants.items()}
        values |= dictionaries(self.state, self.seed, self.year)
        return (as_arrow(batch, values) for batch in self.codes(batch_rows))
