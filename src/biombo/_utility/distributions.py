"""How far the values of each column are from where they were."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from biombo._cells import Counts, tallied
from biombo._data import Column, Dataset, parse_numbers, written
from biombo._plan import LevelledValues, RecodedColumn
from biombo._utility.column_view import Floats
from biombo._utility.reasons import Reason
from biombo._utility.tables import Compared, Tables

INTERVALS = 20
"""Amounts with more different values than this are compared in intervals of equally many original records."""


@dataclass(frozen=True)
class ColumnDistance:
    """How far a column's distribution in the release is from the original's, at the release's level of detail.

    A mark of what is not told, such as ``*``, is as far as can be from whatever it stands for, and so is the one value
    that a plan makes of all: a column of nothing else has a distance of 1.
    """

    column: str
    total_variation: float | None = None
    """½ Σ |p − q|, from 0 to 1."""
    hellinger: float | None = None
    """√(½ Σ (√p − √q)²), from 0 to 1."""
    earth_movers: float | None = None
    """How far values moved on average, in the column's own unit (days, for dates)."""
    earth_movers_share: float | None = None
    """The same as a share of the original's range."""
    unplaced: float = 0.0
    """The share of the release's records without a place in the order, such as masked ones, which are not moved."""
    generalised: bool = False
    """Was the original recoded by the plan first?"""
    reasons: tuple[Reason, ...] = ()
    """Why something is missing."""


def column_distances(tables: Tables) -> tuple[ColumnDistance, ...]:
    """All columns that both tables have."""
    return tuple(_distance(tables, name) for name in tables.columns)


def _distance(tables: Tables, name: str) -> ColumnDistance:
    compared = tables.asked(name)
    both = _Both.of(name, compared, tables.marks, tables.locally.get(name))
    generalised = name in tables.generalised
    places = _places(tables, name, compared, both)
    if places is None and name not in tables.perturbed and both.strange(tables.marks):
        return ColumnDistance(name, reasons=("other-detail" if tables.plan is None else "other-plan",))
    p, q = both.shares
    alike = p, q
    if places is not None and not generalised:
        alike = _in_intervals(places, p, q)
    moved, share, unplaced = (None, None, 0.0) if places is None else _moved(places, p, q)
    return ColumnDistance(
        column=name,
        total_variation=total_variation(*alike),
        hellinger=hellinger(*alike),
        earth_movers=moved,
        earth_movers_share=share,
        unplaced=unplaced,
        generalised=generalised,
        reasons=() if moved is not None else ("nothing-told",) if both.tells_nothing else ("not-ordered",),
    )


@dataclass(frozen=True, eq=False)
class _Both:
    """The values of one column in both tables, as written, and how often they occur."""

    values: Sequence[str | None]
    before: Floats
    after: Floats
    untold: frozenset[str | None]
    """Those that say nothing of what the original said."""

    @classmethod
    def of(cls, name: str, compared: Compared, marks: frozenset[str], locally: RecodedColumn | None = None) -> "_Both":
        own, shown = (_held(data, name) for data in (compared.recoded, compared.release))
        if locally is not None:
            shown = _spread_evenly(shown, compared.original, locally)
        place = {value: i for i, value in enumerate(dict.fromkeys([*own, *shown]))}
        counts = [np.zeros(len(place)), np.zeros(len(place))]
        for count, held in zip(counts, (own, shown), strict=True):
            count[[place[value] for value in held]] = list(held.values())
        untold = _untold(name, compared, marks)
        lost = [place[value] for value in untold if value in place and counts[0][place[value]]]
        # What the plan leaves of these values is told apart from what they were.
        apart = counts[0][lost]
        counts[0][lost] = 0
        before, after = np.append(counts[0], apart), np.append(counts[1], np.zeros_like(apart))
        values = list(place)
        return cls([*values, *(values[each] for each in lost)], before, after, untold)

    @property
    def tells_nothing(self) -> bool:
        """Is there nothing in the release but what says nothing?"""
        return {value for value, count in zip(self.values, self.after.tolist(), strict=True) if count} <= self.untold

    @property
    def shares(self) -> tuple[Floats, Floats]:
        return self.before / self.before.sum(), self.after / self.after.sum()

    def strange(self, marks: frozenset[str]) -> bool:
        """Does the release say something that the original does not, and that is no mark of what is not told?"""
        only_after = ((self.after > 0) & (self.before == 0)).tolist()
        strangers = {value for value, is_new in zip(self.values, only_after, strict=True) if is_new}
        return bool(strangers - marks - self.untold - {None})


def _held(data: Dataset, name: str) -> dict[str | None, float]:
    """By value: how many records have it."""
    held = tallied(data[name].codes, data[name].cardinality, data.counts)
    found: dict[str | None, float] = {}
    for value, count in zip(written(data[name].values).to_list(), held.tolist(), strict=True):
        found[value] = found.get(value, 0) + count
    return found


def _spread_evenly(
    shown: Mapping[str | None, float], original: Dataset, locally: RecodedColumn
) -> dict[str | None, float]:
    """Records by original value, where a broader one counts evenly for all values that it stands for: so a reader who
    knows no more than the release would take it.
    """
    there = np.ones(original.rows, bool)
    under = LevelledValues.of(original, locally, there, "data").values_under
    found: dict[str | None, float] = {}
    for value, count in shown.items():
        values = under.get(value, (value,))
        for each in values:
            found[each] = found.get(each, 0) + count / len(values)
    return found


