"""The operations there are, by the names that plans use."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from biombo._errors import BiomboError, InputError
from biombo._plan.operations.add_noise import AddNoise
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
from biombo._plan.operations.operation import Operation
from biombo._plan.operations.pseudonymise import Pseudonymise
from biombo._plan.operations.randomised_response import RandomisedResponse
from biombo._plan.operations.rank_swap import RankSwap
from biombo._plan.operations.round import Round
from biombo._plan.operations.sample import Sample
from biombo._plan.operations.suppress_column import SuppressColumn
from biombo._plan.operations.suppress_groups import SuppressGroups
from biombo._plan.operations.suppress_records import SuppressRecords
from biombo._plan.operations.swap import Swap
from biombo._plan.operations.top_bottom_code import TopBottomCode

OPERATIONS: dict[str, type[Operation]] = {
    kind.name: kind
    for kind in (
        Pseudonymise,
        Diversify,
        Generalise,
        SuppressGroups,
        MaskGroups,
        SuppressColumn,
        SuppressRecords,
        Swap,
        RankSwap,
        AddNoise,
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
        MaskCharacters,
        DeriveDuration,
    )
}


def operation_from_tree(tree: Any, place: int, folder: Path) -> Operation:
    """The operation that stands at ``place`` of a plan, counted from 1."""
    if not isinstance(tree, Mapping) or len(tree) != 1:
        raise InputError("plan.operation-shape", place=place)
    ((name, entries),) = tree.items()
    if name not in OPERATIONS:
        raise _unknown(str(name), place)
    try:
        return OPERATIONS[name].from_entries(entries, folder)
    except BiomboError as error:
        raise InputError("plan.in-operation", place=place, name=name, detail=str(error)) from None


def _unknown(name: str, place: int) -> InputError:
    if close := get_close_matches(name, OPERATIONS, n=1):
        return InputError("plan.operation-close", place=place, name=name, close=close[0])
    return InputError("plan.operation-unknown", place=place, name=name, known=", ".join(OPERATIONS))
