"""How a hierarchy fits the values that a column of a table has."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biombo._data.columns_read_off import read_off
from biombo._data.dataset import Dataset
from biombo._data.plain import written
from biombo._data.reader import read_counted
from biombo._data.schema import Schema
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy, UnknownValue

_EXAMPLES = 3


@dataclass(frozen=True)
class HierarchyFit:
    """How a hierarchy fits the values of a column; missing and invalid ones aside."""

    hierarchy: Hierarchy
    values: int
    """How many different ones."""
    records: int
    unknown: Sequence[UnknownValue]
    """Values that it has no place for, those of most records first."""
    examples: tuple[tuple[str, ...], ...]
    """Frequent values, and what becomes of them from level to level."""


def fit_of_hierarchy(
    source: Any,
    column: str,
    hierarchy: Hierarchy | str | None = None,
    schema: Schema | str | Path | None = None,
    **reading: Any,
) -> HierarchyFit:
    """How ``hierarchy``, or else the one that ``schema`` has for it, fits a column; ``reading``: as for ``read``.

    >>> import polars as pl
    >>> fit = fit_of_hierarchy(pl.DataFrame({"age": ["7", "old", "8"]}), "age", Hierarchy.by_interval(5))
    >>> fit.values, fit.unknown
    (3, [UnknownValue(value='old', count=1)])
    """
    described = Schema.load(schema)
    chosen = hierarchy if hierarchy is not None else described[column].hierarchy
    if chosen is None:
        read_counted(source, described, columns=[column], **reading)  # raises where there is no such column
        raise UsageError("hierarchy.none-given", column=column)
    loaded = Hierarchy.load(chosen)
    data = read_counted(source, described, columns=list(dict.fromkeys([column, *loaded.reads])), **reading)
    fitted = read_off(data, column, loaded).strict
    meant = _meant(data, column, described)
    known = [value for value, _ in sorted(meant.items(), key=lambda pair: -pair[1]) if fitted.knows(value)]
    return HierarchyFit(
        fitted,
        len(meant),
        sum(meant.values()),
        fitted.unknown(list(meant), list(meant.values())),
        tuple((value, *(fitted.ancestors(value) or ())) for value in known[:_EXAMPLES]),
    )


def _meant(data: Dataset, column: str, schema: Schema) -> dict[str, int]:
    """Each value that means something, with its records."""
    found: dict[str, int] = {}
    counts = [1] * data.rows if data.counts is None else data.counts.tolist()
    for value, count in zip(written(data[column].decoded()).to_list(), counts, strict=True):
        if value is not None and value not in schema[column].invalid:
            found[value] = found.get(value, 0) + count
    return found
