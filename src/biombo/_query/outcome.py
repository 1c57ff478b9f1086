"""What was said of one cell of a question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["answered", "suppressed", "refused"]
Reason = Literal["told", "follows", "few", "left-over", "dominated", "gives-away", "too-fine", "limit"]


@dataclass(frozen=True)
class Part:
    """A group made of cells: all of some that have nobody in common, without others that are within these."""

    of: tuple[int, ...]
    """The numbers of cells, from the first that was ever asked for."""
    less: tuple[int, ...] = ()


@dataclass(frozen=True)
class Said:
    """A number, or why there is none."""

    status: Status
    reason: Reason


@dataclass(frozen=True)
class Outcome(Said):
    """How many people a cell has, or why that is not said; and the mean, where one was asked for."""

    count: int | None = None
    tested: tuple[Part, ...] = ()
    """Where it is suppressed: the groups that were looked at, of which the last has too few people."""
    stays_in_doubt: bool = False
    """Where there is no number: must later answers leave it in doubt? Not where too much was known beforehand."""
    mean: "MeanOutcome | None" = None

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        tree: dict[str, Any] = {"status": self.status, "reason": self.reason, "count": self.count}
        tree["tested"] = [[[*part.of], [*part.less]] for part in self.tested]
        tree["in-doubt"] = self.stays_in_doubt
        if self.mean is not None:
            tree["mean"] = {"status": self.mean.status, "reason": self.mean.reason, "value": self.mean.value}
        return tree

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Outcome":
        """What was written down."""
        tested = tuple(Part(tuple(of), tuple(less)) for of, less in tree["tested"])
        mean = MeanOutcome(**tree["mean"]) if "mean" in tree else None
        return cls(tree["status"], tree["reason"], tree["count"], tested, bool(tree["in-doubt"]), mean)


@dataclass(frozen=True)
class MeanOutcome(Said):
    """The mean of what the people of a cell have, or why that is not said."""

    value: float | None = None
