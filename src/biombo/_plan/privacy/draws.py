"""Draws from OpenDP: exact samplers that feed on the system's secure source of randomness."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from opendp.mod import Measurement

Whole = NDArray[np.int64]
Yes = NDArray[np.bool_]

_PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
_WORTH_A_THREAD = 2_000
"""Draws for which it pays to start a thread, which takes less than a millisecond."""


def noised(values: Whole, scale: float) -> Whole:
    """``values`` with two-sided geometric noise, P(z) ∝ exp(−|z| / scale): Laplace noise on whole numbers.

    Exact draws take some microseconds each, so that all processors take part where there are many: OpenDP lets go of
    Python's lock while it draws.
    """
    threads = min(_PROCESSORS, len(values) // _WORTH_A_THREAD)
    if threads < 2:
        return _drawn(_geometric(scale), values)
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(lambda part: _drawn(_new_geometric(scale), part), np.array_split(values, threads))
        return np.concatenate(list(parts))


def _drawn(measurement: "Measurement", values: Whole) -> Whole:
    return np.array(measurement(values), np.int64) if len(values) else values


def largest_loss(width: int, scale: float) -> float:
    """The ε by which :func:`noised` tells two values apart that differ by ``width``, as OpenDP proves it."""
    return float(_geometric(scale).map(width))  # type: ignore[no-untyped-call]


def drawn_yes(yes: float, no: float, n: int) -> Yes:
    """``n`` answers, each of them yes with the chance ``yes / (yes + no)``.

    The rarer answer is drawn, because what is left of 1 beside a tiny chance would be rounded away.
    """
    if yes > no:
        return ~drawn_yes(no, yes, n)
    if yes == 0 or n == 0:
        return np.zeros(n, bool)
    flipped = _flips(2 * (yes / (yes + no)))(bytes(-(-n // 8)))
    return np.unpackbits(np.frombuffer(flipped, np.uint8), count=n).astype(bool)


@lru_cache(maxsize=64)
def _geometric(scale: float) -> "Measurement":
    return _new_geometric(scale)


def _new_geometric(scale: float) -> "Measurement":
    """One that no other thread uses."""
    import opendp.prelude as dp  # takes a second, which plans without noise need not wait for

    dp.enable_features("contrib")
    return dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"), scale=scale)


@lru_cache(maxsize=1024)
def _flips(twice_the_chance: float) -> "Measurement":
    """Randomised response on bits: each one is flipped with half of the chance that it is given."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.bitvector_domain(max_weight=1)
    return dp.m.make_randomized_response_bitvec(domain, dp.discrete_distance(), f=twice_the_chance)
