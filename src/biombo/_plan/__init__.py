"""Plans: what will be done to a table, as data, and doing it."""

from biombo._plan.errors import SuppressionError
from biombo._plan.operations import OPERATIONS, Generalise, MaskGroups, Operation, SuppressGroups
from biombo._plan.plan import Plan

__all__ = [
    "OPERATIONS",
    "Generalise",
    "MaskGroups",
    "Operation",
    "Plan",
    "SuppressGroups",
    "SuppressionError",
]
