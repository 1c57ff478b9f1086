"""Counts with differential privacy: noise on cells without parts, of which all totals are made."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import Any, ClassVar, Literal

import numpy as np

from biombo._engine import Randomness
from biombo._errors import UsageError
from biombo._i18n import number, text
from biombo._plan import largest_loss, noised, short
from biombo._tabulate.classification import Places
from biombo._tabulate.cube import Contributions, Cube, Numbers
from biombo._tabulate.protection import Counted, Kind, Protection, are_counts, gaps

_CLOSE = 1e-9


@dataclass(frozen=True)
class NoisyCounts(Protection):
    """Whether a person is in the table or not, with ``records_per_person`` records at most, changes the chance of no
    result by more than the factor e^``epsilon``.

    Each cell without parts gets two-sided geometric noise, P(z) ∝ exp(-|z| ε / m), for m records of a person, over
    categories that are public. What follows uses nothing but these numbers.
    """

    epsilon: float
    records_per_person: int = 1
    cut: bool = False
    """Were further records of a person left out? Else that nobody has more is somebody's word."""

    kind: ClassVar[Kind] = "dp"
    status: ClassVar[Literal["rounded", "noised"]] = "noised"
    public_lists: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (self.epsilon > 0 and isfinite(self.epsilon)):
            raise UsageError("tabulate.epsilon", epsilon=self.epsilon)
        if self.records_per_person < 1:
            raise UsageError("tabulate.records-per-person", records=self.records_per_person)

    def disguised(self, counted: Counted, random: Randomness) -> "tuple[NoisyCounts, Numbers]":
        """Counts that add up, made of noised ones."""
        given, cube = counted.given, counted.cube
        times = given.records if given.person is None else kept(given, self.records_per_person, random)
        leaves = leaf_counts(cube, given, times)
        drawn = noised(leaves.ravel(), self.scale).reshape(leaves.shape)
        return replace(self, cut=given.person is not None), totalled(cube, whole_counts(drawn))

    @property
    def scale(self) -> float:
        """m / ε, or as little more as OpenDP needs to prove ε."""
        scale = self.records_per_person / self.epsilon
        while largest_loss(self.records_per_person, scale) > self.epsilon:
            scale *= 1 + _CLOSE
        return scale

    def is_met_by(self, shown: Any) -> bool:
        """Are all of them counts that add up?"""
        values = shown.values["records"]
        return are_counts(values) and all((gap == 0).all() for gap, _ in gaps(shown.classifications, values))

    def sentences(self, k: int) -> Iterator[str]:  # noqa: ARG002
        """What is done, and what can be known all the same."""
        told = {"epsilon": short(self.epsilon, 9), "records": self.records_per_person}
        yield text("tabulate.dp", **told, deviation=number(sqrt(2) * self.records_per_person / self.epsilon, 1))
        yield text("tabulate.dp-cut" if self.cut else "tabulate.dp-word", **told)
        yield text("tabulate.dp-adds-up")

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        bound = {"records-per-person": self.records_per_person, "cut": self.cut}
        return {"kind": self.kind, "epsilon": float(self.epsilon), "delta": 0, **bound}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "NoisyCounts":
        """The one that plain values describe."""
        return cls(float(tree["epsilon"]), int(tree["records-per-person"]), bool(tree["cut"]))


def kept(given: Contributions, most: int, random: Randomness) -> Places:
    """By tuple: how many of its records are counted, where of no person more than ``most`` are, drawn at random."""
    assert given.person is not None
    tuples = np.repeat(np.arange(len(given.records)), given.records)
    order = random.order(len(tuples))
    tuples = tuples[order]
    person = given.person[tuples]
    by_person = np.argsort(person, kind="stable")
    turn = np.empty(len(tuples), np.int64)
    turn[by_person] = np.arange(len(tuples)) - np.searchsorted(person[by_person], person[by_person])
    return np.bincount(tuples[turn < most], minlength=len(given.records)).astype(np.int64)


def leaf_counts(cube: Cube, given: Contributions, times: Places) -> Places:
    """The records of cells without parts."""
    shape = tuple(tree.leaves for tree in cube.classifications)
    found = np.zeros(shape, np.int64)
    np.add.at(found, tuple(given.leaves), times)
    return found


def whole_counts(drawn: Places) -> Places:
    """The counts nearest to noised ones that are not negative and have the same sum, if that is not negative.

    Nearest by the sum of squares: all are lowered alike until what is left above 0 has the right sum. What is not whole
    then is rounded so that the sum stays: up for those that miss most.

    >>> whole_counts(np.array([7, -2, 1])).tolist()
    [6, 0, 0]
    """
    values = drawn.ravel().astype(np.float64)
    total = max(0, int(drawn.sum()))
    falling = np.sort(values)[::-1]
    lowered = (np.cumsum(falling) - total) / np.arange(1, len(falling) + 1)
    by = lowered[np.flatnonzero(falling > lowered)[-1]] if (falling > lowered).any() else falling[0]
    near = np.maximum(values - by, 0)
    whole = np.floor(near + _CLOSE)
    missing = total - int(whole.sum())
    whole[np.argsort(whole - near, kind="stable")[:missing]] += 1
    return np.asarray(whole.reshape(drawn.shape), np.int64)


def totalled(cube: Cube, leaves: Places) -> Numbers:
    """All cells, of those without parts."""
    found = np.zeros(cube.shape)
    found[tuple(slice(size) for size in leaves.shape)] = leaves
    for axis, tree in enumerate(cube.classifications):
        moved = np.moveaxis(found, axis, 0)
        for level in range(tree.height):
            here = np.flatnonzero(tree.levels == level)
            np.add.at(moved, tree.parents[here], moved[here])
    return found
