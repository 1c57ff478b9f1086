"""Continuous columns in intervals, so that attacks can ask who shares a value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Codes, Counts, narrowest, tallied
from biombo._data.dataset import Column
from biombo._data.numbers import parse_numbers
from biombo._data.plain import written
from biombo._data.schema import ColumnSchema
from biombo._errors import ColumnError

BinningKind = Literal["equal-width", "equal-frequency", "each-value"]
Numbers = NDArray[np.float64]
_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True)
class Binning:
    """What was done to a continuous column: where its intervals begin and end, and how they were chosen.

    The edges of dates are days since 1970. With the kind ``each-value``, the edges are the values themselves.
    """

    column: str
    edges: tuple[float, ...]
    kind: BinningKind


@dataclass(frozen=True)
class _Bins:
    """Intervals in order, and the one that a number falls into."""

    edges: Numbers
    kind: BinningKind
    labels: Sequence[str]
    place: Callable[[Numbers], NDArray[np.intp]]


def binned(
    column: Column, schema: ColumnSchema, bins: int = 20, counts: Counts | None = None
) -> tuple[Column, Binning]:
    """``column`` with intervals for values, and how they were chosen; ``counts`` are the records of each of its codes.

    Within the bounds of the schema the intervals are equally wide, and what lies outside falls into an open one at
    either end. Without bounds they hold equally many records, as far as equal values allow. A column with no more than
    ``bins`` different numbers keeps them. Missing and invalid values stay what they are.
    """
    names = written(column.values)
    apart = (names.is_null() | names.is_in(_listed(schema))).to_numpy()
    records = tallied(column.codes, column.cardinality, counts)
    asked = ~apart & (records > 0)
    numbers = _numbers(column, asked)[asked]
    chosen = _chosen(numbers, records[asked], schema, bins, _formatter(column.values.dtype))
    labels = names.to_list()
    for code, place in zip(np.flatnonzero(asked), chosen.place(numbers), strict=True):
        labels[code] = chosen.labels[place]
    order = [*chosen.labels, *(labels[code] for code in np.flatnonzero(apart & (records > 0)))]
    edges = tuple(float(edge) for edge in chosen.edges)
    return _relabelled(column, labels, order), Binning(column.name, edges, chosen.kind)


def _listed(schema: ColumnSchema) -> list[str]:
    return [value for value in schema.invalid if value is not None]


def _numbers(column: Column, asked: NDArray[np.bool_]) -> Numbers:
    values = column.values
    if values.dtype == pl.Date or isinstance(values.dtype, pl.Datetime):
        values = values.cast(pl.Datetime("us")).cast(pl.Int64) / timedelta(days=1).total_seconds() / 1e6
    numbers = parse_numbers(values)
    strange = column.values.filter(pl.Series(asked) & numbers.is_null())
    if len(strange):
        raise ColumnError("column.not-numbers", column=column.name, example=strange[0])
    return numbers.fill_null(np.nan).to_numpy()


def _chosen(
    numbers: Numbers,
    counts: Counts,
    schema: ColumnSchema,
    bins: int,
    formatted: Callable[[Numbers], list[str]],
) -> _Bins:
    distinct = np.unique(numbers)
    if len(distinct) <= bins:
        return _Bins(distinct, "each-value", formatted(distinct), lambda asked: np.searchsorted(distinct, asked))
    if schema.bounds is not None:
        return _equally_wide(np.linspace(*schema.bounds, bins + 1), formatted)
    return _equally_frequent(_frequency_edges(numbers, counts, bins), formatted)


def _equally_wide(edges: Numbers, formatted: Callable[[Numbers], list[str]]) -> _Bins:
    names = formatted(edges)
    labels = [f"(-∞, {names[0]})", *_intervals(names), f"({names[-1]}, ∞)"]

    def place(numbers: Numbers) -> NDArray[np.intp]:
        inside = np.searchsorted(edges[1:-1], numbers, side="right") + 1
        return np.where(numbers < edges[0], 0, np.where(numbers > edges[-1], len(labels) - 1, inside))

    return _Bins(edges, "equal-width", labels, place)


def _equally_frequent(edges: Numbers, formatted: Callable[[Numbers], list[str]]) -> _Bins:
    starts = edges[:-1]
    return _Bins(
        edges,
        "equal-frequency",
        _intervals(formatted(edges)),
        lambda numbers: np.searchsorted(starts, numbers, side="right") - 1,
    )


def _frequency_edges(numbers: Numbers, counts: Counts, bins: int) -> Numbers:
    """Each interval begins at a value where a share of the rows ends, as if the rows were sorted; the last at most."""
    order = np.argsort(numbers)
    rows_up_to = np.cumsum(counts[order])
    firsts = [int(rows_up_to[-1]) * place // bins for place in range(bins)]
    starts = numbers[order][np.searchsorted(rows_up_to, firsts, side="right")]
    return np.append(np.unique(starts), numbers.max())


def _intervals(names: Sequence[str]) -> list[str]:
    """Half-open intervals between neighbours, the last one closed."""
    labels = [f"[{low}, {high})" for low, high in pairwise(names)]
    return [*labels[:-1], labels[-1][:-1] + "]"]


def _formatter(dtype: pl.DataType) -> Callable[[Numbers], list[str]]:
    return _dates if dtype == pl.Date or isinstance(dtype, pl.Datetime) else _short_numbers


def _short_numbers(numbers: Numbers) -> list[str]:
    """Ten digits each, or all of them where neighbours would look the same."""
    short = [f"{number:.10g}" for number in numbers]
    return short if len(set(short)) == len(set(numbers.tolist())) else [repr(float(number)) for number in numbers]


def _dates(days: Numbers) -> list[str]:
    moments = [_EPOCH + timedelta(days=float(day)) for day in days]
    return [moment.isoformat(" ").removesuffix(" 00:00:00") for moment in moments]


def _relabelled(column: Column, labels: Sequence[str | None], order: Sequence[Any]) -> Column:
    """``column`` with ``labels[code]`` in place of each value; those that occur get codes in ``order``."""
    used = set(labels)
    values = [label for label in dict.fromkeys(order) if label in used]
    code_of = {label: code for code, label in enumerate(values)}
    lookup: Codes = np.array([code_of.get(label, 0) for label in labels], narrowest(len(values)))  # type: ignore[assignment]
    return Column(column.name, lookup[column.codes], pl.Series(column.name, values, pl.String))
