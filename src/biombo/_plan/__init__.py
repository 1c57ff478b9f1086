"""Plans: what will be done to a table, as data, and doing it."""

from biombo._plan.applied import Applied
from biombo._plan.applying import apply
from biombo._plan.errors import SuppressionError
from biombo._plan.key_places import key_id, new_key
from biombo._plan.literal_diversity import LiteralDiversity
from biombo._plan.operations import (
    OPERATIONS,
    AddNoise,
    DeriveDuration,
    Diversify,
    DropDuplicates,
    DropInvalid,
    Exponential,
    ExponentialAsPublished,
    Generalise,
    Geometric,
    Laplace,
    MaskCharacters,
    MaskGroups,
    Operation,
    Pseudonymise,
    RandomisedResponse,
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
from biombo._plan.previewing import GroupSizes, Preview, preview
from biombo._plan.privacy.audit import Audit, audit_epsilon
from biombo._plan.privacy.guarantee import Privacy, Spending, guarantees
from biombo._plan.revealing import reveal

__all__ = [
    "OPERATIONS",
    "AddNoise",
    "Applied",
    "Audit",
    "DeriveDuration",
    "Diversify",
    "DropDuplicates",
    "DropInvalid",
    "Exponential",
    "ExponentialAsPublished",
    "Generalise",
    "Geometric",
    "GroupSizes",
    "Laplace",
    "LiteralDiversity",
    "MaskCharacters",
    "MaskGroups",
    "Operation",
    "Plan",
    "Preview",
    "Privacy",
    "Pseudonymise",
    "RandomisedResponse",
    "RankSwap",
    "Round",
    "Sample",
    "Spending",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "SuppressionError",
    "Swap",
    "TopBottomCode",
    "apply",
    "audit_epsilon",
    "guarantees",
    "key_id",
    "new_key",
    "preview",
    "reveal",
]
