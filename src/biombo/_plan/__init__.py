"""Plans: what will be done to a table, as data, and doing it."""

from biombo._plan.applied import Applied
from biombo._plan.applying import apply
from biombo._plan.errors import SuppressionError
from biombo._plan.literal_diversity import LiteralDiversity
from biombo._plan.operations import (
    OPERATIONS,
    Diversify,
    Generalise,
    MaskGroups,
    Operation,
    SuppressColumn,
    SuppressGroups,
    SuppressRecords,
)
from biombo._plan.plan import Plan

__all__ = [
    "OPERATIONS",
    "Applied",
    "Diversify",
    "Generalise",
    "LiteralDiversity",
    "MaskGroups",
    "Operation",
    "Plan",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "SuppressionError",
    "apply",
]
