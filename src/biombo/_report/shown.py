"""What a report may show: nothing on fewer than ten records."""

from dataclasses import dataclass, replace

import polars as pl

from biombo._attack import Membership, Part, Risk, RiskByPart

SMALLEST = 10
"""The fewest records that a number in the report speaks of."""


@dataclass(frozen=True)
class Shown:
    """The parts with enough records, and the names of the others. Every total and correlation is over the former."""

    risk: RiskByPart
    too_small: tuple[Part, ...]

    @classmethod
    def of(cls, risk: RiskByPart) -> "Shown":
        """Set the small parts aside."""
        large = {part: outcome for part, outcome in risk.parts.items() if is_enough(outcome)}
        return cls(RiskByPart(risk.by, large), tuple(part for part in risk.parts if part not in large))


def is_enough(risk: Risk) -> bool:
    """Has the table enough records to say something about it?"""
    return risk.rows >= SMALLEST


def shown_members(attack: Membership) -> Membership | None:
    """The subsets by which enough people of the sample are found in the population; nothing where none is left."""
    enough = attack.subsets.filter(pl.col("found") >= SMALLEST)
    return None if enough.is_empty() else replace(attack, subsets=enough)
