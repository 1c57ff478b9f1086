"""The operations of plans, one file each."""

from biombo._plan.operations.diversify import Diversify
from biombo._plan.operations.generalise import Generalise
from biombo._plan.operations.mask_groups import MaskGroups
from biombo._plan.operations.operation import GroupOperation, Operation, RowOperation, Scope, Seen, TwoPassOperation
from biombo._plan.operations.registry import OPERATIONS, operation_from_tree
from biombo._plan.operations.suppress_column import SuppressColumn
from biombo._plan.operations.suppress_groups import SuppressGroups
from biombo._plan.operations.suppress_records import SuppressRecords

__all__ = [
    "OPERATIONS",
    "Diversify",
    "Generalise",
    "GroupOperation",
    "MaskGroups",
    "Operation",
    "RowOperation",
    "Scope",
    "Seen",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "TwoPassOperation",
    "operation_from_tree",
]
