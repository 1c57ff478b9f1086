"""Cells: the distinct combinations of codes in a table, with their counts. Attacks read cells, never rows."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._cells.cells import SIZE_CLASSES, Cells, CodedColumn, Countable, Groups, SubsetCounts
    from biombo._cells.codes import (
        RECORDS_AT_MOST,
        CodeBuffer,
        Codes,
        Counts,
        distinct,
        narrowest,
        recoded,
        records_of,
        tallied,
    )
    from biombo._cells.lattice import GroupValues, Lattice, LatticeCounts, LevelledColumn, NodeState, judge_groups
    from biombo._cells.local_groups import LocalGroups, LocalRecoding, local_groups
    from biombo._cells.membership import MembershipCounts, SampledCells, SampledGroups
    from biombo._cells.population import PopulationRows
    from biombo._cells.rules import TOLERANCE, Requirement, Rule, RuleKind, TargetColumn
    from biombo._cells.tuples import TupleCounter, Tuples

__all__ = [
    "RECORDS_AT_MOST",
    "SIZE_CLASSES",
    "TOLERANCE",
    "Cells",
    "CodeBuffer",
    "CodedColumn",
    "Codes",
    "Countable",
    "Counts",
    "GroupValues",
    "Groups",
    "Lattice",
    "LatticeCounts",
    "LevelledColumn",
    "LocalGroups",
    "LocalRecoding",
    "MembershipCounts",
    "NodeState",
    "PopulationRows",
    "Requirement",
    "Rule",
    "RuleKind",
    "SampledCells",
    "SampledGroups",
    "SubsetCounts",
    "TargetColumn",
    "TupleCounter",
    "Tuples",
    "distinct",
    "judge_groups",
    "local_groups",
    "narrowest",
    "recoded",
    "records_of",
    "tallied",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
