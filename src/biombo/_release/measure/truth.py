"""What is true of the people in a release whose values were drawn at random or exchanged, and what is near to it."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import polars as pl

from biombo._attack import stacked
from biombo._cells import Counts
from biombo._data import Column, ColumnSchema, Dataset, Schema, binned, written
from biombo._engine import Paired
from biombo._errors import ColumnError
from biombo._plan import Operation, Plan, RowOperation, columns_after, is_date_text, masked_in, masked_records


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


def columns_of_truth(plan: Plan, released: Collection[str]) -> list[str]:
    """The columns of the original that tell what is true of ``released`` ones that were drawn or exchanged."""
    perturbed = [name for name in perturbed_columns(plan) if name in released]
    read = [name for operation in _before(plan, perturbed) for name in operation.reads]
    return list(dict.fromkeys([*perturbed, *read]))


def truth_of(paired: Paired, plan: Plan, schema: Schema) -> Dataset:
    """The released records with what is true of them, as whoever looks for it in the release has to write it.

    What was drawn or exchanged is as in their own originals, or as generalised where that came before. Everything else
    is true as it was released, however precise: that a value was generalised, and that a record is masked, is known.
    """
    released = paired.released
    perturbed = [name for name in perturbed_columns(plan) if name in released.columns]
    source = _before_the_draw(paired.own, plan, schema, perturbed)
    masked = masked_records(released, plan.operations, schema.quasi)
    changing = {name: operation for operation in plan.operations for name in operation.columns}
    true: dict[str, Column] = {}
    for name in perturbed:
        column = source[name]
        values = column.values
        if name in changing:
            values = changing[name].drawing(name).as_looked_up(values)
        true[name] = Column(name, column.codes, values)
        for mark, rows in masked.items():
            if name in schema.quasi and rows.any():
                true[name] = masked_in(true[name], rows, mark)
    return replace(released, columns={**released.columns, **true})


def in_intervals(
    released: Column, truth: Column, marks: frozenset[str], counts: Counts | None = None
) -> tuple[Column, Column] | None:
    """Both columns with the same intervals for values, for an adversary who looks for near ones where noise has moved
    them; none where there is nothing to be gained by it.

    ``counts`` says how many records each place of either stands for. A column that has other values than numbers, dates
    and ``marks``, or few of them, is looked up as it stands.
    """
    both = stacked(released, truth)
    counts = None if counts is None else np.concatenate([counts, counts])
    numbers = Column(both.name, both.codes, _as_numbers(both.values))
    try:
        column, binning = binned(numbers, ColumnSchema(type="continuous", invalid=frozenset(marks)), counts=counts)
    except ColumnError:
        return None
    if binning.kind == "each-value":
        return None
    first = len(released.codes)
    return replace(column, codes=column.codes[:first]), replace(column, codes=column.codes[first:])


def _draws(operation: Operation) -> bool:
    follows_a_rule = isinstance(operation, RowOperation) and operation.repeatable
    return not operation.truthful and not follows_a_rule


def _before_the_draw(original: Dataset, plan: Plan, schema: Schema, wanted: Collection[str]) -> Dataset:
    """The original with the columns of ``wanted`` that the plan derives from others, or recodes before it draws."""
    before = _before(plan, wanted)
    made = [name for operation in before for name in (*operation.adds, *operation.columns) if name in wanted]
    if not made:
        return original
    columns = columns_after(original, before, list(dict.fromkeys(made)), schema)
    return replace(original, columns={**original.columns, **columns})


def _before(plan: Plan, wanted: Collection[str]) -> list[RowOperation]:
    """The operations by which some ``wanted`` column is derived, or recoded before its values are drawn."""
    by_rule = [each for each in plan.operations if isinstance(each, RowOperation) and each.repeatable]
    derives = any(name in wanted for each in by_rule for name in each.adds)
    return [each for each in by_rule if (derives and each.adds) or any(name in wanted for name in each.columns)]


def _as_numbers(values: pl.Series) -> pl.Series:
    """Dates as days since 1970."""
    if not is_date_text(values):
        return values
    days = values.str.to_date("%Y-%m-%d", strict=False).to_physical()
    return written(days).fill_null(values)
