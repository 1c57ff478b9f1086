"""The risk of one record: Benedetti and Franconi's estimate, survey weights, and how often a link is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from biombo._attack.population.numerics import expected_inverse_size
from biombo._data import Dataset, parse_numbers
from biombo._errors import ColumnError, InputError, UsageError

_ROUNDING = 1e-9


def individual_risk(frequency: ArrayLike, weight_sum: ArrayLike) -> NDArray[np.float64]:
    """E(1/F | f) for groups of ``frequency`` f records in the sample, whose weights add up to ``weight_sum``.

    With the prior P(F) ∝ 1/F, F given f is negative binomial with p̂ = f/Σw, so that the risk is

        f = 1:  (p/q) log(1/p)
        f = 2:  (p/q²)(q + p log p)
        f = 3:  (p/2q³)(q(3q − 2) − 2p² log p)
        f:      (p/f) ₂F₁(1, 1; f+1; q),   q = 1 − p.

    Source: Benedetti and Franconi, *Statistical and technological solutions for controlled data dissemination* (1998);
    Franconi and Polettini, *Individual risk estimation in μ-Argus: a review*, Privacy in Statistical Databases (2004).
    Valid for weights that are inverse inclusion probabilities. Its prior expects few small groups: where the population
    has many it is far too low for sample uniques. Limits: Σw → ∞ (p → 0) gives 0, Σw = f (p = 1, the whole group is in
    the sample) gives 1/f. Weights that add up to less than f contradict the premises and are refused.

    >>> individual_risk([1, 1, 4], [1, 10, 40]).round(4).tolist()
    [1.0, 0.2558, 0.0319]
    """
    sizes, sums = np.broadcast_arrays(np.asarray(frequency), np.asarray(weight_sum, np.float64))
    if not np.issubdtype(sizes.dtype, np.integer) or (sizes < 1).any():
        raise UsageError("population.sizes")
    wrong = np.flatnonzero(below_size(sizes, sums))
    if len(wrong):
        where = wrong[0]
        raise UsageError("population.weights-below-size", total=sums.flat[where], size=int(sizes.flat[where]))
    share = np.minimum(sizes / sums, 1.0)
    return expected_inverse_size(sizes.ravel().astype(np.int64), share.ravel()).reshape(sizes.shape)


def below_size(sizes: NDArray[Any], weight_sums: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the weights of a group stand for fewer people than are in it, beyond rounding, or are no numbers."""
    return ~(weight_sums >= sizes * (1 - _ROUNDING))


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


@dataclass(frozen=True)
class Matching:
    """The chance of a correct match over the groups of a sample.

    Source: El Emam, *Guide to the De-Identification of Personal Health Information* (2013); Dankar and El Emam, *A
    method for evaluating marketer re-identification risk* (2010).
    """

    highest: float
    """In the group that is most at risk: the aim of a prosecutor or a journalist, for whom one person is enough."""
    mean: float
    """Over the records: the share of correct matches that a marketer expects, who links them all."""

    @classmethod
    def of(cls, sizes: NDArray[np.int64], chances: NDArray[np.float64]) -> "Matching":
        """From the size of each group and the chance of a correct match in it."""
        return cls(float(chances.max()), float(np.dot(sizes, chances) / sizes.sum()))
