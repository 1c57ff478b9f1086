"""Columns by their distinct values: what is done to a column is done to each of its values once, never row by row."""

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._data import hashed, plain, written

Labels = Callable[[Sequence[str | None], Sequence[int]], Sequence[str | None]]
"""What values become. It is also told in how many rows each of them occurs; ``None`` is a missing value."""


_REMEMBERED = 1 << 18
"""Values whose labels are kept from batch to batch, at most."""


class Remembered(dict[str | None, str | None]):
    """What values become, found out once for each and kept from batch to batch. A missing value stays one.

    >>> upper = Remembered(str.upper, apart=["n/a"])
    >>> upper(["a", None, "n/a", "a"], [1, 1, 1, 1])
    ['A', None, 'n/a', 'A']
    """

    def __init__(self, label: Callable[[str], str | None], apart: Sequence[str] = ()) -> None:
        self._label = label
        self._staying: dict[str | None, str | None] = {None: None, **{value: value for value in apart}}
        super().__init__(self._staying)

    def __call__(self, values: Sequence[str | None], rows: Sequence[int]) -> list[str | None]:  # noqa: ARG002
        """The labels of ``values``."""
        if len(self) > _REMEMBERED:
            self.clear()
            self.update(self._staying)
        return [self[value] for value in values]

    def __missing__(self, value: str) -> str | None:
        self[value] = label = self._label(value)
        return label


class Marked:
    """Which rows hold a value that ``test`` is true of, asked once for each value; an empty text is a missing value.
    It may be asked of some rows only: of values that only others hold, nothing is told.

    >>> Marked(lambda value: value is None)(pa.array(["a", "", None]), "x").tolist()
    [False, True, True]
    """

    def __init__(self, test: Callable[[str | None], bool]) -> None:
        self._test = test
        self._known: dict[str | None, bool] = {}

    def __call__(self, chunk: pa.Array, column: str, among: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """The rows of ``chunk``, or ``among`` some of them."""
        coded = as_text(chunk, column)
        places = places_in(coded)
        asked = places if among is None else places[among]
        occurring = np.flatnonzero(np.bincount(asked, minlength=len(coded.dictionary) + 1))
        values = [*coded.dictionary.to_pylist(), None]
        found = np.zeros(len(values), bool)
        found[occurring] = [self._of(values[place] or None) for place in occurring]
        return found[places]

    def _of(self, value: str | None) -> bool:
        if value not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[value] = self._test(value)
        return self._known[value]


def as_text(chunk: pa.Array, column: str) -> pa.DictionaryArray:
    """``chunk`` as people would write its values, each of them once in a dictionary."""
    coded = hashed(chunk, column)
    values = written(pl.Series(plain(coded.dictionary, column, source="")))
    return pa.DictionaryArray.from_arrays(coded.indices, values.to_arrow().cast(pa.large_string()))


def relabelled(chunk: pa.Array, column: str, labels: Labels) -> pa.DictionaryArray:
    """``chunk`` with every value that occurs in it replaced by its label."""
    coded = as_text(chunk, column)
    places = places_in(coded)
    rows = np.bincount(places, minlength=len(coded.dictionary) + 1)
    occurring = np.flatnonzero(rows)
    values = [*coded.dictionary.to_pylist(), None]
    found = labels([values[place] for place in occurring], rows[occurring].tolist())
    code_of = {label: code for code, label in enumerate(dict.fromkeys(found))}
    code_at = np.zeros(len(values), np.int32)
    code_at[occurring] = [code_of[label] for label in found]
    return _with_dictionary(code_at[places], list(code_of))


def present_values(chunk: pa.Array, column: str) -> list[str]:
    """The values that occur in ``chunk``, each once, as :func:`relabelled` tells them; a missing one is none."""
    coded = as_text(chunk, column)
    values = coded.dictionary.to_pylist()
    return [values[place] for place in np.unique(places_in(coded)) if place < len(values) and values[place] is not None]


def overwritten(chunk: pa.Array, column: str, rows: NDArray[np.bool_], mark: str) -> pa.DictionaryArray:
    """``chunk`` as text, with ``mark`` in ``rows``."""
    return reworded(chunk, column, np.where(rows, 0, -1), [mark])


def reworded(
    chunk: pa.Array, column: str, word: NDArray[np.integer], words: Sequence[str | None]
) -> pa.DictionaryArray:
    """``chunk`` as text, with ``words[word]`` in each row where ``word`` is not negative."""
    coded = as_text(chunk, column)
    places = np.where(word >= 0, len(coded.dictionary) + 1 + word, places_in(coded))
    return _with_dictionary(places, [*coded.dictionary.to_pylist(), None, *words])


def places_in(coded: pa.DictionaryArray) -> NDArray[np.intp]:
    """Per row the place of its value in the dictionary; one past the end for a missing value."""
    places: NDArray[np.intp] = pc.fill_null(coded.indices.cast(pa.int64()), len(coded.dictionary)).to_numpy()
    return places


def _with_dictionary(places: NDArray[np.integer], values: list[str | None]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), pa.array(values, pa.large_string()))


def column_values(chunk: pa.Array) -> pl.Series:
    """The values of a column row by row, without a dictionary."""
    if not pa.types.is_dictionary(chunk.type):
        return pl.Series(chunk)
    return pl.Series(chunk.dictionary).gather(pl.Series(chunk.indices))
