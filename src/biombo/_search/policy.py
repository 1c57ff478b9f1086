"""What makes one plan better than another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

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

    @classmethod
    def named(cls, name: object) -> "Policy":
        """The policy of that name."""
        if not isinstance(name, str) or name not in POLICIES:
            raise UsageError("search.policy", policy=name, policies=", ".join(get_args(PolicyName)))
        return POLICIES[name]


_ALL = (
    Policy("absolute-distance", lambda costs: costs.absolute_distance, among_minimal=True),
    Policy("relative-distance", lambda costs: costs.relative_distance, among_minimal=True),
    Policy("distribution", lambda costs: -costs.groups.astype(float), among_minimal=True),
    Policy("suppression", lambda costs: costs.suppressed.astype(float), among_minimal=True),
    Policy("precision", lambda costs: costs.imprecision),
    Policy("loss", lambda costs: costs.loss),
    Policy("entropy", lambda costs: costs.entropy),
    Policy("discernibility", lambda costs: costs.discernibility),
    Policy("class-size", lambda costs: costs.class_size),
)

POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in _ALL}
