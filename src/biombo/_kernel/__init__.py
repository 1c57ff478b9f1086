"""Counting on small integers, compiled. No names, no files, no rules of privacy: only codes and counts."""

from biombo._kernel._core import Cells, count_cells, row_groups, size_classes

__all__ = ["Cells", "count_cells", "row_groups", "size_classes"]
