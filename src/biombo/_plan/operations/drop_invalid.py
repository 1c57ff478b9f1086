"""Leave out the records with an invalid value, as attacks do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from biombo._data import Role
from biombo._engine import Batch, Fate, Step
from biombo._errors import UsageError
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.values.distinct_values import Marked


@dataclass(frozen=True)
class DropInvalid(RowOperation):
    """Leave out the records that have one of some ``values`` in any of the columns under which these are listed.

    Values are compared as they are written; null is a missing one. It is as if the records had never been there: they
    are not suppressed, do not count towards the plan's limit, and tell nothing about what was known beforehand.

    >>> DropInvalid({"age": ["999", None]}).to_tree()
    {'drop-invalid': {'values': {'age': ['999', None]}}}
    """

    name: ClassVar[str] = "drop-invalid"
    roles: ClassVar[tuple[Role, ...]] = ()
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.drop-invalid"
    leaves_out: ClassVar[bool] = True

    values: Mapping[str, Any]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "values", {column: _listed(column, each) for column, each in self.values.items()})
        if not self.values:
            raise UsageError("plan.no-column-named", name=self.name)

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that have invalid values."""
        return tuple(self.values)

    @property
    def chooses(self) -> bool:
        """Yes: those without an invalid value."""
        return True

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look at each distinct value of a batch once."""
        return _LeavingOut(self)


class _LeavingOut(Step):
    """Leaves out the records with an invalid value in any of the columns."""

    def __init__(self, operation: DropInvalid) -> None:
        self._invalid = {name: Marked(frozenset(values).__contains__) for name, values in operation.values.items()}

    def __call__(self, batch: Batch) -> Batch:
        found = [is_invalid(batch.table.column(name), name) for name, is_invalid in self._invalid.items()]
        return batch.marked(np.where(np.logical_or.reduce(found), int(Fate.INVALID), -1))


def _listed(column: str, values: Any) -> tuple[str | None, ...]:
    if not isinstance(values, list | tuple) or not values or not all(v is None or isinstance(v, str) for v in values):
        raise UsageError("plan.where-values", column=column, value=values)
    meant = {value or None for value in values}  # an empty text is a missing value
    return tuple(sorted(meant, key=lambda value: (value is None, value)))
