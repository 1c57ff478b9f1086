"""What the values of a declared domain may become, each with its chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._errors import ColumnError
from biombo._plan.privacy.draws import drawn_yes
from biombo._plan.values.distinct_values import as_text

Domain = tuple[str | None, ...]
"""Values, ``None`` being a missing one."""


@dataclass(frozen=True, eq=False)
class Channel:
    """For each value of a domain, the chances of what it is released as."""

    domain: Domain
    weights: NDArray[np.float64]
    """A row for each true value, a column for each released one; a row need not add up to 1."""

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """The weights as probabilities."""
        return np.asarray(self.weights / self.weights.sum(axis=1, keepdims=True))

    @property
    def kept(self) -> float:
        """The chance that a value is released as it is: that of the value for which it is lowest."""
        return float(self.chances.diagonal().min())

    @property
    def loss(self) -> float:
        """The largest ln P(y | a) / P(y | b) over all values a and b and outputs y: the ε that the chances keep. It is
        infinite where some output comes of some values only; what never comes out tells nothing.
        """
        drawn = self.chances[:, self.chances.max(axis=0) > 0]
        with np.errstate(divide="ignore"):
            logs = np.log(drawn)
        return float((logs.max(axis=0) - logs.min(axis=0)).max())

    def drawn(self, chunk: pa.Array, column: str) -> pa.DictionaryArray:
        """The values of a column as they are released."""
        true = self._places(chunk, column)
        order = np.argsort(true, kind="stable")
        ends = np.cumsum(np.bincount(true, minlength=len(self.domain)))
        released = np.empty(len(true), np.int32)
        for place, rows in enumerate(np.split(order, ends[:-1])):
            _choose(self.weights[place], 0, len(self.domain), rows, released)
        values = pa.array(self.domain, pa.large_string())
        return pa.DictionaryArray.from_arrays(pa.array(released), values)

    def places(self, values: Sequence[str | None]) -> NDArray[np.int64]:
        """The place of each value in the domain; -1 where it is not there."""
        place_of: Mapping[str | None, int] = {value: place for place, value in enumerate(self.domain)}
        return np.array([place_of.get(value, -1) for value in values], np.int64)

    def between(self, true: Sequence[str | None], released: Sequence[str | None]) -> NDArray[np.float64]:
        """The chance of each of the ``released`` values for each of the ``true`` ones, a row for each of these."""
        rows, columns = self.places(true), self.places(released)
        known = (rows >= 0)[:, None] & (columns >= 0)[None, :]
        return np.where(known, self.chances[np.ix_(rows, columns)], 0.0)

    def _places(self, chunk: pa.Array, column: str) -> NDArray[np.int64]:
        """The place in the domain of each row's value."""
        coded = as_text(chunk, column)
        values = [*coded.dictionary.to_pylist(), None]
        place_at = self.places(values)
        indices = pc.fill_null(coded.indices.cast(pa.int64()), len(values) - 1).to_numpy()
        places: NDArray[np.int64] = place_at[indices]
        if (places < 0).any():
            stranger = values[indices[places < 0][0]]
            key = "privacy.missing" if stranger is None else "privacy.stranger"
            raise ColumnError(key, column=column, value=stranger)
        return places


def _choose(
    weights: NDArray[np.float64], low: int, high: int, rows: NDArray[np.intp], released: NDArray[np.int32]
) -> None:
    """Put into ``released[rows]`` places from ``low`` up to ``high``: one half of them or the other, and so on."""
    if high - low == 1:
        released[rows] = low
    elif len(rows):
        middle = (low + high) // 2
        first = drawn_yes(float(weights[low:middle].sum()), float(weights[middle:high].sum()), len(rows))
        _choose(weights, low, middle, rows[first], released)
        _choose(weights, middle, high, rows[~first], released)
