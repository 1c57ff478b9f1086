"""Inference: who knows some columns of a person takes the secret of the nearest synthetic record for the person's."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biombo._synthesis.attacks.rates import Tries
from biombo._synthesis.attacks.three_tables import Records, Side, ThreeTables

TOLERANCE = 0.05
"""How far a guessed amount may be off, as a share of what was guessed."""


def infer(tables: ThreeTables, tries: int, known: Sequence[str], secret: str) -> Tries:
    """A try succeeds where the guess is the target's value, or, of amounts, off by no more than a twentieth."""

    def guessed(side: Side) -> tuple[int, int]:
        targets = tables.some(side, tries)
        return _right(tables, side, targets, tables.nearest(side, targets, known)[0], secret), len(targets)

    targets = tables.some("original", tries)
    at_random = np.floor(tables.random.uniform(len(targets)) * tables.sizes["synthetic"]).astype(int)
    by_chance = _right(tables, "original", targets, at_random, secret), len(targets)
    return Tries(guessed("original"), guessed("control"), by_chance)


def _right(tables: ThreeTables, side: Side, targets: Records, found: Records, secret: str) -> int:
    column = tables.columns[secret]
    true, guess = column.codes[side][targets], column.codes["synthetic"][found]
    right: NDArray[np.bool_] = true == guess
    if column.units is not None:
        right |= np.abs(column.units[true] - column.units[guess]) <= TOLERANCE * np.abs(column.units[guess])
    return int(right.sum())
