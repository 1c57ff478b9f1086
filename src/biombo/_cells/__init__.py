"""Cells: the distinct combinations of codes in a table, with their counts. Attacks read cells, never rows."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._cells.cells import SIZE_CLASSES, Cells, CodedColumn, Groups, SubsetCounts
    from biombo._cells.codes import Codes, narrowest, recoded
    from biombo._cells.lattice import GroupValues, Lattice, LatticeCounts, LevelledColumn, NodeState, judge_groups
    from biombo._cells.rules import TOLERANCE, Requirement, Rule, RuleKind, TargetColumn
    from biombo._cells.sampled import MembershipCounts, SampledCells, SampledGroups

__all__ = [
    "SIZE_CLASSES",
    "TOLERANCE",
    "Cells",
    "CodedColumn",
    "Codes",
    "GroupValues",
    "Groups",
    "Lattice",
    "LatticeCounts",
    "LevelledColumn",
    "MembershipCounts",
    "NodeState",
    "Requirement",
    "Rule",
    "RuleKind",
    "SampledCells",
    "SampledGroups",
    "SubsetCounts",
    "TargetColumn",
    "judge_groups",
    "narrowest",
    "recoded",
]

__getattr__, __dir__ = face(__name__)
