"""Linkability: who has some columns of a person here and others there finds both by the same synthetic record."""

from collections.abc import Sequence

import numpy as np

from biombo._synthesis.attacks.rates import Tries
from biombo._synthesis.attacks.three_tables import Side, ThreeTables


def link(tables: ThreeTables, tries: int, halves: tuple[Sequence[str], Sequence[str]]) -> Tries:
    """A try succeeds where the synthetic record that is nearest to a target by one half of the columns is the one that
    is nearest by the other half; of records that are equally near, one is drawn.
    """

    def linked(side: Side) -> tuple[int, int]:
        targets = tables.some(side, tries)
        first, second = (tables.nearest(side, targets, half)[0] for half in halves)
        return int((first == second).sum()), len(targets)

    luck = np.floor(tables.random.uniform(2 * tries) * tables.sizes["synthetic"]).reshape(2, tries)
    return Tries(linked("original"), linked("control"), (int((luck[0] == luck[1]).sum()), tries))
