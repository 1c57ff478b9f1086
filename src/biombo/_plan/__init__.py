"""Plans: what will be done to a table, as data, and doing it."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.applied import Applied
    from biombo._plan.applying import PLACE, Onlooker, apply, apply_to_table, refuse_target
    from biombo._plan.columns_in_use import keeping, schema_in_use
    from biombo._plan.context import Context
    from biombo._plan.deciding import Decided, decide
    from biombo._plan.document import content_of, to_yaml
    from biombo._plan.document import plain_values as yaml_values
    from biombo._plan.entries import listed
    from biombo._plan.entry_types import checked, entry_name, hints_of
    from biombo._plan.errors import SuppressionError
    from biombo._plan.judged import as_understood, judged_columns
    from biombo._plan.key_places import KEYRING, KeyPlace, key_id, load_key, load_keys, new_key
    from biombo._plan.keys import Key
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
    from biombo._plan.reveal_log import NAME
    from biombo._plan.revealing import reveal
    from biombo._plan.sealing import SealedFile, Sealing
    from biombo._plan.secrets_at_hand import pseudonymised_columns
    from biombo._plan.shuffling import MOST_HELD
    from biombo._plan.spoken_of import spoken_of
    from biombo._plan.step import Rows
    from biombo._plan.streaming import Stream

__all__ = [
    "KEYRING",
    "MOST_HELD",
    "NAME",
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
    "Key",
    "KeyPlace",
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
    "SealedFile",
    "Sealing",
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
    "checked",
    "content_of",
    "decide",
    "entry_name",
    "guarantees",
    "hints_of",
    "is_date_text",
    "judged_columns",
    "keeping",
    "key_id",
    "listed",
    "load_key",
    "load_keys",
    "masked_in",
    "masked_records",
    "new_key",
    "numbered",
    "preview",
    "pseudonymised_columns",
    "refuse_target",
    "reveal",
    "schema_in_use",
    "short",
    "spoken_of",
    "to_yaml",
    "yaml_values",
]

__getattr__, __dir__ = face(__name__)
