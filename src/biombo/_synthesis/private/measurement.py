"""What is asked of the records under ε: each column alone, which pairs to ask for, and these (McKenna et al. 2021, by a
tree; McKenna et al. 2022, wherever the model so far is most wrong).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from biombo._synthesis.private.budget import Budget
from biombo._synthesis.private.graph import model_cells
from biombo._synthesis.tree import Pairs

Whole = NDArray[np.int64]
Pair = tuple[str, str]

_SHARE = 1 / 3
"""Of the budget: for columns alone, for the choice of pairs, and for the pairs."""
_ROUNDS = 16
"""Rounds for each column that the budget of AIM is for at first."""
_FOR_COUNTS = 0.9
"""Of the budget of a round: for what is counted; the rest is for the choice."""
_SPENT = 1e-9
"""A share of the budget that is nothing any more."""
_CELLS = 1 << 18
"""Chances that a model may have when all of the budget is spent; in between, as large a share of it as was spent."""


@dataclass(frozen=True, eq=False)
class Measured:
    """One noised marginal."""

    columns: tuple[str, ...]
    counts: Whole
    deviation: float


@dataclass(frozen=True, eq=False)
class Measurements:
    """All that is ever told of the records; whatever is made of it costs nothing more."""

    marginals: tuple[Measured, ...]
    spent: float

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The edges of the tree."""
        return tuple((each.columns[0], each.columns[1]) for each in self.marginals if len(each.columns) == 2)


def measured(pairs: Pairs, budget: Budget, records_per_person: int) -> Measurements:
    """Noised marginals of all columns, and of the pairs of a tree that is chosen with noise.

    A person with m records changes a marginal by m at most, however that is measured, and d marginals by m d, or by
    m √d where squares are summed. So a budget for all of them is spent at once.
    """
    names = list(pairs.columns)
    if len(names) == 1:
        return Measurements(*_marginals(pairs, [(names[0],)], budget, records_per_person, 1.0))
    alone, cost = _marginals(pairs, [(name,) for name in names], budget, records_per_person, _SHARE)
    edges, for_choice = _tree(pairs, alone, budget, records_per_person)
    together, for_pairs = _marginals(pairs, edges, budget, records_per_person, _SHARE)
    return Measurements((*alone, *together), cost + for_choice + for_pairs)


Expected = Callable[[tuple[str, ...]], NDArray[np.float64]]
"""How many records a model has with each combination of values of some columns."""
Fit = Callable[[Sequence[Measured]], Expected]
"""The model that fits noised marginals: it sees nothing else."""


def adapted(pairs: Pairs, budget: Budget, records_per_person: int, fit: Fit) -> Measurements:
    """Noised marginals of all columns, and then, one after the other, of the columns and pairs at which the model that
    fits all before is most wrong, each chosen with noise: AIM (McKenna et al. 2022), for all pairs alike.

    A round spends a share of the budget. Where its answer moves the model by no more than noise would, a round is given
    half the deviation from then on, so that the budget is soon spent on what is worth it.
    """
    sizes = {name: column.scale.size for name, column in pairs.columns.items()}
    if len(sizes) == 1:
        return measured(pairs, budget, records_per_person)
    share = 1 / (_ROUNDS * len(sizes))
    used = _FOR_COUNTS * share * len(sizes)
    found, cost = _marginals(pairs, [(name,) for name in sizes], budget, records_per_person, used)
    asking = [(name,) for name in sizes], list(combinations(sizes, 2))
    model = fit(found)
    while 1 - used > _SPENT:
        share = 1 - used if 1 - used < 2 * share else share
        open_ = _within(sizes, found, [*asking[0], *asking[1]], used + share)
        moved = budget.expected(records_per_person, _FOR_COUNTS * share)
        scores = [_wrong(pairs, columns, model(columns), moved) for columns in open_]
        place, for_choice = budget.chosen(scores, records_per_person, (1 - _FOR_COUNTS) * share)
        told, for_counts = _marginals(pairs, [open_[place]], budget, records_per_person, _FOR_COUNTS * share)
        found, cost, used = (*found, *told), cost + for_choice + for_counts, used + share
        before, model = model(open_[place]), fit(found)
        if np.abs(model(open_[place]) - before).sum() <= moved * before.size:
            share *= 2 if budget.delta == 0 else 4
    return Measurements(found, cost)


