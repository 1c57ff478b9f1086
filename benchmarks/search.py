"""The search for the best generalisation, beside one check of the whole table and beside what ARX takes.

    python benchmarks/search.py [--adult FOLDER] [--siapa-rows 10000000]

ARX did not run here: its times are those of the reference figures, and 130 to 150 s for the large table, measured warm,
with one thread, one setting at a time, on this kind of machine.
"""

import argparse
import json
import resource
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import biombo as bb
from biombo._cells import judge_groups
from timing import median_seconds

KS, LIMITS = (2, 5, 10, 100), (0.0, 0.02, 0.05)
BIG_ROWS, SKEW = 1_200_000, 1.27
BIG = {  # cardinality, and how many neighbours each step up brings together
    "sex": (2, [2]),
    "age": (60, [5, 2, 2, 2, 99]),
    "race": (5, [2, 99]),
    "marital": (7, [3, 99]),
    "education": (16, [2, 4, 99]),
    "country": (30, [6, 99]),
    "place": (200, [10, 5, 2, 99]),
    "occupation": (14, [99]),
    "salary": (2, [2]),
}


def order_hierarchy(cardinality: int, steps: list[int]) -> bb.Hierarchy:
    """Neighbours brought together, step by step, until there is one."""
    widths = np.cumprod(steps)
    tree: dict[str, Any] = {}
    for value in range(cardinality):
        node = tree
        for width in widths[:0:-1]:
            node = node.setdefault(f"{width}:{value // width}", {})
        node.setdefault(f"{widths[0]}:{value // widths[0]}", []).append(str(value))
    return bb.Hierarchy.by_hand(tree)


def big_table(rows: int = BIG_ROWS, seed: int = 1) -> pl.DataFrame:
    """Made-up people: skewed columns, some of which follow each other."""
    draw = np.random.default_rng(seed)
    columns = {}
    for name, (cardinality, _) in BIG.items():
        weights = 1 / (1 + np.arange(cardinality)) ** SKEW
        columns[name] = draw.choice(cardinality, rows, p=weights / weights.sum())
    # Two thirds of the people have the education and the salary that go with their occupation, and marry by age.
    follows = draw.random(rows) < 2 / 3
    columns["education"] = np.where(follows, columns["occupation"], columns["education"])
    columns["salary"] = np.where(follows, columns["occupation"] % 2, columns["salary"])
    columns["marital"] = np.where(follows, columns["age"] // 10 % 7, columns["marital"])
    return pl.DataFrame({name: codes.astype(str) for name, codes in columns.items()})


def report(
    title: str, data: bb.Dataset, hierarchies: dict[str, Any], quasi: list[str], arx: dict[float, float], repeat: int
) -> None:
    """One setting at a time, then all twelve together."""
    asked = {"quasi": quasi, "hierarchies": hierarchies}
    whole = [data[name] for name in quasi]
    once = median_seconds(lambda: judge_groups(whole, [], data.rows, []), repeat)
    print(f"\n{title}: {data.rows:,} rows; one full check of the table as it is: {once:.3f} s")
    for limit in LIMITS:
        seconds, found = _timed(
            lambda limit=limit: bb.search(data, bb.KAnonymity(5), max_suppression=limit, **asked), repeat
        )
        beside = f"; ARX elsewhere {arx[limit]:.2f} s = {arx[limit] / seconds:.1f}×" if limit in arx else ""
        nodes = f"{found.checked:,} of {found.lattice:,} nodes checked"
        print(
            f"  k = 5, ≤ {limit:.0%}: {seconds:.2f} s, {nodes}, {seconds / once:.1f} full checks, "
            f"optimal {found.optimal}, loss {found[0].loss:.4f}{beside}"
        )
    seconds, _ = _timed(partial(bb.frontier, data, ks=KS, limits=LIMITS, **asked), repeat)
    print(f"  the twelve settings k ∈ {KS} × {LIMITS} together: {seconds:.2f} s")


def _timed(run: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    found: list[Any] = []
    return median_seconds(lambda: found.append(run()), repeat), found[-1]


def adult(folder: Path, reference: Path) -> None:
    """ARX's example table."""
    if not folder.is_dir():
        print(f"adult: skipped, {folder} is not here")
        return
    data = bb.read(folder / "adult.csv")
    arx = {}
    if reference.is_file():
        for result in json.loads(reference.read_text())["results"]:
            if (result["dataset"], result["k"], result["metric"]) == ("adult9", 5, "loss_gm"):
                arx[result["suppression_limit"]] = result["ms_anonymize_median"] / 1000
    quasi = list(data.columns)
    report("adult, nine columns", data, {name: folder / f"adult_hierarchy_{name}.csv" for name in quasi}, quasi, arx, 5)


def big() -> None:
    """The shape of the issue: 1.2 million rows, nine columns, about 670,000 distinct tuples, about 26,000 nodes."""
    data = bb.read(big_table())
    hierarchies = {name: order_hierarchy(*shape) for name, shape in BIG.items()}
    tuples = len(judge_groups([data[name] for name in BIG], [], data.rows, []).size)
    report(f"made up, {tuples:,} distinct tuples", data, hierarchies, list(BIG), {0.05: 140.0}, 5)


def siapa(rows: int) -> None:
    """Outpatient records as the sample makes them up."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made-up.parquet"
        bb.samples.write_parquet(path, rows)
        data = bb.read(path, schema="siapa", columns=bb.samples.QUASI)
    hierarchies = {"PA_MUNPCN": bb.Hierarchy.by_prefix([4, 2], digits=6)}
    report("SIA-PA, made up", data, hierarchies, list(bb.samples.QUASI), {}, 5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    shared = Path(__file__).parents[2] / "shared"
    parser.add_argument("--adult", type=Path, default=shared / "data" / "adult")
    parser.add_argument("--siapa-rows", type=int, default=10_000_000)
    options = parser.parse_args()
    adult(options.adult, shared / "reference" / "arx-adult.json")
    big()
    siapa(options.siapa_rows)
    print(f"\nPeak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB")
