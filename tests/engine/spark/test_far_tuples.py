"""What exceeds the driver's room is asked of Spark: the answers are those of one process, or there are none."""

import re
from typing import Any

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from spark_engine import MASTER, needs_spark

import biombo as bb
from biombo._attack import as_json
from biombo._data import Dataset, FarTuples, SourceTable
from biombo._engine import SparkEngine

pytestmark = [needs_spark, pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")]

SCHEMA = {
    "columns": {
        "age": {"role": "quasi", "type": "continuous"},
        "sex": {"role": "quasi", "invalid": ["X"]},
        "city": {"role": "quasi"},
        "disease": {"role": "sensitive"},
        "care": {"role": "sensitive"},
    },
    "adversaries": {"neighbour": ["age", "city", "sex"]},
}
FEW = 20


def made_up(seed: int = 1, rows: int = 300) -> pl.DataFrame:
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(20, 36, rows),
            "sex": chance.choice(["F", "M", "X", None], rows),
            "city": chance.choice(list("abcde"), rows, p=[0.4, 0.3, 0.2, 0.09, 0.01]),
            "disease": chance.choice(["flu", "gout", "rash"], rows, p=[0.6, 0.3, 0.1]),
            "care": chance.choice(["1", "2"], rows),
        }
    )


@pytest.fixture
def schema(tmp_path) -> str:
    path = tmp_path / "schema.yaml"
    path.write_text(bb.Schema.from_tree(SCHEMA).to_yaml())
    return str(path)


def engine(most: int = FEW) -> SparkEngine:
    return SparkEngine(MASTER, most_tuples=most)


def far(table: pl.DataFrame, columns: list[str], schema: bb.Schema | None = None, most: int = FEW) -> FarTuples:
    found = engine(most).open(SourceTable.open(table)).surveyed(columns, schema or bb.Schema())
    assert isinstance(found, FarTuples)
    return found


def timeless(page: str) -> str:
    """A page without the minute in which it was made."""
    return re.sub(r"\d\d:\d\d", "", page)


class TestRisk:
    @pytest.mark.parametrize("most", [FEW, 100], ids=["spark-alone", "partly-spark"])
    def test_a_report_is_the_same_word_for_word(self, schema, most) -> None:
        request = bb.RiskRequest(schema=schema)

        here, there = request.run(made_up()), request.run(made_up(), engine=engine(most))

        assert isinstance(there.data, FarTuples)
        assert there.as_json() == here.as_json()
        assert timeless(there.report()) == timeless(here.report())

    def test_adversaries_beyond_the_largest_subsets_are_counted_too(self, schema) -> None:
        request = bb.RiskRequest(schema=schema, max_size=1)

        here, there = request.run(made_up()), request.run(made_up(), engine=engine())

        assert there.as_json() == here.as_json()
        assert here.as_json()["reidentification"]["adversaries"]

    @examples(3)
    @given(st.integers(0, 1000), st.integers(2, 60))
    def test_it_is_the_same_on_any_table(self, seed, most) -> None:
        table, asked = made_up(seed, 120).drop("age"), (["sex", "city"], ["disease", "care"])
        columns = [name for names in asked for name in names]
        found = engine(max(most, 5)).open(SourceTable.open(table)).surveyed(columns, bb.Schema())

        assert as_json(bb.risk(found, *asked)) == as_json(bb.risk(bb.read(table, columns=columns), *asked))

    def test_values_that_are_written_alike_are_one_wherever_they_lie(self, tmp_path) -> None:
        """Numbers in one file and texts in another."""
        first = pl.DataFrame({"q": [1, 2, 3, 1], "s": list("aaab")})
        second = pl.DataFrame({"q": ["1", "2", "x", "1"], "s": list("aabc")})
        paths = [str(tmp_path / name) for name in ("first.parquet", "second.parquet")]
        first.write_parquet(paths[0])
        second.write_parquet(paths[1])
        found = engine(6).open(SourceTable.open(paths)).surveyed(["q", "s"], bb.Schema())

        assert isinstance(found, FarTuples)
        assert as_json(bb.risk(found, ["q"], "s")) == as_json(bb.risk(bb.read(paths), ["q"], "s"))

    def test_what_has_room_comes_as_tuples(self) -> None:
        found = engine(1000).open(SourceTable.open(made_up())).surveyed(["sex", "city"], bb.Schema())

        assert isinstance(found, Dataset)

    def test_a_column_without_room_is_named(self, schema) -> None:
        with pytest.raises(bb.InputError, match=r"'age' has 16 different values .* takes 10;"):
            bb.RiskRequest(schema=schema).run(made_up(), engine=engine(10))

    def test_single_records_are_not_to_be_had(self, schema, tmp_path) -> None:
        asked = {"target": {"city": "a"}, "private": str(tmp_path / "private")}
        with pytest.raises(bb.InputError, match="different combinations"):
            bb.RiskRequest(schema=schema, **asked).run(made_up(), engine=engine())


