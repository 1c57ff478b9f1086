"""How often the most frequent value of a group is somebody's true one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._attack.perturbation.tables import Rows, paired
from biombo._cells import Counts, tallied
from biombo._data import Column

Successes = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Guessed:
    """What came of guessing the values of targets."""

    success: Successes
    """Per target."""
    found: Rows
    """Per target: is its group in the release?"""
    groups: int
    """In the release."""


def guessed(group: Column, value: Column, released: Rows, targets: Rows, counts: Counts | None = None) -> Guessed:
    """Say the most frequent value of each target's group among the ``released`` rows, or that of all where its group is
    not there: success(x) = 1/|smf| if the true value is among the most frequent ones, else 0 (Gonze et al. 2024, Eq.
    2).

    Columns are over all rows: ``released`` marks those that are seen, ``targets`` those that hold what is true.
    """
    pair, pairs = paired(group.codes, value.codes, group.cardinality, value.cardinality)
    group_of = np.empty(pairs, np.int64)
    group_of[pair] = group.codes
    there = tallied(pair, pairs, counts, released)
    chance, found = _chances(there, group_of, group.cardinality)
    anyone = tallied(value.codes, value.cardinality, counts, released)
    chance_in_all, _ = _chances(anyone, np.zeros(len(anyone), np.int64), 1)
    is_found = found[group.codes[targets]]
    success = np.where(is_found, chance[pair[targets]], chance_in_all[value.codes[targets]])
    return Guessed(success, is_found, int(found.sum()))


def _chances(counts: NDArray[np.int64], group_of: NDArray[np.int64], groups: int) -> tuple[Successes, Rows]:
    """The chance that the adversary names each value of each group, by how often it is there, and whether the group is
    there at all.
    """
    top = np.zeros(groups, np.int64)
    np.maximum.at(top, group_of, counts)
    is_top = (counts == top[group_of]) & (counts > 0)
    ties = np.bincount(group_of[is_top], minlength=groups)
    return is_top / np.maximum(ties[group_of], 1), top > 0
