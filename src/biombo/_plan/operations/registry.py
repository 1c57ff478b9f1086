"""The operations there are, by the names that plans use."""

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
from biombo._plan.operations.laplace import Laplace
from biombo._plan.operations.mask_characters import MaskCharacters
from biombo._plan.operations.mask_groups import MaskGroups
from biombo._plan.operations.mechanism import PrivateOperation
from biombo._plan.operations.microaggregate import Microaggregate
from biombo._plan.operations.noise_small_groups import NoiseSmallGroups
from biombo._plan.operations.noise_uniform_groups import NoiseUniformGroups
from biombo._plan.operations.operation import Operation
from biombo._plan.operations.pram import Pram
from biombo._plan.operations.pseudonymise import Pseudonymise
from biombo._plan.operations.randomised_response import RandomisedResponse
from biombo._plan.operations.rank_swap import RankSwap
from biombo._plan.operations.recode_locally import RecodeLocally
from biombo._plan.operations.round import Round
from biombo._plan.operations.sample import Sample
from biombo._plan.operations.select_records import SelectRecords
from biombo._plan.operations.suppress_column import SuppressColumn
from biombo._plan.operations.suppress_groups import SuppressGroups
from biombo._plan.operations.suppress_records import SuppressRecords
from biombo._plan.operations.swap import Swap
from biombo._plan.operations.top_bottom_code import TopBottomCode

OPERATIONS: dict[str, type[Operation]] = {
    kind.name: kind
    for kind in (
        SelectRecords,
        Pseudonymise,
        Diversify,
        Generalise,
        SuppressGroups,
        MaskGroups,
        SuppressColumn,
        ClearColumn,
        SuppressRecords,
        Swap,
        RankSwap,
        Microaggregate,
        RecodeLocally,
        AddNoise,
        CorrelatedNoise,
        Sample,
        DropDuplicates,
        DropInvalid,
        Round,
        TopBottomCode,
        Laplace,
        Geometric,
        Exponential,
        ExponentialAsPublished,
        RandomisedResponse,
        Pram,
        NoiseSmallGroups,
        NoiseUniformGroups,
        MaskCharacters,
        DeriveDuration,
        Aggregate,
    )
}

MECHANISMS: dict[str, type[PrivateOperation]] = {
    kind.name: kind for kind in (Laplace, Geometric, Exponential, RandomisedResponse)
}
"""Those that draw one column, also inside of others."""
