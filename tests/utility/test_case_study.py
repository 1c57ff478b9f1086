"""Document 001's case study on made-up records of the same kind and number: k = 10, masked, with the accuracy table."""

import numpy as np
import polars as pl
import pytest

import biombo as bb

ROWS = 11_543


def vaccinations() -> pl.DataFrame:
    random = np.random.default_rng(11)
    age = np.clip(random.normal(45, 20, ROWS), 5, 104).astype(int)
    vaccine = np.where(age > 60, random.choice(["A", "B"], ROWS, p=[0.85, 0.15]), random.choice(["B", "C"], ROWS))
    return pl.DataFrame(
        {
            "patient": [f"patient {place}" for place in range(ROWS)],
            "age": age.astype(str),
            "sex": random.choice(["F", "M"], ROWS, p=[0.54, 0.46]),
            "race": random.choice(["01", "02", "03", "04", "99"], ROWS, p=[0.5, 0.1, 0.3, 0.02, 0.08]),
            "district": np.char.add("district ", random.zipf(1.6, ROWS).clip(max=40).astype(str)),
            "group": np.where(age > 60, "elderly", random.choice(["health", "other"], ROWS, p=[0.2, 0.8])),
            "vaccine": vaccine,
        }
    )


@pytest.mark.slow
def test_the_proactive_release_of_the_case_study() -> None:
    table = vaccinations()
    plan = bb.Plan(
        operations=[bb.Generalise("age", bb.Hierarchy.by_interval(10), 1), bb.MaskGroups(with_="#####")],
        criteria=[bb.KAnonymity(10)],
        quasi=["age", "sex", "race", "district"],
        sensitive=["group"],
        identifiers=["patient"],
    )
    applied = bb.apply(table, plan)

    found = bb.utility(table, applied.data, plan=plan, target="vaccine", seed=0)

    assert applied.holds
    assert applied.data.group_by("age", "sex", "race", "district").len()["len"].min() >= 10
    assert found.measures.completeness == 1
    assert found.measures.masked == applied.masked > 100
    accuracy = found.classification
    assert accuracy is not None
    assert (accuracy.folds, accuracy.original.records) == (10, ROWS)
    ways = accuracy.original, accuracy.release, accuracy.for_new_records
    assert all(way.tree is not None and way.majority is not None and way.tree > way.majority + 0.05 for way in ways)
    assert ways[1].tree <= ways[0].tree + 0.005  # type: ignore[operator]
