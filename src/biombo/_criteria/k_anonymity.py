"""k-anonymity: nobody stands out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from biombo._criteria.base import Criterion, Evidence
from biombo._criteria.plain_groups import PlainGroups
from biombo._criteria.targets import Ask, Targets
from biombo._documents import COLUMNS, check_limit, limited
from biombo._i18n import text


@dataclass(frozen=True)
class KAnonymity(Criterion):
    """Every group has at least ``k`` records; people where the schema names the person (Samarati & Sweeney 1998).

    >>> print(KAnonymity(5))
    k-anonymity with k = 5
    """

    name: ClassVar[str] = "k-anonymity"
    evidence: ClassVar[Evidence] = "released"

    k: int = field(metadata=limited(1))
    """The size of the smallest group allowed."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "k", whole=True)

    @property
    def lowest_is_worst(self) -> bool:
        """The smallest group decides."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:  # noqa: ARG002
        """Always: groups only grow."""
        return True

    @property
    def group_size(self) -> int:
        """The size of the smallest group allowed."""
        return self.k

    def asks(self, targets: Targets) -> list[Ask]:
        """So many records, or people where the column that names them was read."""
        return [targets.members(self, self.k)]

    def counted(self, groups: PlainGroups, sensitive: Sequence[str]) -> float | None:  # noqa: ARG002
        """The fewest records of a group."""
        return groups.fewest_records()

    def _worded(self) -> str:
        return text("criteria.k-anonymity", k=self.k)
