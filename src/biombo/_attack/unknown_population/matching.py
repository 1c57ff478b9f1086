"""How often an adversary who links a record to people by the quasi columns finds the right one (El Emam)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Matching:
    """The chance of a correct match over the groups of a sample.

    Source: El Emam, *Guide to the De-Identification of Personal Health Information* (2013); Dankar and El Emam, *A
    method for evaluating marketer re-identification risk* (2010).
    """

    highest: float
    """In the group that is most at risk: the aim of a prosecutor or a journalist, for whom one person is enough."""
    mean: float
    """Over the records: the share of correct matches that a marketer expects, who links them all."""

    @classmethod
    def of(cls, sizes: NDArray[np.int64], chances: NDArray[np.float64]) -> "Matching":
        """From the size of each group and the chance of a correct match in it."""
        return cls(float(chances.max()), float(np.dot(sizes, chances) / sizes.sum()))
