"""What a report may show: nothing on fewer than ten records."""

from dataclasses import dataclass, replace

import polars as pl

from biombo._attack import Membership, Risk, RiskByPart
from biombo._criteria import SMALLEST


@dataclass(frozen=True)
class Shown:
    """The parts with enough records. Every total and correlation is over these; the others are not even named."""

    risk: RiskByPart

    @classmethod
    def of(cls, risk: RiskByPart) -> "Shown":
        """Set the small parts aside."""
        large = {part: outcome for part, outcome in risk.parts.items() if is_enough(outcome)}
        return cls(RiskByPart(risk.by, large))


def is_enough(risk: Risk) -> bool:
    """Has the table enough records to say something about it?"""
    return risk.rows >= SMALLEST


def shown_members(attack: Membership) -> Membership | None:
    """The subsets by which enough people of the sample are found in the population; nothing where none is left."""
    enough = attack.subsets.filter(pl.col("found") >= SMALLEST)
    return None if enough.is_empty() else replace(attack, subsets=enough)
