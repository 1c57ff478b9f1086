"""Plans: what will be done to a table, as data, and doing it."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.applied import Applied
    from biombo._plan.applying import PLACE, Onlooker, apply, apply_to_table, refuse_target
    from biombo._plan.columns_in_use import keeping, schema_in_use
    from biombo._plan.context import Context
    from biombo._plan.deciding import Decided, decide
    from biombo._plan.errors import SuppressionError
    from biombo._plan.judged import as_understood, judged_columns
    from biombo._plan.literal_diversity import LiteralDiversity
    from biombo._plan.numbering import numbered
    from biombo._plan.numeric import is_date_text
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
    from biombo._plan.operations.mask_groups import masked_in, masked_records
    from biombo._plan.operations.operation import RowOperation, TwoPassOperation
    from biombo._plan.plan import Plan
    from biombo._plan.previewing import GroupSizes, Preview, preview
    from biombo._plan.privacy.audit import Audit, audit_epsilon
    from biombo._plan.privacy.guarantee import Privacy, Spending, guarantees
    from biombo._plan.privacy.short_numbers import short
    from biombo._plan.pseudonyms.reveal import reveal
    from biombo._plan.secrets_at_hand import pseudonymised_columns
    from biombo._plan.shuffling import MOST_HELD
    from biombo._plan.spoken_of import spoken_of
    from biombo._plan.step import Rows
    from biombo._plan.streaming import Stream

__all__ = [
    "MOST_HELD",
    "OPERATIONS",
    "PLACE",
    "AddNoise",
    "Applied",
    "Audit",
    "Context",
    "Decided",
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
    "Onlooker",
    "Operation",
    "Plan",
    "Preview",
    "Privacy",
    "Pseudonymise",
    "RandomisedResponse",
    "RankSwap",
    "Round",
    "RowOperation",
    "Rows",
    "Sample",
    "Spending",
    "Stream",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "SuppressionError",
    "Swap",
    "TopBottomCode",
    "TwoPassOperation",
    "apply",
    "apply_to_table",
    "as_understood",
    "audit_epsilon",
    "decide",
    "guarantees",
    "is_date_text",
    "judged_columns",
    "keeping",
    "masked_in",
    "masked_records",
    "numbered",
    "preview",
    "pseudonymised_columns",
    "refuse_target",
    "reveal",
    "schema_in_use",
    "short",
    "spoken_of",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
