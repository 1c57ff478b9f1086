"""Release a column without its values, where the structure of the table must stay (PDPC 2018, section 6.3)."""

from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa

from biombo._data import Role
from biombo._engine import Batch, Step
from biombo._plan.operations.operation import Context, RowOperation


@dataclass(frozen=True)
class ClearColumn(RowOperation):
    """Release ``column`` with missing values alone, or with the text ``with`` in every record.

    Nothing of the values is left, whatever they were, as if the column were suppressed; only its name is there. An
    identifier comes out too where it is empty. Operations of the same plan that stand before may still read it.

    >>> ClearColumn("student").to_tree()
    {'clear-column': {'column': 'student'}}
    """

    name: ClassVar[str] = "clear-column"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other", "identifier")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.clear-column"

    column: str
    with_: str = ""

    @property
    def releases(self) -> tuple[str, ...]:
        """The column, where it is empty: one text for everybody would look like the name of one person."""
        return () if self.with_ else (self.column,)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Put the same into every row."""
        return _Clearing(self)


class _Clearing(Step):
    def __init__(self, operation: ClearColumn) -> None:
        self._column = operation.column
        self._left = pa.scalar(operation.with_ or None, pa.large_string())

    def __call__(self, batch: Batch) -> Batch:
        return batch.with_column(self._column, pa.repeat(self._left, batch.table.num_rows))
