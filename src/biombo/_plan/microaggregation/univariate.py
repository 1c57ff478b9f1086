"""Optimal microaggregation of one column (Hansen and Mukherjee 2003)."""

import numpy as np

from biombo._engine import Floats, Numbers
from biombo._plan.microaggregation.points import Points, Shares

_ENOUGH = 5
"""Of equal values, more than so many times k cannot be lent to groups on both sides with k staying among themselves."""


def best_cuts(points: Points, k: int) -> Shares:
    """Groups of at least ``k`` people with the least sum of squares, of all that cut the sorted values into runs.

    The best groups of records are such runs, of k to 2k − 1 records each, since a longer one can be cut at no cost; so
    they are the shortest path through the n + 1 places to cut at, in O(k n) steps. Where people have several records, a
    run may be longer, and other groups than runs are not looked at. Of equal values it does not matter which is where.
    """
    order = np.argsort(points.places[:, 0], kind="stable")
    units = order
    weights = points.counts[order]
    if points.people is None:
        units = np.repeat(order, np.minimum(weights, _ENOUGH * k))
        weights = np.ones(len(units), np.int64)
    ends = _ends(points.places[units, 0], weights, _latest_starts(points, units, k))
    group = np.repeat(np.arange(len(ends)), np.diff([0, *ends]))
    return _shared(points, units, weights, group)


def _latest_starts(points: Points, units: Numbers, k: int) -> Numbers:
    """By unit: the latest one with which the run that ends there has ``k`` people; -1 where there is none."""
    if points.people is None:
        return np.maximum(np.arange(len(units)) - k + 1, -1)
    people = points.people[units].tolist()
    starts, there = np.full(len(units), -1, np.int64), dict.fromkeys(people, 0)
    start = different = 0
    for end, person in enumerate(people):
        different += there[person] == 0
        there[person] += 1
        while different - (there[people[start]] == 1) >= k:
            there[people[start]] -= 1
            different -= there[people[start]] == 0
            start += 1
        if different >= k:
            starts[end] = start
    return starts


def _ends(values: Floats, weights: Numbers, latest: Numbers) -> list[int]:
    """Where the runs of the cheapest path end, one past their last unit."""
    w, s, q = (np.concatenate([[0.0], np.cumsum(each)]) for each in (weights, weights * values, weights * values**2))
    cost = np.full(len(values) + 1, np.inf)
    cost[0] = 0.0
    came_from = np.zeros(len(values) + 1, np.int64)
    for end in np.flatnonzero(latest >= 0):
        last = latest[end]
        first = latest[last - 1] + 1 if last else 0  # with an earlier start, it could be cut before the last one
        from_ = slice(first, last + 1)
        within = q[end + 1] - q[from_] - (s[end + 1] - s[from_]) ** 2 / (w[end + 1] - w[from_])
        total = cost[from_] + within
        best = int(np.argmin(total))
        cost[end + 1], came_from[end + 1] = total[best], first + best
    ends = [len(values)]
    while came_from[ends[-1]]:
        ends.append(int(came_from[ends[-1]]))
    return ends[::-1]


def _shared(points: Points, units: Numbers, weights: Numbers, group: Numbers) -> Shares:
    """The shares of the points; of equal records that were left aside, all join a group that has no others."""
    both, place = np.unique(np.stack([units, group]), axis=1, return_inverse=True)
    count = np.bincount(place.ravel(), weights).astype(np.int64)
    point, groups = both
    aside = points.counts - np.bincount(point, count, minlength=len(points.counts)).astype(np.int64)
    alone = np.bincount(groups) == 1
    for share in np.flatnonzero((aside[point] > 0) & alone[groups]):
        count[share] += aside[point[share]]
        aside[point[share]] = 0
    return Shares(point, groups, count)
