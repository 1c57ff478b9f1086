"""What stands out in the outcome of an attack: the strongest subset, and what each column contributes to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from biombo._attack import AttributeInference, Membership, Reidentification, strongest

Row = Mapping[str, Any]

_DIGITS = 12
"""Sums of fractions differ behind these digits with the order of the groups; what is equal must look equal."""


@dataclass(frozen=True)
class Fall:
    """How strong an attack still is when one column is missing."""

    column: str
    posterior: float
    quasi: tuple[str, ...]
    """The strongest subset without the column; nothing where it was the only one."""
    fall: float
    """By how much the posterior falls."""


@dataclass(frozen=True)
class Findings:
    """What stands out in one attack. Rows are those of ``subsets``."""

    prior: float
    best: tuple[Row, ...]
    """The strongest subset for each number of columns."""
    falls: tuple[Fall, ...]
    """For each column, the strongest attack without it; the column that matters most first."""

    @property
    def strongest(self) -> Row:
        """The strongest subset; of those that are equally strong, the one with the fewest columns."""
        return max(self.best, key=lambda row: (row["posterior"], -row["size"]))

    @property
    def posterior(self) -> float:
        """How often the strongest attack is right."""
        return float(self.strongest["posterior"])

    @property
    def leakage(self) -> float:
        """By how much the strongest attack beats the prior."""
        return self.posterior - self.prior


def guessing(attack: AttributeInference, target: str) -> Findings:
    """What stands out where one sensitive column is guessed."""
    prior = attack.priors[target]
    best = attack.best().filter(pl.col("sensitive") == target).to_dicts()
    without = attack.without_each().filter(pl.col("sensitive") == target).to_dicts()
    return _findings(prior, best, {row["without"]: row for row in without}, attack.quasi)


def picking(attack: Reidentification) -> Findings:
    """What stands out where a person's record is picked."""
    without = _strongest_without_each(attack.subsets, attack.quasi)
    return _findings(attack.prior, attack.best().to_dicts(), without, attack.quasi)


def standing_out(prior: float, subsets: pl.DataFrame, quasi: Sequence[str]) -> Findings:
    """What stands out in ``subsets``, which may have several rows for the same columns: the strongest counts."""
    return _findings(prior, strongest(subsets, "size").to_dicts(), _strongest_without_each(subsets, quasi), quasi)


def looking_up(attack: Membership) -> Findings:
    """What stands out where the adversary asks who is in a sample."""
    rounded = replace(attack, subsets=attack.subsets.with_columns(pl.col("posterior").round(_DIGITS)))
    without = _strongest_without_each(rounded.subsets, attack.quasi)
    return _findings(round(attack.prior, _DIGITS), rounded.best().to_dicts(), without, attack.quasi)


def _strongest_without_each(subsets: pl.DataFrame, quasi: Sequence[str]) -> dict[str, Row]:
    """For each column, the strongest subset that lacks it, where there is one."""
    strongest_first = subsets.sort("posterior", descending=True, maintain_order=True)
    without: dict[str, Row] = {}
    for column in quasi:
        others = strongest_first.filter(~pl.col("quasi").list.contains(column))
        if not others.is_empty():
            without[column] = others.row(0, named=True)
    return without


def _findings(prior: float, best: Sequence[Row], without: Mapping[str, Row], quasi: Sequence[str]) -> Findings:
    """``without`` has no row for the only column there is: what remains without it is the prior."""
    top = max(row["posterior"] for row in best)
    nothing: Row = {"posterior": prior, "quasi": ()}
    rows = {column: without.get(column, nothing) for column in quasi}
    falls = [
        Fall(column, row["posterior"], tuple(row["quasi"]), top - row["posterior"]) for column, row in rows.items()
    ]
    return Findings(prior, tuple(best), tuple(sorted(falls, key=lambda fall: -fall.fall)))
