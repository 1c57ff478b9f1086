"""Move the numbers or dates of a column by random amounts (PDPC 2018, section 12)."""

from dataclasses import dataclass, field
from math import pi, sqrt
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from biombo._data import Role
from biombo._documents import is_within_limit, limited
from biombo._engine import Batch, Floats, Step, Summary
from biombo._errors import UsageError
from biombo._hierarchy import Numerals
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.privacy.grid import Bounds, Grid
from biombo._plan.values.numbers import LARGEST
from biombo._plan.values.shift import MOST_DECIMALS, Mover
from biombo._plan.values.spread import SpreadSeen

Kind = Literal["uniform", "normal"]


@dataclass(frozen=True)
class AddNoise(RowOperation):
    """Add a random amount, another one in each record, to the numbers of ``column``; dates move by whole days.

    The amount is drawn from the system's secure source: ``uniform`` from minus ``spread`` to ``spread``, or ``normal``
    with mean 0 and standard deviation ``spread``. Numbers are then rounded to ``decimals``. Missing values and those
    in ``apart`` stay. What would leave the ``bounds``, two numbers or two dates (YYYY-MM-DD), stays on the nearest one.
    ``decimal`` and ``thousands`` are the marks in numbers that are text, which stay text.

    This gives no differential privacy, whatever the spread: rare values stay recognisable by their size. For that there
    are mechanisms on declared bounds.

    >>> AddNoise("weight", spread=2.5, decimals=1).to_tree()
    {'add-noise': {'column': 'weight', 'spread': 2.5, 'decimals': 1}}
    """

    name: ClassVar[str] = "add-noise"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.add-noise"
    repeatable: ClassVar[bool] = False
    noisy: ClassVar[bool] = True

    column: str
    spread: float = field(metadata=limited(0, LARGEST, above=True))
    kind: Kind = "uniform"
    decimals: int = field(default=0, metadata=limited(0, MOST_DECIMALS))
    apart: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""
    bounds: Bounds | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "apart", tuple(sorted(set(self.apart))))
        if not is_within_limit(self, "spread"):
            raise UsageError("plan.noise-spread", column=self.column, value=self.spread)
        if not is_within_limit(self, "decimals"):
            raise UsageError("plan.noise-decimals", column=self.column, value=self.decimals, most=MOST_DECIMALS)
        _ = self.mover

    def as_looked_up(self, values: pl.Series) -> pl.Series:
        """Rounded as the result is, and within its bounds."""
        return self.mover(values.to_arrow(), np.zeros(len(values)))

    @property
    def mover(self) -> Mover:
        """What moves the values by given amounts."""
        numerals = Numerals(self.decimal, self.thousands)
        grid = None if self.bounds is None else Grid.of(self.column, self.bounds, self.decimals, numerals)
        return Mover(self.column, self.decimals, numerals, self.apart, grid)

    @property
    def expected_move(self) -> float:
        """How far a value moves on average, before it is rounded and kept within bounds: E|Z|."""
        return self.spread * (sqrt(2 / pi) if self.kind == "normal" else 0.5)

    def start(self, context: Context) -> Step:
        """Draw anew for each batch."""
        return _AddingNoise(self, context)


class _AddingNoise(Step):
    def __init__(self, operation: AddNoise, context: Context) -> None:
        self._operation = operation
        self._random = context.random
        self._moved = operation.mover
        numerals = Numerals(operation.decimal, operation.thousands)
        self._spread = SpreadSeen(operation.column, 2 * operation.spread, numerals, operation.apart)

    def __call__(self, batch: Batch) -> Batch:
        name = self._operation.column
        moved = self._moved(batch.table.column(name), self._noise(batch.table.num_rows))
        self._spread.add(batch.table.column(name))
        return batch.with_column(name, moved.to_arrow())

    def summary(self) -> Summary:
        """How widely the numbers are spread."""
        return self._spread.summary()

    def _noise(self, rows: int) -> Floats:
        spread = self._operation.spread
        if self._operation.kind == "normal":
            return self._random.normal(rows) * spread
        return (2 * self._random.uniform(rows) - 1) * spread