def _untold(name: str, compared: Compared, marks: frozenset[str]) -> frozenset[str | None]:
    """What the plan makes of values without saying anything of them: marks, or the one value that it makes of all."""
    own, told = (_occurring(data, name) for data in (compared.original, compared.recoded))
    return frozenset(told - own) if len(told) == 1 < len(own) else frozenset(marks & told - own)


def _occurring(data: Dataset, name: str) -> set[str | None]:
    held = tallied(data[name].codes, data[name].cardinality, data.counts)
    return {value for value, count in zip(written(data[name].values).to_list(), held.tolist(), strict=True) if count}


def _places(tables: Tables, name: str, compared: Compared, both: _Both) -> Floats | None:
    """Where each value lies in the column's order, not a number for those without a place; none without an order."""
    original = compared.original[name]
    if name not in tables.generalised:
        places = _in_order(tables, original, pl.Series(both.values, dtype=pl.String))
    else:
        own = _in_order(tables, original, written(original.values))
        under = _means_under(original, compared.recoded[name], own, compared.original.counts)
        places = np.array([under.get(value, np.nan) for value in both.values])
    apart = tables.apart(name)
    places[[value in apart for value in both.values]] = np.nan
    told = np.array([value is not None and value not in apart for value in both.values])
    lost = told & np.isnan(places) & (both.after > 0) & (both.before == 0)
    return None if lost.any() or np.isnan(places[both.before > 0]).all() else places


def _in_order(tables: Tables, original: Column, values: pl.Series) -> Floats:
    """The numbers or dates (in days) that ``values`` are."""
    if original.values.dtype == pl.Date:
        numbers = values.str.to_date(strict=False).to_physical().cast(pl.Float64)
    elif original.name in tables.numeric:
        numbers = parse_numbers(values)
    else:
        return np.full(len(values), np.nan)
    return np.array(numbers.fill_null(np.nan).to_numpy(), np.float64)


def _means_under(original: Column, recoded: Column, own: Floats, counts: Counts | None) -> dict[str | None, float]:
    """Per label: the mean of the original numbers that the plan turns into it."""
    numbers = own[original.codes]
    known = ~np.isnan(numbers)
    codes, weights = recoded.codes[known], numbers[known] if counts is None else (numbers * counts)[known]
    count = tallied(recoded.codes, recoded.cardinality, counts, known)
    total = np.bincount(codes, weights=weights, minlength=recoded.cardinality)
    means = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return dict(zip(written(recoded.values).to_list(), means.tolist(), strict=True))


def _in_intervals(places: Floats, p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Both distributions by number; over intervals where there are many: noisy numbers hardly ever agree."""
    there = ~np.isnan(places)
    bounds = np.unique(places[there])
    if len(bounds) > INTERVALS:
        bounds = _quantiles(places, p)
    interval = np.searchsorted(bounds, places[there])

    def within(shares: Floats) -> Floats:
        inside = np.bincount(interval, weights=shares[there], minlength=len(bounds) + 1)
        return np.concatenate([inside, shares[~there]])

    return within(p), within(q)


def _quantiles(places: Floats, p: Floats) -> Floats:
    """The ends of intervals that hold equally many original records, as far as equal numbers allow."""
    occurring = np.flatnonzero(~np.isnan(places) & (p > 0))
    in_order = occurring[np.argsort(places[occurring], kind="stable")]
    reached = np.cumsum(p[in_order]) / p[in_order].sum()
    wanted = np.arange(1, INTERVALS) / INTERVALS
    return np.unique(places[in_order[np.searchsorted(reached, wanted - 1e-12)]])


def _moved(places: Floats, p: Floats, q: Floats) -> tuple[float | None, float | None, float]:
    """The earth mover's distance, as a share of the range as well, and the share of records that it leaves out."""
    there = ~np.isnan(places)
    before, after = p[there], q[there]
    unplaced = float(q[~there].sum())
    if not before.sum() or not after.sum():
        return None, None, unplaced
    moved = earth_movers(places[there], before / before.sum(), after / after.sum())
    occurring = places[there][before > 0]
    reach = float(occurring.max() - occurring.min())
    return moved, moved / reach if reach else None, unplaced


def total_variation(p: Floats, q: Floats) -> float:
    """½ Σ |p − q|: the share of records that would have to change their value.

    >>> total_variation(np.array([0.5, 0.5]), np.array([0.75, 0.25]))
    0.25
    """
    return min(1.0, float(np.abs(p - q).sum()) / 2)


def hellinger(p: Floats, q: Floats) -> float:
    """√(½ Σ (√p − √q)²), from 0 (alike) to 1 (nothing in common).

    >>> hellinger(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    return min(1.0, float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)))


def earth_movers(places: Floats, p: Floats, q: Floats) -> float:
    """∫ |P − Q|: how far values must be moved on average to make one distribution of the other.

    >>> earth_movers(np.array([10.0, 20.0, 30.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.5, 0.5]))
    15.0
    """
    order = np.argsort(places, kind="stable")
    ahead = np.cumsum(p[order] - q[order])[:-1]
    return float((np.abs(ahead) * np.diff(places[order])).sum())
