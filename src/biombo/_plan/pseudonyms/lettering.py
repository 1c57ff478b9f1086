"""Texts made of letters that were chosen by number."""

import numpy as np
from numpy.typing import NDArray


def lettered(places: NDArray[np.uint64], alphabet: str) -> list[str]:
    """A text for each row of ``places``, which say for each of its letters where this is in ``alphabet``.

    >>> lettered(np.array([[0, 1], [2, 0]], np.uint64), "xyz")
    ['xy', 'zx']
    """
    letters = np.ascontiguousarray(np.array(list(alphabet))[places])
    texts: list[str] = letters.view(f"U{places.shape[1]}").ravel().tolist()
    return texts
