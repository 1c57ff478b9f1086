"""Over which values loss is told: those that occur in the data, or all that a hierarchy has."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError

LossDomain = Literal["data", "hierarchy"]

Integers = NDArray[np.int64]


def check_loss_domain(domain: object) -> None:
    """Refuse what is none of the two."""
    if domain not in get_args(LossDomain):
        raise UsageError("search.loss-domain", value=domain, domains=", ".join(get_args(LossDomain)))


def occurring_leaves(levels: Integers, occurs: NDArray[np.bool_]) -> tuple[Integers, int]:
    """Per level and code: how many of the values that occur its label stands for; and how many occur.

    ``levels`` has, per level and code, a number that is the same for values that the level does not tell apart.

    >>> leaves, domain = occurring_leaves(np.array([[0, 1, 2, 3], [0, 0, 1, 1]]), np.array([True, True, True, False]))
    >>> leaves.tolist(), domain
    ([[1, 1, 1, 0], [2, 2, 1, 1]], 3)
    """
    values = np.unique(levels[0, occurs], return_index=True)[1]
    occurring = np.flatnonzero(occurs)[values]
    counted = [np.bincount(level[occurring], minlength=int(level.max(initial=0)) + 1)[level] for level in levels]
    return np.array(counted, np.int64).reshape(levels.shape), len(occurring)
