"""Plans: what will be done to a table, as data, and doing it."""

from biombo._plan.applied import Applied
from biombo._plan.applying import apply
from biombo._plan.errors import SuppressionError
from biombo._plan.operations import OPERATIONS, Generalise, MaskGroups, Operation, SuppressGroups
from biombo._plan.plan import Plan

__all__ = [
    "OPERATIONS",
    "Applied",
    "Generalise",
    "MaskGroups",
    "Operation",
    "Plan",
    "SuppressGroups",
    "SuppressionError",
    "apply",
]
