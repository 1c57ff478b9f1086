"""The operations of plans, one file each."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.operations.add_noise import AddNoise
    from biombo._plan.operations.aggregate import Aggregate
    from biombo._plan.operations.clear_column import ClearColumn
    from biombo._plan.operations.correlated_noise import CorrelatedNoise
    from biombo._plan.operations.derive_duration import DeriveDuration
    from biombo._plan.operations.diversify import Diversify
    from biombo._plan.operations.drop_duplicates import DropDuplicates
    from biombo._plan.operations.drop_invalid import DropInvalid
    from biombo._plan.operations.exponential import Exponential
    from biombo._plan.operations.exponential_as_published import ExponentialAsPublished
    from biombo._plan.operations.generalise import Generalise
    from biombo._plan.operations.geometric import Geometric
    from biombo._plan.operations.group_noise import GroupNoise
    from biombo._plan.operations.laplace import Laplace
    from biombo._plan.operations.mask_characters import MaskCharacters
    from biombo._plan.operations.mask_groups import MaskGroups
    from biombo._plan.operations.mechanism import PrivateOperation
    from biombo._plan.operations.microaggregate import Microaggregate
    from biombo._plan.operations.noise_small_groups import NoiseSmallGroups
    from biombo._plan.operations.noise_uniform_groups import NoiseUniformGroups
    from biombo._plan.operations.operation import (
        CountingOperation,
        GroupOperation,
        Noised,
        Operation,
        RowOperation,
        Scope,
        Seen,
        TableOperation,
        TwoPassOperation,
        operation_title,
    )
    from biombo._plan.operations.pram import Pram, invariant_matrix
    from biombo._plan.operations.pseudonymise import Pseudonymise
    from biombo._plan.operations.randomised_response import RandomisedResponse
    from biombo._plan.operations.rank_swap import RankSwap
    from biombo._plan.operations.recode_locally import RecodeLocally
    from biombo._plan.operations.registry import OPERATIONS
    from biombo._plan.operations.round import Round
    from biombo._plan.operations.sample import Sample
    from biombo._plan.operations.select_records import SelectRecords
    from biombo._plan.operations.suppress_column import SuppressColumn
    from biombo._plan.operations.suppress_groups import SuppressGroups
    from biombo._plan.operations.suppress_records import SuppressRecords
    from biombo._plan.operations.swap import Swap
    from biombo._plan.operations.top_bottom_code import TopBottomCode

__all__ = [
    "OPERATIONS",
    "AddNoise",
    "Aggregate",
    "ClearColumn",
    "CorrelatedNoise",
    "CountingOperation",
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
    "Laplace",
    "MaskCharacters",
    "MaskGroups",
    "Microaggregate",
    "NoiseSmallGroups",
    "NoiseUniformGroups",
    "Noised",
    "Operation",
    "Pram",
    "PrivateOperation",
    "Pseudonymise",
    "RandomisedResponse",
    "RankSwap",
    "RecodeLocally",
    "Round",
    "RowOperation",
    "Sample",
    "Scope",
    "Seen",
    "SelectRecords",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "Swap",
    "TableOperation",
    "TopBottomCode",
    "TwoPassOperation",
    "invariant_matrix",
    "operation_title",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
