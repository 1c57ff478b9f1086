"""Leakage: how much better the adversary guesses once it knows a group."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._criteria.base import Evidence, GuessCriterion, Scope
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_number, checked, limited
from biombo._i18n import text

Form = Literal["additive", "multiplicative"]


@dataclass(frozen=True)
class Leakage(GuessCriterion):
    """The adversary of attribute inference gains at most ``max`` over guessing without the quasi columns.

    The gain is posterior − prior or posterior / prior (Gonze et al. 2024, Eq. 4). The prior is the share of the most
    frequent value among all records that go in, also those that are suppressed.

    >>> print(Leakage(1.5, form="multiplicative", over="table"))
    guessed right over the table at most 1.5 times the prior
    """

    name: ClassVar[str] = "leakage"
    evidence: ClassVar[Evidence] = "original"

    max: float = field(metadata=limited(0))
    """The highest gain allowed: from 0 to 1 where additive, from 1 where multiplicative. Less cannot be had: without
    suppression, the posterior is never below the prior."""
    form: Form = "additive"
    """Whether the gain is a difference or a quotient."""
    over: Scope = "group"
    """Whether this holds about everyone, whatever the group, or on average over the table."""
    column: str | None = None
    """The sensitive column; ``None``: every one that is used."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        checked(Form, "form", self.form)
        checked(Scope, "over", self.over)
        if self.form == "additive":
            check_number("max", self.max, 0, 1)
        else:
            check_number("max", self.max, 1)

    @property
    def can_fail(self) -> bool:
        """No difference of two shares is more than 1; a quotient may be anything."""
        return self.form != "additive" or self.max < 1

    def highest(self, prior: float) -> float:
        """The posterior at which the bound is reached; nobody is right more than always."""
        return min(1.0, prior + self.max if self.form == "additive" else prior * self.max)

    def measured(self, values: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
        """Shares as what they are above the prior."""
        return values - prior if self.form == "additive" else values / prior

    def _worded(self) -> str:
        return text(f"criteria.leakage.{self.form}.{self.over}", max=shown(self.max))
