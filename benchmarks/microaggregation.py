"""How long microaggregation takes: MDAV on three columns, and the best groups of one, by records."""

from time import perf_counter

import numpy as np

from biombo._plan.microaggregation import Points, best_cuts, mdav


def main() -> None:
    """Print a line for each size and k."""
    chance = np.random.default_rng(0)
    for records in (10_000, 100_000):
        for k in (3, 10):
            ones = np.ones(records, np.int64)
            for name, form, columns in (("MDAV, 3 columns", mdav, 3), ("best cuts, 1 column", best_cuts, 1)):
                points = Points(chance.normal(size=(records, columns)), ones)
                start = perf_counter()
                form(points, k)
                print(f"{name}, {records:,} records, k = {k}: {perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
