"""The original at the level of detail that a plan gives the release, so that like is compared with like."""

from dataclasses import replace

from biombo._data import Dataset, Schema
from biombo._plan import Plan, RowOperation, as_understood, columns_after


def recoded(data: Dataset, plan: Plan, schema: Schema) -> Dataset:
    """``data`` with what the plan says less precisely said so, and nothing suppressed, moved or made up.

    That is done by the operations which change values one by one and leave them true, such as generalising. What others
    do (suppress, mask, swap, add noise) is what the release lost, and shows when the two are compared.
    """
    recodings = _recodings(plan)
    changed = [name for name in recoded_columns(plan) if name in data.columns]
    if not changed:
        return as_understood(data, plan.operations)
    columns = columns_after(data, recodings, changed, schema)
    return as_understood(replace(data, columns={**data.columns, **columns}), plan.operations)


def recoded_columns(plan: Plan) -> tuple[str, ...]:
    """The columns that the plan tells less precisely."""
    return tuple(dict.fromkeys(name for operation in _recodings(plan) for name in operation.columns))


def _recodings(plan: Plan) -> list[RowOperation]:
    return [each for each in plan.operations if isinstance(each, RowOperation) and _only_recodes(each)]


def _only_recodes(operation: RowOperation) -> bool:
    in_place = bool(operation.columns) and not operation.adds and not operation.removes
    return in_place and operation.truthful and operation.repeatable
