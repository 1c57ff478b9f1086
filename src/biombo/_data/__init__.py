"""Reading tables into codes, and saying what their columns are."""

from biombo._data.binning import Binning, binned
from biombo._data.dataset import Column, Dataset
from biombo._data.inspecting.inspection import Inspection, identifiers_among, inspect
from biombo._data.plain import written
from biombo._data.reading import read
from biombo._data.schema import ColumnSchema, InPopulation, Schema
from biombo._data.through_hierarchy import through

__all__ = [
    "Binning",
    "Column",
    "ColumnSchema",
    "Dataset",
    "InPopulation",
    "Inspection",
    "Schema",
    "binned",
    "identifiers_among",
    "inspect",
    "read",
    "through",
    "written",
]
