"""Plans: what will be done to a table, as data, and doing it."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.apply import apply, apply_to_table
    from biombo._plan.cautions import warn_of_plan
    from biombo._plan.columns import (
        as_understood,
        judged_columns,
        noised_columns,
        refuse_k_of_noise,
        released_columns,
        schema_in_use,
    )
    from biombo._plan.columns_after import columns_after
    from biombo._plan.execution import Onlooker
    from biombo._plan.limits import SuppressionError
    from biombo._plan.operations import (
        OPERATIONS,
        AddNoise,
        Aggregate,
        ClearColumn,
        CorrelatedNoise,
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
        Microaggregate,
        NoiseSmallGroups,
        NoiseUniformGroups,
        Operation,
        Pram,
        Pseudonymise,
        RandomisedResponse,
        RankSwap,
        RecodeLocally,
        Round,
        Sample,
        SelectRecords,
        SuppressColumn,
        SuppressGroups,
        SuppressRecords,
        Swap,
        TopBottomCode,
    )
    from biombo._plan.operations.group_noise import GroupNoise
    from biombo._plan.operations.mask_groups import masked_in, masked_records
    from biombo._plan.operations.mechanism import PrivateOperation
    from biombo._plan.operations.operation import (
        Context,
        GroupOperation,
        Noised,
        RowOperation,
        TwoPassOperation,
        operation_title,
    )
    from biombo._plan.outcome import OUTCOME, Outcome, follows_a_rule
    from biombo._plan.plan import Plan
    from biombo._plan.population import check_population, population_after, population_beside
    from biombo._plan.preparation import check_application, keys_for, pseudonymised_columns, spoken_of
    from biombo._plan.preview import GroupSizes, Preview, preview
    from biombo._plan.privacy.audit import Audit, audit_epsilon
    from biombo._plan.privacy.draws import largest_loss, noised
    from biombo._plan.privacy.effect import short
    from biombo._plan.privacy.guarantee import Privacy, Spending, guarantees
    from biombo._plan.pseudonyms.double_coding import (
        answer_codes,
        ask_for_codes,
        first_codes,
        forget_codes,
        take_codes,
    )
    from biombo._plan.pseudonyms.reveal import reveal
    from biombo._plan.pseudonyms.rotation import Rotated, relink, rotate_key
    from biombo._plan.pseudonyms.used import UsedPseudonyms
    from biombo._plan.recoding import LevelledValues, Preference, RecodedColumn, Recoding, Regions, costs_as_shown
    from biombo._plan.rehearsal import fates_on, outcome_on, released_of
    from biombo._plan.result import Applied, LiteralDiversity
    from biombo._plan.selection import selected, selected_places
    from biombo._plan.standing import Standing, standing
    from biombo._plan.tuples import check_tuples, tuples_after
    from biombo._plan.values.numbers import is_date_text

__all__ = [
    "OPERATIONS",
    "OUTCOME",
    "AddNoise",
    "Aggregate",
    "Applied",
    "Audit",
    "ClearColumn",
    "Context",
    "CorrelatedNoise",
    "DeriveDuration",
    "Diversify",
    "DropDuplicates",
    "DropInvalid",
    "Exponential",
    "ExponentialAsPublished",
    "Generalise",
    "Geometric",
    "GroupNoise",
    "GroupOperation",
    "GroupSizes",
    "Laplace",
    "LevelledValues",
    "LiteralDiversity",
    "MaskCharacters",
    "MaskGroups",
    "Microaggregate",
    "NoiseSmallGroups",
    "NoiseUniformGroups",
    "Noised",
    "Onlooker",
    "Operation",
    "Outcome",
    "Plan",
    "Pram",
    "Preference",
    "Preview",
    "Privacy",
    "PrivateOperation",
    "Pseudonymise",
    "RandomisedResponse",
    "RankSwap",
    "RecodeLocally",
    "RecodedColumn",
    "Recoding",
    "Regions",
    "Rotated",
    "Round",
    "RowOperation",
    "Sample",
    "SelectRecords",
    "Spending",
    "Standing",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "SuppressionError",
    "Swap",
    "TopBottomCode",
    "TwoPassOperation",
    "UsedPseudonyms",
    "answer_codes",
    "apply",
    "apply_to_table",
    "as_understood",
    "ask_for_codes",
    "audit_epsilon",
    "check_application",
    "check_population",
    "check_tuples",
    "columns_after",
    "costs_as_shown",
    "fates_on",
    "first_codes",
    "follows_a_rule",
    "forget_codes",
    "guarantees",
    "is_date_text",
    "judged_columns",
    "keys_for",
    "largest_loss",
    "masked_in",
    "masked_records",
    "noised",
    "noised_columns",
    "operation_title",
    "outcome_on",
    "population_after",
    "population_beside",
    "preview",
    "pseudonymised_columns",
    "refuse_k_of_noise",
    "released_columns",
    "released_of",
    "relink",
    "reveal",
    "rotate_key",
    "schema_in_use",
    "selected",
    "selected_places",
    "short",
    "spoken_of",
    "standing",
    "take_codes",
    "tuples_after",
    "warn_of_plan",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
