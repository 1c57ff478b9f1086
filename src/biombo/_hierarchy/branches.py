"""A hierarchy as branches within branches, also as text: the first ones of each node, and how many more there are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._hierarchy.codes import HierarchyCodes
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._i18n import integer


@dataclass(frozen=True)
class Branch:
    """A label of a hierarchy with what it is made up of."""

    label: str | None
    """``None`` for a missing value."""
    name: str | None
    """What people call the group, where its label is a code."""
    level: int
    lowest: int
    """The lowest level that has the label: those below only repeat it, and are passed over."""
    count: int
    """How many values, or records, lie below."""
    branches: tuple["Branch", ...]
    left: int
    """How many more branches there are."""


def branches_of(
    codes: HierarchyCodes, counts: Sequence[int] | None, name_of: Callable[[str], str | None], most: int
) -> tuple[tuple[Branch, ...], int]:
    """The first ``most`` branches at the highest level, and how many more there are."""
    tree = _Tree(codes, _weights(codes, counts), _children(codes), name_of, most)
    roots = list(range(codes.cardinalities[-1]))
    return tuple(tree.first(codes.height, roots)), max(0, len(roots) - most)


@dataclass(frozen=True)
class _Tree:
    codes: HierarchyCodes
    weights: list[NDArray[np.int64]]
    """By level and code: how many values, or records, lie below."""
    children: list[dict[int, list[int]]]
    """By level and code: the codes of the level below that it is made up of."""
    name_of: Callable[[str], str | None]
    most: int

    def first(self, level: int, nodes: Sequence[int]) -> Iterator[Branch]:
        return (self.branch(level, node) for node in nodes[: self.most])

    def branch(self, level: int, node: int) -> Branch:
        label = self.codes.labels[level][node]
        lowest, below = self.below(level, node)
        return Branch(
            label,
            None if label is None else self.name_of(label),
            level,
            lowest,
            int(self.weights[level][node]),
            tuple(self.first(lowest - 1, below)),
            max(0, len(below) - self.most),
        )

    def below(self, level: int, node: int) -> tuple[int, list[int]]:
        """The lowest level that only repeats the node, and what the node is made up of there."""
        nodes = self.children[level].get(node, [])
        if len(nodes) == 1 and self.codes.labels[level - 1][nodes[0]] == self.codes.labels[level][node]:
            return self.below(level - 1, nodes[0])
        return level, nodes


def _weights(codes: HierarchyCodes, counts: Sequence[int] | None) -> list[NDArray[np.int64]]:
    each = np.ones(codes.codes.shape[1], np.int64) if counts is None else np.asarray(counts, np.int64)
    sums = [np.zeros(size, np.int64) for size in codes.cardinalities]
    for level, total in enumerate(sums):
        np.add.at(total, codes.codes[level], each)
    return sums


def _children(codes: HierarchyCodes) -> list[dict[int, list[int]]]:
    children: list[dict[int, list[int]]] = [{}]
    for level in range(1, codes.height + 1):
        pairs = dict.fromkeys(zip(codes.codes[level].tolist(), codes.codes[level - 1].tolist(), strict=True))
        below: dict[int, list[int]] = {}
        for parent, child in pairs:
            below.setdefault(parent, []).append(child)
        children.append(below)
    return children


def drawn(hierarchy: Hierarchy, values: Sequence[str] | None, counts: Sequence[int] | None, branches: int) -> str:
    """The first ``branches`` of each node, from the top down."""
    if branches < 1:
        raise UsageError("hierarchy.branches", branches=branches)
    if values is None:
        if hierarchy.values is None:
            raise UsageError("hierarchy.tree-values")
        values = list(hierarchy.values)
    codes = hierarchy.recode(values, counts=counts, missing="own-branch")
    roots, left = branches_of(codes, counts, hierarchy.name_of, branches)
    if codes.single_top and roots:
        return "\n".join([_title(roots[0]), *_below(roots[0])])
    return "\n".join(_lines(roots, left))


def _lines(branches: Sequence[Branch], left: int, indent: str = "") -> Iterator[str]:
    """The branches with what is below them, and how many more there are."""
    for place, branch in enumerate(branches, start=1):
        last = place == len(branches) and not left
        yield f"{indent}{'└── ' if last else '├── '}{_title(branch)}"
        yield from _below(branch, indent + ("    " if last else "│   "))
    if left:
        yield f"{indent}└── … (+{integer(left)})"


def _below(branch: Branch, indent: str = "") -> Iterator[str]:
    return _lines(branch.branches, branch.left, indent)


def _title(branch: Branch) -> str:
    """The label, its name where it has one, and how many lie below."""
    count = [f"({integer(branch.count)})"] if branch.level or branch.count > 1 else []
    return " ".join([str(branch.label), *([branch.name] if branch.name else []), *count])
