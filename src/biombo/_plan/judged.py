"""What criteria are judged on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biombo._criteria import Criterion, SensitiveCriterion
from biombo._data import Dataset, Schema

if TYPE_CHECKING:
    from biombo._plan.operations import Operation


def judged_columns(criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:
    """The columns that the criteria read."""
    if not criteria:
        return ()
    about = [criterion for criterion in criteria if isinstance(criterion, SensitiveCriterion)]
    columns = [*schema.quasi, *(column for criterion in criteria for column in criterion.quasi or ())]
    columns += [criterion.column for criterion in about if criterion.column is not None]
    if any(criterion.column is None for criterion in about):
        columns += schema.sensitive
    if schema.person is not None:
        columns.append(schema.person)
    return tuple(dict.fromkeys(columns))


def as_understood(data: Dataset, operations: "Sequence[Operation]") -> Dataset:
    """``data`` as an adversary reads it who knows which words the operations took for the same."""
    for operation in operations:
        data = operation.as_understood(data)
    return data
