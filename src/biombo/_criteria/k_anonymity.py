"""k-anonymity: nobody stands out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from biombo._cells import Rule
from biombo._criteria.checks import check_whole
from biombo._criteria.criterion import Criterion
from biombo._i18n import text


@dataclass(frozen=True)
class KAnonymity(Criterion):
    """Every group has at least ``k`` records; people where the schema names the person (Samarati & Sweeney 1998).

    >>> print(KAnonymity(5))
    k-anonymity with k = 5
    """

    name: ClassVar[str] = "k-anonymity"

    k: int
    """The size of the smallest group allowed."""
    quasi: Sequence[str] | None = None
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self.name, "k", self.k, least=1)

    @property
    def lowest_is_worst(self) -> bool:
        """The smallest group decides."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:  # noqa: ARG002
        """Always: groups only grow."""
        return True

    def rule_for_people(self, target: int) -> Rule:
        """What the kernel checks in each group where people are counted, who stand at place ``target``."""
        return Rule(target, "distinct", self.k)

    def _worded(self) -> str:
        return text("criteria.k-anonymity", k=self.k)
