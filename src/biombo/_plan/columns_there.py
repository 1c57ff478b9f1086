"""The columns that a plan needs to find in a table, and those that come out of it."""

from collections.abc import Sequence

from biombo._data import Schema, SourceTable
from biombo._engine import Flow
from biombo._errors import ColumnError
from biombo._plan.judged import judged_columns
from biombo._plan.plan import Plan


def check_columns(plan: Plan, used: Schema, table: SourceTable) -> None:
    """Raise when ``table`` does not have a column that the plan needs, or has one that the plan adds."""
    table.check(_named(plan, used))
    there = set(table.columns)
    for operation in plan.operations:
        for column in operation.adds:
            if column in there:
                raise ColumnError("plan.added-exists", column=column, name=operation.name)
            there.add(column)


def released_columns(plan: Plan, flow: Flow) -> list[str]:
    """The columns that come out, new ones last."""
    hidden = {name for name in flow.columns if flow.schema[name].kept_back}
    hidden -= {name for operation in plan.operations for name in operation.releases}
    hidden |= {name for operation in plan.operations for name in operation.removes}
    released = [name for name in flow.columns if name not in hidden]
    if "" in released:
        raise ColumnError("plan.nameless", source=flow.label)
    return released


def columns_in_use(plan: Plan, flow: Flow) -> tuple[str, ...]:
    """The columns that somebody spoke of, or that the plan reads."""
    read = {name for operation in plan.operations for name in operation.reads}
    return tuple(name for name in flow.columns if name in read or flow.schema[name].role != "undecided")


def _named(plan: Plan, used: Schema) -> Sequence[str]:
    needed = [column for operation in plan.operations for column in operation.reads]
    added = {column for operation in plan.operations for column in operation.adds}
    people = () if used.person is None else (used.person,)
    named = [*plan.roles, *needed, *used.quasi, *used.sensitive, *people, *judged_columns(plan.criteria, used)]
    return [column for column in named if column not in added]
