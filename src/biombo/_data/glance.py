"""Tables and what was seen of them, at a glance. Values are left out: notebooks are passed on with what they show."""

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from biombo._cells import tallied
from biombo._glance import Glance, columns
from biombo._i18n import percent, text

if TYPE_CHECKING:
    from biombo._data.dataset import Column, Dataset
    from biombo._data.inspection.inspection import Inspection


def of_dataset(data: "Dataset") -> Glance:
    """Its columns, without any value."""
    counted = "rows" if data.counts is None else "tuples"
    sizes = {"label": data.label, "rows": data.rows, "records": data.records, "columns": len(data.columns)}
    rows = [
        (row["column"], text(f"inspect.role.{row['role']}"), row["distinct"], row["missing"], percent(row["alone"]))
        for row in described(data).iter_rows(named=True)
    ]
    header = columns("column", "role", "distinct", "missing", "alone")
    return Glance(text(f"glance.dataset.{counted}", **sizes), header, rows)


def of_inspection(found: "Inspection") -> Glance:
    """What is proposed for each column, and why."""
    sizes = {"label": found.label, "rows": found.rows, "columns": len(found.profiles)}
    rows = [
        (name, text(f"inspect.role.{found.schema[name].role}"), seen.distinct, seen.missing, found.schema[name].reason)
        for name, seen in found.profiles.items()
    ]
    header = columns("column", "role", "distinct", "missing", "reason")
    return Glance(text("glance.dataset.rows", **sizes), header, rows)


def described(data: "Dataset") -> pl.DataFrame:
    """A row for each column of ``data``: see :meth:`Dataset.describe`."""
    return pl.DataFrame(
        [{"column": name, "role": data.schema[name].role} | _frequencies(data, data[name]) for name in data.columns],
        schema_overrides={"alone": pl.Float64},
    )


def _frequencies(data: "Dataset", column: "Column") -> dict[str, object]:
    records = tallied(column.codes, column.cardinality, data.counts)
    occurring = records[records > 0]
    return {
        "distinct": len(occurring),
        "missing": int(records[column.values.is_null().to_numpy()].sum()),
        "rarest": int(occurring.min(initial=data.records)),
        "most": int(occurring.max(initial=0)),
        "alone": int(np.count_nonzero(occurring == 1)) / max(data.records, 1),
    }
