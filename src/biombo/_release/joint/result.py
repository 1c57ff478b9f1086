"""What two releases of the same people tell together."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from biombo._glance import Glance, Result

ReleasedIn = Literal["first", "second", "both"]


@dataclass(frozen=True)
class JointShares:
    """A share for the first release, for the second, and for both; none where there is nothing to be told."""

    first: float | None
    second: float | None
    both: float | None


@dataclass(frozen=True)
class JointSide:
    """One of the two releases."""

    release: str
    """Its id."""
    out: Path
    records: int
    only_here: int
    """Records whose originals are not in the other."""
    k: int | None
    """The smallest group that its plan asks for."""
    smallest_group: int | None
    """People in its smallest group; none where quasi values were drawn, so that groups mean nothing."""
    below: int | None
    """People in both who are in joint groups of fewer than ``k``, or than ``smallest_group`` where there is no k."""
    drawn: tuple[str, ...]
    """Released quasi and sensitive columns whose values were drawn or exchanged."""

    @property
    def least(self) -> int | None:
        """What ``below`` counts by."""
        return self.k if self.k is not None else self.smallest_group


@dataclass(frozen=True)
class JointValue:
    """What is told of a sensitive column."""

    column: str
    released_in: ReleasedIn
    """``both``: the two tell the same of everybody. Else the value is the one that this release tells."""
    prior: float
    """The share of the most frequent value among the records in both."""
    posterior: JointShares
    """How often the most frequent value of a target's group is the target's."""
    certain: JointShares
    """The share of people for whom one value is left: in their group of a release, and where the groups of both
    intersect."""


@dataclass(frozen=True)
class RecordLinks:
    """Records that anybody can link, without knowing anything about anybody."""

    columns: tuple[str, ...]
    """What both releases tell alike of every record that is in both."""
    mostly: tuple[str, ...]
    """What they tell alike of most of these."""
    made: int
    """Pairs of records that no other record of either release could be taken for."""
    right: int
    """Of these, the pairs that are one person's record in both."""
    share: float
    """``right`` among the records in both."""


@dataclass(frozen=True, eq=False, repr=False)
class JointRisk(Result):
    """The risk of two releases together for the people in both. Made by :func:`biombo.joint_risk`; private."""

    first: JointSide
    second: JointSide
    records: int
    """Those in both."""
    people: int
    """Those that these are about."""
    person: str | None
    """The column of the source that people are counted by; none: each record is somebody else's."""
    smallest_joint_group: int | None
    """The fewest people who share the released quasi values of both; none where quasi values were drawn."""
    alone: int | None
    """People who share them with nobody."""
    reidentification: JointShares
    """How often a record that is picked from a target's group is the target's."""
    values: tuple[JointValue, ...]
    links: RecordLinks

    @property
    def scored(self) -> bool:
        """Was the adversary held against the originals, because values of a release need not be true?"""
        return bool(self.first.drawn or self.second.drawn)

    def sentences(self) -> tuple[str, ...]:
        """All of it in words, what matters most first."""
        from biombo._release.joint.words import sentences

        return tuple(sentences(self))

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "first": _side(self.first),
            "second": _side(self.second),
            "records": self.records,
            "people": self.people,
            "person": self.person,
            "smallest_joint_group": self.smallest_joint_group,
            "alone": self.alone,
            "scored": self.scored,
            "reidentification": asdict(self.reidentification),
            "sensitive": [asdict(each) for each in self.values],
            "links": asdict(self.links) | {"columns": list(self.links.columns), "mostly": list(self.links.mostly)},
        }

    def _glance(self) -> Glance:
        from biombo._release.glance import of_joint_risk

        return of_joint_risk(self)


def _side(side: JointSide) -> dict[str, Any]:
    return asdict(side) | {"out": str(side.out), "drawn": list(side.drawn)}
