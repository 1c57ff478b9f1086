"""What is true of the people in a release whose values were drawn at random or exchanged."""

from collections.abc import Collection
from dataclasses import replace

from biombo._data import Column, Dataset, Schema
from biombo._plan import Operation, Plan, RowOperation, columns_after, masked_in, masked_records


def perturbed_columns(plan: Plan) -> tuple[str, ...]:
    """Columns whose values were drawn or exchanged, so that no rule says what a true value became.

    >>> from biombo import DeriveDuration, Round, Swap
    >>> age = DeriveDuration("born", "seen", "age", unit="years", drop=False)
    >>> perturbed_columns(Plan([Swap(["born"]), Round("weight", 5), age]))
    ('born', 'age')
    """
    found: dict[str, None] = {}
    for operation in plan.operations:
        if _draws(operation):
            found |= dict.fromkeys(operation.columns)
        elif any(name in found for name in operation.reads):
            found |= dict.fromkeys(operation.adds)
    return tuple(found)


def truth_of(released: Dataset, own: Dataset, plan: Plan, schema: Schema) -> Dataset:
    """The released records with what is true of them, as whoever looks for it in the release has to write it.

    ``own`` are their originals, in the same order. What was drawn or exchanged is as in the original. Everything else
    is true as it was released, however precise: that a value was generalised, and that a record is masked, the
    adversary knows.
    """
    perturbed = [name for name in perturbed_columns(plan) if name in released.columns]
    source = _with_derived(own, plan, schema, perturbed)
    masked = masked_records(released, plan.operations, schema.quasi)
    changing = {name: operation for operation in plan.operations for name in operation.columns}
    true: dict[str, Column] = {}
    for name in perturbed:
        column = source[name]
        values = changing[name].as_looked_up(column.values) if name in changing else column.values
        true[name] = Column(name, column.codes, values)
        for mark, rows in masked.items():
            if name in schema.quasi and rows.any():
                true[name] = masked_in(true[name], rows, mark)
    return replace(released, columns={**released.columns, **true})


def _draws(operation: Operation) -> bool:
    follows_a_rule = isinstance(operation, RowOperation) and operation.repeatable
    return not operation.truthful and not follows_a_rule


def _with_derived(original: Dataset, plan: Plan, schema: Schema, wanted: Collection[str]) -> Dataset:
    """The original with the columns of ``wanted`` that the plan derives from others."""
    deriving = [each for each in plan.operations if isinstance(each, RowOperation) and each.adds]
    derived = [name for operation in deriving for name in operation.adds if name in wanted]
    if not derived:
        return original
    columns = columns_after(original, deriving, derived, schema)
    return replace(original, columns={**original.columns, **columns})
