"""What it takes to protect tables of counts, and how much is left out of them.

    python benchmarks/tabulate.py [--size 1000] [--records 5000000] [--without-large] [--peer]

First a table of 1,000 x 1,000 cells with totals, then one of three columns and one with a hierarchy; all made up, with
categories of which few are frequent, so that most cells are small. Then small random tables beside the least number of
further cells that would do, found by trying all. With --peer these go through τ-ARGUS too (pip install pytauargus),
which leaves out what has the fewest records and does what its own rules ask for.
"""

import argparse
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from itertools import combinations
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from biombo._tabulate import Classification, Contributions, Cube, Equations, Patterns, Rules, counted, intervals
from biombo._tabulate import suppressed as protected

K = 10


def peak_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def timed(what: str) -> Iterator[None]:
    wall, processor = time.perf_counter(), time.process_time()
    yield
    print(f"  {what}: {time.perf_counter() - wall:.1f} s ({time.process_time() - processor:.1f} s of the processor)")


def flat(column: str, size: int) -> Classification:
    return Classification.of_levels(column, [[f"{column}{n}" for n in range(size)]], [])


def grouped(column: str, size: int, groups: int) -> Classification:
    """As many categories in each group."""
    lists = [[f"{column}{n}" for n in range(size)], [f"{column}-{n}" for n in range(groups)]]
    return Classification.of_levels(column, lists, [[n * groups // size for n in range(size)]])


def skewed(trees: Sequence[Classification], records: int, random: np.random.Generator) -> Contributions:
    """Records whose categories are independent, the n-th with a chance in proportion to n^-0.8."""
    drawn = []
    for tree in trees:
        chances = np.arange(1, tree.leaves + 1) ** -0.8
        drawn.append(random.permutation(tree.leaves)[random.choice(tree.leaves, records, p=chances / chances.sum())])
    shape = tuple(tree.leaves for tree in trees)
    cells, counts = np.unique(np.ravel_multi_index(drawn, shape), return_counts=True)
    leaves = [places.astype(np.int64) for places in np.unravel_index(cells, shape)]
    return Contributions(leaves, counts.astype(np.int64), None, {})


def share(cube: Cube, sensitive: np.ndarray, hidden: np.ndarray) -> str:
    """What is left out, of the cells that have records and of the records in cells without parts."""
    filled = np.count_nonzero(cube.records)
    leaves = np.ix_(*(np.arange(tree.leaves) for tree in cube.classifications))
    besides = hidden & ~sensitive
    records = [cube.records[leaves][marks[leaves]].sum() / cube.records[leaves].sum() for marks in (sensitive, besides)]
    small, further = np.count_nonzero(sensitive), np.count_nonzero(besides)
    return (
        f"{filled:,} cells with records: {small:,} small ({small / filled:.1%}; {records[0]:.1%} of the records), "
        f"{further:,} besides ({further / filled:.2%}; {records[1]:.1%})"
    )


def large(called: str, trees: Sequence[Classification], records: int) -> None:
    print(f"{called}, {records:,} records, k = {K}:")
    given, rules = skewed(trees, records, np.random.default_rng(1)), Rules(K)
    start = time.perf_counter()
    with timed("counting"):
        cube = counted(trees, given, rules.largest)
    sensitive = rules.sensitive(cube)
    patterns = Patterns(cube, rules.measures(cube), sensitive, np.zeros(cube.shape, bool))
    with timed("patterns"):
        without = patterns.protect()
    with timed("shown again"):
        patterns.tidy()
    values = cube.records.astype(np.float64)
    with timed("blocks"):
        blocks = list(Equations.of(cube.classifications, values, patterns.suppressed).blocks())
    with timed("rank test"):
        given_away = sum(int(block.determined().sum()) for block in blocks)
    print(f"  together {time.perf_counter() - start:.1f} s; peak of memory {peak_mebibytes():.0f} MiB")
    with timed("audit: programs in blocks of up to 2,000 cells, the rank test in larger ones"):
        found = intervals(cube.classifications, values, patterns.suppressed, 1.0, whole=True)
    sizes = sorted(len(block.cells) for block in blocks)
    print(
        f"  {len(blocks)} blocks, the largest of {sizes[-1]:,} cells; {np.count_nonzero(found.unbounded):,} not bounded"
    )
    print(f"  {share(cube, sensitive, patterns.suppressed)}")
    print(f"  without a pattern: {len(without)}; given away: {given_away}")


def middling(seed: int) -> None:
    """Tables such as agencies publish."""
    random = np.random.default_rng(seed)
    for called, trees, records in (
        ("30 x 12", [flat("a", 30), flat("b", 12)], 10_000),
        ("100 x 20, the first in 10 groups", [grouped("a", 100, 10), flat("b", 20)], 30_000),
        ("20 x 10 x 5", [flat("a", 20), flat("b", 10), flat("c", 5)], 20_000),
        ("12 x 6 x 4 x 2", [flat("a", 12), flat("b", 6), flat("c", 4), flat("d", 2)], 20_000),
    ):
        cube = counted(trees, skewed(trees, records, random), 2)
        start = time.perf_counter()
        found = protected(cube, Rules(K))
        taken = time.perf_counter() - start
        print(f"{called}: {share(cube, found.sensitive, found.hidden)}; {taken:.1f} s, {found.kinds}")


def small_tables(number: int) -> Iterator[np.ndarray]:
    """Tables of three rows and three or four columns with some small cells."""
    random = np.random.default_rng(5)
    for _ in range(number):
        yield random.choice([2, 3, 4, 8, 9, 12, 20, 35], (3, int(random.integers(3, 5))))


def cube_of(base: np.ndarray) -> Cube:
    trees = [flat(column, size) for column, size in zip("ab", base.shape, strict=True)]
    leaves = [places.astype(np.int64) for places in np.nonzero(base)]
    return counted(trees, Contributions(leaves, base[base > 0].astype(np.int64), None, {}), 2)


def is_in_doubt(cube: Cube, hidden: np.ndarray, sensitive: np.ndarray, k: int) -> bool:
    """May each small cell have k records as far as anybody can tell who is in none?"""
    found = intervals(cube.classifications, cube.records.astype(np.float64), hidden, 1.0, whole=True)
    return bool((found.high >= k)[sensitive].all())


def least(cube: Cube, sensitive: np.ndarray, k: int, most: int) -> int:
    """The fewest further cells that put every small one in doubt."""
    candidates = np.flatnonzero(~sensitive)

    def suffices(extra: tuple[int, ...]) -> bool:
        hidden = sensitive.copy()
        hidden.ravel()[list(extra)] = True
        return is_in_doubt(cube, hidden, sensitive, k)

    return next(n for n in range(most + 1) if any(map(suffices, combinations(candidates, n))))


def beside_the_least(number: int, peer: Callable[..., int] | None, k: int = 5) -> None:
    ours, others, further = Counter[int](), Counter[int](), [0, 0, 0]
    for base in small_tables(number):
        cube = cube_of(base)
        found = protected(cube, Rules(k))
        besides = int(np.count_nonzero(found.hidden & ~found.sensitive))
        if not found.sensitive.any() or besides > 4:
            continue
        fewest = least(cube, found.sensitive, k, besides)
        ours[besides - fewest] += 1
        further[0], further[1] = further[0] + besides, further[1] + fewest
        if peer is not None:
            theirs = int(peer(base, k))
            others[theirs - fewest] += 1
            further[2] += theirs
    print(f"{ours.total()} tables of up to 3 x 4 cells, k = {k}: {further[0]} further cells, the least is {further[1]}")
    print(f"  tables by how many more than the least: {dict(sorted(ours.items()))}")
    if peer is not None:
        print(f"  τ-ARGUS (optimal): {further[2]} further cells, {dict(sorted(others.items()))}")


def tau_argus() -> Callable[..., int]:
    """How many further cells τ-ARGUS leaves out of a table of counts, so that each small one may have twice as many as
    it has, and none.
    """
    from pytauargus import protect

    def further(base: np.ndarray, k: int) -> int:
        rows: dict[str, Any] = {"a": [], "b": [], "one": []}
        for (a, b), count in np.ndenumerate(base):
            rows["a"] += [f"a{a}"] * int(count)
            rows["b"] += [f"b{b}"] * int(count)
            rows["one"] += [1.0] * int(count)
        table = protect(rows, ["a", "b"], response="one", safety_rules=f"FREQ({k},100)", suppress="OPT(1)").tables[0]
        return sum(mark == "x" for mark in table.safe()) - np.count_nonzero(cube_of(base).records < k)

    return further


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--records", type=int, default=5_000_000)
    parser.add_argument("--without-large", action="store_true")
    parser.add_argument("--peer", action="store_true")
    asked = parser.parse_args()
    size = asked.size
    if not asked.without_large:
        large(f"{size:,} x {size:,} cells", [flat("a", size), flat("b", size)], asked.records)
        hundred = max(2, round(size ** (2 / 3)))
        large(" x ".join([str(hundred)] * 3), [flat(column, hundred) for column in "abc"], asked.records)
        groups = max(1, size // 40)
        trees = [grouped("a", size, groups), flat("b", size)]
        large(f"{size:,} in {groups} groups x {size:,}", trees, asked.records)
    middling(2)
    with TemporaryDirectory() as folder, chdir(folder):  # where τ-ARGUS leaves its logs
        beside_the_least(60, tau_argus() if asked.peer else None)


if __name__ == "__main__":
    main()
