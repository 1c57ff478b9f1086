"""Microaggregation of several columns together by MDAV (Domingo-Ferrer and Torra 2005)."""

import numpy as np

from biombo._engine import Floats, Numbers, Places
from biombo._plan.microaggregation.points import Points, Shares
from biombo._watch import stop_if_cancelled

_WORTH_PACKING = 0.8
"""Points that are gone are passed over until so few of them are left."""

_STRETCHES = 64
"""So many points are looked at together for the nearest."""


def mdav(points: Points, k: int) -> Shares:
    """Groups of at least ``k`` people, made from the outside in, in O(n² / k) steps for n points.

    While there are 3k people: of the record r farthest from the mean of all that are left and the k − 1 people nearest
    to r a group is made, and then one of the record farthest from r and those nearest to that. Of 2k or more that are
    left, one more group is made around the record farthest from their mean; the rest is the last one. Among equally far
    or near ones the first counts.
    """
    left = _Left(points, k)
    while left.people >= 3 * k:
        stop_if_cancelled()
        outermost = left.outermost()
        left.take_around(outermost)
        left.take_around(left.farthest(outermost))
    while left.people >= 2 * k:
        left.take_around(left.outermost())
    left.take_all()
    return left.shares()


class _Left:
    """The points that are in no group yet, or records of theirs."""

    def __init__(self, points: Points, k: int) -> None:
        self._k = k
        self._points = points
        self._columns = np.ascontiguousarray(points.places.T)
        self._number = np.arange(len(points.counts))
        self._counts = points.counts.copy()
        self._gone = np.zeros(len(points.counts))  # 0, or infinite where nothing is left
        self._who = points.people
        self._of_person = None if self._who is None else np.bincount(self._who)
        self._distance, self._part = np.empty(len(self._number)), np.empty(len(self._number))
        self._there = len(self._number)
        self._sums = self._columns @ self._counts
        self._records = int(self._counts.sum())
        self.people = points.size
        self._taken: list[tuple[Places, Numbers]] = []

    def outermost(self) -> Floats:
        """The place that is farthest from the mean of all."""
        return self.farthest(self._sums / self._records)

    def farthest(self, place: Floats) -> Floats:
        """The place that is farthest from another."""
        self._measure(place)
        np.subtract(self._distance, self._gone, out=self._distance)
        return self._columns[:, int(np.argmax(self._distance))].copy()

    def take_around(self, place: Floats) -> None:
        """Make a group of the nearest records, with as many people as are needed."""
        self._measure(place)
        np.add(self._distance, self._gone, out=self._distance)
        size = self._k
        while True:
            near = self._nearest(min(size, self._there))
            taken = self._enough(near)
            if taken is not None:
                self._take(near[: len(taken)], taken)
                return
            size *= 2

    def take_all(self) -> None:
        """Make a group of all that are left."""
        near = np.flatnonzero(self._gone == 0)
        self._take(near, self._counts[near])

    def shares(self) -> Shares:
        """What was taken, group by group."""
        group = np.repeat(np.arange(len(self._taken)), [len(point) for point, _ in self._taken])
        point, count = (np.concatenate(each) for each in zip(*self._taken, strict=True))
        return Shares(point, group, count)

    def _measure(self, place: Floats) -> None:
        """The squared distance of each point."""
        np.subtract(self._columns[0], place[0], out=self._distance)
        np.multiply(self._distance, self._distance, out=self._distance)
        for column, at in zip(self._columns[1:], place[1:], strict=True):
            np.subtract(column, at, out=self._part)
            np.multiply(self._part, self._part, out=self._part)
            np.add(self._distance, self._part, out=self._distance)

    def _nearest(self, size: int) -> Places:
        """The nearest points, nearest first, so many of them or some more."""
        stretch = len(self._distance) // _STRETCHES
        nearest = self._distance
        if stretch > size:  # the least of some points each: so many of these are as near as the last of them is
            whole = _STRETCHES * stretch
            of_each = nearest[:whole].reshape(_STRETCHES, stretch).min(axis=0)
            nearest = np.append(of_each, nearest[whole:])
        limit = np.partition(nearest, size - 1)[size - 1]
        near = np.flatnonzero(self._distance <= limit)
        return near[np.argsort(self._distance[near], kind="stable")]

    def _enough(self, near: Places) -> Numbers | None:
        """How many records to take of the first of these points; none where they have too few people."""
        counts = self._counts[near]
        if self._who is None:
            before = np.cumsum(counts) - counts
            some = before < self._k
            return np.asarray(np.minimum(counts[some], self._k - before[some]))
        _, first = np.unique(self._who[near], return_index=True)
        return None if len(first) < self._k else np.asarray(counts[: np.sort(first)[self._k - 1] + 1])

    def _take(self, near: Places, counts: Numbers) -> None:
        self._taken.append((self._number[near], counts))
        self._counts[near] -= counts
        self._sums -= self._columns[:, near] @ counts
        self._records -= int(counts.sum())
        gone = near[self._counts[near] == 0]
        self._gone[gone] = np.inf
        self._there -= len(gone)
        self._count_people(near)
        if self._there < _WORTH_PACKING * len(self._number):
            self._pack()

    def _count_people(self, near: Places) -> None:
        if self._who is None or self._of_person is None:
            self.people = self._records
            return
        np.subtract.at(self._of_person, self._who[near], 1)
        self.people = self.people - int((self._of_person[np.unique(self._who[near])] == 0).sum())

    def _pack(self) -> None:
        """Keep none but the points that are left, in their order, and add them up anew."""
        there = self._gone == 0
        self._columns = np.ascontiguousarray(self._columns[:, there])
        self._number, self._counts, self._gone = self._number[there], self._counts[there], self._gone[there]
        self._who = None if self._who is None else self._who[there]
        self._distance, self._part = np.empty(self._there), np.empty(self._there)
        self._sums = self._columns @ self._counts
