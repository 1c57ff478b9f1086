"""δ-disclosure privacy: a group says nearly the same about every sensitive value as the whole table does.

With p the share of a sensitive value in a group and q that in the whole table (Brickell & Shmatikov 2008):

    |log₂ p/q| < δ    for every value that the whole table has

A group that lacks a value rules it out, which is an infinite change: such a group fails whatever δ is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from biombo._cells import Rule
from biombo._criteria.base import Evidence, SensitiveCriterion
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_limit, limited
from biombo._i18n import text


@dataclass(frozen=True)
class DeltaDisclosure(SensitiveCriterion):
    """In every group, each sensitive value of the table is less than 2^``delta`` times as frequent or as rare.

    >>> print(DeltaDisclosure(1))
    δ-disclosure privacy with δ = 1
    """

    name: ClassVar[str] = "delta-disclosure"
    evidence: ClassVar[Evidence] = "original"

    delta: float = field(metadata=limited(0, above=True))
    """What abs(log₂ p/q) stays below, in bits; above 0."""
    column: str | None = None
    """The sensitive column; ``None``: every one that is used."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "delta")

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression only."""
        return not suppression

    def rule(self, target: int, prior: float) -> Rule:  # noqa: ARG002
        """What the kernel checks in each group."""
        return Rule(target, "log-ratio", self.delta)

    def _worded(self) -> str:
        return text("criteria.delta-disclosure", delta=shown(self.delta))
