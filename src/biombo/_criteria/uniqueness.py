"""Uniqueness: how many records are alone in their group."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from biombo._cells import Counts
from biombo._criteria.base import Evidence, IdentityCriterion
from biombo._criteria.plain_groups import PlainGroups
from biombo._criteria.whole_table import Floats, KeptGroups, shares
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, limited
from biombo._i18n import text


@dataclass(frozen=True)
class Uniqueness(IdentityCriterion):
    """At most the share ``max`` of the records is alone in its group: picked with certainty, if it is in the table.

    Where the schema names the person, those count whose group has no record of anybody else.

    >>> print(Uniqueness(0.01))
    at most 0.01 of the records alone in their group
    """

    name: ClassVar[str] = "uniqueness"
    evidence: ClassVar[Evidence] = "released"

    max: float = field(metadata=limited(0, 1))
    """The highest share allowed, from 0 to 1."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def of_members(self, members: Counts, prior: float) -> Floats:  # noqa: ARG002
        """1 for a group of one, else 0."""
        return np.where(members == 1, 1.0, 0.0)

    def of_table(self, kept: KeptGroups, target: int | None) -> Floats:  # noqa: ARG002
        """The share of records that are alone."""
        return shares(kept.unique, kept.records)

    def counted(self, groups: PlainGroups, sensitive: Sequence[str]) -> float | None:  # noqa: ARG002
        """Groups of one over records."""
        return groups.alone()

    def _worded(self) -> str:
        return text("criteria.uniqueness", max=shown(self.max))
