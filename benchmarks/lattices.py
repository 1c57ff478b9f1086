"""Lattices of any size, and time limits that hold, beside what ARX did on the same tables elsewhere.

    python benchmarks/lattices.py [--data FOLDER] [--settings 50] [--seconds 30]

ARX did not run here. Its losses on the credit table are those of its three heuristics, with 30 s each; its times on
adult are those of the reference figures; of the setting with eight columns it is known that it checked 237 nodes. Every
search runs in a process of its own, of which the peak memory is told. How long a limit was overrun depends on what else
the machine does: the processor time is told beside it.
"""

import argparse
import json
import multiprocessing
import os
import resource
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import biombo as bb
from biombo._cells import judge_groups
from timing import median_seconds

ARX_HEURISTICS = {"bottom-up": 0.671, "top-down": 0.671, "genetic": 0.641, "genetic, another run": 0.760}
EIGHT = ("MARRIAGE", "SEX", "PAY_0", "PAY_5", "LIMIT_BAL", "PAY_6", "PAY_3", "PAY_4")
ARX_CHECKED = 237
POLICIES = ("loss", "precision", "entropy", "discernibility", "absolute-distance")


def apart(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What a run says in a process of its own, with its peak memory."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measured, (run,))


def _measured(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    found = run()
    return found | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def searched(
    data: bb.Dataset, criteria: bb.Criterion | list[bb.Criterion], seconds: float, **asked: Any
) -> dict[str, Any]:
    """One search, with explanations, as plain numbers."""
    began, worked = time.monotonic(), time.process_time()
    found = bb.search(data, criteria, seconds=seconds, **asked)
    bb._search.explanations(found, seconds=0.5 if seconds else 0)
    return {
        "seconds": time.monotonic() - began,
        "processor": time.process_time() - worked,
        "score": found[0].score if found else None,
        "bound": found.bound,
        "optimal": found.optimal,
        "checked": found.checked,
        "lattice": found.lattice,
    }


def told(found: dict[str, Any]) -> str:
    """The numbers of one search, for a line."""
    score = "no plan" if found["score"] is None else f"score {found['score']:.4f}"
    proved = "proved the best" if found["optimal"] else f"nothing is below {found['bound']:.4f}"
    return (
        f"{score}, {proved}; {found['checked']:,} of {found['lattice']:.3g} nodes; {found['seconds']:.2f} s, "
        f"{found['processor']:.2f} s of processor time, peak {found['megabytes']:.0f} MB"
    )


def credit(folder: Path, seconds: float) -> dict[str, Any]:
    """All 24 columns of the credit table."""
    data = bb.read(folder / "creditcard.csv")
    hierarchies = {name: bb.Hierarchy.load(folder / f"creditcard_int_hierarchy_{name}.csv") for name in data.columns}
    asked = {"quasi": list(data.columns), "hierarchies": hierarchies, "loss_domain": "hierarchy"}
    return searched(data, bb.KAnonymity(5), seconds, max_suppression=0.05, **asked)


def eight(folder: Path, policy: str, limit: float) -> dict[str, Any]:
    """Eight columns of it, and what checking a node costs."""
    data = bb.read(folder / "creditcard.csv", columns=list(EIGHT))
    hierarchies = {name: bb.Hierarchy.load(folder / f"creditcard_int_hierarchy_{name}.csv") for name in EIGHT}
    whole = [data[name] for name in EIGHT]
    once = median_seconds(lambda: judge_groups(whole, [], data.rows, []), 5)
    asked = {"quasi": list(EIGHT), "hierarchies": hierarchies, "max_suppression": limit, "prefer": policy}
    bb.search(data, bb.KAnonymity(3), **asked)
    return searched(data, bb.KAnonymity(3), 0, **asked) | {"once": once}


def many_columns(columns: int, seconds: float) -> dict[str, Any]:
    """Columns that are kept or not, of 2,000 made-up records."""
    random = np.random.default_rng(1)
    names = [f"c{i}" for i in range(columns)]
    data = bb.read(pl.DataFrame({name: random.integers(0, 4, 2_000).astype(str) for name in names}))
    flat = dict.fromkeys(names, bb.Hierarchy.all_or_nothing())
    return searched(data, bb.KAnonymity(5), seconds, quasi=names, hierarchies=flat, max_suppression=0.05)


def random_setting(seed: int) -> dict[str, Any]:
    """A table, hierarchies, criteria and time limit that were drawn."""
    draw = np.random.default_rng(seed)
    rows, names = int(draw.integers(200, 30_000)), [f"c{i}" for i in range(int(draw.integers(5, 31)))]
    table = {name: (draw.zipf(draw.uniform(1.2, 3), rows) % int(draw.integers(2, 300))).astype(str) for name in names}
    hierarchies = {
        name: bb.Hierarchy.by_interval(2, [4, 16, 64][: int(draw.integers(0, 4))])
        if draw.random() < 0.8
        else bb.Hierarchy.all_or_nothing()
        for name in names
    }
    k, limit, seconds = int(draw.integers(2, 50)), float(draw.choice([0, 0.02, 0.2])), float(draw.choice([0.5, 1, 2]))
    asked = {"quasi": names, "hierarchies": hierarchies, "max_suppression": limit, "prefer": str(draw.choice(POLICIES))}
    besides = [
        bb.AverageRisk(1 / (2 * k)),
        bb.PopulationUniqueness(0.001, population=rows * int(draw.choice([2, 20, 1000]))),
        bb.LDiversity(2, kind="entropy", column="ill"),
        bb.TCloseness(0.3, column="ill"),
    ]
    more = [besides[int(draw.integers(0, 4))]] if draw.random() < 0.5 else []
    if more and isinstance(more[0], bb.PopulationUniqueness):
        k = 1  # or nobody is alone, and nothing is to be estimated
    table |= {"ill": draw.choice(["a", "a", "a", "b", "c", "d"], rows)}
    found = searched(bb.read(pl.DataFrame(table)), [bb.KAnonymity(k), *more], seconds, **asked)
    return found | {"over": found["seconds"] - seconds, "worked": found["processor"] - seconds}


def adult(folder: Path, reference: Path) -> None:
    """The settings in which ARX took less time elsewhere than we take here."""
    data = bb.read(folder / "adult.csv")
    policy = {"loss_gm": "loss", "entropy": "entropy", "precision": "precision"}
    results = [each for each in json.loads(reference.read_text())["results"] if "distinct-l=" not in each["id"]]
    hierarchies = {name: bb.Hierarchy.load(folder / f"adult_hierarchy_{name}.csv") for name in data.columns}
    slower = 0
    for setting in results:
        asked = {"quasi": list(setting["levels"]), "hierarchies": hierarchies, "loss_domain": "hierarchy", "plans": 1}
        asked |= {"max_suppression": setting["suppression_limit"], "prefer": policy[setting["metric"]]}
        seconds = median_seconds(partial(bb.search, data, bb.KAnonymity(setting["k"]), **asked), 3)
        arx = setting["ms_anonymize_median"] / 1000
        if seconds > arx:
            slower += 1
            print(f"  ARX was faster elsewhere: {setting['id']}: {arx:.3f} s, here {seconds:.3f} s")
    print(f"adult: of {len(results)} settings, ARX was faster elsewhere in {slower}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--settings", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if (options.data / "credit").is_dir():
        print(f"credit, 24 columns, k = 5, ≤ 5%, loss, {options.seconds:.0f} s: lower is better")
        print(f"  {told(apart(partial(credit, options.data / 'credit', options.seconds)))}")
        print("  ARX elsewhere, 30 s: " + ", ".join(f"{name} {loss}" for name, loss in ARX_HEURISTICS.items()))
        print(f"credit, 8 columns, k = 3: ARX checked {ARX_CHECKED} nodes for precision, ≤ 20%")
        for limit in (0.0, 0.05, 0.2):
            for policy in ("precision", "loss", "entropy", "discernibility"):
                found = apart(partial(eight, options.data / "credit", policy, limit))
                checks = found["seconds"] / found["once"]
                print(f"  {policy}, ≤ {limit:.0%}: {told(found)}; as long as {checks:.0f} checks of the table as it is")
        adult(options.data / "adult", options.data.parent / "reference" / "arx-adult.json")
    else:
        print(f"credit and adult: skipped, {options.data} is not here")
    print("columns that are kept or not, 2,000 records, k = 5, ≤ 5%")
    for columns, seconds in ((21, 2), (22, 1), (40, 1)):
        print(f"  {columns} columns, {seconds} s: {told(apart(partial(many_columns, columns, seconds)))}")
    drawn = [apart(partial(random_setting, seed)) for seed in range(options.settings)]
    over = sorted(each["over"] for each in drawn)
    print(
        f"{len(drawn)} random settings: limits overrun by {over[-1]:.2f} s at most, by less than a second in "
        f"{sum(each < 1 for each in over)}; processor time beyond the limit {max(e['worked'] for e in drawn):.2f} s; "
        f"plans in {sum(each['score'] is not None for each in drawn)}, proved the best (or that there is none) in "
        f"{sum(each['optimal'] for each in drawn)}, neither in "
        f"{sum(each['score'] is None and not each['optimal'] for each in drawn)}; "
        f"peak memory {max(each['megabytes'] for each in drawn):.0f} MB"
    )
