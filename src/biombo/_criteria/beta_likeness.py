"""β-likeness: no sensitive value is much more likely in a group than it is in the whole table.

With p the share of a sensitive value in a group and q that in the whole table (Cao & Karras 2012):

    basic:     (p − q) / q ≤ β
    enhanced:  (p − q) / q ≤ min(β, −ln q)

for every value that is more frequent in the group. Only gains count: that a value is less likely tells less of anybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from biombo._cells import Rule
from biombo._criteria.base import Evidence, SensitiveCriterion
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_limit, checked, limited
from biombo._i18n import text

Likeness = Literal["basic", "enhanced"]


@dataclass(frozen=True)
class BetaLikeness(SensitiveCriterion):
    """In every group, no sensitive value is more than 1 + ``beta`` times as frequent as in the whole table.

    The gain is relative, so that rare values are protected as frequent ones are. ``enhanced`` asks more of frequent
    values, which a large ``beta`` would leave free: no share reaches 1 unless it is 1 in the whole table.

    >>> print(BetaLikeness(2, column="disease"))
    enhanced β-likeness with β = 2, for disease
    """

    name: ClassVar[str] = "beta-likeness"
    evidence: ClassVar[Evidence] = "original"

    beta: float = field(metadata=limited(0, above=True))
    """The largest gain allowed, above 0."""
    kind: Likeness = "enhanced"
    """``basic``: at most β for every value; ``enhanced``: at most −ln q as well, q the value's share of the table."""
    column: str | None = None
    """The sensitive column; ``None``: every one that is used."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "beta")
        checked(Likeness, "kind", self.kind)

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression only."""
        return not suppression

    def rule(self, target: int, prior: float) -> Rule:  # noqa: ARG002
        """What the kernel checks in each group."""
        return Rule(target, "gain" if self.kind == "basic" else "limited-gain", self.beta)

    def _worded(self) -> str:
        return text(f"criteria.beta-likeness.{self.kind}", beta=shown(self.beta))
