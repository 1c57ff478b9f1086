"""Made-up vaccinations of the same kind and number as in document 001's case study."""

import numpy as np
import polars as pl

ROWS = 11_543


def vaccinations() -> pl.DataFrame:
    """Who was vaccinated with what, and where."""
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
