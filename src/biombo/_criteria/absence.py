"""Absence: how sure an adversary can be that somebody of the population is not in the table.

It is the lower bound of δ-presence (Nergiz, Atzori & Clifton 2007): with f the people of a group in the table and F
those in the population, f/F ≥ δ_min in every group of the population, also where nobody of it is in the table; so
1 − f/F ≤ 1 − δ_min. A group that is suppressed has nobody in the table either: where one is, its people seem to be
absent for sure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from biombo._criteria.base import Evidence, IdentityCriterion
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import Floats, KeptGroups
from biombo._criteria.wording import rounded, shown
from biombo._documents import COLUMNS, limited
from biombo._i18n import text


@dataclass(frozen=True)
class Absence(IdentityCriterion):
    """A person of the population is not in the table with a chance of at most ``max``; a table of them is at hand.

    No single group breaks it, since none gets better by being suppressed: it decides whether a table will do.

    >>> print(Absence(0.9))
    not in the table with a chance of at most 0.9 (δ-presence, lower bound 0.1), counted in the population
    """

    name: ClassVar[str] = "absence"
    evidence: ClassVar[Evidence] = "original"

    max: float = field(metadata=limited(0, 1))
    """The highest chance allowed, from 0 to 1: 1 less the lower bound of δ-presence."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    @property
    def against_population(self) -> bool:
        """Always."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:  # noqa: ARG002
        """Always: where it is met nothing is suppressed, and (f₁ + f₂)/(F₁ + F₂) is no less than the lower one of f₁/F₁
        and f₂/F₂.
        """
        return True

    def asks(self, targets: Targets) -> list[Ask]:
        """A bound on the table."""
        return [targets.presence(self).over_table(None, self.max)]

    def of_presence(self, chances: Floats) -> Floats:
        """The chance of not being there."""
        return 1 - chances

    def of_table(self, kept: KeptGroups, target: int | None) -> Floats:  # noqa: ARG002
        """The highest chance of anybody of the population."""
        assert kept.present is not None
        return 1 - kept.present.least

    def _worded(self) -> str:
        return text("criteria.absence", max=shown(self.max), least=rounded(1 - self.max))
