"""A hierarchy as a tree of text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._hierarchy.recoding import HierarchyCodes
from biombo._i18n import integer


@dataclass(frozen=True)
class _Drawing:
    codes: HierarchyCodes
    weights: list[NDArray[np.int64]]
    """By level and code: how many values, or records, lie below."""
    children: list[dict[int, list[int]]]
    """By level and code: the codes of the level below that it is made up of."""
    branches: int
    name_of: Callable[[str], str | None]

    def lines(self, level: int, nodes: Sequence[int], indent: str = "") -> Iterator[str]:
        """The first of ``nodes`` with what is below them, each as a branch, and how many more there are."""
        shown = nodes[: self.branches]
        left = len(nodes) - len(shown)
        for node in shown:
            last = node == shown[-1] and not left
            yield f"{indent}{'└── ' if last else '├── '}{self.title(level, node)}"
            yield from self.below(level, node, indent + ("    " if last else "│   "))
        if left:
            yield f"{indent}└── … (+{integer(left)})"

    def below(self, level: int, node: int, indent: str = "") -> Iterator[str]:
        """What a node is made up of; a level that only repeats it is passed over."""
        nodes = self.children[level].get(node, [])
        if len(nodes) == 1 and self.codes.labels[level - 1][nodes[0]] == self.codes.labels[level][node]:
            yield from self.below(level - 1, nodes[0], indent)
        elif nodes:
            yield from self.lines(level - 1, nodes, indent)

    def title(self, level: int, node: int) -> str:
        """The label, its name where it has one, and how many lie below."""
        label = self.codes.labels[level][node]
        name = None if label is None or level == 0 else self.name_of(label)
        count = int(self.weights[level][node])
        return " ".join(
            [str(label), *([name] if name else []), *([f"({integer(count)})"] if level or count > 1 else [])]
        )


def drawn(hierarchy: Hierarchy, values: Sequence[str] | None, counts: Sequence[int] | None, branches: int) -> str:
    """The first ``branches`` of each node, from the top down."""
    if branches < 1:
        raise UsageError("hierarchy.branches", branches=branches)
    if values is None:
        if hierarchy.values is None:
            raise UsageError("hierarchy.tree-values")
        values = list(hierarchy.values)
    codes = hierarchy.recode(values, counts=counts, missing="own-branch")
    tree = _Drawing(codes, _weights(codes, counts), _children(codes), branches, hierarchy.name_of)
    roots = list(range(codes.cardinalities[-1]))
    if codes.single_top and roots:
        return "\n".join([tree.title(codes.height, 0), *tree.below(codes.height, 0)])
    return "\n".join(tree.lines(codes.height, roots))


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
