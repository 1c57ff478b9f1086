"""Local recoding beside the best global plans, beside ARX's, and how it grows.

    python benchmarks/local_recoding.py [--adult FOLDER] [--siapa FILE] [--rows 1000000]

ARX did not run here: its granularity and its times are those that were measured with the same table elsewhere.
"""

import argparse
import resource
import time
from pathlib import Path
from typing import Any

import biombo as bb
from search import BIG, big_table, order_hierarchy

ARX = {2: (0.966, 2.5), 5: (0.932, 5.9), 10: (0.905, 9.9)}
"""By k: the granularity that ARX's local recoding keeps on adult, and its seconds."""
KINDS = ("local", "multidimensional", "multidimensional-relaxed")


def timed(*asked: Any, **how: Any) -> tuple[float, Any]:
    """How long a search took, and what it found."""
    begun = time.perf_counter()
    found = bb.search(*asked, **how)
    return time.perf_counter() - begun, found


def adult(folder: Path) -> None:
    """ARX's example table with nine columns; the measure is ARX's."""
    if not folder.is_dir():
        print(f"adult: skipped, {folder} is not here")
        return
    data = bb.read(folder / "adult.csv")
    quasi = list(data.columns)
    files = {name: folder / f"adult_hierarchy_{name}.csv" for name in quasi}
    asked: dict[str, Any] = {"quasi": quasi, "hierarchies": files, "loss_domain": "hierarchy"}
    # ARX's measure counts the domain's share itself: a column of two values weighs half.
    domains = {name: len(bb.Hierarchy.load(path).values or ()) for name, path in files.items()}
    weights = {name: 1 - 1 / count for name, count in domains.items()}
    print(f"\nadult, nine columns, {data.records:,} records: granularity in ARX's measure")
    for k, (granularity, seconds) in ARX.items():
        _, best = timed(data, bb.KAnonymity(k), max_suppression=0.05, prefer="arithmetic-loss", **asked)
        beside = f"best global plan, 5% suppressed, {best[0].granularity:.3f}"
        print(f"  k = {k}: ARX elsewhere {granularity:.3f} in {seconds} s; {beside}")
        for kind in KINDS:
            taken, found = timed(data, bb.KAnonymity(k), recoding=kind, weights=weights, **asked)
            print(f"    {kind}: {found[0].arx.granularity:.4f} in {taken:.1f} s, {found[0].groups:,} groups")


def predicted(folder: Path) -> None:
    """How well the salary class can still be predicted."""
    if not folder.is_dir():
        return
    data, target = folder / "adult.csv", "salary-class"
    table = bb.read(data)
    quasi = [name for name in table.columns if name != target]
    files = {name: folder / f"adult_hierarchy_{name}.csv" for name in quasi}
    asked: dict[str, Any] = {"quasi": quasi, "sensitive": [target], "hierarchies": files}
    print("\nadult, eight columns: how often the salary class is predicted right")
    for k in (5, 10):
        for kind, more in (("global", {"max_suppression": 0.05}), ("local", {})):
            found = bb.search(table, bb.KAnonymity(k), recoding=kind, **more, **asked)
            released = bb.apply(data, found[0].plan).data
            told = bb.utility(data, released, plan=found[0].plan, predict=target).classification
            by_forest = [each.forest for each in (told.original, told.release, told.for_new_records)]
            before, within, new = (f"{share:.1%}" for share in by_forest)
            print(f"  k = {k}, {kind}: {within} by a forest, {new} of new records; original {before}")


def siapa(file: Path) -> None:
    """Outpatient records of a small state."""
    if not file.is_file():
        print(f"SIA-PA: skipped, {file} is not here")
        return
    quasi = list(bb.samples.QUASI)
    data = bb.read(file, schema="siapa", columns=quasi)
    print(f"\nSIA-PA, {data.records:,} records, {len(quasi)} columns: granularity")
    asked: dict[str, Any] = {"quasi": quasi, "missing": "own-branch"}
    for k in (2, 5, 10):
        _, best = timed(data, bb.KAnonymity(k), max_suppression=0.05, prefer="arithmetic-loss", **asked)
        kept = f"{best[0].granularity:.4f}" if best else "none"
        print(f"  k = {k}: best global plan, 5% suppressed, {kept}")
        for kind in KINDS:
            taken, found = timed(data, bb.KAnonymity(k), recoding=kind, **asked)
            print(f"    {kind}: {found[0].granularity:.4f} in {taken:.1f} s, {found[0].groups:,} groups")


def growth(rows: int) -> None:
    """Nine made-up columns, k = 5, up to so many records, doubling."""
    hierarchies = {name: order_hierarchy(*shape) for name, shape in BIG.items()}
    print("\nmade up, nine columns, k = 5, local")
    before = None
    for number in (rows // 4, rows // 2, rows):
        data = bb.read(big_table(number))
        taken, found = timed(data, bb.KAnonymity(5), quasi=list(BIG), hierarchies=hierarchies, recoding="local")
        ratio = "" if before is None else f", {taken / before:.2f} times as long as half of them"
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"  {number:,} records: {taken:.1f} s{ratio}; granularity {found[0].granularity:.4f}; peak {peak:.2f} GiB"
        )
        before = taken


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    shared = Path(__file__).parents[2] / "shared"
    parser.add_argument("--adult", type=Path, default=shared / "data" / "adult")
    parser.add_argument("--siapa", type=Path, default=shared / "data" / "siapa" / "PAAC2401.dbc")
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    adult(options.adult)
    predicted(options.adult)
    siapa(options.siapa)
    growth(options.rows)
