"""Which columns together must change where none alone makes an attack weaker."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice

import numpy as np
import polars as pl
from numpy.typing import NDArray

Masks = NDArray[np.int64]

ENOUGH = 0.05
"""By how much an attack must fall without some columns to be worth changing them together, or by half of its gain."""
_TRIED = 100_000
"""Sets of columns that are tried, at most, before a set is put together column by column."""
_COMPARED = 50
"""Of so many sets that are equally small the one is taken without which the attack falls most."""


@dataclass(frozen=True)
class Together:
    """A few columns without which the strongest attack falls clearly."""

    columns: tuple[str, ...]
    posterior: float
    """How often the strongest attack without them is still right."""
    fall: float
    smallest: bool
    """Is it proved that no smaller set does? Else that was too much to try."""


def fewest_together(subsets: pl.DataFrame, quasi: Sequence[str], prior: float) -> Together:
    """The fewest columns without which the strongest of the ``subsets`` falls by 5 points, or by half of what it gains.

    They must be so many that every subset that is nearly as strong as the strongest has one of them: the smallest
    hitting set of these.

    >>> rows = [(["a"], 0.9), (["b"], 0.9), (["a", "b"], 0.9), (["c"], 0.5)]
    >>> fewest_together(pl.DataFrame(rows, schema=["quasi", "posterior"], orient="row"), ["a", "b", "c"], 0.4)
    Together(columns=('a', 'b'), posterior=0.5, fall=0.4, smallest=True)
    """
    masks, posterior = _masks(subsets, quasi), subsets["posterior"].to_numpy()
    top = float(posterior.max(initial=prior))
    strong = _minimal(masks[posterior > top - min(ENOUGH, (top - prior) / 2)])
    found, smallest = _hitting(strong, len(quasi))
    left = [_strongest_without(mask, masks, posterior, prior) for mask in found]
    best = int(np.argmin(left))
    columns = tuple(name for place, name in enumerate(quasi) if found[best] >> place & 1)
    return Together(columns, left[best], round(top - left[best], 12), smallest)


def _masks(subsets: pl.DataFrame, quasi: Sequence[str]) -> Masks:
    """A bit for each column of a subset."""
    masks = np.zeros(len(subsets), np.int64)
    for place, name in enumerate(quasi):
        masks |= subsets["quasi"].list.contains(name).to_numpy().astype(np.int64) << place
    return masks


def _minimal(masks: Masks) -> list[int]:
    """Those that contain no other: whoever hits them hits all."""
    left = masks[np.argsort([int(mask).bit_count() for mask in masks], kind="stable")]
    found: list[int] = []
    while len(left):
        found.append(int(left[0]))
        left = left[left & left[0] != left[0]]
    return found


def _hitting(strong: Sequence[int], columns: int) -> tuple[list[int], bool]:
    """The smallest sets that share a column with each of the ``strong``, as many as are compared; or else one that is
    put together from the columns that are in most of them, and whether it is the smallest.
    """
    tried = 0
    for size in range(1, columns + 1):
        hits = _sets(columns, size)[: _TRIED + 1 - tried]
        tried += len(hits)
        for each in strong:
            hits = hits[hits & each != 0]
        if len(hits):
            return hits[:_COMPARED].tolist(), True
        if tried > _TRIED:
            break
    return [_greedy(strong, columns)], False


@lru_cache(maxsize=32)
def _sets(columns: int, size: int) -> Masks:
    """All sets of so many columns, or as many as are tried at most."""
    chosen = islice(combinations([1 << place for place in range(columns)], size), _TRIED + 1)
    return np.fromiter(map(sum, chosen), np.int64)


def _greedy(strong: Sequence[int], columns: int) -> int:
    mask, left = 0, list(strong)
    while left:
        most = max(range(columns), key=lambda place: sum(each >> place & 1 for each in left))
        mask |= 1 << most
        left = [each for each in left if not each & mask]
    return mask


def _strongest_without(mask: int, masks: Masks, posterior: NDArray[np.float64], prior: float) -> float:
    return float(posterior[masks & mask == 0].max(initial=prior))
