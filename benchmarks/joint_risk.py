"""Two releases of a million made-up people: the originals of one of them, and what both tell together."""

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import biombo as bb

ROWS = 1_000_000


def people() -> pl.DataFrame:
    chance = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "id": np.arange(ROWS).astype(str),
            "age": chance.integers(0, 100, ROWS).astype(str),
            "sex": chance.choice(["F", "M"], ROWS),
            "city": chance.integers(0, 50, ROWS).astype(str),
            "ward": chance.integers(0, 10, ROWS).astype(str),
            "disease": chance.integers(0, 200, ROWS).astype(str),
        }
    )


def plan(width: int, k: int, *quasi: str) -> bb.Plan:
    wider = bb.Generalise("age", bb.Hierarchy.by_interval(width), 1)
    operations = [wider, bb.MaskGroups()]
    return bb.Plan(operations, [bb.KAnonymity(k)], quasi=["age", *quasi], sensitive=["disease"], identifiers=["id"])


def timed(what: str, done: Callable[[], Any]) -> Any:
    start, worked = time.perf_counter(), time.process_time()
    found = done()
    print(f"{what}: {time.perf_counter() - start:.1f} s, {time.process_time() - worked:.1f} s of processor time")
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people.parquet"
        people().write_parquet(source)
        public = bb.publish(source, plan(10, 10, "sex"), Path(folder) / "public", format="parquet")
        finer = bb.publish(source, plan(2, 3, "city", "ward"), Path(folder) / "finer", format="parquet")
        timed("all originals", lambda: bb.origin_records(public.out, reason="a benchmark"))
        ids = public.data["trace_id"].to_list()
        timed("the originals of a million ids", lambda: bb.origin_records(public.out, ids, reason="a benchmark"))
        for person in (None, "id"):
            found = timed(f"joint risk by {person or 'records'}", lambda who=person: measured(public, finer, who))
        print(found.sentences()[0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"at most {peak:,.0f} MiB, publishing included")


def measured(one: bb.Release, other: bb.Release, person: str | None) -> bb.JointRisk:
    return bb.joint_risk(one.out, other.out, person=person)


if __name__ == "__main__":
    main()
