"""Made-up people whose columns go together, and ways to synthesise them badly."""

import numpy as np
import polars as pl

import biombo as bb
from biombo._data import SourceTable
from biombo._engine import Randomness
from biombo._synthesis import Recipe, Synthesis, constraints_of, synthesise_table


def people(records: int, seed: int) -> pl.DataFrame:
    """Age tells what somebody does, and both tell the income; the city tells nothing."""
    random = np.random.default_rng(seed)
    age = random.integers(16, 90, records)
    job = np.where(
        age < 25, "student", np.where(age > 65, "retired", random.choice(["clerk", "nurse", "cook"], records))
    )
    income = np.where(job == "student", 500, 2000) + age * 10 + random.integers(0, 900, records)
    city = random.choice([f"city {place}" for place in range(8)], records)
    sex = random.choice(["F", "M"], records)
    return pl.DataFrame({"age": age, "job": job, "income": income, "city": city, "sex": sex})


def synthesised(table: pl.DataFrame, seed: int, schema: bb.Schema | None = None, **asked) -> Synthesis:
    """A synthesis that can be repeated."""
    asked = {"columns": tuple(table.columns), "holdout": 0.0, **asked}
    asked["constraints"] = constraints_of(asked.get("constraints", ()))
    recipe = Recipe(schema or bb.Schema(), **asked)
    return synthesise_table(SourceTable.open(table), recipe, random=Randomness.seeded(seed))
