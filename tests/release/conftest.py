import random

import polars as pl
import pytest

import biombo as bb

ROWS = 300


@pytest.fixture(scope="session")
def people() -> pl.DataFrame:
    """Made up. Few people are very old, so that their groups are small."""
    random.seed(6)
    ages = [min(99, int(random.expovariate(1 / 25))) for _ in range(ROWS)]
    return pl.DataFrame(
        {
            "name": [f"Pessoa-{number:04}-Inventada" for number in range(ROWS)],
            "cpf": [f"{random.randrange(10**11):011}" for _ in range(ROWS)],
            "age": [str(age) for age in ages],
            "sex": random.choices(["F", "M"], k=ROWS),
            "disease": random.choices(["flu", "gout", "=1+1", None], k=ROWS),
            "visits": [random.randrange(1, 9) for _ in range(ROWS)],
            "remark": [f"remark-{number}" for number in range(ROWS)],
        }
    )


@pytest.fixture(scope="session")
def plan() -> bb.Plan:
    return bb.Plan(
        operations=[bb.Generalise("age", bb.Hierarchy.by_interval(10, [2]), 1), bb.MaskGroups(with_="#####")],
        criteria=[bb.KAnonymity(10), bb.LDiversity(2)],
        quasi=["age", "sex"],
        sensitive=["disease"],
        identifiers=["name", "cpf"],
    )


@pytest.fixture
def release(people, plan, tmp_path) -> bb.Release:
    return bb.publish(people, plan, tmp_path / "release", other=["visits"])
