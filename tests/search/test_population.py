"""Criteria that are counted in a table of the population: the search against brute force, and what is refused."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from nearby_tuples import NearbyTuples
from plain_population import COUNTED, ColumnOfBoth, Person, PlainPopulationSearch, vars_of
from refusal import refused
from small_tables import SINGLE_CRITERIA, SmallTable, policies, shares, small_tables

import biombo as bb
from biombo._cells import NodeState
from biombo._data import InPopulation
from biombo._hierarchy import TableHierarchy

ALL = 10_000
OTHERS = [each for each in SINGLE_CRITERIA if not isinstance(each, bb.KMap | bb.Presence)]
criteria_lists = st.tuples(st.sampled_from(COUNTED), st.lists(st.sampled_from([*COUNTED, *OTHERS]), max_size=1)).map(
    lambda drawn: list(dict.fromkeys([drawn[0], *drawn[1]]))
)


@dataclass(frozen=True)
class Part:
    """A table, and the people of whom those in it are some."""

    table: SmallTable
    population: list[Person]

    @property
    def frame(self) -> pl.DataFrame:
        columns = {name: [person[i] for person in self.population] for i, name in enumerate(self.table.quasi)}
        return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))

    def plainly(self, criteria: list[bb.Criterion], share: float) -> PlainPopulationSearch:
        own = self.table.plainly(criteria, share)
        there = zip(*self.population, strict=True)
        of_columns = zip(own.columns, self.table.hierarchies, there, strict=True)
        columns = [ColumnOfBoth(column, levels, values) for column, levels, values in of_columns]
        return PlainPopulationSearch(**{**vars_of(own), "columns": columns}, population=self.population)


@st.composite
def parts(draw: st.DrawFn, **size: int) -> Part:
    table = draw(small_tables(**size))
    own = [row[: len(table.quasi)] for row in table.rows]
    person = st.tuples(*(st.sampled_from([*sorted(each), None]) for each in table.hierarchies))
    return Part(table, [*own, *draw(st.lists(person, max_size=30))])


def levels(found: bb.SearchResult) -> list[tuple[int, ...]]:
    return [tuple(plan.levels.values()) for plan in found]


@examples(120)
@given(part=parts(), criteria=criteria_lists, share=shares)
def test_the_nodes_that_satisfy_suppress_what_the_definition_says(
    part: Part, criteria: list[bb.Criterion], share: float
) -> None:
    plainly = part.plainly(criteria, share)

    found = bb.search(
        part.table.data, criteria, max_suppression=share, plans=ALL, population=part.frame, **part.table.options
    )

    assert set(levels(found)) == {node for _, node in plainly.ranking("loss")}
    assert sum(1 + plan.merged for plan in found) == len(plainly.satisfying)
    assert {tuple(minimal.values()) for minimal in found.minimal} == set(plainly.minimal)
    for plan in found:
        node = tuple(plan.levels.values())
        assert plan.suppressed == plainly.suppressed(node)
        assert plan.groups == len(plainly.costs[node].kept)
    explored = found.explored
    told = zip(explored.question.nodes, explored.counts.state, explored.counts.suppressed[:, 0], strict=True)
    for node, state, suppressed in told:
        truly = plainly.suppressed(tuple(node.tolist()))
        assert suppressed == truly if state == NodeState.CHECKED else truly > plainly.limit


@examples(80)
@given(part=parts(), criteria=criteria_lists, share=shares, policy=policies, cheap=st.booleans())
def test_plans_are_ranked_as_the_definition_says(
    part: Part, criteria: list[bb.Criterion], share: float, policy: str, cheap: bool
) -> None:
    expected = part.plainly(criteria, share).ranking(policy)

    with pytest.MonkeyPatch.context() as patch:
        if not cheap:
            patch.setattr("biombo._search.exploration.CHEAP", 0)
            patch.setattr("biombo._search.exploration.FIRST_LOOK", 5)
        found = bb.search(
            part.table.data,
            criteria,
            max_suppression=share,
            prefer=policy,
            plans=3,
            population=part.frame,
            **part.table.options,
        )

    assert levels(found) == [node for _, node in expected[:3]]
    assert [plan.score for plan in found] == pytest.approx([score for score, _ in expected[:3]])
    assert found.optimal


@examples(40)
@given(part=parts(), criteria=criteria_lists, share=shares)
def test_applying_the_plan_judges_what_the_definition_says(
    part: Part, criteria: list[bb.Criterion], share: float
) -> None:
    plainly = part.plainly(criteria, share)
    found = bb.search(part.table.data, criteria, max_suppression=share, population=part.frame, **part.table.options)
    if not found:
        return

    applied = bb.apply(part.table.data, found[0].plan, population=part.frame)

    assert applied.holds
    assert applied.suppressed == plainly.suppressed(tuple(found[0].levels.values()))


WHOLE = pl.DataFrame(
    {
        "age": ["31", "34", "38", "45", "47", "62", "65", "66"],
        "city": ["A", "A", "A", "A", "B", "B", "B", "A"],
        "study": ["y", "n", "y", "y", "n", "y", "n", "n"],
    }
)
STUDY = WHOLE.filter(pl.col("study") == "y").drop("study")
BY_COLUMN = {"age": bb.Hierarchy.by_interval(10, [2]), "city": bb.Hierarchy.all_or_nothing()}
ASKED = {"quasi": ["age", "city"], "hierarchies": BY_COLUMN}


def test_by_hand() -> None:
    # Decades without the city, and twenty years: 3, 2 and 3 people of whom 2, 1 and 1 are in the study. The city
    # alone: 3 of 5 in A, 1 of 3 in B. Everybody: 4 of 8.
    study = bb.read(STUDY)
    no_suppression = {
        bb.KMap(3): [(3, 0), (3, 1)],
        bb.KMap(2): [(1, 1), (2, 1), (3, 0), (3, 1)],
        bb.Presence(0.6): [(3, 0), (3, 1)],
        bb.Presence(0.5): [(3, 1)],
        bb.Presence(0.55, over="table"): [(1, 1), (2, 1), (3, 0), (3, 1)],  # (2 · 2/3 + 1/2 + 1/3) / 4 = 0.5417
        bb.Presence(0.54, over="table"): [(3, 0), (3, 1)],  # (3 · 3/5 + 1/3) / 4 = 0.5333
        bb.Absence(0.67): [(1, 1), (2, 1), (3, 0), (3, 1)],
        bb.Absence(0.66): [(3, 1)],
    }
    for criterion, expected in no_suppression.items():
        found = bb.search(study, criterion, plans=ALL, population=WHOLE, **ASKED)
        assert sorted(levels(found)) == expected, criterion


def test_a_group_that_fails_is_suppressed_but_none_of_the_population_can_be() -> None:
    found = bb.search(bb.read(STUDY), bb.KMap(3), max_suppression=0.25, plans=ALL, population=WHOLE, **ASKED)

    suppressed = {tuple(plan.levels.values()): plan.suppressed for plan in found}
    assert suppressed[1, 1] == 1  # who is in the forties, with one other of the population
    lower = bb.search(bb.read(STUDY), [bb.KMap(3), bb.Absence(0.67)], max_suppression=0.25, population=WHOLE, **ASKED)
    assert (1, 1) not in levels(lower)


def test_a_time_limit_is_kept() -> None:
    found = bb.search(bb.read(STUDY), bb.Presence(0.6), seconds=5, population=WHOLE, **ASKED)

    assert levels(found) == [(3, 0), (3, 1)]


def test_sets_of_columns_and_the_frontier_know_the_population() -> None:
    study = bb.read(STUDY)
    apart = [bb.KMap(3, quasi=["age"]), bb.KMap(4, quasi=["city"])]
    found = bb.search(study, apart, plans=ALL, population=WHOLE, **ASKED)
    points = bb.frontier(study, bb.KMap(3), ks=[2], limits=[0], population=WHOLE, **ASKED).points

    assert found[0].levels == {"age": 3, "city": 1}
    assert points[0].best is not None
    assert points[0].best.levels == {"age": 3, "city": 1}


def test_other_names_and_codes_stand_in_the_schema(tmp_path: Path) -> None:
    schema = bb.Schema({"city": bb.ColumnSchema(population=InPopulation("town", {"A": "1", "B": "2"}))})
    coded = WHOLE.select("age", town=pl.col("city").replace({"A": "1", "B": "2"}))
    coded.write_csv(tmp_path / "census.csv")

    study = bb.read(STUDY, schema, columns=["age", "city"])
    found = bb.search(study, bb.KMap(3), plans=ALL, population=tmp_path / "census.csv", **ASKED)

    assert sorted(levels(found)) == [(3, 0), (3, 1)]


def test_what_cannot_be_counted_there_is_refused() -> None:
    study = bb.read(STUDY)
    with refused("search.far-population"):
        bb.search(NearbyTuples.of(study, 1_000_000), bb.KMap(3), population=WHOLE, **ASKED)
    for recoding in ("local", "multidimensional"):
        with refused("criteria.local-population"):
            bb.search(study, bb.Presence(0.5), population=WHOLE, recoding=recoding, **ASKED)  # type: ignore[arg-type]
    with refused("criteria.not-in-population", "'age'"):  # though by decades nothing would show
        bb.search(study, bb.KMap(1), population=WHOLE.with_columns(age=pl.lit("39")), **ASKED)
    with refused("criteria.no-population"):
        bb.search(study, bb.KMap(3), **ASKED)
    with refused("criteria.population-codes", "'city'"):
        schema = bb.Schema({"city": bb.ColumnSchema(population=InPopulation("city", {"A": "A", "B": "A"}))})
        bb.search(bb.read(STUDY, schema, columns=["age", "city"]), bb.KMap(1), population=WHOLE, **ASKED)


def test_a_minimal_plan_may_bring_people_together_though_no_records(monkeypatch) -> None:
    monkeypatch.setattr("biombo._search.exploration.CHEAP", 0)
    monkeypatch.setattr("biombo._search.exploration.FIRST_LOOK", 2)
    study, whole = pl.DataFrame({"age": ["31", "31"]}), pl.DataFrame({"age": ["31", "31", "34", "34", "45"]})
    by_column = {"age": bb.Hierarchy.by_interval(10, [2, 4, 8])}
    asked = {"quasi": ["age"], "hierarchies": by_column, "prefer": "suppression", "population": whole}

    assert levels(bb.search(bb.read(study), bb.KMap(3), **asked)) == [(1,)]


def test_values_that_only_the_population_has_are_no_loss() -> None:
    own = pl.DataFrame({"q": ["a", "a", "a", "b"]})
    by_column = {"q": TableHierarchy({"a": ("*",), "b": ("*",)})}
    without, with_missing = (
        bb.search(
            bb.read(own),
            bb.KMap(2),
            quasi=["q"],
            hierarchies=by_column,
            max_suppression=0.25,
            loss_domain="hierarchy",
            population=pl.concat([own, pl.DataFrame({"q": others}, schema={"q": pl.String})]),
        )
        for others in ([], [None] * 3)
    )

    assert [(plan.levels, plan.suppressed, plan.score) for plan in with_missing] == [
        (plan.levels, plan.suppressed, plan.score) for plan in without
    ]
    assert without[0].suppressed == 1


def test_with_suppression_a_node_may_do_though_all_above_it_fail() -> None:
    # Apart, 2 of 8 look like a, and 1 of 1 like b, who goes. Together 3 of 9 are too many, and all would go.
    study = pl.DataFrame({"q": ["a", "a", "b"]})
    whole = pl.DataFrame({"q": ["a"] * 8 + ["b"]})
    asked = {"quasi": ["q"], "hierarchies": {"q": bb.Hierarchy.all_or_nothing()}, "population": whole}

    found = bb.search(bb.read(study), bb.Presence(0.3), max_suppression=0.34, **asked)

    assert [(plan.levels, plan.suppressed) for plan in found] == [({"q": 0}, 1)]
