"""Mechanisms of local differential privacy: what those on declared bounds and those on declared domains share."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._data import Role, Schema, written
from biombo._documents import Named, is_within_limit, limited
from biombo._engine import Batch, Floats, Rows, Step
from biombo._errors import UsageError
from biombo._hierarchy import Numerals
from biombo._plan.operations.operation import Context, Operation, RowOperation
from biombo._plan.privacy.channel import Channel, Domain
from biombo._plan.privacy.effect import Effect, Kept, Moved
from biombo._plan.privacy.grid import Bounds, Grid

HIGHEST_EPSILON = 100
"""Far beyond any protection: e^100 is a number of 44 digits."""


EPSILON = limited(0, HIGHEST_EPSILON, above=True)
"""ε is a number above 0; from some number on it protects nothing."""


def refuse_epsilon(asked: Operation, column: str, epsilon: float) -> None:
    """Raise where ε is not what it may be."""
    if not is_within_limit(asked, "epsilon"):
        raise UsageError("privacy.epsilon", column=column, epsilon=epsilon, highest=HIGHEST_EPSILON)


@dataclass(frozen=True)
class PrivateOperation(RowOperation):
    """Replaces every value of a column by one drawn at random, whose chances differ by a factor of e^ε at most.

    What is drawn depends on the own value and on what the plan declares alone, never on other records.
    """

    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    repeatable: ClassVar[bool] = False
    noisy: ClassVar[bool] = True

    column: str
    epsilon: float = field(metadata=EPSILON)
    records_per_person: int | None = field(default=None, kw_only=True, metadata=limited(1))
    """How many records a person has at most; ε holds for each of them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_epsilon(self, self.column, self.epsilon)
        if not is_within_limit(self, "records_per_person"):
            raise UsageError("privacy.records-per-person", column=self.column, records=self.records_per_person)

    @abstractmethod
    def completed(self, schema: Schema) -> Self:
        """With what it leaves to ``schema`` to declare."""

    @property
    @abstractmethod
    def effect(self) -> Effect:
        """How far values will move, told before anything is drawn."""

    @abstractmethod
    def drawn(self, chunk: pa.Array) -> pa.Array:
        """The values of the column as they are released."""

    @abstractmethod
    def chances(self, true: pl.Series, released: pl.Series) -> Floats:
        """How likely each of the ``released`` values, as read from a file, is drawn for each of the ``true`` ones: a
        row for each of these. The chance is 0 of what is never drawn.
        """

    @abstractmethod
    def as_drawn(self, values: pl.Series) -> tuple[pl.Series, Rows]:
        """Values as text, written as what is drawn is, and which of them are not among what can be drawn."""

    def start(self, context: Context) -> Step:  # noqa: ARG002 - OpenDP has the secure source of its own
        """Draw for all rows of a batch at once."""
        return _Drawing(self)


class _Drawing(Step):
    def __init__(self, operation: PrivateOperation) -> None:
        self._operation = operation

    def __call__(self, batch: Batch) -> Batch:
        name = self._operation.column
        drawn = self._operation.drawn(batch.table.column(name))
        return batch.with_column(name, drawn)


