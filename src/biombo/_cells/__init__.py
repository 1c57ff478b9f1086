"""Cells: the distinct combinations of codes in a table, with their counts. Attacks read cells, never rows."""

from biombo._cells.cells import SIZE_CLASSES, Cells, CodedColumn, Groups, SubsetCounts
from biombo._cells.codes import Codes, narrowest, recoded
from biombo._cells.sampled import MembershipCounts, SampledCells, SampledGroups

__all__ = [
    "SIZE_CLASSES",
    "Cells",
    "CodedColumn",
    "Codes",
    "Groups",
    "MembershipCounts",
    "SampledCells",
    "SampledGroups",
    "SubsetCounts",
    "narrowest",
    "recoded",
]
