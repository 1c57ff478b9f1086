"""What makes one plan better than another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from biombo._errors import UsageError
from biombo._measures import Costs, Floats

PolicyName = Literal[
    "absolute-distance",
    "relative-distance",
    "distribution",
    "suppression",
    "precision",
    "loss",
    "entropy",
    "discernibility",
    "class-size",
]


@dataclass(frozen=True)
class Policy:
    """A way to compare nodes: the one with the lowest score is preferred."""

    name: PolicyName
    score: Callable[[Costs], Floats]
    among_minimal: bool = False
    """Does it choose among minimal generalisations only, as the policies of Samarati and Sweeney (1998) do?"""
    of_parts: Callable[[Floats, Floats], float] | None = None
    """What no score can fall below, by what none can fall below for each of several sets of columns alone, which share
    none, and what these weigh; None where nothing follows. Suppressing more records may make no column lose less.
    """

    @classmethod
    def named(cls, name: object) -> "Policy":
        """The policy of that name."""
        if not isinstance(name, str) or name not in POLICIES:
            raise UsageError("search.policy", policy=name, policies=", ".join(get_args(PolicyName)))
        return POLICIES[name]


def _sum(scores: Floats, weights: Floats) -> float:  # noqa: ARG001
    return float(scores.sum())


def _mean(scores: Floats, weights: Floats) -> float:
    return float(scores @ weights / weights.sum())


def _geometric_mean(scores: Floats, weights: Floats) -> float:
    return float(np.expm1(np.log1p(scores) @ weights / weights.sum()))


_ALL = (
    Policy("absolute-distance", lambda costs: costs.absolute_distance, among_minimal=True, of_parts=_sum),
    Policy("relative-distance", lambda costs: costs.relative_distance, among_minimal=True, of_parts=_sum),
    Policy("distribution", lambda costs: -costs.groups.astype(float), among_minimal=True),
    Policy("suppression", lambda costs: costs.suppressed.astype(float), among_minimal=True),
    Policy("precision", lambda costs: costs.imprecision, of_parts=_mean),
    Policy("loss", lambda costs: costs.loss, of_parts=_geometric_mean),
    Policy("entropy", lambda costs: costs.entropy, of_parts=_sum),
    Policy("discernibility", lambda costs: costs.discernibility),
    Policy("class-size", lambda costs: costs.class_size),
)

POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in _ALL}
