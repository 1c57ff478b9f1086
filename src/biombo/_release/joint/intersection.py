"""The intersection attack: what is left of a sensitive value when two releases are laid side by side.

Nobody has to know which records of the two belong together. The adversary knows the target's group A in the first
release and B in the second. The attack of Ganta, Kasiviswanathan and Smith (2008) leaves the values that occur in both,

    {s(r) : r ∈ A} ∩ {s(r) : r ∈ B};

here ``t`` is all that the two releases tell alike of everybody who is in both, the sensitive value among it or not, and

    candidates = {s(r) : r ∈ A, t(r) = t(r') for some r' ∈ B},

which is the same where the sensitive column is all that they share, and never more than what their attack leaves. The
true value is always among them, because the target's own records agree in ``t``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import distinct

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_AT_ONCE = 1 << 22
"""Entries that are looked at together."""
_SIDE_BY_SIDE = 8
"""So many for each entry that there is; tuples that are more frequent are looked up instead."""
_FIRST_LOOK = 4


@dataclass(frozen=True, eq=False)
class Half:
    """The records of one release, and which of them are the targets' own."""

    group: Numbers
    shared: Numbers
    """What both releases tell alike: in both the same number for what is the same."""
    own: NDArray[np.intp]
    """By target: its record."""


def has_one_value(group: Numbers, value: Numbers) -> Flags:
    """By group: do all of its records have the same value?

    >>> has_one_value(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 6])).tolist()
    [True, False]
    """
    lowest, highest = _bounds(group, value)
    has_one: Flags = lowest == highest
    return has_one


