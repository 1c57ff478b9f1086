"""t-closeness: a group says little more about the sensitive value than the whole table does.

With p the shares of the sensitive values in a group, q those in the whole table, and the earth mover's distance between
them under a ground distance d between values (Li, Li & Venkatasubramanian 2007):

    equal:         d = 1,                       distance = ½ Σᵢ |pᵢ − qᵢ|
    ordered:       d(i, j) = |i − j| / (m − 1),  distance = Σᵢ |Σ_{j≤i} (pⱼ − qⱼ)| / (m − 1)
    hierarchical:  d = level of the lowest common group / H,
                   distance = Σ over levels below H and groups g of |p(g) − q(g)| / 2H
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from biombo._cells import Rule
from biombo._criteria.base import Evidence, SensitiveCriterion
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_limit, checked, limited
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text

Closeness = Literal["equal", "ordered", "hierarchical"]


@dataclass(frozen=True)
class TCloseness(SensitiveCriterion):
    """In every group the sensitive values are spread nearly as in the whole table: at most ``t`` apart.

    >>> print(TCloseness(0.2, kind="ordered", column="income"))
    t-closeness (ordered values) with t = 0.2, for income
    """

    name: ClassVar[str] = "t-closeness"
    evidence: ClassVar[Evidence] = "original"

    t: float = field(metadata=limited(0, 1))
    """The largest distance allowed, from 0 to 1."""
    kind: Closeness = "equal"
    """How far apart two values are: all alike, by rank, or by the level at which ``hierarchy`` brings them together."""
    column: str | None = None
    """The sensitive column; ``None``: every one that is used."""
    hierarchy: Hierarchy | None = field(default=None, hash=False)
    """For ``hierarchical`` only: of the sensitive column."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "t")
        checked(Closeness, "kind", self.kind)
        if self.kind != "hierarchical" and self.hierarchy is not None:
            raise UsageError("criteria.hierarchy-unused", kind=self.kind)
        if self.kind == "hierarchical" and not isinstance(self.hierarchy, Hierarchy):
            raise UsageError("criteria.hierarchy-needed")

    @property
    def can_fail(self) -> bool:
        """No two distributions are further apart than 1."""
        return self.t < 1

    def asks(self, targets: Targets) -> list[Ask]:
        """A rule for each column that it is about, of which a hierarchy is for one."""
        columns = self.about(targets.sensitive)
        if self.hierarchy is not None and len(columns) > 1:
            raise UsageError("criteria.which-column", columns=", ".join(columns))
        return super().asks(targets)

    def _place(self, targets: Targets, column: str) -> int:
        return targets.place(column, hierarchy=self.hierarchy, ordered=self.kind == "ordered")

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression only."""
        return not suppression

    def rule(self, target: int, prior: float) -> Rule:  # noqa: ARG002
        """What the kernel checks in each group."""
        return Rule(target, "ordered-distance" if self.kind == "ordered" else "distance", self.t)

    def _worded(self) -> str:
        return text(f"criteria.t-closeness.{self.kind}", t=shown(self.t))
