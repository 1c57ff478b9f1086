"""Rows of codes: people come to a facility, once or again, and each visit leaves one or many procedures."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._samples.procedures import BANDS, band_of
from biombo._samples.sampling import Codes, lookup, random, spread
from biombo._samples.world import AGES, BYTE, FACILITY_PLACES, FINE, MONTHS, RACES, World

BLOCK_ROWS = 1 << 18
"""Blocks have their own random numbers, so a stream of them does not depend on how it is cut into batches."""

Block = dict[str, Codes]

_ROWS_PER_VISIT = 5.0
_VISITS_PER_PERSON = 1.5
_BAND_OF = band_of(AGES)
_LAG_BY = lookup(np.array([[0.80, 0.15, 0.04, 0.01]]), BYTE)[0]
"""How many months after the procedure it is processed."""
_STEP = 159
"""Near 256 over the golden ratio: steps of it, round the clock, stay evenly spread wherever they stop."""


def blocks(world: World, seed: int, rows: int, year: int) -> Iterator[Block]:
    """``rows`` rows, block by block."""
    for number, start in enumerate(range(0, rows, BLOCK_ROWS)):
        yield _block(world, random(seed, 1, world.state.number, year, number), min(BLOCK_ROWS, rows - start))


@dataclass(frozen=True, eq=False)
class _People:
    facility: Codes
    municipality: Codes
    age: Codes
    race: Codes
    sex: Codes

    def at(self, index: NDArray[np.int64]) -> "_People":
        return _People(*(field[index] for field in vars(self).values()))

    def procedures_start(self) -> NDArray[np.int64]:
        """Where the table of what is done for people like these begins."""
        profile = (self.facility.astype(np.int64) * len(BANDS) + _BAND_OF[self.age]) * 2 + self.sex
        return profile * BYTE


def _block(world: World, rng: np.random.Generator, rows: int) -> Block:
    visits = max(1, round(rows / _ROWS_PER_VISIT))
    visitors = _visitors(world, rng, visits)
    month = rng.integers(0, MONTHS, visits, dtype=np.uint8)
    processed = month + _LAG_BY[rng.integers(0, BYTE, visits, dtype=np.uint8)]
    start = visitors.procedures_start()
    usual = world.procedure_by[start + _habit_place(world, visitors, month)]
    visit, place = _rows(rng, rows, visits)
    by_habit = rng.integers(0, BYTE, rows, dtype=np.uint8) < world.habit[visitors.facility][visit]
    return {
        "PA_CODUNI": visitors.facility[visit],
        "PA_MUNPCN": visitors.municipality[visit],
        "PA_IDADE": visitors.age[visit],
        "PA_MVM": processed[visit],
        "PA_CMP": month[visit],
        "PA_RACACOR": visitors.race[visit],
        "PA_SEXO": visitors.sex[visit],
        "PA_PROC_ID": np.where(by_habit, usual[visit], world.procedure_by[start[visit] + place]),
    }


def _visitors(world: World, rng: np.random.Generator, visits: int) -> _People:
    """Who comes, visit by visit."""
    people = max(1, round(visits / _VISITS_PER_PERSON))
    facility = world.facility_by[rng.integers(0, FACILITY_PLACES, people)]
    municipality = world.residence_by[world.home[facility], rng.integers(0, FINE, people)]
    age = world.age_by[world.clientele[facility], rng.integers(0, FINE, people)]
    race = world.race_by[municipality, rng.integers(0, FINE, people)]
    sex = (rng.random(people) >= world.women[facility]).astype(np.uint8)
    returning = spread(visits, rng.standard_exponential(people))
    return _People(facility, municipality, age, race, sex).at(np.repeat(np.arange(people), returning))


def _habit_place(world: World, who: _People, month: Codes) -> NDArray[np.int64]:
    """The place of what such people come for in that month, the same for all of them: a hash of all that is known.

    It is what an adversary with every column learns however many rows there are; chance alone would fade with them.
    """
    key = who.facility.astype(np.uint64)
    for values, cardinality in (
        (who.municipality, world.state.municipalities),
        (who.age, AGES),
        (who.race, RACES),
        (who.sex, 2),
        (month, MONTHS),
    ):
        key = key * np.uint64(cardinality) + values
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (key >> np.uint64(56)).astype(np.int64)


def _rows(rng: np.random.Generator, rows: int, visits: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each row its visit and the place of its procedure, in random order.

    The places of one visit are spread evenly, as a panel of examinations is: a long visit mirrors what the facility
    does, and its most frequent procedure is no accident.
    """
    lengths = spread(rows, rng.lognormal(0.0, 0.7, visits))
    visit = np.repeat(np.arange(visits), lengths)
    nth = np.arange(rows) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    place = (np.repeat(rng.integers(0, BYTE, visits), lengths) + nth * _STEP) % BYTE
    both = visit * BYTE + place
    rng.shuffle(both)
    return both // BYTE, both % BYTE
