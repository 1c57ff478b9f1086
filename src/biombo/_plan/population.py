"""The population beside a plan: what becomes of people who might be meant, though their records are not there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from biombo._criteria import by_quasi, check_population_use
from biombo._data import Column, Dataset, Schema, read_population
from biombo._engine import LOCAL, Engine
from biombo._errors import UsageError
from biombo._plan.columns_after import columns_after
from biombo._plan.operations import GroupOperation, Operation, RowOperation, SuppressGroups
from biombo._plan.operations.operation import Context
from biombo._plan.plan import Plan


def check_population(plan: Plan, used: Schema, population: Any, engine: Engine = LOCAL) -> None:
    """Raise where criteria of ``plan`` are counted in a population that is not given, or nothing is in one that is; and
    where it cannot be told what becomes of its people.
    """
    asking = [criterion for criterion in plan.judged if criterion.against_population]
    if population is not None:
        check_population_use(plan.judged)
    if not asking:
        return
    if population is None:
        raise UsageError("criteria.no-population", criterion=asking[0])
    if engine is not LOCAL:
        raise UsageError("plan.population-engine", criterion=asking[0])
    for criterion in asking:
        for name in criterion.quasi or used.quasi:
            untold = next((each for each in plan.operations if not _is_told(each, name)), None)
            if untold is not None:
                told = {"name": untold.name, "column": name}
                raise UsageError("criteria.population-operation", criterion=criterion, **told)


def population_beside(plan: Plan, used: Schema, population: Any) -> Dataset | None:
    """The people of the population by the columns that are asked about, as the table writes them."""
    if population is None:
        return None
    asking = [criterion for criterion in plan.judged if criterion.against_population]
    columns = [name for names in by_quasi(asking, used.quasi) for name in names]
    return read_population(population, used, columns, used.person)


def beside_population_after(data: Dataset, operations: Sequence[Operation], context: Context) -> Dataset:
    """Records as ``operations`` left them, with the population as these would leave its people."""
    if context.population is None:
        return data
    return replace(data, population=population_after(context.population, operations, data.schema))


def population_after(population: Dataset, operations: Sequence[Operation], schema: Schema) -> Dataset:
    """The population as ``operations`` would leave its people."""
    columns = {name: _after(column, operations, schema) for name, column in population.columns.items()}
    return replace(population, columns=columns)


def _is_told(operation: Operation, column: str) -> bool:
    """Is it known what ``operation`` makes of a value of ``column``, whoever has it?"""
    if isinstance(operation, GroupOperation):
        return isinstance(operation, SuppressGroups)
    if column not in operation.columns:
        return column not in operation.adds
    return isinstance(operation, RowOperation) and not operation.draws and set(operation.reads) <= {column}


def _after(column: Column, operations: Sequence[Operation], schema: Schema) -> Column:
    """A column with what operations make of each of its values."""
    changing = [each for each in operations if isinstance(each, RowOperation) and column.name in each.columns]
    if not changing:
        return column
    each = Column(column.name, np.arange(column.cardinality, dtype=np.uint32), column.values)
    alone = Dataset({column.name: each}, column.cardinality, schema, column.name)
    changed = columns_after(alone, changing, [column.name], schema)[column.name]
    return Column(column.name, changed.codes[column.codes], changed.values)
