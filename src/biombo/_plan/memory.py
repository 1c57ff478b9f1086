"""What needs a whole table in memory is refused where that cannot be."""

import os

from biombo._errors import InputError
from biombo._plan.operations import TableOperation


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
