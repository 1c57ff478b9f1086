"""What operations of local differential privacy have in common."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import pyarrow as pa

from biombo._data import Role
from biombo._engine import Batch, Step
from biombo._errors import UsageError
from biombo._plan.context import Context
from biombo._plan.operations.operation import RowOperation
from biombo._plan.privacy.effect import Effect

HIGHEST_EPSILON = 100
"""Far beyond any protection: e^100 is a number of 44 digits."""


def refuse_epsilon(column: str, epsilon: float) -> None:
    """ε is a number above 0; from some number on it protects nothing."""
    if not 0 < epsilon <= HIGHEST_EPSILON:
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

    column: str
    epsilon: float
    records_per_person: int | None = field(default=None, kw_only=True)
    """How many records a person has at most; ε holds for each of them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_epsilon(self.column, self.epsilon)
        if self.records_per_person is not None and self.records_per_person < 1:
            raise UsageError("privacy.records-per-person", column=self.column, records=self.records_per_person)

    @property
    @abstractmethod
    def effect(self) -> Effect:
        """How far values will move, told before anything is drawn."""

    @abstractmethod
    def drawn(self, chunk: pa.Array) -> pa.Array:
        """The values of the column as they are released."""

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
