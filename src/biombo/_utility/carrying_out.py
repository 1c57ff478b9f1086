"""The plan carried out once more, on the original or on some of its records."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import Dataset, Schema, SourceTable
from biombo._engine import LOCAL, Fates
from biombo._plan import Context, Plan, apply_to_table, as_arrow, decide, keeping, schema_in_use, unheard


def decided(original: Dataset, plan: Plan, schema: Schema, quasi: Iterable[str]) -> tuple[Dataset, Fates]:
    """What the plan makes of the quasi columns of the original, and of its records."""
    context, used = Context(warn=unheard), schema_in_use(plan, schema)
    table = LOCAL.open(SourceTable.open(as_arrow(original, original.columns)))
    flow = table.flow(used, context, random=context.random, folder=None, warn=context.warn)
    gathered = decide(flow, plan, context).gathered([name for name in quasi if used[name].role == "quasi"])
    return gathered.data, gathered.fates


def released(original: Dataset, plan: Plan, rows: NDArray[np.intp], columns: Iterable[str]) -> pl.DataFrame:
    """What comes out of the plan when there are no other records than ``rows``, in their order.

    The ``columns`` of the release come out, also those that were kept by somebody's word, which no plan knows.
    """
    table = as_arrow(original, original.columns, rows)
    used = schema_in_use(plan, original.schema)
    declared = keeping(original.schema, [name for name in columns if used[name].role == "undecided"], plan)
    quiet = Context(warn=unheard)
    applied = apply_to_table(SourceTable.open(table), plan, None, declared, keep_order=True, context=quiet)
    assert applied.data is not None
    return applied.data
