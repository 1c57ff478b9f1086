"""What two releases tell of sensitive values, each alone and both together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from biombo._attack import guessed
from biombo._release.joint.intersection import Flags, Half, Numbers, has_one_candidate, has_one_value
from biombo._release.joint.knowledge import Knowledge, Seen
from biombo._release.joint.links import SharedColumns
from biombo._release.joint.result import JointShares, JointValue, ReleasedIn
from biombo._release.measure.people_by_group import People, how_many


@dataclass(frozen=True, eq=False)
class Guessing:
    """An adversary who wants to know sensitive values of the people in both releases."""

    first: Knowledge
    second: Knowledge
    joint: Sequence[Seen]
    """The targets' joint groups, by each way to look for them."""
    shared: SharedColumns
    targets: People
    """Who they are."""

    def values(self) -> Iterator[JointValue]:
        """What is told of each sensitive column of either release; apart where the two do not tell the same."""
        alike = {column.name for column in self.shared.alike}
        for name in dict.fromkeys([*self.first.side.sensitive, *self.second.side.sensitive]):
            if name in alike:
                yield self._value(name, "both")
                continue
            if name in self.first.side.data.columns:
                yield self._value(name, "first")
            if name in self.second.side.data.columns:
                yield self._value(name, "second")

    def _value(self, name: str, released_in: ReleasedIn) -> JointValue:
        """The columns of both are the same where both tell it."""
        teller, other = (self.second, self.first) if released_in == "second" else (self.first, self.second)
        value = teller.value(name)
        in_first, in_second = (
            known if released_in in (place, "both") else None
            for known, place in ((self.first, "first"), (self.second, "second"))
        )
        return JointValue(
            name,
            released_in,
            prior=float(np.bincount(value.true).max() / len(self.targets)),
            posterior=JointShares(
                None if in_first is None else _right(in_first.groups, in_first.value(name)),
                None if in_second is None else _right(in_second.groups, in_second.value(name)),
                _right(self.joint, value.among(teller.rows)),
            ),
            certain=JointShares(
                None if in_first is None else self._certain(in_first, name),
                None if in_second is None else self._certain(in_second, name),
                self._certain_by_both(teller, other, name),
            ),
        )

    def _certain(self, known: Knowledge, name: str) -> float | None:
        """The share of the targets in whose group everybody has the same value."""
        if known.side.drawn_quasi or name in known.side.drawn:
            return None
        group = _wide(known.groups[0])
        return self._share(has_one_value(group, _wide(known.value(name)))[group[known.rows]])

    def _certain_by_both(self, teller: Knowledge, other: Knowledge, name: str) -> float | None:
        """The share of the targets for whom the intersection of both groups leaves one value that ``teller`` tells."""
        if teller.side.drawn_quasi or other.side.drawn_quasi or name in teller.side.drawn:
            return None
        tuples = dict(zip((self.first, self.second), self.shared.tuples(), strict=True))
        halves = [Half(_wide(each.groups[0]), tuples[each], each.rows) for each in (teller, other)]
        return self._share(has_one_candidate(halves[0], halves[1], _wide(teller.value(name))))

    def _share(self, flagged: Flags) -> float:
        """Of the people, however many of their records are meant."""
        return how_many(self.targets[flagged]) / how_many(self.targets)


def _right(ways: Sequence[Seen], value: Seen) -> float:
    """How often the most frequent value of a target's group is the target's, by the strongest way to look."""
    released = np.arange(len(value.codes)) < value.records
    return max(float(guessed(seen.column, value.column, released, ~released).success.mean()) for seen in ways)


def _wide(seen: Seen) -> Numbers:
    return seen.seen.astype(np.int64)
