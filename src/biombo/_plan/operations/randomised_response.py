"""Randomised response: local differential privacy for a few values."""

from dataclasses import dataclass
from math import exp
from typing import ClassVar

import numpy as np

from biombo._plan.operations.mechanism import NoiseOverDomain
from biombo._plan.privacy.channel import Channel, Domain


@dataclass(frozen=True)
class RandomisedResponse(NoiseOverDomain):
    """Keep a value of a ``domain`` of k with probability e^ε / (e^ε + k − 1), else release one of the others.

    (Warner 1965 for k = 2; Kairouz, Oh and Viswanath 2014.) Of all ways to keep ε it keeps most values.

    >>> yes_or_no = RandomisedResponse("smokes", 1, ("yes", "no"))
    >>> round(yes_or_no.effect.chance, 3)
    0.731
    """

    name: ClassVar[str] = "randomised-response"
    leaks: ClassVar[str] = "privacy.leaks.randomised-response"

    def channel_over(self, domain: Domain) -> Channel:
        """The own value weighs e^ε times as much as any other; weights are relative to that."""
        others = np.full((len(domain), len(domain)), exp(-self.epsilon))
        np.fill_diagonal(others, 1.0)
        return Channel(domain, others)
