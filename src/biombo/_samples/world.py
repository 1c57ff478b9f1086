"""The made-up health system of one state: facilities, municipalities, procedures, and who goes where for what.

Everything is held as lookup tables (see :mod:`biombo._samples.sampling`): drawing a value is one array access.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._samples.procedures import BANDS, PROCEDURES, Procedures, draw_procedures
from biombo._samples.sampling import Codes, Floats, lookup, random
from biombo._samples.state import State

AGES = 111
RACES = 5
MONTHS = 12
FACILITY_PLACES = 1 << 20
FINE = 1 << 12
BYTE = 1 << 8

_CLIENTELES = ((30.0, 60.0), (5.0, 6.0), (28.0, 9.0), (68.0, 12.0))
"""Whom a facility is for, as the centre and width of an age: everyone, children, young adults, the elderly."""

_RACE_SHARES = np.array([60.0, 8.0, 30.0, 1.6, 0.4])
_LARGEST_MENU = 250


@dataclass(frozen=True, eq=False)
class World:
    """Tables to draw from. The last axis of those named ``…_by`` is a uniform random place."""

    state: State
    facility_by: Codes
    home: Codes
    """The municipality of each facility."""
    residence_by: Codes
    """Where the people come from who visit a facility of a municipality."""
    clientele: Codes
    age_by: Codes
    """The ages of each clientele."""
    women: NDArray[np.float64]
    """The share of women among those who visit a facility."""
    race_by: Codes
    procedure_by: Codes
    """What is done at a facility for a person of one age band and sex; flat, a byte is the place."""
    habit: NDArray[np.uint8]
    """How many in 256 rows go to the habit, for each facility."""


def build_world(state: State, seed: int) -> World:
    """The health system of ``state``: the same for the same seed."""
    rng = random(seed, 0, state.number)
    sizes = _facility_sizes(rng, state.facilities)
    shares = _municipality_shares(rng, state.municipalities)
    procedures = draw_procedures(rng)
    return World(
        state=state,
        facility_by=lookup(sizes[None], FACILITY_PLACES)[0],
        home=_homes(rng, sizes, shares),
        residence_by=lookup(_residences(rng, shares), FINE),
        clientele=rng.integers(0, len(_CLIENTELES), state.facilities, dtype=np.uint8),
        age_by=lookup(_ages(), FINE),
        women=np.clip(rng.normal(0.6, 0.1, state.facilities), 0.1, 0.95),
        race_by=lookup(rng.dirichlet(1.5 * _RACE_SHARES, state.municipalities) + 1e-3, FINE),
        procedure_by=_procedures_by_facility(rng, state, sizes, procedures).ravel(),
        habit=_bytes(state.habit * rng.uniform(0.3, 1.7, state.facilities)),
    )


def _facility_sizes(rng: np.random.Generator, facilities: int) -> Floats:
    """A heavy tail: a few hospitals and laboratories do a large part of everything."""
    sizes = (rng.permutation(facilities) + 10.0) ** -1.6
    return _shares(sizes)


def _municipality_shares(rng: np.random.Generator, municipalities: int) -> Floats:
    return _shares((rng.permutation(municipalities) + 1.0) ** -1.5)


def _homes(rng: np.random.Generator, sizes: Floats, shares: Floats) -> Codes:
    """Facilities stand where people live, and every municipality has at least a small one."""
    homes: Codes = lookup(shares[None], FINE)[0][rng.integers(0, FINE, len(sizes))]
    smallest = np.argsort(sizes)[: len(shares)]
    homes[smallest] = np.arange(len(smallest))
    return homes


def _residences(rng: np.random.Generator, shares: Floats) -> Floats:
    """For each municipality, where its patients live: most in it, the others in large and near ones."""
    places = rng.random((len(shares), 2))
    distance = np.hypot(*(places[:, None] - places[None]).T)
    visitors: Floats = shares * np.exp(-6 * distance)
    np.fill_diagonal(visitors, 0)
    visitors *= 0.3 / np.maximum(visitors.sum(axis=1, keepdims=True), 1e-300)
    np.fill_diagonal(visitors, 0.7)
    return visitors


def _ages() -> Floats:
    ages = np.arange(AGES)
    living = np.exp(-(np.maximum(ages - 60, 0) ** 2) / 500) + 0.002
    return np.array([living + 1.5 * np.exp(-(((ages - centre) / width) ** 2)) for centre, width in _CLIENTELES])


def _procedures_by_facility(rng: np.random.Generator, state: State, sizes: Floats, procedures: Procedures) -> Codes:
    focus = rng.beta(1.2, 2.2, len(sizes))
    focus = np.clip(focus * state.focus / (focus @ sizes), 0.02, 0.95)
    common = rng.gamma(0.3, 1.0, len(sizes))
    common = np.minimum(common * state.prior / (common @ sizes), 0.6)
    table = np.empty((len(sizes), 2 * len(BANDS), BYTE), np.uint16)
    for facility in range(len(sizes)):
        menu, shares = _menu(rng, focus[facility], common[facility], procedures)
        wanted = shares[:, None] * procedures.affinity[menu]
        table[facility] = menu[lookup(wanted.T, BYTE)]
    return table


def _menu(
    rng: np.random.Generator, focus: float, common: float, procedures: Procedures
) -> tuple[NDArray[np.intp], Floats]:
    """What one facility does, and how often: the procedure common to all, its own main one, and a tail."""
    breadth = min(rng.lognormal(np.log(55), 1.0), _LARGEST_MENU)
    length = max(3, int(breadth * (1.2 - focus)))
    menu = rng.choice(PROCEDURES, length, replace=False, p=procedures.popularity)
    tail = np.arange(2.0, length + 1) ** -0.7
    shares = np.concatenate(([focus], (1 - focus) * _shares(tail))) * (1 - common)
    return np.concatenate(([procedures.common], menu)), np.concatenate(([common], shares))


def _shares(weights: NDArray[np.floating]) -> Floats:
    shares: Floats = weights / weights.sum()
    return shares


def _bytes(shares: Floats) -> NDArray[np.uint8]:
    return np.clip(256 * shares, 0, 255).astype(np.uint8)
