"""Survey weights: how many people of the population each record stands for."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biombo._attack.unknown_population.benedetti_franconi import below_size
from biombo._data import Dataset, parse_numbers
from biombo._errors import ColumnError, InputError, UsageError


def chosen_weight(data: Dataset, quasi: Sequence[str], fraction: float | None, weight: str | None) -> str | None:
    """The column of weights: the one named, else the schema's; none where the sampling fraction is given instead."""
    if fraction is not None and weight is not None:
        raise UsageError("population.fraction-and-weight", column=weight)
    name = weight if fraction is not None or weight is not None else data.schema.weight
    if name is None:
        if fraction is None:
            raise UsageError("population.no-fraction", source=data.label)
        return None
    if name in quasi:
        raise ColumnError("population.weight-is-quasi", column=name)
    return name


def weight_sums(
    data: Dataset, weight: str, rows: NDArray[np.intp], group: NDArray[np.intp], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What the weights of each group add up to, where the k-th of ``rows`` is in group ``group[k]``."""
    weights = _weights(data, weight, rows)
    records = weights if data.counts is None else weights * data.counts[rows]
    sums = np.bincount(group, weights=records).astype(np.float64)
    wrong = np.flatnonzero(below_size(sizes, sums))
    if len(wrong):
        first = int(rows[np.flatnonzero(group == wrong[0])[0]])
        raise InputError(
            _at_row("population.weight-sum", data),
            column=weight,
            source=data.label,
            total=float(sums[wrong[0]]),
            size=int(sizes[wrong[0]]),
            row=first + 1,
        )
    return sums


def _at_row(key: str, data: Dataset) -> str:
    """The sentence that names a row, or, where only counts are there, the one that does not."""
    return key if data.counts is None else f"{key}-counted"


def _weights(data: Dataset, weight: str, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    column = data[weight]
    by_code: NDArray[np.float64] = parse_numbers(column.values).fill_null(np.nan).to_numpy()
    weights = by_code[column.codes[rows]]
    wrong = np.flatnonzero(~(weights > 0))
    if len(wrong):
        row = int(rows[wrong[0]])
        value = column.values[int(column.codes[row])]
        key = _at_row("population.weight-value", data)
        raise InputError(key, row=row + 1, source=data.label, value=value, column=weight)
    return weights
