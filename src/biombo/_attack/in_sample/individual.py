"""The individual attack of document 002, section 3.6.1: people alone in the sample, looked up in the population."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import checked_subset
from biombo._attack.in_sample.attack import Membership
from biombo._attack.in_sample.groups_of_rows import groups_of_sample_rows


@dataclass(frozen=True, eq=False)
class IndividualAttack:
    """What becomes of the people who are alone in the sample."""

    unique: int
    """Alone in the sample (d = 1)."""
    found: int
    """Of them, those whose values occur in the population."""
    not_found: int
    """Of them, those whose values do not: people who skipped a question, say. Left out of means."""
    reidentified: int
    """Of those found, the ones who are alone in the population too: their record is theirs for certain."""
    rows: NDArray[np.intp]
    """The re-identified records' positions in the sample, from 0. Personal: for the private directory only."""


def individual_attack(found: Membership, columns: Sequence[str]) -> IndividualAttack:
    """Look everyone up who is alone in the sample by ``columns``.

    >>> import biombo as bb
    >>> school = bb.samples.school()
    >>> columns = ["state", "sex", "age"]
    >>> found = bb.membership(bb.read(school.sample), bb.read(school.population), columns)
    >>> attack = bb.individual_attack(found, columns)
    >>> attack.unique, attack.found, attack.reidentified, attack.rows.tolist()
    (2, 2, 1, [0])
    """
    found.tables.data.need_rows()
    rows = groups_of_sample_rows(found.tables, checked_subset(columns, found.quasi))
    alone = rows.filter(pl.col("d") == 1)
    reidentified = alone.filter(pl.col("n") == 1)
    in_population = int((alone["n"] > 0).sum())
    return IndividualAttack(
        len(alone), in_population, len(alone) - in_population, len(reidentified), reidentified["row"].to_numpy()
    )
