"""α-deassociation: no sensitive value is frequent in a group. With k-anonymity beside it, it is (α, k)-anonymity.

With r the records of a group of n that have a sensitive value (Wong, Li, Fu & Wang 2006):

    r / n ≤ α    for every value, or for those that are named
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from biombo._cells import Rule
from biombo._criteria.base import Evidence, SensitiveCriterion
from biombo._criteria.plain_groups import PlainGroups
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.wording import shown
from biombo._data import Dataset
from biombo._documents import COLUMNS, check_limit, checked_columns, limited
from biombo._errors import UsageError
from biombo._i18n import text
from biombo._watch import remark


@dataclass(frozen=True)
class Deassociation(SensitiveCriterion):
    """In every group, each sensitive value has at most the share ``alpha`` (Wong, Li, Fu & Wang 2006).

    Where every value counts that is :class:`Vulnerability`; where only some do, the others may be as frequent as they
    are. (α, k)-anonymity is this together with :class:`KAnonymity`.

    >>> print(Deassociation(0.5, values=["HIV"], column="disease"))
    α-deassociation with α = 0.5, of HIV, for disease
    """

    name: ClassVar[str] = "deassociation"
    evidence: ClassVar[Evidence] = "released"

    alpha: float = field(metadata=limited(0, 1, above=True))
    """The highest share allowed, above 0 and at most 1."""
    values: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The values that must not be frequent, as they are written; an empty text is a missing one. ``None``: all."""
    column: str | None = None
    """The sensitive column; ``None``: every one that is used."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "alpha")
        object.__setattr__(self, "values", checked_columns("values", self.values))

    @property
    def can_fail(self) -> bool:
        """No share is above 1."""
        return self.alpha < 1

    def check(self, data: Dataset, sensitive: Sequence[str]) -> None:
        """Raise where no column is sensitive, or values are named and several are."""
        columns = self.about(sensitive)
        if self.values is not None and len(columns) > 1:
            raise UsageError("criteria.values-column", columns=", ".join(columns))
        super().check(data, sensitive)

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression only."""
        return not suppression

    def rule(self, target: int, prior: float) -> Rule:  # noqa: ARG002
        """What the kernel checks in each group, where every value counts."""
        return Rule(target, "top-share", self.alpha)

    def _ask(self, targets: Targets, place: int, column: str) -> Ask:
        if self.values is None:
            return super()._ask(targets, place, column)
        codes = targets.codes_of(column, self.values)
        if not codes:  # then it holds whatever the groups are, which may be a mistake in writing
            remark(text("criteria.no-such-value", column=column, values=", ".join(map(repr, self.values))))
        return Ask(self, Rule(place, "value-share", self.alpha, codes=codes), column)

    def counted(self, groups: PlainGroups, sensitive: Sequence[str]) -> float | None:
        """The largest share that one of the values has of a group."""
        columns = self.about(sensitive)
        if self.values is None:
            return max(groups.guessed(column, over_table=False) for column in columns)
        return max(groups.largest_share(column, self.values) for column in columns)

    def _worded(self) -> str:
        if self.values is None:
            return text("criteria.deassociation.every", alpha=shown(self.alpha))
        return text("criteria.deassociation.some", alpha=shown(self.alpha), values=", ".join(self.values))
