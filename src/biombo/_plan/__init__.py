"""Plans: what will be done to a table, as data, and doing it."""

from biombo._plan.applied import Applied
from biombo._plan.applying import apply
from biombo._plan.errors import SuppressionError
from biombo._plan.key_places import key_id, new_key
from biombo._plan.literal_diversity import LiteralDiversity
from biombo._plan.operations import (
    OPERATIONS,
    AddNoise,
    Diversify,
    DropDuplicates,
    Generalise,
    MaskGroups,
    Operation,
    Pseudonymise,
    RankSwap,
    Round,
    Sample,
    SuppressColumn,
    SuppressGroups,
    SuppressRecords,
    Swap,
    TopBottomCode,
)
from biombo._plan.plan import Plan
from biombo._plan.revealing import reveal

__all__ = [
    "OPERATIONS",
    "AddNoise",
    "Applied",
    "Diversify",
    "DropDuplicates",
    "Generalise",
    "LiteralDiversity",
    "MaskGroups",
    "Operation",
    "Plan",
    "Pseudonymise",
    "RankSwap",
    "Round",
    "Sample",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "SuppressionError",
    "Swap",
    "TopBottomCode",
    "apply",
    "key_id",
    "new_key",
    "reveal",
]
