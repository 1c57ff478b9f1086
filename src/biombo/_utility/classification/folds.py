"""Records dealt into parts, each of which is held out once."""

import numpy as np
from numpy.typing import NDArray


def stratified_folds(classes: NDArray[np.integer], folds: int, random: np.random.Generator) -> NDArray[np.intp]:
    """Per record the fold that it is in: the records of each class are dealt out in random order, one by one.

    So the folds differ by at most one record of a class in size, and in all by at most one.

    >>> stratified_folds(np.array([0, 0, 1, 1]), 2, np.random.default_rng(0)).tolist() in ([0, 1, 0, 1], [1, 0, 0, 1],
    ...     [0, 1, 1, 0], [1, 0, 1, 0])
    True
    """
    shuffled = random.permutation(len(classes))
    dealt = shuffled[np.argsort(classes[shuffled], kind="stable")]
    fold = np.empty(len(classes), np.intp)
    fold[dealt] = np.arange(len(classes)) % folds
    return fold
