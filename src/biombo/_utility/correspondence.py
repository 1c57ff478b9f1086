"""Whether what is said to have been done to a table can have made a release of it."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from biombo._cells import Codes, narrowest, tallied
from biombo._data import Column, Dataset, written
from biombo._engine import are_out, numbered
from biombo._plan import Outcome, as_understood
from biombo._utility.tables import Tables


def is_of_original(outcome: Outcome, tables: Tables) -> bool:
    """Are its records, before anything was done to them, those of the original?"""
    quasi = [name for name in outcome.original.columns if name in tables.before.columns]
    named = {
        name for name in tables.quasi if name in tables.before.columns
    }  # by the plan, or by a schema if one is given
    if (named and named != {*outcome.original.columns}) or outcome.total.total != tables.before.records:
        return False
    return not quasi or are_same(outcome.original, tables.before.tuples(quasi), quasi)


def is_of_release(outcome: Outcome, tables: Tables) -> bool:
    """Are its records, after all that was done to them, those of the release?"""
    operations = () if tables.plan is None else tables.plan.operations
    removed = {name for each in operations for name in each.removes}
    if {*outcome.released.columns} != {*outcome.original.columns} - removed:
        return False
    shown = [name for name in outcome.released.columns if name in tables.columns]
    came_out = outcome.released.take(np.flatnonzero(~are_out(outcome.fates)))
    if not shown:
        return came_out.records == tables.after.records
    return are_same(as_understood(came_out, operations), tables.asked(*shown).release, shown)


def are_same(one: Dataset, other: Dataset, columns: Sequence[str]) -> bool:
    """Have both the same tuples, as people would write them, and as often?"""
    if one.records != other.records:
        return False
    pairs = [_in_common(one[name], other[name]) for name in columns]
    group, groups = numbered([codes for codes, _ in pairs], [texts for _, texts in pairs])
    first, second = tallied(group[: one.rows], groups, one.counts), tallied(group[one.rows :], groups, other.counts)
    return bool((first == second).all())


def _in_common(one: Column, other: Column) -> tuple[Codes, int]:
    """The same code for the same text in both, one after the other, and how many texts there are."""
    texts = pl.concat([written(column.values).cast(pl.String).fill_null("") for column in (one, other)])
    ranks = texts.rank("dense").to_numpy()
    number = int(ranks.max(initial=0))
    codes: Codes = (ranks - 1).astype(narrowest(number))  # type: ignore[assignment]
    apart = len(one.values)
    return np.concatenate([codes[:apart][one.codes], codes[apart:][other.codes]]), number
