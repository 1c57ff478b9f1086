"""The joint risk of two releases by its definitions, record by record."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Record = Mapping[str, Hashable]


@dataclass(frozen=True)
class PlainRelease:
    """Released records by the number of their original, and what is quasi."""

    records: Mapping[int, Record]
    quasi: Sequence[str]

    def group(self, number: int) -> list[int]:
        """Everybody who shares the quasi values of one."""
        return [other for other in self.records if self.key(other) == self.key(number)]

    def key(self, number: int) -> tuple[Hashable, ...]:
        return tuple(self.records[number][name] for name in self.quasi)


@dataclass(frozen=True)
class PlainJoint:
    """Two releases and who each original is about."""

    first: PlainRelease
    second: PlainRelease
    person: Mapping[int, Hashable]

    @property
    def targets(self) -> list[int]:
        return [number for number in self.first.records if number in self.second.records]

    def joint_group(self, number: int) -> list[int]:
        return [
            other
            for other in self.targets
            if self.first.key(other) == self.first.key(number) and self.second.key(other) == self.second.key(number)
        ]

    def people(self, numbers: Sequence[int]) -> set[Hashable]:
        return {self.person[number] for number in numbers}

    def smallest(self) -> int:
        return min(len(self.people(self.joint_group(number))) for number in self.targets)

    def smallest_in(self, release: PlainRelease) -> int:
        return min(len(self.people(release.group(number))) for number in release.records)

    def below(self, k: int) -> int:
        return len(self.people([each for each in self.targets if len(self.people(self.joint_group(each))) < k]))

    def alike(self) -> list[str]:
        names = [name for name in next(iter(self.first.records.values())) if name in self._columns_of_second()]
        return [name for name in names if self._same(name) == 1]

    def mostly(self) -> list[str]:
        names = [name for name in next(iter(self.first.records.values())) if name in self._columns_of_second()]
        return [name for name in names if Fraction(1, 2) <= self._same(name) < 1]

    def _columns_of_second(self) -> Record:
        return next(iter(self.second.records.values()))

    def _same(self, name: str) -> Fraction:
        same = [self.first.records[each][name] == self.second.records[each][name] for each in self.targets]
        return Fraction(sum(same), len(same))

    def posterior(self, release: PlainRelease, column: str) -> Fraction:
        """Of one release alone."""
        chances = [_chance(release, release.group(each), each, column) for each in self.targets]
        return sum(chances) / len(chances)

    def joint_posterior(self, release: PlainRelease, column: str) -> Fraction:
        """The sum of the top counts of joint groups, over all targets."""
        groups = {tuple(self.joint_group(each)) for each in self.targets}
        tops = [max(Counter(release.records[each][column] for each in group).values()) for group in groups]
        return Fraction(sum(tops), len(self.targets))

    def certain(self, release: PlainRelease, column: str) -> Fraction:
        return self._share([each for each in self.targets if len(_values(release, release.group(each), column)) == 1])

    def certain_by_both(self, teller: PlainRelease, other: PlainRelease, column: str) -> Fraction:
        alike = self.alike()
        left = []
        for each in self.targets:
            told = {_told(other, near, alike) for near in other.group(each)}
            candidates = [near for near in teller.group(each) if _told(teller, near, alike) in told]
            if len(_values(teller, candidates, column)) == 1:
                left.append(each)
        return self._share(left)

    def _share(self, numbers: Sequence[int]) -> Fraction:
        return Fraction(len(self.people(numbers)), len(self.people(self.targets)))

    def picked(self, groups: Mapping[int, Sequence[int]]) -> Fraction:
        """How often a record of somebody's group is about the same person."""
        chances = [
            Fraction(sum(self.person[near] == self.person[each] for near in groups[each]), len(groups[each]))
            for each in self.targets
        ]
        return sum(chances) / len(chances)

    def links(self) -> tuple[int, int]:
        """Made, and right."""
        made = set()
        for columns in (self.alike(), self.alike() + self.mostly()):
            if not columns:
                continue
            here = _alone(self.first, columns)
            there = _alone(self.second, columns)
            made |= {(here[told], there[told]) for told in here if told in there}
        return len(made), sum(one == other for one, other in made)


def _alone(release: PlainRelease, columns: Sequence[str]) -> dict[tuple[Hashable, ...], int]:
    told = {number: _told(release, number, columns) for number in release.records}
    times = Counter(told.values())
    return {each: number for number, each in told.items() if times[each] == 1}


def _told(release: PlainRelease, number: int, columns: Sequence[str]) -> tuple[Hashable, ...]:
    return tuple(release.records[number][name] for name in columns)


def _values(release: PlainRelease, numbers: Sequence[int], column: str) -> set[Hashable]:
    return {release.records[number][column] for number in numbers}


def _chance(release: PlainRelease, group: Sequence[int], number: int, column: str) -> Fraction:
    times = Counter(release.records[each][column] for each in group)
    most = [value for value, count in times.items() if count == max(times.values())]
    return Fraction(1, len(most)) if release.records[number][column] in most else Fraction(0)
