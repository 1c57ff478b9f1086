"""What a plan may not exceed: its own limit of suppression, and the memory of the machine."""

import os

import numpy as np

from biombo._criteria import smallest_group_asked
from biombo._engine import Counted, FateCounts, were_there
from biombo._errors import InputError, UsageError
from biombo._plan.operations import TableOperation
from biombo._plan.plan import Plan


class SuppressionError(UsageError):
    """More records would have to be suppressed than the plan allows. Nothing was written."""


def refuse_few(counted: Counted, plan: Plan, person: str | None, source: str) -> None:
    """Raise where fewer people are selected than the criteria ask of each group. How many there are is not told: that
    is about few. Where tuples do not name the ``person``, there are no more people than records.
    """
    asked = smallest_group_asked(plan.criteria)
    if not plan.selections or asked is None:
        return
    there = were_there(counted.fates)
    if person is not None and person in counted.data.columns:
        codes = counted.data[person].codes
        people = len(np.unique(codes if there is None else codes[there]))
    else:
        people = counted.data.records_in(there)
    if people < asked:
        raise SuppressionError("plan.few-selected", source=source, k=asked)


def refuse_too_much(fates: FateCounts, plan: Plan, source: str) -> None:
    """Raise where more is suppressed or masked than the plan allows, or nothing is left."""
    suppressed = fates["suppressed"] + fates["masked"]
    asked_for = fates.total - fates.left_out
    limit = plan.suppression_limit(asked_for)
    if suppressed > limit:
        raise SuppressionError(
            "plan.too-much",
            source=source,
            suppressed=suppressed,
            rows=asked_for,
            limit=limit,
            share=plan.max_suppression,
        )
    if fates.out == fates.total > 0:
        raise SuppressionError("plan.nothing-left", source=source, rows=fates.total)


def refuse_above_memory(operation: TableOperation, rows: int | None, source: str) -> None:
    """Raise before long work that would end in a full memory; ``rows`` may not be known yet."""
    needed, there = (rows or 0) * operation.row_bytes, memory_bytes()
    if there is not None and needed > there:
        raise InputError(
            "plan.too-large",
            source=source,
            name=operation.name,
            rows=rows,
            needed=needed / 2**30,
            there=there / 2**30,
        )


def memory_bytes() -> int | None:
    """The memory that this machine has, where it tells."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
