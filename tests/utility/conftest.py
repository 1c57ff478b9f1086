import numpy as np
import polars as pl
import pytest

import biombo as bb

AGE = bb.Hierarchy.by_interval(10, [2])


@pytest.fixture
def people() -> pl.DataFrame:
    """Made up: the dose depends on the age, the cost on nothing."""
    random = np.random.default_rng(7)
    age = random.integers(20, 80, 400)
    return pl.DataFrame(
        {
            "name": [f"person {place}" for place in range(400)],
            "age": age,
            "sex": random.choice(["F", "M"], 400),
            "cost": random.gamma(2, 100, 400).round(2),
            "dose": np.where(age >= 50, "second", "first"),
        }
    )


@pytest.fixture
def plan() -> bb.Plan:
    return bb.Plan(
        operations=[bb.Generalise("age", AGE, 1), bb.SuppressGroups()],
        criteria=[bb.KAnonymity(15)],
        quasi=["age", "sex"],
        sensitive=["dose"],
        identifiers=["name"],
    )