def has_one_candidate(first: Half, second: Half, value: Numbers) -> Flags:
    """By target: is one candidate left of a ``value`` that the first release tells of each of its records?

    >>> group, shared = np.array([0, 0, 1, 1]), np.array([7, 8, 7, 8])
    >>> one, other = Half(group, shared, np.array([0, 3])), Half(np.array([0, 0]), np.array([7, 9]), np.array([0, 1]))
    >>> has_one_candidate(one, other, shared)[:1].tolist()
    [True]
    """
    pairs = _Pairs.of(first.group[first.own], second.group[second.own], value[first.own])
    tuples = int(max(first.shared.max(initial=0), second.shared.max(initial=0))) + 1
    entries = _Entries.of(first.group, first.shared, tuples, value)
    listed = _Entries.of(second.group, second.shared, tuples, np.zeros(len(second.group), np.int64))
    rare = _rare(entries, listed)
    _refute_side_by_side(pairs, entries.some(rare), listed.some(rare))
    undecided = np.flatnonzero(pairs.has_one & ~has_one_value(first.group, value)[pairs.first])
    _refute_by_looking_up(pairs, undecided, entries.some(~rare), listed.some(~rare))
    return pairs.has_one[pairs.of_target]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The pairs of groups that targets are in, in their order, and whether one candidate is left as far as is known."""

    first: Numbers
    second: Numbers
    value: Numbers
    """One of the values of the targets in it."""
    has_one: Flags
    """To begin with: all targets in it have that one. What is refuted is noted here."""
    of_target: NDArray[np.intp]
    key: Numbers
    width: int

    @classmethod
    def of(cls, first: Numbers, second: Numbers, value: Numbers) -> "_Pairs":
        width = int(second.max(initial=0)) + 1
        key, of_target = np.unique(first.astype(np.int64) * width + second, return_inverse=True)
        lowest, highest = _bounds(of_target, value)
        return cls(key // width, key % width, lowest, lowest == highest, of_target, key, width)

    def refute(self, first: Numbers, second: Numbers, value: Numbers) -> None:
        """Each ``value`` is a candidate for whoever is in these groups."""
        there = second < self.width
        key = first[there] * self.width + second[there]
        at = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        self.has_one[at[(self.key[at] == key) & (self.value[at] != value[there])]] = False


@dataclass(frozen=True, eq=False)
class _Entries:
    """What occurs in the groups of a release, each once, in the order of group, tuple and value."""

    group: Numbers
    shared: Numbers
    value: Numbers
    tuples: int

    @classmethod
    def of(cls, group: Numbers, shared: Numbers, tuples: int, value: Numbers) -> "_Entries":
        values = int(value.max(initial=0)) + 1
        told, number = np.unique(shared.astype(np.int64) * values + value, return_inverse=True)
        entry = distinct(group.astype(np.int64) * len(told) + number)
        of_entry = told[entry % len(told)]
        return cls(entry // len(told), of_entry // values, of_entry % values, tuples)

    def some(self, of_tuples: Flags) -> "_Entries":
        """Those of some tuples."""
        rows = of_tuples[self.shared]
        return _Entries(self.group[rows], self.shared[rows], self.value[rows], self.tuples)

    @property
    def by_tuple(self) -> Numbers:
        """How many there are of each tuple."""
        return np.bincount(self.shared, minlength=self.tuples)

    def of_groups(self, group: Numbers) -> tuple[Numbers, Numbers]:
        """Where the entries of groups begin and end."""
        return np.searchsorted(self.group, group, "left"), np.searchsorted(self.group, group, "right")

    def of_tuples(self, group: Numbers, shared: Numbers) -> tuple[Numbers, Numbers]:
        """Where the entries of a tuple in a group begin and end."""
        key, asked = self.group * self.tuples + self.shared, group * self.tuples + shared
        return np.searchsorted(key, asked, "left"), np.searchsorted(key, asked, "right")


def _rare(entries: _Entries, listed: _Entries) -> Flags:
    """By tuple: is it in so few groups that all of these can be laid side by side?"""
    work = entries.by_tuple * listed.by_tuple
    order = np.argsort(work, kind="stable")
    rare = np.zeros(len(work), bool)
    rare[order] = np.cumsum(work[order]) <= _SIDE_BY_SIDE * (len(entries.group) + len(listed.group))
    return rare


def _refute_side_by_side(pairs: _Pairs, entries: _Entries, listed: _Entries) -> None:
    """All groups of the one release that have a tuple, beside all of the other that have it."""
    by_tuple = listed.group[np.argsort(listed.shared, kind="stable")]
    times = listed.by_tuple
    begins = np.cumsum(times) - times
    for some in _in_turns(times[entries.shared]):
        entry, place = _repeated(some, begins[entries.shared[some]], times[entries.shared[some]])
        pairs.refute(entries.group[entry], by_tuple[place], entries.value[entry])


def _refute_by_looking_up(pairs: _Pairs, undecided: NDArray[np.intp], entries: _Entries, listed: _Entries) -> None:
    """For each pair of groups: the entries of the one that has fewer, looked up among those of the other."""
    begin, end = entries.of_groups(pairs.first[undecided])
    begin_listed, end_listed = listed.of_groups(pairs.second[undecided])
    shorter = end - begin <= end_listed - begin_listed

    def refutes(pair: Numbers, entry: Numbers) -> Flags:
        found, last = listed.of_tuples(pairs.second[pair], entries.shared[entry])
        refuted: Flags = (entries.value[entry] != pairs.value[pair]) & (found < last)
        return refuted

    def refutes_listed(pair: Numbers, entry: Numbers) -> Flags:
        found, last = entries.of_tuples(pairs.first[pair], listed.shared[entry])
        there = found < last
        refuted = np.zeros(len(pair), bool)
        value = pairs.value[pair[there]]
        refuted[there] = (entries.value[found[there]] != value) | (entries.value[last[there] - 1] != value)
        return refuted

    _look_through(pairs, undecided[shorter], begin[shorter], end[shorter], refutes)
    _look_through(pairs, undecided[~shorter], begin_listed[~shorter], end_listed[~shorter], refutes_listed)


def _look_through(
    pairs: _Pairs,
    undecided: NDArray[np.intp],
    begin: Numbers,
    end: Numbers,
    refutes: Callable[[Numbers, Numbers], Flags],
) -> None:
    """A few entries of each pair at a time, more and more: most pairs are refuted by the first ones."""
    most = _FIRST_LOOK
    while len(undecided):
        look = np.minimum(end - begin, most)
        for some in _in_turns(look):
            pair, entry = _repeated(undecided[some], begin[some], look[some])
            pairs.has_one[pair[refutes(pair, entry)]] = False
        left = pairs.has_one[undecided] & (begin + look < end)
        undecided, begin, end = undecided[left], (begin + look)[left], end[left]
        most = min(_FIRST_LOOK * most, _AT_ONCE)


def _repeated(numbers: Numbers, begin: Numbers, times: Numbers) -> tuple[Numbers, Numbers]:
    """Each number so many times, with the places from where it begins on.

    >>> _repeated(np.array([7, 8]), np.array([10, 20]), np.array([2, 1]))
    (array([7, 7, 8]), array([10, 11, 20]))
    """
    first = np.cumsum(times) - times
    return np.repeat(numbers, times), np.arange(int(times.sum())) + np.repeat(begin - first, times)


def _in_turns(times: Numbers) -> Iterator[Numbers]:
    """Places, in turns that take about as many entries as are looked at together."""
    turn = np.cumsum(times) // _AT_ONCE
    yield from np.split(np.arange(len(times)), np.flatnonzero(np.diff(turn)) + 1)


def _bounds(group: NDArray[np.integer], value: Numbers) -> tuple[Numbers, Numbers]:
    """The lowest and the highest value of each group."""
    groups = int(group.max(initial=-1)) + 1
    lowest, highest = np.full(groups, np.iinfo(np.int64).max), np.full(groups, -1)
    np.minimum.at(lowest, group, value)
    np.maximum.at(highest, group, value)
    return lowest, highest
