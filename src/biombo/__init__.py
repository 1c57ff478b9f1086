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
        InferenceAgainstTruth,
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
        Audit,
        DeriveDuration,
        Diversify,
        DropDuplicates,
        Exponential,
        ExponentialAsPublished,
        Generalise,
        Geometric,
        GroupSizes,
        Laplace,
        LiteralDiversity,
        MaskCharacters,
        MaskGroups,
        Operation,
        Plan,
        Preview,
        Privacy,
        Pseudonymise,
        RandomisedResponse,
        RankSwap,
        Round,
        Sample,
        Spending,
        SuppressColumn,
        SuppressGroups,
        SuppressionError,
        SuppressRecords,
        Swap,
        TopBottomCode,
        apply,
        audit_epsilon,
        guarantees,
        key_id,
        new_key,
        preview,
        reveal,
    )
    from biombo._release import (
        ControlledRelease,
        DataBreach,
        Decision,
        DeliberateInsider,
        InadvertentRecognition,
        LargerGroups,
        PublicRelease,
        ReleaseStep,
        StrongerControls,
        cheapest_change,
        decide,
        ten_steps,
    )
    from biombo._search import Frontier, FrontierPoint, RankedPlan, SearchResult, frontier, search
    from biombo._utility import Utility, utility

__all__ = [
    "AddNoise",
    "Applied",
    "AttributeInference",
    "AttributeInferenceByPart",
    "Audit",
    "BiomboError",
    "BiomboWarning",
    "ColumnError",
    "ColumnSchema",
    "ControlledRelease",
    "Criterion",
    "DataBreach",
    "Dataset",
    "Decision",
    "DeliberateInsider",
    "DeriveDuration",
    "Distribution",
    "Diversify",
    "DropDuplicates",
    "Exponential",
    "ExponentialAsPublished",
    "Frontier",
    "FrontierPoint",
    "Generalise",
    "Geometric",
    "GroupSizes",
    "Hierarchy",
    "InadvertentRecognition",
    "IndividualAttack",
    "InferenceAgainstTruth",
    "InputError",
    "Judgement",
    "KAnonymity",
    "LDiversity",
    "Laplace",
    "LargerGroups",
    "Leakage",
    "LiteralDiversity",
    "Loss",
    "MaskCharacters",
    "MaskGroups",
    "Membership",
    "MembershipTarget",
    "Operation",
    "Plan",
    "PopulationEstimate",
    "PopulationRisk",
    "Preview",
    "Privacy",
    "Pseudonymise",
    "PublicRelease",
    "RandomisedResponse",
    "RankSwap",
    "RankedPlan",
    "Reidentification",
    "ReleaseStep",
    "Risk",
    "RiskByPart",
    "Round",
    "Sample",
    "Schema",
    "SchemaError",
    "SearchResult",
    "Spending",
    "StrongerControls",
    "SuppressColumn",
    "SuppressGroups",
    "SuppressRecords",
    "SuppressionError",
    "Swap",
    "TCloseness",
    "Target",
    "TopBottomCode",
    "UsageError",
    "Utility",
    "Verdict",
    "Vulnerability",
    "apply",
    "attribute_inference",
    "audit_epsilon",
    "cheapest_change",
    "decide",
    "frontier",
    "guarantees",
    "individual_attack",
    "inspect",
    "judge",
    "key_id",
    "member_loss",
    "membership",
    "membership_target",
    "new_key",
    "population_risk",
    "preview",
    "read",
    "reidentification",
    "reveal",
    "risk",
    "risk_by_part",
    "samples",
    "search",
    "set_language",
    "target",
    "ten_steps",
    "through",
    "utility",
]

_ROOMS = ("_errors", "_i18n", "_hierarchy", "_data", "_attack", "_criteria", "_plan", "_search", "_utility", "_release")


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
