"""How long it takes to hold a release of a million records against its original, and the memory beyond both tables.

    python benchmarks/utility.py [--rows 1000000] [--predict]

As a yardstick, Cramér's V of all pairs of columns by pandas and scipy on the same table in the same run.
"""

import argparse
import resource
import time
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
from scipy.stats.contingency import association

import biombo as bb


def made_up(rows: int) -> pl.DataFrame:
    random = np.random.default_rng(1)
    age = np.clip(random.normal(40, 20, rows), 0, 99).astype(int)
    return pl.DataFrame(
        {
            "age": age,
            "sex": random.choice(["F", "M"], rows),
            "city": np.char.add("city ", random.integers(0, 50, rows).astype(str)),
            "cost": (random.gamma(2, 100, rows) + age).round(2),
            "dose": np.where(random.random(rows) < 0.3 + 0.4 * (age > 60), "second", "first"),
        }
    )


def peak_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def by_scipy(table: pl.DataFrame) -> None:
    frame = table.select("age", "sex", "city", "dose").to_pandas()
    for first, second in combinations(frame.columns, 2):
        association(pd.crosstab(frame[first], frame[second]).to_numpy(), method="cramer")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--predict", action="store_true")
    asked = parser.parse_args()
    table = made_up(asked.rows)
    plan = bb.Plan(
        operations=[bb.Generalise("age", bb.Hierarchy.by_interval(10), 1), bb.SuppressGroups()],
        criteria=[bb.KAnonymity(10)],
        quasi=["age", "sex", "city"],
        sensitive=["cost", "dose"],
    )
    release = bb.apply(table, plan).data
    before, start = peak_mebibytes(), time.perf_counter()
    bb.utility(table, release, plan=plan, predict="dose" if asked.predict else None, seed=0)
    taken = time.perf_counter() - start
    print(f"{asked.rows:,} records: {taken:.1f} s, {peak_mebibytes() - before:.0f} MiB beyond both tables")
    start = time.perf_counter()
    by_scipy(table)
    yardstick = time.perf_counter() - start
    print(f"{taken / yardstick:.1f} times what Cramér's V of six pairs of one table takes by pandas and scipy")


if __name__ == "__main__":
    main()
