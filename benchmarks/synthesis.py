"""What synthetic records are good for, beside k-anonymity at the same risk, with the time and memory that they take.

    python benchmarks/synthesis.py [--table ../shared/data/adult/adult.csv] [--epsilon 1 --epsilon 3] [--delta 1e-6]

The risk that is held equal is how often the salary class is guessed right by whoever knows the other columns: of
synthetic records from the nearest one, of k-anonymous ones from the group; k is the one of several that comes nearest.
Lost is told by the measures of `biombo utility`: the mean distance of columns, and of what pairs have in common.
"""

import argparse
import resource
import time
from pathlib import Path
from statistics import mean

import polars as pl

import biombo as bb

QUASI = ["age", "sex", "race", "marital-status", "education"]
SECRET = "salary-class"
KS = (2, 5, 10, 25, 50, 100)


def peak_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def schema_of(table: pl.DataFrame) -> bb.Schema:
    """Domains as a codebook would list them."""
    columns = {name: bb.ColumnSchema("quasi", domain=tuple(sorted(table[name].unique()))) for name in QUASI[1:]}
    columns["age"] = bb.ColumnSchema("quasi", "discrete", bounds=(16, 91))
    columns[SECRET] = bb.ColumnSchema("sensitive", domain=tuple(sorted(table[SECRET].unique())))
    return bb.Schema(columns)


def lost(table: pl.DataFrame, release: pl.DataFrame, plan: bb.Plan | None = None) -> str:
    found = bb.utility(table, release, plan=plan)
    distances = [each.total_variation for each in found.distances if each.total_variation is not None]
    pairs = mean(abs(each.difference) for each in found.associations.pairs)
    return f"columns {mean(distances):.3f} ({len(distances)} compared), pairs {pairs:.3f}"


def synthetic(table: pl.DataFrame, schema: bb.Schema, epsilon: float | None, mechanism: str, delta: float) -> float:
    before, start = peak_mebibytes(), time.perf_counter()
    made = bb.synthesise(table, schema=schema, epsilon=epsilon, delta=delta, mechanism=mechanism)
    taken, memory = time.perf_counter() - start, peak_mebibytes() - before
    inference = next(each for each in made.risk.attacks if each.attack == "inference")
    guessed = inference.tries.original[0] / inference.tries.original[1]
    called = "no guarantee" if epsilon is None else f"{mechanism}, ε = {epsilon:g}, δ = {delta:g}"
    print(
        f"synthetic, {called}: lost {lost(table, made.data)}; guessed {guessed:.3f}; {taken:.1f} s, {memory:.0f} MiB",
        flush=True,
    )
    return guessed


def k_anonymous(table: pl.DataFrame, folder: Path, risk: float) -> None:
    hierarchies = {name: bb.Hierarchy.load(folder / f"adult_hierarchy_{name}.csv") for name in QUASI}
    found = {}
    for k in KS:
        start = time.perf_counter()
        best = bb.search(
            table, bb.KAnonymity(k), quasi=QUASI, sensitive=SECRET, hierarchies=hierarchies, max_suppression=0.05
        )[0]
        release = bb.apply(table, best.plan).data
        posterior = bb.attribute_inference(release, QUASI, SECRET).to_frame()["posterior"].max()
        found[k] = abs(posterior - risk), posterior, best.plan, release, time.perf_counter() - start
    k = min(found, key=lambda each: found[each][0])
    _, posterior, plan, release, taken = found[k]
    print(f"{k}-anonymous: lost {lost(table, release, plan)}; guessed {posterior:.3f}; {taken:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=Path, default=Path("../shared/data/adult/adult.csv"))
    parser.add_argument("--epsilon", type=float, action="append")
    parser.add_argument("--delta", type=float, default=1e-6)
    asked = parser.parse_args()
    table = pl.read_csv(asked.table, separator=";").select(*QUASI, SECRET)
    schema = schema_of(table)
    tried = [(epsilon, mechanism) for epsilon in asked.epsilon or () for mechanism in ("mst", "aim")]
    for epsilon, mechanism in ((None, "mst"), *tried):
        k_anonymous(table, asked.table.parent, synthetic(table, schema, epsilon, mechanism, asked.delta))


if __name__ == "__main__":
    main()