HIERARCHIES = {"age": "age", "city": bb.Hierarchy.by_hand({"n": ["a", "b"], "s": ["c", "d", "e"]})}


class TestSearch:
    def found(self, data: Any, k: int, **asked: Any) -> bb.SearchResult:
        options = {"quasi": ["age", "sex", "city"], "sensitive": "disease", "hierarchies": HIERARCHIES}
        return bb.search(data, [bb.KAnonymity(k), bb.LDiversity(2)], **options, **asked)

    @pytest.mark.parametrize(("k", "share"), [(60, 0.0), (40, 0.02)])
    def test_it_finds_the_same_plans(self, k, share) -> None:
        columns = ["age", "sex", "city", "disease"]

        here = self.found(bb.read(made_up(), columns=columns), k, max_suppression=share)
        there = self.found(far(made_up(), columns, most=50), k, max_suppression=share)

        assert sum(column.hopeless for column in there.question.columns) > 0
        assert [plan.levels for plan in there] == [plan.levels for plan in here]
        assert [plan.suppressed for plan in there] == [plan.suppressed for plan in here]
        assert [plan.score for plan in there] == pytest.approx([plan.score for plan in here])
        assert (there.lattice, there.optimal, there.minimal) == (here.lattice, here.optimal, here.minimal)

    def test_what_does_not_fit_is_refused_with_the_number_that_would(self) -> None:
        columns = ["age", "sex", "city", "disease"]
        tuples = far(made_up(), columns)

        with pytest.raises(bb.InputError, match=r"age \(16\), city \(5\), sex \(4\)") as refused:
            self.found(tuples, 1)

        enough = refused.value.values["tuples"]
        assert f"allow {enough} with" in str(refused.value)
        assert isinstance(engine(enough).open(SourceTable.open(made_up())).surveyed(columns, bb.Schema()), Dataset)

    def test_a_request_searches_so(self) -> None:
        request = bb.SearchRequest(quasi=["sex", "city"], sensitive=["disease"], k=120)

        here, there = request.run(made_up()), request.run(made_up(), engine=engine(18))

        assert isinstance(there.data, FarTuples)
        assert [plan.levels for plan in there.plans] == [plan.levels for plan in here.plans]

    @pytest.mark.parametrize(("k", "share", "people"), [(4, 0.3, 40), (3, 0.5, 12), (6, 1.0, 300)])
    def test_people_are_counted_however_many_they_are(self, k, share, people) -> None:
        names = np.random.default_rng(k).integers(0, people, 300)
        table = made_up().with_columns(pl.Series("name", names)).select("sex", "city", "name")
        schema, asked = bb.Schema({}, person="name"), {"quasi": ["sex", "city"], "max_suppression": share}

        here = bb.search(bb.read(table, schema, columns=[*table.columns]), bb.KAnonymity(k), **asked)
        tuples = far(table, [*table.columns], schema, most=20 * k)
        there = bb.search(tuples, bb.KAnonymity(k), **asked)

        assert [plan.levels for plan in there] == [plan.levels for plan in here]
        assert [plan.suppressed for plan in there] == [plan.suppressed for plan in here]
        assert [plan.score for plan in there] == pytest.approx([plan.score for plan in here])

    def test_people_who_are_too_many_for_each_group_are_told_from_values(self) -> None:
        table = made_up().with_columns(pl.int_range(300).cast(pl.String).alias("name"))
        schema = bb.Schema({}, person="name")

        with pytest.raises(bb.InputError, match="People are counted by the column 'name'"):
            self.found(far(table, ["age", "sex", "city", "disease", "name"], schema), 5)


def test_judging_too_many_people_is_refused() -> None:
    table = made_up().with_columns(pl.int_range(300).cast(pl.String).alias("name"))
    plan = bb.Plan([], [bb.KAnonymity(2)], quasi=["sex"], person="name")

    with pytest.raises(bb.InputError, match="People are counted by the column 'name'"):
        bb.apply(table, plan, engine=engine(), keep=["age", "city", "disease", "care"])
