"""Rows of codes and what they stand for: people come to a facility, and each visit leaves procedures.

No facility, municipality or procedure of these numbers is meant.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from biombo._samples.draws import Codes, lookup, narrowest, random, spread
from biombo._samples.world import (
    AGES,
    BANDS,
    BYTE,
    FACILITY_PLACES,
    FINE,
    MONTHS,
    PROCEDURES,
    RACES,
    State,
    World,
    band_of,
    between,
    build_world,
)

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
INVALID = {"PA_MUNPCN": "999999", "PA_IDADE": "999", "PA_RACACOR": "99", "PA_SEXO": "0"}
"""What stands for an unknown value; it has the code after the last valid one."""

_CONSOLIDATED = 0.1
"""The share of invalid rows that report a total, without any person; the others only lack the race."""

_MOST_ROWS = 10_000_000_000


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


def dictionaries(state: State, seed: int, year: int) -> dict[str, pa.StringArray]:
    """The values of each column in the order of their codes."""
    values = {
        "PA_CODUNI": _facilities(state, seed),
        "PA_MUNPCN": [f"{state.number}{9000 + municipality}" for municipality in range(state.municipalities)],
        "PA_IDADE": [f"{age:03}" for age in range(AGES)],
        "PA_MVM": _months(year, 15),
        "PA_CMP": _months(year, 12),
        "PA_RACACOR": [f"{race:02}" for race in range(1, RACES + 1)],
        "PA_SEXO": ["F", "M"],
        "PA_PROC_ID": [_procedure(number) for number in range(PROCEDURES)],
    }
    return {name: pa.array([*column, *_invalid(name)]) for name, column in values.items()}


def _invalid(column: str) -> list[str]:
    return [INVALID[column]] if column in INVALID else []


def _facilities(state: State, seed: int) -> list[str]:
    numbers = random(seed, 2, state.number).choice(10_000_000, state.facilities, replace=False, shuffle=False)
    return [f"{number:07}" for number in np.sort(numbers)]


def _months(year: int, count: int) -> list[str]:
    return [f"{year + month // 12}{month % 12 + 1:02}" for month in range(count)]


def _procedure(number: int) -> str:
    """Group, subgroup, form, number and check digit, as in SIGTAP; its subgroups end well below the 31 used here."""
    form, item = divmod(number, 15)
    subgroup, form = divmod(form, 5)
    group, subgroup = divmod(subgroup, 3)
    digits = f"{group + 1:02}{subgroup + 31}{form + 1:02}{item + 1:03}"
    return f"{digits}{sum(map(int, digits)) % 10}"


def with_invalid(blocks: Iterator[Block], world: World, seed: int, share: float) -> Iterator[Block]:
    """The blocks, with a value unknown in ``share`` of the rows; the others stay what they are without it."""
    codes = {"PA_MUNPCN": world.state.municipalities, "PA_IDADE": AGES, "PA_SEXO": 2}
    for number, block in enumerate(blocks):
        chance = random(seed, 3, world.state.number, number).random(len(block["PA_RACACOR"]))
        block["PA_RACACOR"][chance < share] = RACES
        for column, code in codes.items():
            block[column] = block[column].astype(narrowest(code + 1), copy=False)
            block[column][chance < share * _CONSOLIDATED] = np.uint16(code)
        yield block


def rebatched(blocks: Iterator[Block], batch_rows: int) -> Iterator[Block]:
    """The same rows, ``batch_rows`` at a time; the last batch may be shorter."""
    held: list[Block] = []
    missing = batch_rows
    for block in blocks:
        while _rows_in(block) >= missing:
            yield _joined([*held, _cut(block, slice(missing))])
            block = _cut(block, slice(missing, None))
            held, missing = [], batch_rows
        held.append(block)
        missing -= _rows_in(block)
    if missing < batch_rows:
        yield _joined(held)


def as_arrow(block: Block, dictionaries: Mapping[str, pa.StringArray]) -> pa.RecordBatch:
    """The block as dictionary-encoded strings. A dictionary of one value and no codes makes a constant column."""
    rows = _rows_in(block)
    columns = {
        name: pa.DictionaryArray.from_arrays(block.get(name, np.zeros(rows, np.uint8)), values)
        for name, values in dictionaries.items()
    }
    return pa.RecordBatch.from_pydict(columns)


def _rows_in(block: Block) -> int:
    return len(next(iter(block.values())))


def _cut(block: Block, rows: slice) -> Block:
    return {name: codes[rows] for name, codes in block.items()}


def _joined(parts: list[Block]) -> Block:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@dataclass(frozen=True)
class StateRecords:
    """The records of one state and year. Equal samples give equal rows in the same order, however they are cut."""

    state: State
    rows: int
    seed: int
    year: int = 2023
    invalid_share: float = 0.0

    def __post_init__(self) -> None:
        between("rows", self.rows, 1, _MOST_ROWS)
        between("invalid_share", self.invalid_share, 0, 1)

    def codes(self, batch_rows: int) -> Iterator[Block]:
        """The records as code arrays, ``batch_rows`` at a time."""
        between("batch_rows", batch_rows, 1, _MOST_ROWS)
        world = build_world(self.state, self.seed)
        records = blocks(world, self.seed, self.rows, self.year)
        if self.invalid_share:
            records = with_invalid(records, world, self.seed, self.invalid_share)
        return rebatched(records, batch_rows)

    def batches(self, batch_rows: int, **constants: str) -> Iterator[pa.RecordBatch]:
        """The records as dictionary-encoded strings, ``constants`` being columns of one value before the others."""
        values = {name: pa.array([value]) for name, value in constants.items()}
        values |= dictionaries(self.state, self.seed, self.year)
        return (as_arrow(batch, values) for batch in self.codes(batch_rows))
