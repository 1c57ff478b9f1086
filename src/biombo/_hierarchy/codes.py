"""A column's values as codes at every level of a hierarchy."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Codes, narrowest
from biombo._errors import ColumnError, UsageError, shortened
from biombo._hierarchy.hierarchy import TOP, Hierarchy
from biombo._i18n import integer

Answer = Literal["stop", "own-branch", "suppress"]
"""What to do with values that a hierarchy has no place for."""


Path = tuple[str | None, ...]
"""A value's labels from level to level."""


@dataclass(frozen=True)
class UnknownValue:
    """A value that the hierarchy has no place for."""

    value: str
    count: int
    """How many records have it; 1 where nobody counted."""


@dataclass(frozen=True, eq=False)
class HierarchyCodes:
    """A column's values at every level, as codes: what the search needs."""

    codes: Codes
    """``codes[level, i]`` is the code of value i at ``level``; codes count from 0 within each level."""
    labels: tuple[tuple[str | None, ...], ...]
    """``labels[level][code]`` is what is shown; ``None`` for a missing value."""
    leaves: tuple[NDArray[np.int64], ...]
    """``leaves[level][code]``: how many values of the domain the label stands for."""
    domain: int
    """How many values there could be: those that the hierarchy lists, else those of the column, and those unknown."""
    unknown: tuple[UnknownValue, ...]
    """Values that the hierarchy has no place for and that were given one as asked, those of most records first."""

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.labels) - 1

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """How many different values each level has."""
        return tuple(len(labels) for labels in self.labels)

    @property
    def single_top(self) -> bool:
        """Are all values one at the highest level?"""
        return self.cardinalities[-1] <= 1

    @property
    def idle_levels(self) -> tuple[int, ...]:
        """The levels at which nothing is merged that was not at the level below: allowed, but of no use."""
        steps = enumerate(pairwise(self.cardinalities), start=1)
        return tuple(level for level, (below, here) in steps if below == here)


def unknown_values(
    hierarchy: Hierarchy, values: Sequence[str | None], counts: Sequence[int] | None
) -> list[UnknownValue]:
    """The values without a place, those of most records first."""
    places = [place for place, value in enumerate(values) if value is not None and not hierarchy.knows(value)]
    return _counted(values, places, counts)


def recode(
    hierarchy: Hierarchy,
    values: Sequence[str | None],
    *,
    counts: Sequence[int] | None,
    missing: Answer,
    apart: Collection[str],
    column: str | None,
) -> HierarchyCodes:
    """See :meth:`Hierarchy.recode`."""
    if missing not in get_args(Answer):
        raise UsageError("hierarchy.answer", answer=missing, answers=", ".join(get_args(Answer)))
    above = [None if value is None or value in apart else hierarchy.ancestors(value) for value in values]
    outside = [place for place, groups in enumerate(above) if groups is None]
    unlisted = [place for place in outside if values[place] is not None and values[place] not in apart]
    unknown = _counted(values, unlisted, counts)
    if unknown and missing == "stop":
        raise _stopped(unknown, column, counted=counts is not None)
    suppressed = set(unlisted) if missing == "suppress" else set[int]()
    beside = [place for place, value in enumerate(values) if above[place] and hierarchy.is_beside(str(value))]
    _refuse_taken((values[place] for place in outside if place not in suppressed), above)
    kept = [(values[place], above[place]) for place in beside if values[place] in (above[place] or ())]
    _refuse_taken((value for value, _ in kept), _without(above, beside))
    paths: list[Path] = [
        (value, *(_own_branch(hierarchy, value, place in suppressed) if groups is None else groups))
        for place, (value, groups) in enumerate(zip(values, above, strict=True))
    ]
    codes, labels = _coded(paths, hierarchy.height)
    leaves, domain = _leaves(hierarchy, codes, labels, sorted([*outside, *beside]))
    return HierarchyCodes(codes, labels, leaves, domain, tuple(unknown))


def _counted(values: Sequence[str | None], places: Iterable[int], counts: Sequence[int] | None) -> list[UnknownValue]:
    if counts is not None and len(counts) != len(values):
        raise UsageError("hierarchy.counts", counts=len(counts), values=len(values))
    found = [UnknownValue(str(values[place]), 1 if counts is None else int(counts[place])) for place in places]
    return sorted(found, key=lambda unknown: (-unknown.count, unknown.value))


def _stopped(unknown: list[UnknownValue], column: str | None, *, counted: bool) -> ColumnError:
    named = shortened((f"{each.value!r}{f' × {integer(each.count)}' if counted else ''}" for each in unknown), 5)
    if column is None:
        return ColumnError("hierarchy.unknown", count=len(unknown), values=named)
    return ColumnError("hierarchy.unknown-in-column", count=len(unknown), values=named, column=column)


def _refuse_taken(staying: Iterable[str | None], above: Iterable[tuple[str, ...] | None]) -> None:
    """A value with a branch of its own must not be called like a group: it would be taken for a part of it."""
    groups = {label for labels in above if labels is not None for label in labels} - {TOP}
    for value in staying:
        if value in groups:
            raise ColumnError("hierarchy.taken", value=value)


def _without(above: Sequence[tuple[str, ...] | None], places: list[int]) -> Iterator[tuple[str, ...] | None]:
    left_out = set(places)
    return (labels for place, labels in enumerate(above) if place not in left_out)


def _own_branch(hierarchy: Hierarchy, value: str | None, suppressed: bool) -> Path:
    if suppressed:
        return (TOP,) * hierarchy.height
    if hierarchy.has_top:
        return (*(value,) * (hierarchy.height - 1), TOP)
    return (value,) * hierarchy.height


def _coded(paths: Sequence[Path], height: int) -> tuple[Codes, tuple[Path, ...]]:
    """Codes by first appearance, level by level, and the labels they stand for."""
    codes = np.empty((height + 1, len(paths)), narrowest(len(paths)))
    labels: list[Path] = []
    for level in range(height + 1):
        code_of: dict[str | None, int] = {}
        codes[level] = [code_of.setdefault(path[level], len(code_of)) for path in paths]
        labels.append(tuple(code_of))
    return cast(Codes, codes), tuple(labels)


def _leaves(
    hierarchy: Hierarchy, codes: Codes, labels: tuple[Path, ...], outside: list[int]
) -> tuple[tuple[NDArray[np.int64], ...], int]:
    """How many values each label stands for, and how many there are in all."""
    if hierarchy.values is None:
        own = (np.bincount(codes[level], minlength=len(level_labels)) for level, level_labels in enumerate(labels))
        return tuple(own), codes.shape[1]
    listed = list(zip(*(hierarchy.ancestors(value) or () for value in hierarchy.values), strict=True))
    leaves = [np.ones(len(labels[0]), np.int64)]
    for level in range(1, hierarchy.height + 1):
        under = Counter(listed[level - 1])
        counted = np.array([under[label] if label is not None else 0 for label in labels[level]], np.int64)
        leaves.append(counted + np.bincount(codes[level, outside], minlength=len(counted)))
    return tuple(leaves), len(hierarchy.values) + len(outside)