def _within(
    sizes: Mapping[str, int], found: Sequence[Measured], asking: list[tuple[str, ...]], used: float
) -> list[tuple[str, ...]]:
    """What can be asked for without a model of more cells than the share of the budget that is ``used`` allows; single
    columns always can.
    """
    there = [each.columns for each in found]
    return [each for each in asking if len(each) == 1 or model_cells(sizes, [*there, each]) <= used * _CELLS]


def _wrong(pairs: Pairs, columns: tuple[str, ...], expected: NDArray[np.float64], moved: float) -> int:
    """How far the model is off, less what noise would add: Σ |n(x) − m(x)| − E|noise| for each cell. A person changes
    that by no more than the person's records. A column by itself is part of half as many pairs as two are, so it counts
    half.
    """
    apart = int(np.abs(_counts(pairs, columns) - np.rint(expected).astype(np.int64).ravel()).sum())
    wrong = apart - round(moved * expected.size)
    return wrong if len(columns) == 2 else wrong // 2


def _marginals(
    pairs: Pairs, asked: Sequence[tuple[str, ...]], budget: Budget, most: int, share: float
) -> tuple[tuple[Measured, ...], float]:
    counts = [_counts(pairs, columns) for columns in asked]
    noised, deviation, cost = budget.noised(np.concatenate(counts), _distance(budget, most, len(asked)), share)
    parts = np.split(noised, np.cumsum([len(each) for each in counts])[:-1])
    return tuple(Measured(tuple(each), part, deviation) for each, part in zip(asked, parts, strict=True)), cost


def _distance(budget: Budget, most: int, marginals: int) -> float:
    return float(most * marginals if budget.delta == 0 else most * sqrt(marginals))


def _counts(pairs: Pairs, columns: tuple[str, ...]) -> Whole:
    if len(columns) == 1:
        column = pairs.columns[columns[0]]
        return np.bincount(column.places, minlength=column.scale.size).astype(np.int64)
    return pairs.counted(columns[0], columns[1]).ravel().astype(np.int64)


def _tree(pairs: Pairs, alone: tuple[Measured, ...], budget: Budget, most: int) -> tuple[list[Pair], float]:
    """The edges of a spanning tree, one after the other, each chosen among those that join two parts of it.

    A pair scores by how far its counts are from what its columns alone let expect, Σ |n(x, y) − n(x) n(y) / n|, less
    what noise would add to that (McKenna et al. 2022). A person changes that by no more than the person's records.
    """
    names = list(pairs.columns)
    share = _SHARE / (len(names) - 1)
    scores = _scores(pairs, {each.columns[0]: each.counts for each in alone}, budget, most)
    part_of, edges, cost = {name: place for place, name in enumerate(names)}, list[Pair](), 0.0
    while len(edges) < len(names) - 1:
        open_ = [pair for pair in scores if part_of[pair[0]] != part_of[pair[1]]]
        place, spent = budget.chosen([scores[pair] for pair in open_], most, share)
        first, second = open_[place]
        joined, into = part_of[second], part_of[first]
        part_of = {name: into if part == joined else part for name, part in part_of.items()}
        edges.append((first, second))
        cost += spent
    return edges, cost


def _scores(pairs: Pairs, alone: Mapping[str, Whole], budget: Budget, most: int) -> dict[Pair, int]:
    moved = budget.expected(_distance(budget, most, len(alone) - 1), _SHARE)
    total = max(1.0, float(np.mean([counts.sum() for counts in alone.values()])))
    shares = {name: np.maximum(counts, 0) / max(1, np.maximum(counts, 0).sum()) for name, counts in alone.items()}
    scores = {}
    for first, second in combinations(alone, 2):
        expected = np.rint(total * np.outer(shares[first], shares[second])).astype(np.int64)
        apart = int(np.abs(pairs.counted(first, second) - expected).sum())
        scores[first, second] = apart - round(moved * expected.size)
    return scores
