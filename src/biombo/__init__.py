"""Biombo measures how exposed people are in a table before it is published.

>>> import biombo as bb
>>> data = bb.read(bb.samples.clinic())
>>> len(data)
12
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from biombo import _samples as samples
    from biombo._attack import (
        AttributeInference,
        AttributeInferenceByPart,
        Distribution,
        IndividualAttack,
        Loss,
        Membership,
        MembershipTarget,
        PopulationEstimate,
        PopulationRisk,
        Reidentification,
        Risk,
        RiskByPart,
        Target,
        attribute_inference,
        individual_attack,
        member_loss,
        membership,
        membership_target,
        population_risk,
        reidentification,
        risk,
        risk_by_part,
        target,
    )
    from biombo._criteria import (
        Criterion,
        Judgement,
        KAnonymity,
        LDiversity,
        Leakage,
        TCloseness,
        Verdict,
        Vulnerability,
        judge,
    )
    from biombo._data import ColumnSchema, Dataset, Schema, inspect, read, through
    from biombo._errors import BiomboError, BiomboWarning, ColumnError, InputError, SchemaError, UsageError
    from biombo._hierarchy import Hierarchy
    from biombo._i18n import set_language
    from biombo._plan import (
        AddNoise,
        Applied,
        Diversify,
        DropDuplicates,
        Generalise,
        LiteralDiversity,
        MaskGroups,
        Operation,
        Plan,
        Pseudonymise,
        RankSwap,
        Round,
        Sample,
        SuppressColumn,
        SuppressGroups,
        SuppressionError,
        SuppressRecords,
        Swap,
        TopBottomCode,
        apply,
        key_id,
        new_key,
        reveal,
    )
    from biombo._search import Frontier, FrontierPoint, RankedPlan, SearchResult, frontier, search

__all__ = [
    "AddNoise",
    "Applied",
    "AttributeInference",
    "AttributeInferenceByPart",
    "BiomboError",
    "BiomboWarning",
    "ColumnError",
    "ColumnSchema",
    "Criterion",
    "Dataset",
    "Distribution",
    "Diversify",
    "DropDuplicates",
    "Frontier",
    "FrontierPoint",
    "Generalise",
    "Hierarchy",
    "IndividualAttack",
    "InputError",
    "Judgement",
    "KAnonymity",
    "LDiversity",
    "Leakage",
    "LiteralDiversity",
    "Loss",
    "MaskGroups",
    "Membership",
    "MembershipTarget",
    "Operation",
    "Plan",
    "PopulationEstimate",
    "PopulationRisk",
    "Pseudonymise",
    "RankSwap",
    "RankedPlan",
    "Reidentification",
    "Risk",
    "RiskByPart",
    "Round",
    "Sample",
    "Schema",
    "SchemaError",
    "SearchResult",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "SuppressionError",
    "Swap",
    "TCloseness",
    "Target",
    "TopBottomCode",
    "UsageError",
    "Verdict",
    "Vulnerability",
    "apply",
    "attribute_inference",
    "frontier",
    "individual_attack",
    "inspect",
    "judge",
    "key_id",
    "member_loss",
    "membership",
    "membership_target",
    "new_key",
    "population_risk",
    "read",
    "reidentification",
    "reveal",
    "risk",
    "risk_by_part",
    "samples",
    "search",
    "set_language",
    "target",
    "through",
]

_ROOMS = ("_errors", "_i18n", "_hierarchy", "_data", "_attack", "_criteria", "_plan", "_search")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'biombo' has no attribute {name!r}")
    if name == "samples":
        return import_module("biombo._samples")
    for room in _ROOMS:
        module = import_module(f"biombo.{room}")
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module 'biombo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
