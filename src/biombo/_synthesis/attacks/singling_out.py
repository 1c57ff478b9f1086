"""Singling out: a predicate that exactly one synthetic record meets, and exactly one original one (Giomi et al. 2023).

Whether a predicate singles out depends on how many records there are, so it is asked of as many original records as
there are control ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from biombo._synthesis.attacks.rates import Tries
from biombo._synthesis.attacks.three_tables import Records, SharedColumn, Side, ThreeTables

Sign = Literal["=", "≤", "≥", "≠"]
_ATTEMPTS = 20
"""Predicates that are looked at for each one that is wanted, at most."""


@dataclass(frozen=True)
class Part:
    """A condition on one column, by codes."""

    column: str
    sign: Sign
    code: int

    def met(self, codes: NDArray[np.int64], column: SharedColumn) -> NDArray[np.bool_]:
        """By record. A missing amount is on no side."""
        if self.sign in "=≠":
            return np.asarray(codes == self.code if self.sign == "=" else codes != self.code)
        assert column.units is not None
        there = ~np.isnan(column.units)[codes]
        return np.asarray((codes <= self.code if self.sign == "≤" else codes >= self.code) & there)


Predicate = tuple[Part, ...]


def single_out(tables: ThreeTables, tries: int, together: int) -> Tries:
    """Predicates on one column (``together`` = 1), or on several, each tried on both sides."""
    found = _alone(tables) if together == 1 else _together(tables, tries, together)
    predicates = _some(found, tries, tables)
    there = {name: np.unique(column.codes["synthetic"]) for name, column in tables.columns.items()}
    by_chance = [_at_random(tables, there, together) for _ in range(tries)]
    size = min(tables.sizes["original"], tables.sizes["control"])
    subsets = {side: tables.some(side, size) for side in ("original", "control")}
    original, control = (_singled(tables, side, predicates, subsets[side]) for side in ("original", "control"))
    baseline = _singled(tables, "original", by_chance, subsets["original"])
    many = len(predicates)
    return Tries((original, many), (control, many), (baseline, tries))


def _some(found: Sequence[Predicate], tries: int, tables: ThreeTables) -> list[Predicate]:
    return [found[place] for place in tables.random.order(len(found))[:tries]]


def _singled(tables: ThreeTables, side: Side, predicates: Sequence[Predicate], records: Records | None) -> int:
    """How many of them exactly one record meets."""
    held = {
        name: column.codes[side] if records is None else column.codes[side][records]
        for name, column in tables.columns.items()
    }
    return sum(_meeting(tables, held, predicate) == 1 for predicate in predicates)


def _meeting(tables: ThreeTables, held: dict[str, NDArray[np.int64]], predicate: Predicate) -> int:
    met = [part.met(held[part.column], tables.columns[part.column]) for part in predicate]
    return int(np.logical_and.reduce(met).sum())


def _alone(tables: ThreeTables) -> list[Predicate]:
    """Values that one synthetic record has, and the lowest and the highest amount where one has it."""
    return [(part,) for column in tables.columns.values() for part in _rare(column)]


def _rare(column: SharedColumn) -> Iterator[Part]:
    counts = np.bincount(column.codes["synthetic"], minlength=column.cardinality)
    for code in np.flatnonzero(counts == 1):
        yield Part(column.name, "=", int(code))
    if column.units is None:
        return
    amounts = np.flatnonzero((counts > 0) & ~np.isnan(column.units))
    if len(amounts) and counts[amounts[0]] == 1:
        yield Part(column.name, "≤", int(amounts[0]))
    if len(amounts) and counts[amounts[-1]] == 1:
        yield Part(column.name, "≥", int(amounts[-1]))


def _together(tables: ThreeTables, tries: int, together: int) -> list[Predicate]:
    """What a synthetic record has in some columns, amounts as those at least as far from the middle; different
    predicates that no other synthetic record meets."""
    names, found = list(tables.columns), dict.fromkeys(list[Predicate]())
    held = {name: column.codes["synthetic"] for name, column in tables.columns.items()}
    middles = {name: float(np.median(codes)) for name, codes in held.items()}
    records = np.floor(tables.random.uniform(tries * _ATTEMPTS) * tables.sizes["synthetic"]).astype(int)
    orders = np.argsort(tables.random.uniform(len(records) * len(names)).reshape(-1, len(names)))[:, :together]
    for record, order in zip(records, orders, strict=True):
        chosen = sorted(names[place] for place in order)
        predicate = tuple(_as_far(tables.columns[name], int(held[name][record]), middles[name]) for name in chosen)
        if predicate not in found and _meeting(tables, held, predicate) == 1:
            found[predicate] = None
        if len(found) == tries:
            break
    return list(found)


def _as_far(column: SharedColumn, code: int, middle: float) -> Part:
    if column.units is None or np.isnan(column.units[code]):
        return Part(column.name, "=", code)
    return Part(column.name, "≥" if code > middle else "≤", code)


def _at_random(tables: ThreeTables, there: Mapping[str, NDArray[np.int64]], together: int) -> Predicate:
    names = list(tables.columns)
    return tuple(_any_part(tables, name, there[name]) for name in _drawn(names, tables)[:together])


def _drawn(names: Sequence[str], tables: ThreeTables) -> list[str]:
    return [names[place] for place in tables.random.order(len(names))]


def _any_part(tables: ThreeTables, name: str, there: NDArray[np.int64]) -> Part:
    luck = tables.random.uniform(2)
    signs: tuple[Sign, ...] = ("=", "≠") if tables.columns[name].units is None else ("=", "≠", "≤", "≥")
    return Part(name, signs[int(luck[1] * len(signs))], int(there[int(luck[0] * len(there))]))
