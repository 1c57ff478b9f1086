"""From membership to attribute inference: what a member of the sample then loses.

For a person with n records of D and d of S like it, of which ``top`` share the group's most frequent sensitive value:

    d/n     the person is in the sample,
    top/d   a record of the group has that value (attribute inference within the sample),
    top/n   the person is in the sample and has that value: both steps as one probability.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import checked_subset
from biombo._attack.members.attack import Membership
from biombo._attack.members.tables import groups_of_sample_rows


@dataclass(frozen=True)
class Loss:
    """Means over the people of the sample whose group is in the population."""

    membership: float
    """Mean of d/n."""
    attribute: float
    """Mean of top/d."""
    both: float
    """Mean of top/n."""
    worst: float
    """Highest top/n."""


def member_loss(found: Membership, columns: Sequence[str], sensitive: str) -> Loss:
    """What the members of the sample lose to an adversary who knows ``columns`` and wants ``sensitive``.

    >>> import biombo as bb
    >>> school = bb.samples.school()
    >>> columns = ["state", "sex", "age"]
    >>> found = bb.membership(bb.read(school.sample), bb.read(school.population), columns)
    >>> loss = bb.member_loss(found, columns, "answer")
    >>> [round(value, 4) for value in (loss.membership, loss.attribute, loss.both, loss.worst)]
    [0.7083, 0.75, 0.5417, 1.0]
    """
    rows = groups_of_sample_rows(found.tables, checked_subset(columns, found.quasi))
    values = found.tables.data[sensitive].codes[rows["row"].to_numpy()]
    known = rows.with_columns(pl.Series("value", values)).filter(pl.col("n") > 0)
    same = known.group_by("group", "n", "d", "value").agg(pl.col("people").sum())
    groups = same.group_by("group", "n", "d").agg(pl.col("people").max().alias("top")).sort("group")
    n, d, top = (groups[name].to_numpy() for name in ("n", "d", "top"))
    if not len(n):
        return Loss(None, None, None, None)  # type: ignore[arg-type]
    attribute = float(top.sum() / d.sum())
    return Loss(
        float(np.average(d / n, weights=d)), attribute, float(np.average(top / n, weights=d)), float((top / n).max())
    )


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
