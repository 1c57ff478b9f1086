"""The table of perturbations: with which chance a count is shown as which other one."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._tabulate.classification import Places
from biombo._tabulate.cube import Numbers

_STEPS = 200
_EXACT = 1e-12
_AGREED = 1e-9
LARGEST = 50
"""A perturbation is no larger, or nothing would be left of most counts."""


@dataclass(frozen=True)
class Perturbation:
    """For each count the distribution of what is added to it: of all on whole numbers from -``largest`` to ``largest``
    with mean 0 and this ``variance``, by which no count comes below 0 nor to 1 … ``smallest``, the one of highest
    entropy (Marley and Leaver 2011; Giessing 2016). Zero stays zero.
    """

    largest: int = 5
    variance: float = 3.0
    smallest: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.largest <= LARGEST or self.smallest < 0:
            raise UsageError("tabulate.cell-noise", largest=self.largest, smallest=self.smallest, most=LARGEST)
        least, most = self._variances
        if not least < self.variance < most:
            raise UsageError("tabulate.cell-noise-variance", variance=self.variance, least=least, most=most)

    @property
    def counts(self) -> int:
        """How many counts have a distribution of their own; all larger ones have the last."""
        return self.largest + self.smallest + 2

    @cached_property
    def steps(self) -> Places:
        """What may be added to a count."""
        return np.arange(-self.largest, self.largest + 1)

    @property
    def _variances(self) -> tuple[float, float]:
        """Between which variances there is such a distribution for every count.

        Of all with mean 0, the one on the two steps next to 0 has the least variance, and that on the two outermost
        the most: -a and b have a b.
        """
        below = [self.steps[self.allowed(n) & (self.steps < 0)] for n in range(1, self.counts)]
        above = [self.steps[self.allowed(n) & (self.steps > 0)] for n in range(1, self.counts)]
        if not all(map(len, below)) or not all(map(len, above)):
            return 0.0, 0.0
        pairs = list(zip(below, above, strict=True))
        next_to = [0 if self.allowed(n)[self.largest] else -a[-1] * b[0] for n, (a, b) in enumerate(pairs, 1)]
        return float(max(next_to)), float(min(-a[0] * b[-1] for a, b in pairs))

    def allowed(self, count: int) -> NDArray[np.bool_]:
        """Which steps may be added to a count."""
        shown = count + self.steps
        return np.asarray(self.steps == 0 if count == 0 else (shown == 0) | (shown > self.smallest))

    @cached_property
    def chances(self) -> Numbers:
        """By count and step."""
        found = np.zeros((self.counts, len(self.steps)))
        for count in range(self.counts):
            allowed = self.allowed(count)
            found[count, allowed] = highest_entropy(self.steps[allowed], self.variance if count else 0.0)
        return found

    def added(self, counts: Places, keys: NDArray[np.uint64]) -> Places:
        """What is added to each count, by its key: the step at that share of its distribution."""
        rows = np.minimum(counts, self.counts - 1)
        share = (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53
        upto = np.cumsum(self.chances, axis=1)
        upto[upto > 1 - _EXACT] = 1.0
        found = np.zeros(counts.shape, np.int64)
        for row in np.unique(rows):
            found[rows == row] = self.steps[np.searchsorted(upto[row], share[rows == row], side="right")]
        return found

    def is_told_by(self, frame: pl.DataFrame) -> bool:
        """Does ``frame`` say the same, as exactly as computers agree?"""
        ours = self.frame()
        if frame.columns != ours.columns or len(frame) != len(ours):
            return False
        return bool(np.allclose(ours.cast(pl.Float64).to_numpy(), frame.cast(pl.Float64).to_numpy(), atol=_AGREED))

    def frame(self) -> pl.DataFrame:
        """A row for each count and step."""
        count, step = np.nonzero(self.chances)
        chance = pl.Series("chance", self.chances[count, step])
        return pl.DataFrame([pl.Series("count", count), pl.Series("added", self.steps[step]), chance])


def highest_entropy(steps: Places, variance: float) -> Numbers:
    """Of all distributions on ``steps`` with mean 0 and this ``variance`` the one of highest entropy.

    It is p(d) ∝ exp(a d + c d²); a and c are where log Σ exp(a d + c (d² - V)), which is convex, is least: there mean
    and variance are right. Found by Newton's method, halving steps that lead up.

    >>> highest_entropy(np.array([-1, 0, 1]), 0.5).round(4).tolist()
    [0.25, 0.5, 0.25]
    """
    if len(steps) == 1:
        return np.ones(1)
    features = np.stack([steps, steps.astype(np.float64) ** 2 - variance])
    at = np.zeros(2)
    value, chances = _partition(at, features)
    for _ in range(_STEPS):
        slope = features @ chances
        if np.abs(slope).max() < _EXACT:
            break
        centred = features - slope[:, None]
        bend = (centred * chances) @ centred.T + 1e-14 * np.eye(2)
        step, length = np.linalg.solve(bend, slope), 1.0
        while length > _EXACT:
            trial, drawn = _partition(at - length * step, features)
            if trial <= value:
                break
            length /= 2
        at, value, chances = at - length * step, trial, drawn
    return chances


def _partition(at: Numbers, features: Numbers) -> tuple[float, Numbers]:
    """log Σ exp(at · features), and the chances that belong to it."""
    powers = at @ features
    weights = np.exp(powers - powers.max())
    return float(powers.max() + np.log(weights.sum())), weights / weights.sum()
