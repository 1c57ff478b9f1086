"""What a plan may not exceed: its own limit of suppression, and the memory of the machine."""

import os

from biombo._engine import FateCounts
from biombo._errors import InputError, UsageError
from biombo._plan.operations import TableOperation
from biombo._plan.plan import Plan


class SuppressionError(UsageError):
    """More records would have to be suppressed than the plan allows. Nothing was written."""


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
