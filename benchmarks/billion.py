"""A thousand million made-up records in Parquet parts through ``biombo risk``: how far one machine goes.

    python benchmarks/billion.py [--rows 10000000 30000000 100000000 1000000000] [--tuples 20000000] [--folder FOLDER]

Prints, for each number of rows, the distinct tuples among them, and the time, what all cores took together, and the
peak memory of the command alone; making the records up is not counted. Fewer rows are the first parts of more. Aims
for the last: below 12 GiB and 12 minutes on two cores. ``--tuples`` is what memory follows; with 100 million of them
the limit shows (``--rows 200000000 --tuples 100000000``). With ``--folder`` the parts stay there, and those that are
there already are used again.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

Words = NDArray[np.uint64]

ROWS_A_PART = 5_000_000
ROWS_A_GROUP = 1_000_000
BYTES_A_ROW = 11
MONTHS = 120
CARDINALITY = {
    "PA_CODUNI": 4_000,
    "PA_MUNPCN": 645,
    "PA_IDADE": 111,
    "PA_MVM": MONTHS + 3,
    "PA_CMP": MONTHS,
    "PA_RACACOR": 5,
    "PA_SEXO": 2,
    "PA_PROC_ID": 3_600,
}
_FIRST_YEAR = 2014
_POPULAR = 50
"""Half of the records have one of a fiftieth of the tuples."""


def mixed(numbers: Words) -> Words:
    """Numbers that look drawn, the same ones for the same ``numbers``."""
    words = numbers * np.uint64(0x9E3779B97F4A7C15)
    words ^= words >> np.uint64(29)
    words *= np.uint64(0xBF58476D1CE4E5B9)
    words ^= words >> np.uint64(32)
    return words


def tuple_numbers(first: int, rows: int, tuples: int) -> Words:
    """Which tuple each of the records from ``first`` on has: every second one the next, the others a popular one."""
    places = np.arange(first, first + rows, dtype=np.uint64)
    popular = mixed(places) % np.uint64(max(1, tuples // _POPULAR))
    return np.where(places % np.uint64(2) == 0, places // np.uint64(2) % np.uint64(tuples), popular)


def codes_of(numbers: Words) -> dict[str, NDArray[np.uint16]]:
    """The values of tuples: facilities of unequal size, people from nearby, and what a facility does for an age."""
    facilities, cities, procedures = (CARDINALITY[name] for name in ("PA_CODUNI", "PA_MUNPCN", "PA_PROC_ID"))
    chance, other = mixed(numbers + np.uint64(1)), mixed(numbers ^ np.uint64(0x5851F42D4C957F2D))
    facility = _skewed(facilities, 3)[_bits(chance, 0)].astype(np.uint32)
    age = _skewed(CARDINALITY["PA_IDADE"], 1.4)[_bits(chance, 16)]
    month = _skewed(MONTHS, 1)[_bits(chance, 32)]
    away = _skewed(cities, 8)[_bits(other, 0)].astype(np.uint32)
    offered = _skewed(60, 2)[_bits(other, 16)].astype(np.uint32)
    return {
        "PA_CODUNI": facility.astype(np.uint16),
        "PA_MUNPCN": ((facility * np.uint32(7) + away) % np.uint32(cities)).astype(np.uint16),
        "PA_IDADE": age,
        "PA_MVM": month + _skewed(4, 3)[_bits(chance, 48)],
        "PA_CMP": month,
        "PA_RACACOR": _skewed(CARDINALITY["PA_RACACOR"], 2)[_bits(other, 32)],
        "PA_SEXO": (other >> np.uint64(63)).astype(np.uint16),
        "PA_PROC_ID": ((facility * np.uint32(31) + age // 20 * 12 + offered) % np.uint32(procedures)).astype(np.uint16),
    }


def _bits(words: Words, shift: int) -> NDArray[np.uint16]:
    return (words >> np.uint64(shift)).astype(np.uint16)


def _skewed(values: int, power: float) -> NDArray[np.uint16]:
    """A value for each number of 16 bits; the higher the power, the more have a low one."""
    return (np.linspace(0, 1, 1 << 16, endpoint=False) ** power * values).astype(np.uint16)


def dictionaries() -> dict[str, pa.Array]:
    """How the values are written."""
    months = [f"{_FIRST_YEAR + month // 12}{month % 12 + 1:02}" for month in range(CARDINALITY["PA_MVM"])]
    return {
        "PA_CODUNI": pa.array([f"{2_000_000 + 13 * number:07}" for number in range(CARDINALITY["PA_CODUNI"])]),
        "PA_MUNPCN": pa.array([f"{350_000 + 7 * number}" for number in range(CARDINALITY["PA_MUNPCN"])]),
        "PA_IDADE": pa.array([f"{age:03}" for age in range(CARDINALITY["PA_IDADE"])]),
        "PA_MVM": pa.array(months),
        "PA_CMP": pa.array(months[:MONTHS]),
        "PA_RACACOR": pa.array([f"{race + 1:02}" for race in range(CARDINALITY["PA_RACACOR"])]),
        "PA_SEXO": pa.array(["F", "M"]),
        "PA_PROC_ID": pa.array([f"{301_010_000 + 17 * number:010}" for number in range(CARDINALITY["PA_PROC_ID"])]),
    }


def part_paths(folder: Path, rows: int) -> list[Path]:
    """The parts that hold the first ``rows`` records."""
    return [folder / f"part-{number:04}.parquet" for number in range(-(-rows // ROWS_A_PART))]


def write_part(number: int, rows: int, tuples: int, folder: Path) -> None:
    """Write one part of a table of ``rows`` records, unless it is there already."""
    path = folder / f"part-{number:04}.parquet"
    if path.exists():
        return
    values = dictionaries()
    schema = pa.schema([(name, pa.dictionary(pa.uint16(), pa.string())) for name in values])
    end = min(rows, (number + 1) * ROWS_A_PART)
    begun = path.with_suffix(".begun")
    with pq.ParquetWriter(begun, schema, store_schema=False, write_statistics=False) as writer:
        for first in range(number * ROWS_A_PART, end, ROWS_A_GROUP):
            codes = codes_of(tuple_numbers(first, min(ROWS_A_GROUP, end - first), tuples))
            arrays = [pa.DictionaryArray.from_arrays(codes[name], values[name]) for name in values]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
    begun.rename(path)


def distinct_tuples(rows: int, tuples: int) -> int:
    """How many different ones the first ``rows`` records have; tuples of different numbers may be equal."""
    numbers = max(min(tuples, (rows + 1) // 2), min(rows, tuples // _POPULAR), 1)
    packed = np.empty(numbers, np.uint64)
    for first in range(0, numbers, ROWS_A_GROUP):
        codes = codes_of(np.arange(first, min(first + ROWS_A_GROUP, numbers), dtype=np.uint64))
        word = np.zeros(len(codes["PA_SEXO"]), np.uint64)
        for name, cardinality in CARDINALITY.items():
            word = word * np.uint64(cardinality) + codes[name]
        packed[first : first + len(word)] = word
    packed.sort()
    return 1 + int(np.count_nonzero(packed[1:] != packed[:-1]))


@dataclass(frozen=True)
class Run:
    """What the command took, and what it said."""

    seconds: float
    processor_seconds: float
    peak_bytes: int
    found: dict[str, object]


def run_risk(parts: list[Path]) -> Run:
    """``biombo risk`` on some parts."""
    program = "import sys; from biombo._cli import main; sys.exit(main())"
    arguments = ["risk", *map(str, parts), "--schema", "siapa", "--json"]
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        command = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=output)
        _, status, usage = os.wait4(command.pid, 0)
        seconds = time.perf_counter() - start
        command.returncode = os.waitstatus_to_exitcode(status)
        if command.returncode != 0:
            sys.exit(f"biombo risk ended with {command.returncode}")
        output.seek(0)
        return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, json.load(output))


def measure(folder: Path, sizes: list[int], tuples: int) -> None:
    """Make up what is missing in ``folder``, and print a line for each size."""
    # The memory of whoever starts a command counts as the command's: others make the records up.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as workers:
        start = time.perf_counter()
        parts = part_paths(folder, max(sizes))
        list(workers.map(partial(write_part, rows=max(sizes), tuples=tuples, folder=folder), range(len(parts))))
        size = sum(path.stat().st_size for path in parts)
        print(f"Made up {max(sizes):,} records in {time.perf_counter() - start:.0f} s: {size / 1e9:.2f} GB", flush=True)
        distinct = list(workers.map(partial(distinct_tuples, tuples=tuples), sizes))
    print(f"\n{'rows':>13}  {'distinct tuples':>15}  {'seconds':>8}  {'of a core':>9}  {'peak GiB':>8}")
    for rows, different in zip(sizes, distinct, strict=True):
        run = run_risk(part_paths(folder, rows))
        if run.found["records"] != rows:
            sys.exit(f"{run.found['records']:,} records were counted, not {rows:,}")
        times = f"{run.seconds:8.1f}  {run.processor_seconds:9.1f}"
        print(f"{rows:13,}  {different:15,}  {times}  {run.peak_bytes / 2**30:8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**7, 3 * 10**7, 10**8, 10**9])
    parser.add_argument("--tuples", type=int, default=20_000_000, help="how many combinations of values, about")
    parser.add_argument("--folder", type=Path, help="where the parts are kept; else they are removed afterwards")
    asked = parser.parse_args()
    if any(rows % ROWS_A_PART for rows in asked.rows):
        sys.exit(f"A part has {ROWS_A_PART:,} rows; ask for a multiple of that.")
    if asked.folder:
        asked.folder.mkdir(parents=True, exist_ok=True)
    where = asked.folder or Path(tempfile.gettempdir())
    needed, free = max(asked.rows) * BYTES_A_ROW, shutil.disk_usage(where).free
    print(f"Needs about {needed / 1e9:.1f} GB in {where} ({free / 1e9:.1f} GB free).", flush=True)
    if needed > free:
        sys.exit("Not enough room there; choose another --folder.")
    with tempfile.TemporaryDirectory() as folder:
        measure(asked.folder or Path(folder), asked.rows, asked.tuples)


if __name__ == "__main__":
    main()
