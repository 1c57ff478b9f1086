"""What was said of one cell of a question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["answered", "suppressed", "refused"]
Reason = Literal["told", "follows", "few", "left-over", "dominated", "gives-away", "too-fine", "limit"]


@dataclass(frozen=True)
class Part:
    """A group made of cells: all of some that have nobody in common, or all with some values, without other cells that
    are within these.
    """

    of: tuple[int, ...] = ()
    """The numbers of cells, from the first that was ever asked for."""
    less: tuple[int, ...] = ()
    named: tuple[tuple[str, tuple[str | None, ...]], ...] = ()
    """By column: the values that the people of a group have that follows from answers, and is none of the cells."""

    def to_tree(self) -> list[Any]:
        """As plain values."""
        named = {column: [*values] for column, values in self.named}
        return [[*self.of], [*self.less], *([named] if named else [])]

    @classmethod
    def from_tree(cls, of: list[int], less: list[int], named: Mapping[str, list[str | None]] | None = None) -> "Part":
        """What was written down."""
        return cls(tuple(of), tuple(less), tuple((column, tuple(some)) for column, some in (named or {}).items()))


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
        tree["tested"] = [part.to_tree() for part in self.tested]
        tree["in-doubt"] = self.stays_in_doubt
        if self.mean is not None:
            tree["mean"] = {"status": self.mean.status, "reason": self.mean.reason, "value": self.mean.value}
        return tree

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Outcome":
        """What was written down."""
        tested = tuple(Part.from_tree(*part) for part in tree["tested"])
        mean = MeanOutcome(**tree["mean"]) if "mean" in tree else None
        return cls(tree["status"], tree["reason"], tree["count"], tested, bool(tree["in-doubt"]), mean)


@dataclass(frozen=True)
class MeanOutcome(Said):
    """The mean of what the people of a cell have, or why that is not said."""

    value: float | None = None
