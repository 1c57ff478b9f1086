"""The records that a plan leaves, counted by some columns, for whoever makes something else of them than records."""

from collections.abc import Iterable, Sequence

import numpy as np

from biombo._data import Dataset, Schema, SourceTable
from biombo._engine import Engine
from biombo._errors import InputError, UsageError
from biombo._plan.columns import check_columns, schema_in_use
from biombo._plan.execution import decide
from biombo._plan.limits import refuse_few, refuse_too_much
from biombo._plan.operations.operation import Context
from biombo._plan.plan import Plan
from biombo._plan.preparation import keys_for
from biombo._plan.pseudonyms.used import UsedPseudonyms
from biombo._plan.selection import selected
from biombo._secrets import KeyPlace
from biombo._watch import advance


def tuples_after(
    source: SourceTable,
    plan: Plan,
    columns: Sequence[str],
    declared: Schema,
    *,
    key: KeyPlace | Iterable[KeyPlace] | None = None,
    engine: Engine,
) -> Dataset:
    """The tuples of ``columns``, and of the person, of the records that the plan leaves, with no value that only others
    have. Nothing is released by that, so that the person is told apart here, who never comes out.
    """
    check_tuples(source, plan, columns, declared)
    table, plan = selected(source, plan.selections).held(), plan.completed(declared)
    used, keys = schema_in_use(plan, declared), keys_for(plan, key)
    context = Context(keys=keys, used=UsedPseudonyms(keys))
    opened = engine.open(table)
    flow = opened.flow(used, context, random=context.random, folder=None, warn=context.warn, progress=advance)
    people = () if used.person is None else (used.person,)
    counted = decide(flow, plan, context).counted(tuple(dict.fromkeys([*columns, *people])))
    if not counted.data.rows:
        raise InputError("input.empty", source=flow.label)
    refuse_few(counted, plan, used.person, flow.label)
    refuse_too_much(counted.total, plan, flow.label)
    return counted.data.take(np.flatnonzero(~counted.out))


def check_tuples(source: SourceTable, plan: Plan, columns: Sequence[str], declared: Schema) -> None:
    """Raise whatever can be known by the columns alone before records are counted."""
    completed = plan.completed(declared)
    used = schema_in_use(completed, declared)
    check_columns(completed, used, source)
    added = {name for operation in plan.operations for name in operation.adds}
    source.check([name for name in columns if name not in added])
    for column in columns:
        if used[column].role == "identifier":
            raise UsageError("plan.wrong-role", column=column, role="identifier", name="aggregate")
