"""Columns that are counted together, as a graph: in which order they can be drawn, and how large the model is."""

from collections.abc import Iterable, Mapping
from math import prod

Order = list[tuple[str, tuple[str, ...]]]
"""Each column with those that it is drawn by, all of which come before."""


def drawing_order(sizes: Mapping[str, int], together: Iterable[tuple[str, ...]]) -> Order:
    """An order in which each column is drawn by the ones that tell all about it, given those before.

    Columns are taken out of the graph from the last on, each time the one that has the fewest cells with its
    neighbours, which are neighbours of each other from then on.

    >>> drawing_order({"a": 2, "b": 2, "c": 2}, [("a", "b"), ("b", "c")])
    [('c', ()), ('b', ('c',)), ('a', ('b',))]
    >>> drawing_order({"a": 2, "b": 2, "c": 2}, [("a", "b"), ("b", "c"), ("a", "c")])
    [('c', ()), ('b', ('c',)), ('a', ('b', 'c'))]
    """
    beside: dict[str, set[str]] = {name: set() for name in sizes}
    for columns in together:
        for name in columns:
            beside[name] |= {*columns} - {name}
    taken: Order = []
    while beside:
        name = min(beside, key=lambda each: (_cells(sizes, (each, *beside[each])), list(beside).index(each)))
        near = beside.pop(name)
        taken.append((name, tuple(each for each in sizes if each in near)))
        for other in near:
            beside[other] = (beside[other] | near) - {other, name}
    return taken[::-1]


def model_cells(sizes: Mapping[str, int], together: Iterable[tuple[str, ...]]) -> int:
    """How many chances such a model has."""
    return sum(_cells(sizes, (name, *parents)) for name, parents in drawing_order(sizes, together))


def _cells(sizes: Mapping[str, int], columns: Iterable[str]) -> int:
    return prod(sizes[name] for name in columns)
