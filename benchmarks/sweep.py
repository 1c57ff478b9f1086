"""How fast the sweep is beside other ways to get the same numbers, all on the same made-up codes in one run.

    python benchmarks/sweep.py [--skip-privattacks] [--repeat 5]

Machines are noisy, so what counts are the ratios. The prototype is compiled from ../shared/prototype where that is
present, with -march=native; the kernel is built as it is shipped.
"""

import argparse
import ctypes
import subprocess
import tempfile
import time
from itertools import combinations
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl

import biombo as bb
from biombo._cells import Cells, Codes
from biombo._samples import QUASI, SENSITIVE, code_arrays, write_parquet
from timing import median_seconds

SUBSETS = [subset for size in range(1, len(QUASI) + 1) for subset in combinations(QUASI, size)]
PROTOTYPE = Path(__file__).parents[1] / ".." / "shared" / "prototype" / "sweep.cpp"


class Coded:
    def __init__(self, name: str, codes: Codes) -> None:
        self.name, self.codes, self.cardinality = name, codes, int(codes.max()) + 1


def sweep(codes: dict[str, Codes]) -> dict[tuple[str, ...], tuple[int, int, int]]:
    """Top sum, groups and unique records of every subset, from raw codes."""
    columns = [Coded(name, codes[name]) for name in QUASI]
    cells = Cells.count(columns, [Coded(SENSITIVE, codes[SENSITIVE])], len(codes[SENSITIVE]))
    found = cells.sweep(len(QUASI))
    numbers = zip(found.top[:, 0], found.groups.sum(axis=1), found.groups[:, 0], strict=True)
    return {subset: (int(a), int(b), int(c)) for subset, (a, b, c) in zip(SUBSETS, numbers, strict=True)}


def duckdb_group_bys(codes: dict[str, Codes]) -> dict[tuple[str, ...], tuple[int, int, int]]:
    connection = duckdb.connect()
    connection.register("source", pl.DataFrame(codes))
    connection.execute("CREATE TABLE t AS SELECT * FROM source")
    found = {}
    for subset in SUBSETS:
        names = ", ".join(subset)
        row = connection.execute(
            f"SELECT sum(top), count(*), count(*) FILTER (size = 1) FROM (SELECT max(n) AS top, sum(n) AS size FROM "
            f"(SELECT {names}, count(*) AS n FROM t GROUP BY {names}, {SENSITIVE}) GROUP BY {names})"
        ).fetchone()
        assert row is not None
        found[subset] = (int(row[0]), int(row[1]), int(row[2]))
    return found


class Prototype:
    """The 90 lines that showed the idea: attribute inference only, seven columns of 16 bits."""

    def __init__(self, folder: Path, codes: dict[str, Codes]) -> None:
        library = folder / "sweep.so"
        flags = ["-O3", "-march=native", "-shared", "-fPIC", "-lpthread"]
        subprocess.run(["g++", str(PROTOTYPE), "-o", str(library), *flags], check=True)
        self.library = ctypes.CDLL(str(library))
        self.order = sorted(QUASI, key=lambda name: -int(codes[name].max()))
        columns = [codes[name].astype(np.uint16) for name in (*self.order, SENSITIVE)]
        self.rows = np.ascontiguousarray(np.stack(columns, axis=1))
        self.cardinality = [int(codes[name].max()) + 1 for name in (*self.order, SENSITIVE)]

    def run(self) -> dict[tuple[str, ...], float]:
        out = np.zeros(128)
        cardinality = (ctypes.c_int * 7)(*self.cardinality[:7])
        rows = self.rows.ctypes.data_as(ctypes.c_void_p)
        pointer = out.ctypes.data_as(ctypes.c_void_p)
        self.library.run(rows, ctypes.c_size_t(len(self.rows)), cardinality, self.cardinality[7], 2, pointer)
        return {s: out[sum(1 << self.order.index(name) for name in s)] for s in SUBSETS}


