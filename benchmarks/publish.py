"""A million made-up records published end to end, with both reports as HTML and PDF: time and peak memory."""

import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

import biombo as bb

ROWS = 1_000_000


def people() -> pl.DataFrame:
    chance = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "id": np.arange(ROWS),
            "age": chance.integers(0, 100, ROWS).astype(str),
            "sex": chance.choice(["F", "M"], ROWS),
            "city": chance.integers(0, 50, ROWS).astype(str),
            "disease": chance.integers(0, 200, ROWS).astype(str),
        }
    )


def main() -> None:
    plan = bb.Plan(
        [bb.Generalise("age", bb.Hierarchy.by_interval(5), 1), bb.MaskGroups()],
        [bb.KAnonymity(10)],
        quasi=["age", "sex", "city"],
        sensitive=["disease"],
        identifiers=["id"],
    )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people.parquet"
        people().write_parquet(source)
        print(f"{bb.estimate_publishing(source, pdf=True)} Measured:")
        start = time.perf_counter()
        release = bb.publish(source, plan, Path(folder) / "release", pdf=True)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{release.applied.rows:,} records published with reports in {seconds:.1f} s, at most {peak:,.0f} MiB")


if __name__ == "__main__":
    main()
