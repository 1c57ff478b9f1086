"""How an agency negotiates: its days, its committee, and what it tells requesters."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from biombo._criteria import WHOLE_PERCENTS
from biombo._documents import check_whole
from biombo._errors import UsageError
from biombo._negotiate.budget import MEASUREMENTS_USUAL
from biombo._negotiate.deadlines import Deadlines


@dataclass(frozen=True)
class Agency:
    """Settings that are the same for all negotiations of an agency."""

    name: str = ""
    deadlines: Deadlines = field(default_factory=Deadlines)
    votes: int = 0
    """How many of the committee vote on each report, without seeing each other's votes; 0: nobody does."""
    measurements: int = MEASUREMENTS_USUAL
    """Measurements that a requester may have of one source, over all negotiations."""
    precision: int = WHOLE_PERCENTS
    """How exactly requesters are told shares: rounded by one in so many, of so many times TG records at least."""

    def __post_init__(self) -> None:
        if not isinstance(self.deadlines, Deadlines) or not isinstance(self.name, str):
            raise UsageError("negotiation.entry", entry="agency")
        check_whole("votes", self.votes, least=0)
        check_whole("measurements", self.measurements, least=0)
        check_whole("precision", self.precision, least=2)

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Agency":
        """The one that plain values describe."""
        return cls(**{**tree, "deadlines": Deadlines(**tree["deadlines"])})


USUAL = Agency()
"""One that has said nothing else."""
