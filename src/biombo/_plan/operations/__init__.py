"""The operations of plans, one file each."""

from biombo._plan.operations.generalise import Generalise
from biombo._plan.operations.mask_groups import MaskGroups
from biombo._plan.operations.operation import GroupOperation, Operation, RowOperation, Scope, Seen, TwoPassOperation
from biombo._plan.operations.registry import OPERATIONS, operation_from_tree
from biombo._plan.operations.suppress_groups import SuppressGroups

__all__ = [
    "OPERATIONS",
    "Generalise",
    "GroupOperation",
    "MaskGroups",
    "Operation",
    "RowOperation",
    "Scope",
    "Seen",
    "SuppressGroups",
    "TwoPassOperation",
    "operation_from_tree",
]
