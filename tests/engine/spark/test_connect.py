"""Spark Connect: the driver is elsewhere, and the answers are the same."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from spark_cluster import connect_server
from spark_engine import ROWS_IN_PART, needs_spark

import biombo as bb
from biombo._data import FarTuples
from biombo._engine import SparkEngine
from biombo._engine.spark import is_connect

pytestmark = [needs_spark, pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")]

ROWS = 3 * ROWS_IN_PART
ABOUT = {"quasi": ["sex", "age"], "sensitive": ["disease"]}
AGES = bb.Generalise("age", bb.Hierarchy.by_interval(20), 1)


def made_up() -> pl.DataFrame:
    chance = np.random.default_rng(11)
    return pl.DataFrame(
        {
            "name": [f"P{number}" for number in range(ROWS)],
            "weight": [40 + number / 2 for number in range(ROWS)],
            "sex": chance.choice(["F", "M"], ROWS),
            "age": chance.integers(20, 90, ROWS),
            "disease": chance.choice(["flu", "gout", None], ROWS).tolist(),
        }
    )


TABLE = made_up()


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Iterator[SparkEngine]:
    with connect_server(folder=tmp_path_factory.mktemp("connect")) as address:
        engine = SparkEngine(address, rows_in_part=ROWS_IN_PART)
        yield engine
        engine.session.stop()


def test_a_risk_and_a_search_find_the_same(engine: SparkEngine, tmp_path: Path) -> None:
    TABLE.write_csv(tmp_path / "people.csv")
    risk = bb.RiskRequest(quasi=["sex", "age"], sensitive=["disease"])
    search = bb.SearchRequest(quasi=["sex", "age"], sensitive=["disease"], k=3, max_suppression=0.3)
    for request in (risk, search):
        here, there = (request.run(tmp_path / "people.csv", engine=each).as_json() for each in (None, engine))
        assert there == here
    assert is_connect(engine.session)


def test_what_exceeds_the_drivers_room_is_asked_of_the_server(engine: SparkEngine) -> None:
    risk = bb.RiskRequest(quasi=["age"], sensitive=["disease"])
    search = bb.SearchRequest(quasi=["sex", "disease"], k=40)
    ages = SparkEngine(session=engine.session, rows_in_part=ROWS_IN_PART, most_tuples=TABLE["age"].n_unique())
    five = SparkEngine(session=engine.session, rows_in_part=ROWS_IN_PART, most_tuples=5)

    risks = [risk.run(TABLE, engine=each) for each in (None, ages)]
    found = [search.run(TABLE, engine=each) for each in (None, five)]

    assert all(isinstance(each.data, FarTuples) for each in (risks[1], found[1]))
    assert risks[1].as_json() == risks[0].as_json()
    assert [plan.levels for plan in found[1].plans] == [plan.levels for plan in found[0].plans]


@pytest.mark.parametrize("group", [bb.SuppressGroups(), bb.MaskGroups()], ids=["suppressed", "masked"])
def test_groups_are_treated_the_same(engine: SparkEngine, group: bb.Operation) -> None:
    plan = bb.Plan([AGES, group], [bb.KAnonymity(8)], **ABOUT)
    here, there = (bb.apply(TABLE, plan, keep=["weight"], engine=each) for each in ("local", engine))

    assert Counter(there.data.rows()) == Counter(here.data.rows())
    assert there.data.schema == here.data.schema
    assert there.outcome.total == here.outcome.total
    assert here.outcome.total["suppressed"] + here.outcome.total["masked"] > 0


def test_a_sample_has_its_size_and_duplicates_are_the_same(engine: SparkEngine) -> None:
    """Records of a pile are put in order there."""
    sampled = bb.apply(TABLE, bb.Plan([bb.Sample(records=50)], **ABOUT), keep=["weight"], engine=engine)
    plan = bb.Plan([bb.DropDuplicates(["sex", "disease"])], **ABOUT)
    here, there = (bb.apply(TABLE, plan, keep=["weight"], engine=each).data for each in ("local", engine))

    assert sampled.rows == 50 == sampled.data["weight"].n_unique()
    assert sampled.not_drawn == ROWS - 50
    assert sorted(there["weight"]) == sorted(here["weight"])


def test_a_release_is_published_and_verified(engine: SparkEngine, tmp_path: Path) -> None:
    TABLE.write_csv(tmp_path / "people.csv")
    plan = bb.Plan([AGES, bb.SuppressGroups()], [bb.KAnonymity(3)], **ABOUT, identifiers=["name"])
    here, there = (
        bb.publish(tmp_path / "people.csv", plan, tmp_path / place / "release", engine=each)
        for place, each in (("here", "local"), ("there", engine))
    )

    assert Counter(there.data.drop("trace_id").rows()) == Counter(here.data.drop("trace_id").rows())
    assert claims(there) == claims(here)
    assert there.measured.as_json() == here.measured.as_json()
    assert bb.verify(there.out, engine=engine).holds
    origins = bb.trace(there.out, there.data["trace_id"].head(5), reason="a test")
    assert {origin.checked for origin in origins.values()} == {True}


def claims(release: Any) -> list[Any]:
    """All that it claims; it commits itself to its plan in other words each time."""
    return [each.to_tree() for each in release.manifest.claims if each.name != "plan"]
