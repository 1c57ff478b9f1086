"""What a plan cannot be."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from biombo._criteria import Criterion
from biombo._data import Role
from biombo._errors import UsageError
from biombo._plan.operations import GroupOperation, Operation

if TYPE_CHECKING:
    from biombo._plan.plan import Plan


def refuse_two_roles(plan: "Plan") -> None:
    """A column is one thing, and is named once."""
    people = () if plan.person in (None, *plan.identifiers) else (plan.person,)
    for column, times in Counter([*plan.quasi, *plan.sensitive, *plan.identifiers, *people]).items():
        if times > 1:
            raise UsageError("plan.two-roles", column=column)


def refuse_overlap(operations: Iterable[Operation]) -> None:
    """A column is changed by one operation: what a second one would do depends on the words of the first."""
    first: dict[str, str] = {}
    for operation in operations:
        for column in operation.columns:
            if column in first:
                raise UsageError("plan.overlap", column=column, first=first[column], second=operation.name)
            first[column] = operation.name


def refuse_wrong_roles(operations: Iterable[Operation], roles: Mapping[str, Role]) -> None:
    """An operation may not be for columns of every role; identifiers are left out anyway."""
    for operation in operations:
        for column in operation.columns:
            role = roles.get(column, "other")
            if role not in operation.roles:
                raise UsageError("plan.wrong-role", column=column, role=role, name=operation.name)


def refuse_groups_without_criteria(operations: Iterable[Operation], criteria: Sequence[Criterion]) -> None:
    """Which groups fail can only be told where something is asked of them."""
    for operation in operations:
        if isinstance(operation, GroupOperation) and not criteria:
            raise UsageError("plan.no-criteria", name=operation.name)


def refuse_criteria_on_removed(plan: "Plan") -> None:
    """A criterion cannot be judged by columns that nobody will see."""
    removing = {column: operation.name for operation in plan.operations for column in operation.removes}
    for criterion in plan.criteria:
        for column in (*(criterion.quasi or ()), *criterion.about(())):
            if column in removing:
                raise UsageError("plan.criterion-removed", criterion=criterion, column=column, name=removing[column])
        if criterion.quasi is None and plan.quasi and all(column in removing for column in plan.quasi):
            raise UsageError("plan.no-quasi-left", criterion=criterion)


def refuse_no_share(max_suppression: float | None) -> None:
    """A share lies between none and all."""
    if max_suppression is not None and not 0 <= max_suppression <= 1:
        raise UsageError("plan.max-suppression", value=max_suppression)
