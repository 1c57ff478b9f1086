"""What a file says of its own columns, as SPSS, Stata and SAS files do, in the proposal for them."""

from dataclasses import replace

from biombo._data.dataset import Dataset
from biombo._data.plain import as_written
from biombo._data.schema import ColumnSchema, Schema


def as_noted(schema: Schema, data: Dataset) -> Schema:
    """``schema`` with the labels that the file has, and with its codes for missing values as invalid."""
    return replace(schema, columns={name: _noted(name, column, data) for name, column in schema.columns.items()})


def _noted(name: str, column: ColumnSchema, data: Dataset) -> ColumnSchema:
    about = data.notes.get(name)
    if about is None:
        return column
    met = {as_written(value) for value in data[name].values.to_list() if about.means_missing(value)}
    return replace(column, label=about.label or column.label, invalid=column.invalid | about.missing | met)
