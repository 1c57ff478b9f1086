"""A national school census and a survey drawn from it: who was asked, by every combination of five columns.

    python benchmarks/membership.py [--people 48536347] [--asked 102072] [--repeat 5]

Made-up people with the sizes of Rodrigues (2022), who could only do one city. Prints the time of all 31 subsets
from codes, the peak memory, and the ratio to one Polars join of two group-bys by all five columns, on the same codes.
Aims: below 6 GiB, and all 31 in less time than that one join.
"""

import argparse
import resource
from dataclasses import dataclass

import numpy as np
import polars as pl

from biombo._cells import Codes, MembershipCounts, SampledCells, narrowest
from timing import median_seconds

CARDINALITY = {"sex": 2, "race": 6, "birth_month": 12, "birth_year": 25, "municipality": 5_570}


@dataclass(frozen=True)
class Coded:
    name: str
    codes: Codes
    cardinality: int


def made_up_census(people: int, seed: int = 2015) -> dict[str, Codes]:
    """Municipalities of very unequal size, school ages, races that differ by place."""
    random = np.random.default_rng(seed)
    sizes = random.pareto(1.1, CARDINALITY["municipality"]) + 0.05
    bounds = np.cumsum(sizes / sizes.sum())
    municipality = np.searchsorted(bounds, random.random(people, np.float32)).clip(0, CARDINALITY["municipality"] - 1)
    year = np.minimum((random.random(people, np.float32) ** 1.3 * 25).astype(np.uint8), 24)
    race = ((random.random(people, np.float32) ** 2 * 6).astype(np.uint8) + (municipality % 3).astype(np.uint8)) % 6
    columns = {
        "sex": random.integers(0, 2, people, np.uint8),
        "race": race,
        "birth_month": random.integers(0, 12, people, np.uint8),
        "birth_year": year,
        "municipality": municipality,
    }
    return {name: column.astype(narrowest(CARDINALITY[name])) for name, column in columns.items()}


def sweep(census: dict[str, Codes], survey: dict[str, Codes]) -> MembershipCounts:
    tables = [[Coded(name, t[name], c) for name, c in CARDINALITY.items()] for t in (census, survey)]
    rows = (len(census["sex"]), len(survey["sex"]))
    return SampledCells.count(*tables, rows).sweep(len(CARDINALITY))


def one_join(census: pl.DataFrame, survey: pl.DataFrame) -> pl.DataFrame:
    names = list(CARDINALITY)
    return census.group_by(names).len("n").join(survey.group_by(names).len("d"), on=names)


def peak_gibibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=48_536_347)
    parser.add_argument("--asked", type=int, default=102_072)
    parser.add_argument("--repeat", type=int, default=5)
    asked = parser.parse_args()
    census = made_up_census(asked.people)
    chosen = np.random.default_rng(1).choice(asked.people, asked.asked, replace=False)
    survey = {name: codes[chosen] for name, codes in census.items()}
    before = peak_gibibytes()
    found = sweep(census, survey)
    ours = median_seconds(lambda: sweep(census, survey), asked.repeat)
    print(f"{asked.people:,} people, {asked.asked:,} of them asked, all 31 subsets: {ours:.2f} s")
    print(f"  peak memory {peak_gibibytes():.1f} GiB, of which {before:.1f} GiB to make the people up (aim: below 6)")
    frames = pl.DataFrame(census), pl.DataFrame(survey)
    joined = one_join(*frames)
    expected = (joined["d"] * joined["d"] / joined["n"]).sum()
    assert abs(found.share[-1] - expected) < 1e-6 * expected, "the sweep and the join disagree"
    theirs = median_seconds(lambda: one_join(*frames), asked.repeat)
    print(f"  one Polars join of two group-bys by all five: {theirs:.2f} s, {theirs / ours:.2f} times as long (aim: 1)")


if __name__ == "__main__":
    main()
