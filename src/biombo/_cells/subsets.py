"""Subsets of columns as the kernel numbers them, and as people read them."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class _Column(Protocol):
    @property
    def cardinality(self) -> int: ...


def kernel_order(quasi: Sequence[_Column]) -> tuple[int, ...]:
    """The order in which the kernel takes the columns: the one with the most values first, which is fastest."""
    return tuple(sorted(range(len(quasi)), key=lambda i: -quasi[i].cardinality))


def members_of(masks: NDArray[np.uint64], order: Sequence[int]) -> NDArray[np.bool_]:
    """Per subset and column, whether it is in; bit ``i`` of a mask is column ``order[i]``."""
    members = np.zeros((len(masks), len(order)), bool)
    for place, column in enumerate(order):
        members[:, column] = (masks >> np.uint64(place)) & np.uint64(1)
    return members


def by_size_then_columns(members: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The order of the subsets as ``itertools.combinations`` has it, without the empty one (which comes first)."""
    columns = [~members[1:, column] for column in reversed(range(members.shape[1]))]
    return np.lexsort((*columns, members[1:].sum(axis=1))) + 1
