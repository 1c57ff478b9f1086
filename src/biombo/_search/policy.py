"""What makes one plan better than another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from biombo._data import Dataset, FarTuples
from biombo._errors import ColumnError, InputError, UsageError
from biombo._i18n import text
from biombo._measures import Costs, Floats, SuppressionFactor

PolicyName = Literal[
    "absolute-distance",
    "relative-distance",
    "distribution",
    "suppression",
    "precision",
    "loss",
    "arithmetic-loss",
    "maximum-loss",
    "entropy",
    "normalised-entropy",
    "kl-divergence",
    "ambiguity",
    "discernibility",
    "class-size",
]

Preference = PolicyName | str | Sequence[PolicyName | str]
"""A policy by its name, with what else it has to be told, or one for each set of quasi columns."""


@dataclass(frozen=True)
class Policy:
    """A way to compare nodes: the one with the lowest score is preferred."""

    name: str
    measure: Callable[[Costs], Floats]
    among_minimal: bool = False
    """Does it choose among minimal generalisations only, as the policies of Samarati and Sweeney (1998) do?"""
    by_volume: bool = False
    """Does it go by how many combinations of values groups stand for?"""
    by_original: bool = False
    """Does it compare with the tuples before anything was generalised?"""
    takes_factor: bool = False
    """May it be said how much suppression weighs against generalisation?"""
    factor: float | None = None
    """How much, where that is said."""
    predicts: str | None = None
    """The column for whose prediction least is to be lost, where there is one."""
    of_parts: Callable[[Floats, Floats], float] | None = None
    """What no score can fall below, by what none can fall below for each of several sets of columns alone, which share
    none, and what these weigh; None where nothing follows. Suppressing more records may make no column lose less.
    """

    @classmethod
    def named(cls, name: object) -> "Policy":
        """The policy of that name: ``prediction:COLUMN`` for a purpose, ``loss:FACTOR`` and the like for another weight
        of suppression.

        >>> str(Policy.named("loss:0.2")), Policy.named("prediction:disease").predicts
        ('loss:0.2', 'disease')
        """
        kind, colon, said = name.partition(":") if isinstance(name, str) else ("", "", "")
        if kind == PREDICTION and not said:
            raise UsageError("search.no-prediction")
        if kind == PREDICTION:
            return cls.predicting(said)
        if kind not in POLICIES:
            raise UsageError("search.policy", policy=name, policies=", ".join([*POLICIES, f"{PREDICTION}:COLUMN"]))
        return POLICIES[kind].with_factor(said) if colon else POLICIES[kind]

    @classmethod
    def predicting(cls, column: str) -> "Policy":
        """The policy that loses least for predicting a column."""
        return cls(PREDICTION, _prediction_loss, by_original=True, predicts=column)

    def with_factor(self, said: str) -> "Policy":
        """The same with another weight of suppression: what ARX calls the generalisation–suppression factor."""
        if not self.takes_factor:
            taking = ", ".join(name for name, each in POLICIES.items() if each.takes_factor)
            raise UsageError("search.no-factor", policy=self.name, said=said, policies=taking)
        try:
            factor = float(said)
        except ValueError:
            factor = -1.0
        if not 0 <= factor <= 1:
            raise UsageError("search.factor", policy=self.name, said=said)
        return replace(self, factor=factor)

    def score(self, costs: Costs) -> Floats:
        """What it goes by; the lower the better."""
        return self.measure(costs if self.factor is None else replace(costs, factor=SuppressionFactor(self.factor)))

    def __str__(self) -> str:
        """As it is asked for."""
        said = f"{self.factor:g}" if self.factor is not None else self.predicts
        return self.name if said is None else f"{self.name}:{said}"

    @property
    def label(self) -> str:
        """What it goes by, in words of the language in use."""
        said = text(f"search.policy.{self.name}", column=self.predicts)
        return said if self.factor is None else text("search.policy-factor", measure=said, factor=f"{self.factor:g}")


def _prediction_loss(costs: Costs) -> Floats:
    return costs.prediction_loss


PREDICTION = "prediction"
"""The policy that is for predicting a column, which is named behind a colon."""


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
    Policy("loss", lambda costs: costs.loss, takes_factor=True, of_parts=_geometric_mean),
    Policy("arithmetic-loss", lambda costs: costs.mean_loss, takes_factor=True, of_parts=_mean),
    Policy("maximum-loss", lambda costs: costs.maximum_loss, takes_factor=True),
    Policy("entropy", lambda costs: costs.entropy, takes_factor=True, of_parts=_sum),
    Policy("normalised-entropy", lambda costs: costs.normalised_entropy),
    Policy("kl-divergence", lambda costs: costs.divergence, by_volume=True, by_original=True),
    Policy("ambiguity", lambda costs: costs.ambiguity, by_volume=True),
    Policy("discernibility", lambda costs: costs.discernibility),
    Policy("class-size", lambda costs: costs.class_size),
)

POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in _ALL}
"""Those that need no more than their name."""


def check_predicted(data: Dataset, policy: Policy, quasi: Sequence[str]) -> None:
    """Raise where the column that is to be predicted is not there, or not left as it is."""
    column = policy.predicts
    if column is None:
        return
    if column not in data.columns:
        raise ColumnError.missing(column, data.columns, data.label)
    if column in quasi:
        raise UsageError("search.predicts-quasi", column=column)
    if column in data.schema.with_role("identifier") or column == data.schema.person:
        raise UsageError("search.predicts-identifier", column=column)


def refuse_far(policies: Sequence[Policy], far: FarTuples) -> None:
    """Raise where a policy needs the tuples as they were, and they are too many to be here."""
    for policy in policies:
        if policy.by_original:
            raise InputError("search.far-policy", policy=str(policy), source=far.label)