def from_parquet(path: Path) -> pl.DataFrame:
    return bb.attribute_inference(bb.read(path, schema="siapa")).subsets


def privattacks_from_parquet(path: Path) -> pd.DataFrame:
    import privattacks

    data = privattacks.Data(dataframe=pd.read_parquet(path))
    attack = privattacks.Attack(data)
    sizes = list(range(1, len(QUASI) + 1))
    return attack.posterior_vulnerability("ai", list(QUASI), [SENSITIVE], combinations=sizes, n_processes=2)


def compare_at_one_million(repeat: int) -> None:
    codes = code_arrays(1_000_000)
    assert sweep(codes) == duckdb_group_bys(codes), "the sweep and DuckDB disagree"
    ours = median_seconds(lambda: sweep(codes), repeat)
    theirs = median_seconds(lambda: duckdb_group_bys(codes), repeat)
    frame = pl.DataFrame(codes)
    one = median_seconds(lambda: frame.group_by(*QUASI, SENSITIVE).len(), repeat)
    print(f"1,000,000 rows, 127 subsets with groups and unique counts: {ours:.2f} s")
    print(f"  127 DuckDB group-bys: {theirs:.2f} s, {theirs / ours:.1f} times as long (aim: 15)")
    print(f"  one Polars group-by over all eight columns: {one:.2f} s, the sweep takes {ours / one:.1f} times as long")


def compare_at_ten_million(repeat: int) -> None:
    codes = code_arrays(10_000_000)
    ours = median_seconds(lambda: sweep(codes), repeat)
    print(f"10,000,000 rows, 127 subsets with groups and unique counts: {ours:.2f} s")
    frame = pl.DataFrame(codes)
    one = median_seconds(lambda: frame.group_by(*QUASI, SENSITIVE).len(), repeat)
    print(f"  one Polars group-by over all eight columns: {one:.2f} s, the sweep takes {ours / one:.1f} times as long")
    if not PROTOTYPE.exists():
        print("  the prototype (../shared/prototype) is not here: not compared")
        return
    with tempfile.TemporaryDirectory() as folder:
        prototype = Prototype(Path(folder), codes)
        found = sweep(codes)
        assert all(found[s][0] / 10_000_000 == value for s, value in prototype.run().items())
        theirs = median_seconds(prototype.run, repeat)
    print(f"  the prototype, without groups: {theirs:.2f} s, {theirs / ours:.2f} times as long (aim: 1.5)")


def compare_from_parquet(repeat: int, skip_privattacks: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sia.parquet"
        write_parquet(path, 1_000_000)
        ours = median_seconds(lambda: from_parquet(path), repeat)
        print(f"1,000,000 rows, from a Parquet file to 127 values: {ours:.2f} s")
        if skip_privattacks:
            print("  privattacks: skipped as asked")
            return
        start = time.perf_counter()
        privattacks_from_parquet(path)
        theirs = time.perf_counter() - start
        print(f"  privattacks on two processes, once: {theirs:.0f} s, {theirs / ours:.0f} times as long (aim: 100)")


def show_growth(repeat: int) -> None:
    print("Growth (aim: doubling the rows takes at most 2.3 times as long):")
    before = None
    for rows in (1_000_000, 2_000_000, 4_000_000, 8_000_000):
        codes = code_arrays(rows)
        seconds = median_seconds(lambda codes=codes: sweep(codes), repeat)
        print(f"  {rows:>10,} rows {seconds:6.2f} s" + (f"  × {seconds / before:.2f}" if before else ""))
        before = seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the median counts")
    parser.add_argument("--skip-privattacks", action="store_true", help="leave the peer out that takes minutes")
    asked = parser.parse_args()
    compare_at_one_million(asked.repeat)
    compare_at_ten_million(asked.repeat)
    show_growth(asked.repeat)
    compare_from_parquet(asked.repeat, asked.skip_privattacks)


if __name__ == "__main__":
    main()
