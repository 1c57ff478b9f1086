"""The plan carried out once more, on the original or on some of its records."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import Dataset, Schema, SourceTable
from biombo._plan import Context, Decided, Plan, Stream, apply_to_table, decide, keeping, schema_in_use
from biombo._utility.coded_rows import as_arrow
from biombo._watch import unwarned


def decided(original: Dataset, plan: Plan, schema: Schema) -> Decided:
    """What the plan does to which records of the original."""
    table = SourceTable.open(as_arrow(original, original.columns))
    with unwarned():  # whoever made the release was warned
        return decide(Stream(table, schema_in_use(plan, schema), Context(), None, None), plan)


def released(original: Dataset, plan: Plan, rows: NDArray[np.intp], columns: Iterable[str]) -> pl.DataFrame:
    """What comes out of the plan when there are no other records than ``rows``, in their order.

    The ``columns`` of the release come out, also those that were kept by somebody's word, which no plan knows.
    """
    table = as_arrow(original, original.columns, rows)
    used = schema_in_use(plan, original.schema)
    declared = keeping(original.schema, [name for name in columns if used[name].role == "undecided"], plan)
    with unwarned():  # whoever made the release was warned
        applied = apply_to_table(SourceTable.open(table), plan, None, declared, keep_order=True)
    assert applied.data is not None
    return applied.data
