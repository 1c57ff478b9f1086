"""Releases of records that were post-randomised, microaggregated, moved together, or cleared."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from refusal import refused

import biombo as bb

ROWS = 300
CITIES = ("A", "B", "C")


@pytest.fixture(scope="module")
def clinic() -> pl.DataFrame:
    """Made up."""
    chance = np.random.default_rng(4)
    return pl.DataFrame(
        {
            "name": [f"Pessoa-{n:04}" for n in range(ROWS)],
            "age": chance.integers(20, 90, ROWS),
            "income": chance.integers(10, 90, ROWS) * 100,
            "city": chance.choice(CITIES, ROWS),
            "disease": chance.choice(["flu", "gout", "cold"], ROWS),
        }
    )


def published(table: pl.DataFrame, plan: bb.Plan, folder: Path) -> bb.Release:
    key = folder / "key"
    bb.new_key(key)
    return bb.publish(table, plan, folder / "release", key=key)


def test_microaggregated_quasi_columns_have_the_k_that_is_claimed(clinic, tmp_path) -> None:
    roles = {"quasi": ["age", "income"], "sensitive": ["disease"], "identifiers": ["name"]}
    plan = bb.Plan([bb.Microaggregate(["age", "income"], 6)], [bb.KAnonymity(6)], **roles)
    published(clinic.drop("city"), plan, tmp_path)
    (data,) = (tmp_path / "release").glob("data*.csv")
    groups = pl.read_csv(data).group_by("age", "income").len()

    assert bb.verify(tmp_path / "release").holds
    assert groups["len"].min() >= 6
    assert groups["len"].sum() == ROWS
    assert "means of groups of at least 6 near records" in (tmp_path / "release" / "dictionary.json").read_text()


def test_a_cleared_column_is_in_the_file_and_its_values_nowhere(clinic, tmp_path) -> None:
    roles = {"quasi": ["city"], "sensitive": ["disease"], "identifiers": ["name"]}
    plan = bb.Plan([bb.ClearColumn("name")], [bb.KAnonymity(5)], **roles)
    published(clinic.select("name", "city", "disease"), plan, tmp_path)

    assert bb.verify(tmp_path / "release").holds
    assert "name" in next((tmp_path / "release").glob("data*.csv")).read_text().splitlines()[0]
    for file in (tmp_path / "release").rglob("*"):
        assert file.is_dir() or b"Pessoa-" not in file.read_bytes()


@pytest.mark.parametrize(
    "operation",
    [
        bb.Pram("city", invariant=0.8),
        bb.Pram("city", np.full((3, 3), 1 / 3).tolist(), domain=CITIES),
        bb.CorrelatedNoise(["age", "income"], 0.2),
    ],
    ids=lambda each: each.name,
)
def test_k_of_drawn_values_is_refused_and_so_is_a_release_that_nobody_decided_on(operation, clinic, tmp_path) -> None:
    roles = {"quasi": ["age", "income", "city"], "sensitive": ["disease"], "identifiers": ["name"]}
    with refused("plan.k-of-noise", operation.name):
        bb.Plan([operation], [bb.KAnonymity(5)], **roles)
    with refused("plan.k-of-noise", operation.name):
        bb.Plan([operation], [bb.KAnonymity(5, quasi=[operation.columns[0]])], **roles)
    with refused("release.undecided-noise"):
        published(clinic, bb.Plan([operation], **roles), tmp_path)
    assert not (tmp_path / "release").exists()
