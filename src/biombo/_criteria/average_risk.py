"""Average risk: how often an adversary who knows a person's quasi columns picks their record, over the table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from biombo._cells import Counts
from biombo._criteria.base import Evidence, IdentityCriterion
from biombo._criteria.plain_groups import PlainGroups
from biombo._criteria.whole_table import Floats, KeptGroups, shares
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, limited
from biombo._i18n import text


@dataclass(frozen=True)
class AverageRisk(IdentityCriterion):
    """The adversary of re-identification picks the right record at most ``max`` of the time, over the table.

    In a group of n records a pick is right with the chance 1/n, so that the mean over all records is groups / records
    (the posterior of Gonze et al. 2024; the prosecutor's average risk of El Emam 2013). Where the schema names the
    person, n are the people of a group.

    >>> print(AverageRisk(0.05))
    average re-identification risk of at most 0.05
    """

    name: ClassVar[str] = "average-risk"
    evidence: ClassVar[Evidence] = "released"

    max: float = field(metadata=limited(0, 1, above=True))
    """The highest mean chance allowed, above 0 and at most 1."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def of_members(self, members: Counts, prior: float) -> Floats:  # noqa: ARG002
        """The chance of a right pick in each group."""
        return 1 / members

    def of_table(self, kept: KeptGroups, target: int | None) -> Floats:  # noqa: ARG002
        """The mean chance over all records."""
        return shares(kept.picked, kept.records)

    def counted(self, groups: PlainGroups, sensitive: Sequence[str]) -> float | None:  # noqa: ARG002
        """Groups over records."""
        return groups.picked()

    def _worded(self) -> str:
        return text("criteria.average-risk", max=shown(self.max))
