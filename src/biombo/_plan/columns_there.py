"""The columns that a plan needs to find in a table, and those that come out of it."""

from collections.abc import Sequence

from biombo._data import Schema, SourceTable
from biombo._errors import ColumnError
from biombo._plan.deciding import Decided
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


def released_columns(plan: Plan, decided: Decided) -> list[str]:
    """The columns that come out, new ones last."""
    stream = decided.stream
    there = [*stream.table.columns, *(name for start in decided.starts for name in start.adds)]
    hidden = {name for name in there if stream.schema[name].kept_back}
    hidden -= {name for operation in plan.operations for name in operation.releases}
    hidden |= {name for operation in plan.operations for name in operation.removes}
    released = [name for name in there if name not in hidden]
    if "" in released:
        raise ColumnError("plan.nameless", source=stream.table.label)
    return released


def _named(plan: Plan, used: Schema) -> Sequence[str]:
    needed = [column for operation in plan.operations for column in operation.reads]
    added = {column for operation in plan.operations for column in operation.adds}
    people = () if used.person is None else (used.person,)
    named = [*plan.roles, *needed, *used.quasi, *used.sensitive, *people, *judged_columns(plan.criteria, used)]
    return [column for column in named if column not in added]
