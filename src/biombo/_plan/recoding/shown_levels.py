"""What a table lost that was recoded locally, from what its records were and what they are shown as."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from biombo._data import Column, Dataset, written
from biombo._engine import numbered
from biombo._measures import LocalCosts, LossDomain
from biombo._plan.recoding.levelled_values import LevelledValues
from biombo._plan.recoding.recoded_column import RecodedColumn

Rows = NDArray[np.bool_]


def costs_as_shown(
    original: Dataset,
    shown: Mapping[str, Column],
    columns: Sequence[RecodedColumn],
    *,
    asked_for: Rows,
    kept: Rows,
    loss_domain: LossDomain,
) -> LocalCosts:
    """What it costs that the rows ``kept`` of ``original`` are ``shown`` so, and the others of those ``asked_for``
    suppressed.
    """
    levelled = [LevelledValues.of(original, column, asked_for, loss_domain) for column in columns]
    rows, here = np.flatnonzero(asked_for), kept[asked_for]
    told = [shown[each.name] for each in levelled]
    group, groups = numbered([each.codes[kept] for each in told], [each.cardinality for each in told])
    by_row = np.stack([shown_levels(*pair, kept) for pair in zip(levelled, told, strict=True)], axis=1)
    first = np.unique(group, return_index=True)[1]
    numbers = np.full(len(rows), -1, np.int64)
    numbers[here] = group
    counts = None if original.counts is None else original.counts[rows]
    taken = [replace(each.levelled, codes=each.codes[rows]) for each in levelled]
    return LocalCosts.of(taken, by_row[first].reshape(groups, len(levelled)), numbers, counts)


def shown_levels(own: LevelledValues, shown: Column, rows: Rows) -> NDArray[np.uint8]:
    """Of some rows: the lowest level at which what is shown is what the value becomes; the highest where none is."""
    label_of = np.array([own.label_number(each) for each in written(shown.values).to_list()], np.int64)
    label = label_of[shown.codes[rows]]
    levels = np.full(len(label), own.at_levels.height, np.uint8)
    for level in range(own.at_levels.height, -1, -1):
        levels[own.label_numbers[level][own.codes[rows]] == label] = level
    return levels
