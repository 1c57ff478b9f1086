"""Two releases and the people who are in both: all that is measured of them together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from biombo._engine import numbered
from biombo._errors import InputError, UsageError
from biombo._release.joint.knowledge import Knowledge, Seen, together
from biombo._release.joint.links import SharedColumns
from biombo._release.joint.result import JointRisk, JointShares, JointSide, RecordLinks
from biombo._release.joint.side import Rows, Side
from biombo._release.joint.sources import Sources
from biombo._release.joint.values import Guessing
from biombo._release.measure.people_by_group import People, PeopleByGroup, how_many


@dataclass(frozen=True, eq=False)
class Both:
    """Two releases, and the records that are in both: the targets."""

    first: Knowledge
    second: Knowledge
    shared: SharedColumns
    person: str | None
    """The column of the source that names people; none: each record is somebody else's."""
    people: tuple[People, People]
    """By record of the first and of the second."""

    @classmethod
    def of(cls, first: Side, second: Side, sources: Sources, person: str | None) -> "Both":
        """Raises where nobody is in both."""
        _, *found = np.intersect1d(first.places, second.places, assume_unique=True, return_indices=True)
        rows: tuple[Rows, Rows] = (found[0], found[1])
        if not len(rows[0]):
            raise InputError("release.joint-nobody", first=str(first.out), second=str(second.out))
        named = _person(first, second) if person is None else person
        numbers = None if named is None else sources.read([named])[named].codes
        people = [each.places if numbers is None else numbers[each.places] for each in (first, second)]
        one, other = (
            Knowledge.of(side, own, sources, (first, second)) for side, own in zip((first, second), rows, strict=True)
        )
        return cls(one, other, SharedColumns.of(one.side, other.side, rows), named, (people[0], people[1]))

    def risk(self) -> JointRisk:
        """All of it."""
        joint = self._groups(self._joint[0], self._targets)
        is_drawn = bool(self.first.side.drawn_quasi or self.second.side.drawn_quasi)
        return JointRisk(
            first=self._side(self.first, self.people[0], None if is_drawn else joint),
            second=self._side(self.second, self.people[1], None if is_drawn else joint),
            records=len(self._targets),
            people=self._everybody,
            person=self.person,
            smallest_joint_group=None if is_drawn else int(joint.sizes.min()),
            alone=None if is_drawn else joint.below(2),
            reidentification=JointShares(
                self._picked(self.first.groups, self.people[0]),
                self._picked(self.second.groups, self.people[1]),
                self._picked(self._joint, self._targets),
            ),
            values=tuple(Guessing(self.first, self.second, self._joint, self.shared, self._targets).values()),
            links=self._links(),
        )

    @cached_property
    def _joint(self) -> list[Seen]:
        return together(self.first, self.second)

    @property
    def _targets(self) -> People:
        """Who they are."""
        return self.people[0][self.first.rows]

    @cached_property
    def _everybody(self) -> int:
        """How many people the targets are about."""
        return how_many(self._targets)

    def _side(self, known: Knowledge, people: People, joint: PeopleByGroup | None) -> JointSide:
        side = known.side
        smallest = None if side.drawn_quasi else int(self._groups(known.groups[0], people).sizes.min())
        least = smallest if side.k is None else side.k
        return JointSide(
            release=side.release,
            out=side.out,
            records=side.data.rows,
            only_here=side.data.rows - len(known.rows),
            k=side.k,
            smallest_group=smallest,
            below=None if joint is None or least is None else joint.below(least),
            drawn=tuple(name for name in side.drawn if name in (*side.quasi, *side.sensitive)),
        )

    def _groups(self, seen: Seen, people: People) -> PeopleByGroup:
        if self.person is None:
            return PeopleByGroup(np.bincount(seen.seen, minlength=seen.cardinality))
        return PeopleByGroup.of(seen.seen, seen.cardinality, people)

    def _picked(self, ways: Sequence[Seen], people: People) -> float:
        """How often a record that is picked is the target's, by the strongest way to look."""
        return max(_picked_right(seen, people, self._targets) for seen in ways)

    def _links(self) -> RecordLinks:
        made, right = self.shared.links()
        alike, mostly = (tuple(each.name for each in some) for some in (self.shared.alike, self.shared.mostly))
        return RecordLinks(alike, mostly, made, right, right / len(self._targets))


def _person(first: Side, second: Side) -> str | None:
    """The column by which people are counted. Raises where the releases do not agree."""
    named = [side.person for side in (first, second) if side.person is not None]
    if len(set(named)) > 1:
        raise UsageError("release.joint-person", first=named[0], second=named[1])
    return named[0] if named else None


def _picked_right(seen: Seen, people: People, targets: People) -> float:
    """How often a record of the target's group is the target's; of all records, where there is no such group."""
    everyone = np.concatenate([people, targets]).astype(np.uint32)
    whose, pairs = numbered([seen.codes, everyone], [seen.cardinality, int(everyone.max()) + 1])
    size = np.bincount(seen.seen, minlength=seen.cardinality)[seen.true]
    own = np.bincount(whose[: seen.records], minlength=pairs)[whose[seen.records :]]
    anywhere = np.bincount(people, minlength=int(everyone.max()) + 1)[targets]
    return float(np.mean(np.where(size > 0, own / np.maximum(size, 1), anywhere / seen.records)))
