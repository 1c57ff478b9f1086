"""The made-up health system of one state: facilities, municipalities, procedures, and who goes where for what.

Everything is held as lookup tables (see :mod:`biombo._samples.draws`): drawing a value is one array access.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._samples.draws import Codes, Floats, lookup, random

PROCEDURES = 1_800
BANDS = np.array([0.5, 5, 12, 20, 30, 42, 55, 65, 75, 87])
"""The middle of each age band that tells procedures apart."""

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


@dataclass(frozen=True)
class State:
    """The knobs for one state, set so that its figures come out near those measured in the real one."""

    uf: str
    number: int
    """The two digits that the state's municipalities begin with."""
    prior: float
    """The share of the most frequent procedure."""
    focus: float
    """The share of a facility's rows that its own main procedure takes, averaged over rows."""
    habit: float
    """The share of a visit's rows that goes to what people like this one come for in that month."""
    facilities: int
    municipalities: int
    size: float
    """How many rows the state has in a national sample, the average being 1."""

    def __post_init__(self) -> None:
        between("facilities", self.facilities, 1, 20_000)
        between("municipalities", self.municipalities, 1, 1_000)


def between(argument: str, value: float, low: float, high: float) -> None:
    """Refuse a value that no data can be made up for."""
    if not low <= value <= high:
        raise UsageError("usage.sample-range", argument=argument, value=value, low=low, high=high)


_STATES = (
    State("SP", 35, prior=0.070, focus=0.345, habit=0.26, facilities=1_500, municipalities=200, size=2.0),
    State("PI", 22, prior=0.044, focus=0.370, habit=0.36, facilities=180, municipalities=80, size=1.0),
    State("RR", 14, prior=0.060, focus=0.460, habit=0.35, facilities=60, municipalities=15, size=0.5),
    State("DF", 53, prior=0.220, focus=0.230, habit=0.02, facilities=60, municipalities=12, size=0.7),
    State("SE", 28, prior=0.068, focus=0.150, habit=0.02, facilities=90, municipalities=40, size=0.8),
)
STATES = {state.uf: state for state in _STATES}


def state_of(uf: str) -> State:
    """The state that ``uf`` names."""
    if uf not in STATES:
        raise UsageError("usage.sample-state", uf=uf, known=", ".join(STATES))
    return STATES[uf]


@dataclass(frozen=True, eq=False)
class Procedures:
    """``affinity[p, 2 * band + sex]`` says how much likelier p is for such a person than for anybody, on average 1."""

    common: int
    """The one done everywhere; it sets the prior and is not drawn for menus."""
    popularity: Floats
    affinity: Floats


def draw_procedures(rng: np.random.Generator) -> Procedures:
    """Procedures of skewed popularity, most of them for some ages more than for others, a tenth for one sex."""
    common = int(rng.integers(PROCEDURES))
    popularity = (rng.permutation(PROCEDURES) + 30.0) ** -0.8
    popularity[common] = 0
    affinity = _age_affinity(rng)[:, :, None] * _sex_affinity(rng)[:, None, :]
    affinity /= affinity.mean(axis=(1, 2), keepdims=True)
    affinity[common] = 1
    return Procedures(common, popularity / popularity.sum(), affinity.reshape(PROCEDURES, -1))


def _age_affinity(rng: np.random.Generator) -> Floats:
    centre = rng.uniform(0, 90, (PROCEDURES, 1))
    width = rng.uniform(8, 60, (PROCEDURES, 1))
    return np.exp(-0.5 * ((BANDS - centre) / width) ** 2) + 0.02


def _sex_affinity(rng: np.random.Generator) -> Floats:
    one_sex = rng.random(PROCEDURES) < 0.1
    women = np.where(one_sex, rng.choice([0.02, 0.98], PROCEDURES), 0.5)
    return np.stack([women, 1 - women], axis=1)


def band_of(ages: int) -> NDArray[np.uint8]:
    """The age band of every age below ``ages``."""
    bands: NDArray[np.uint8] = np.abs(np.arange(ages)[:, None] - BANDS).argmin(axis=1).astype(np.uint8)
    return bands


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
