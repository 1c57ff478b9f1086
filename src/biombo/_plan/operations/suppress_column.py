"""Leave a column out."""

from dataclasses import dataclass
from typing import ClassVar

from biombo._data import Role
from biombo._engine import Batch, Step
from biombo._plan.operations.operation import Context, RowOperation


@dataclass(frozen=True)
class SuppressColumn(RowOperation):
    """Do not release ``column``. Criteria are judged without it, because an adversary does not see it either.

    Operations of the same plan may still read it, to derive a column or to choose records.

    >>> SuppressColumn("student").to_tree()
    {'suppress-column': {'column': 'student'}}
    """

    name: ClassVar[str] = "suppress-column"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.suppress-column"

    column: str

    @property
    def removes(self) -> tuple[str, ...]:
        """The column that it changes, and of which nothing is left."""
        return (self.column,)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Nothing: what an operation removes is not among the columns that are released."""
        return _Leaving()


class _Leaving(Step):
    def __call__(self, batch: Batch) -> Batch:
        return batch
