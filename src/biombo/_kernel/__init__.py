"""Counting on small integers, compiled. No names, no files, no rules of privacy: only codes and counts."""

from biombo._kernel._core import (
    Cells,
    Lattice,
    PackedTuples,
    Patterns,
    Requirement,
    Rule,
    RuleKind,
    SampledCells,
    TargetValues,
    count_cells,
    count_lattice,
    count_sampled,
    estimate_tuples,
    row_groups,
    size_classes,
    tolerance,
)

__all__ = [
    "Cells",
    "Lattice",
    "PackedTuples",
    "Patterns",
    "Requirement",
    "Rule",
    "RuleKind",
    "SampledCells",
    "TargetValues",
    "count_cells",
    "count_lattice",
    "count_sampled",
    "estimate_tuples",
    "row_groups",
    "size_classes",
    "tolerance",
]