@dataclass(frozen=True)
class NoiseOnGrid(PrivateOperation):
    """Puts values between declared bounds, adds noise, and puts the result between the bounds again.

    The bounds say how far apart two values can be, so they must be known without looking at the data.
    """

    bounds: Bounds | None = None
    """Two numbers, or two dates (YYYY-MM-DD); without them those that the schema declares."""

    decimal: str = field(default=".", kw_only=True)
    thousands: str = field(default="", kw_only=True)
    """The marks in numbers that are text."""

    def __post_init__(self) -> None:
        super().__post_init__()
        Numerals(self.decimal, self.thousands)
        if self.bounds is not None:
            _ = self.grid

    @property
    def steps_decimals(self) -> int:
        """Decimals of what is released."""
        return 0

    @cached_property
    def grid(self) -> Grid:
        """The values that can be released."""
        if self.bounds is None:
            raise UsageError("privacy.no-bounds", column=self.column)
        return Grid.of(self.column, self.bounds, self.steps_decimals, Numerals(self.decimal, self.thousands))

    @cached_property
    def scale(self) -> float:
        """The scale of the noise, in steps of the grid."""
        return self.grid.scale(self.epsilon)

    @property
    def effect(self) -> Effect:
        """How far values move on average."""
        width = self.grid.width * 10.0**-self.grid.decimals
        return Moved(self.grid.expected_move(self.scale), width, self.grid.dates)

    def completed(self, schema: Schema) -> Self:
        """With the bounds that the schema declares, where the plan has none."""
        operation = self if self.bounds is not None else replace(self, bounds=schema[self.column].bounds)
        _ = operation.grid
        return operation

    def as_looked_up(self, values: pl.Series) -> pl.Series:
        """Between the bounds, on the grid."""
        return pl.Series(self.grid.values(self.grid.steps(values.to_arrow(), self.column)))

    def drawn(self, chunk: pa.Array) -> pa.Array:
        """Numbers of the grid's decimals, or dates."""
        steps = self.grid.steps(chunk, self.column)
        return self.grid.values(self.grid.noised(steps, self.scale))

    def chances(self, true: pl.Series, released: pl.Series) -> Floats:
        """By how far they are apart, and whether the released one is a bound."""
        plain = replace(self.grid, numerals=Numerals())  # as what is drawn is written
        steps = self.grid.steps(true.to_arrow(), self.column), plain.steps(released.to_arrow(), self.column)
        return self.grid.chances(*steps, self.scale)

    def as_drawn(self, values: pl.Series) -> tuple[pl.Series, Rows]:
        """What lies on the grid stays what it is, however it was written."""
        held = self.grid.holds(values)
        labels = written(self.as_looked_up(values.filter(pl.Series(held))))
        return written(values).scatter(np.flatnonzero(held), labels), ~held


@dataclass(frozen=True)
class NoiseOverDomain(PrivateOperation):
    """Releases a value of a declared domain, with chances that depend on the own value.

    The domain must be known without looking at the data: one that is taken from them tells what occurs in them.
    """

    domain: Domain | None = None
    """All values that may occur, null for a missing one; without it the one that the schema declares."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.domain is not None and (len(self.domain) < 2 or len(set(self.domain)) < len(self.domain)):
            raise UsageError("privacy.domain", column=self.column)

    @cached_property
    def channel(self) -> Channel:
        """What each value may become."""
        if self.domain is None:
            raise UsageError("privacy.no-domain", column=self.column)
        return self.channel_over(self.domain)

    @abstractmethod
    def channel_over(self, domain: Domain) -> Channel:
        """What each value of ``domain`` may become."""

    @property
    def effect(self) -> Effect:
        """How often a value stays what it is."""
        return Kept(self.channel.kept, len(self.channel.domain))

    def completed(self, schema: Schema) -> Self:
        """With the domain that the schema declares, where the plan has none."""
        operation = self if self.domain is not None else replace(self, domain=schema[self.column].domain)
        _ = operation.channel
        return operation

    def drawn(self, chunk: pa.Array) -> pa.Array:
        """Values of the domain, as text."""
        return self.channel.drawn(chunk, self.column)

    def chances(self, true: pl.Series, released: pl.Series) -> Floats:
        """As the channel has them."""
        return self.channel.between(written(true).to_list(), written(released).to_list())

    def as_drawn(self, values: pl.Series) -> tuple[pl.Series, Rows]:
        """Those of the domain."""
        texts = written(values)
        return texts, self.channel.places(texts.to_list()) < 0


def _mechanisms() -> "Mapping[str, type[PrivateOperation]]":
    """All that there are, loaded when a plan is read that has one inside another operation."""
    from biombo._plan.operations.registry import MECHANISMS

    return MECHANISMS


Named(_mechanisms, shape="plan.noise-shape", within="plan.in-noise").register(PrivateOperation)
