"""ε and δ as noise: exact samplers of OpenDP, and what each draw costs, as OpenDP proves it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import pi, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from opendp.mod import Measurement

Whole = NDArray[np.int64]

_HALVINGS = 60
_CLOSE = 1e-12


@dataclass(frozen=True)
class Budget:
    """What may be spent: pure ε where ``delta`` is 0, else the ρ of zero-concentrated privacy that (ε, δ) allows
    (Bun and Steinke 2016).
    """

    epsilon: float
    delta: float

    @cached_property
    def total(self) -> float:
        """ε, or ρ."""
        if self.delta == 0:
            return self.epsilon
        low, high = 0.0, self.epsilon
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._epsilon_of(middle) <= self.epsilon else (low, middle)
        return low

    def noised(self, counts: Whole, distance: float, share: float) -> tuple[Whole, float, float]:
        """``counts`` with noise, the deviation of that, and its cost, at most ``share`` of all.

        ``distance`` is how much a person changes all counts together: the sum of changes, or, with a δ, the root of
        the sum of their squares.
        """
        scale = distance / (share * self.total) if self.delta == 0 else distance / sqrt(2 * share * self.total)
        noise, cost = self._within(_noise, scale, distance, share)
        deviation = sqrt(2) * noise[1] if self.delta == 0 else noise[1]
        return np.array(noise[0](counts.tolist()), np.int64), deviation, cost

    def chosen(self, scores: Sequence[int], distance: int, share: float) -> tuple[int, float]:
        """The place of one of the highest ``scores``, each of which a person changes by ``distance`` at most."""
        scale = 2 * distance / (share * self.total) if self.delta == 0 else distance / sqrt(2 * share * self.total)
        choice, cost = self._within(_choice, scale, distance, share)
        return int(choice[0](list(scores))), cost

    def expected(self, distance: float, share: float) -> float:
        """How far :meth:`noised` moves a count on average."""
        if self.delta == 0:
            return distance / (share * self.total)
        return sqrt(2 / pi) * distance / sqrt(2 * share * self.total)

    def _within(
        self, make: "Make", scale: float, distance: float, share: float
    ) -> "tuple[tuple[Measurement, float], float]":
        return _within(make, self.delta == 0, scale, distance, share * self.total * (1 + _CLOSE))

    def _epsilon_of(self, rho: float) -> float:
        dp = _opendp()
        if rho <= 0:
            return 0.0
        curve = dp.c.make_zCDP_to_approxDP(_noise(1 / sqrt(2 * rho), False)).map(1.0)
        return float(curve.epsilon(self.delta))


@lru_cache(maxsize=64)
def _noise(scale: float, is_pure: bool) -> "Measurement":
    dp = _opendp()
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    if is_pure:
        return dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)  # type: ignore[no-any-return]
    return dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale=scale)  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _choice(scale: float, is_pure: bool) -> "Measurement":
    dp = _opendp()
    measure = dp.max_divergence() if is_pure else dp.zero_concentrated_divergence()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    return dp.m.make_noisy_max(*space, measure, scale=scale)  # type: ignore[no-any-return]


Make = Callable[[float, bool], "Measurement"]


@lru_cache(maxsize=64)
def _within(
    make: Make, is_pure: bool, scale: float, distance: float, allowed: float
) -> "tuple[tuple[Measurement, float], float]":
    """The mechanism of the smallest scale, and this, whose cost OpenDP proves to be what is ``allowed``, which it
    rounds up.
    """
    while True:
        mechanism = make(scale, is_pure)
        cost = float(mechanism.map(_like(mechanism, distance)))  # type: ignore[no-untyped-call]
        if cost <= allowed:
            return (mechanism, scale), cost
        scale *= 1 + 1e-9


def _like(mechanism: Any, distance: float) -> float | int:
    """A distance in the type that the mechanism counts in."""
    return distance if "L2" in str(mechanism.input_metric) else int(distance)


def _opendp() -> Any:
    import opendp.prelude as dp  # takes a second, which others need not wait for

    dp.enable_features("contrib")
    return dp
