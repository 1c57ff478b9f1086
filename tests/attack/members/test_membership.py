from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb

QUASI = ["state", "sex", "age"]


@pytest.fixture
def school() -> bb.Membership:
    tables = bb.samples.school()
    return bb.membership(bb.read(tables.sample), bb.read(tables.population), QUASI)


def test_the_worked_example_gives_sound_measures(school: bb.Membership) -> None:
    row = school.subset(QUASI)
    assert school.prior == 0.4
    assert row["posterior"] == pytest.approx((1 + 1 / 2 + 2 / 3 + 2 / 3) / 4)
    assert row["leakage"] == pytest.approx(row["posterior"] - 0.4)
    assert row["multiplicative"] == pytest.approx(row["posterior"] / 0.4)
    assert row["worst"] == 1
    assert (school.bayes_prior, row["bayes_posterior"]) == (0.6, 0.8)
    assert (row["certain"], row["absent"], row["unique"], row["unique_both"]) == (1, 4, 2, 1)


def test_the_worked_example_gives_the_published_measures(school: bb.Membership) -> None:
    assert school.subset(QUASI)["expected_degradation"] == pytest.approx(2.8125, abs=1e-12)


value = st.sampled_from(["a", "b", "c", None])


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[list[tuple], list[tuple]]:
    people = draw(st.lists(st.tuples(value, value, value), min_size=1, max_size=40))
    asked = draw(st.lists(st.booleans(), min_size=len(people), max_size=len(people)))
    sample = [person for person, chosen in zip(people, asked, strict=True) if chosen] or people[:1]
    return people, sample


def frame(rows: list[tuple]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys("xyz", pl.String), orient="row")


@given(two_tables())
def test_every_subset_agrees_with_the_definition(tables: tuple[list[tuple], list[tuple]]) -> None:
    people, sample = tables
    found = bb.membership(bb.read(frame(sample)), bb.read(frame(people)), list("xyz"))
    subsets = [s for size in (1, 2, 3) for s in combinations(range(3), size)]
    for subset, row in zip(subsets, found.subsets.iter_rows(named=True), strict=True):
        n = Counter(tuple(person[i] for i in subset) for person in people)
        d = Counter(tuple(person[i] for i in subset) for person in sample)
        chances = [d[g] / n[g] for g in (tuple(person[i] for i in subset) for person in sample)]
        assert row["posterior"] == pytest.approx(np.mean(chances))
        assert row["worst"] == max(chances)
        assert row["bayes_posterior"] == pytest.approx(sum(max(d[g], n[g] - d[g]) for g in n) / len(people))
        assert row["unique_both"] == sum(n[g] == d[g] == 1 for g in n)
        assert row["absent"] == sum(n[g] for g in n if d[g] == 0)
        published = sum(n[g] / d[g] for g in d) / len(sample) / (len(sample) / len(people))
        assert row["expected_degradation"] == pytest.approx(published)


@given(two_tables())
def test_the_mean_over_the_population_is_the_prior(tables: tuple[list[tuple], list[tuple]]) -> None:
    people, sample = tables
    found = bb.membership(bb.read(frame(sample)), bb.read(frame(people)), list("xyz"))
    groups = found.tables.cells.groups(list("xyz"))
    assert groups.d.sum() / found.people == pytest.approx(found.prior)
    assert (groups.n * (groups.d / groups.n)).sum() / found.people == pytest.approx(found.prior)


@given(two_tables())
def test_a_naive_join_gives_the_same_groups(tables: tuple[list[tuple], list[tuple]]) -> None:
    people, sample = (frame(rows) for rows in tables)
    found = bb.membership(bb.read(sample), bb.read(people), list("xyz"))
    joined = (
        people.group_by("x", "y").len("n").join(sample.group_by("x", "y").len("d"), on=["x", "y"], nulls_equal=True)
    )
    groups = found.tables.cells.groups(["x", "y"])
    assert sorted(zip(groups.n, groups.d, strict=True)) == sorted(joined.select("n", "d").rows())


def test_people_not_found_are_counted_and_left_out_of_means() -> None:
    population = pl.DataFrame({"q": ["a", "a", "b"]})
    sample = pl.DataFrame({"q": ["a", None]})
    row = bb.membership(bb.read(sample), bb.read(population), ["q"]).subset(["q"])
    assert (row["found"], row["not_found"]) == (1, 1)
    assert row["posterior"] == 1 / 2


def test_a_contradiction_names_the_group() -> None:
    population = pl.DataFrame({"q": ["a", "b", "b"], "r": ["x", "y", "y"]})
    sample = pl.DataFrame({"q": ["a", "a"], "r": ["x", "x"]})
    with pytest.raises(bb.InputError, match="q=a, r=x has 2 people in the sample but 1"):
        bb.membership(bb.read(sample), bb.read(population), ["q", "r"])


def test_a_sample_larger_than_its_population_is_refused() -> None:
    with pytest.raises(bb.InputError, match="swapped"):
        bb.membership(bb.read(pl.DataFrame({"q": ["a"] * 3})), bb.read(pl.DataFrame({"q": ["a"] * 2})), ["q"])


def test_columns_with_other_names_and_codes_are_mapped_in_the_schema(tmp_path) -> None:
    tables = bb.samples.school()
    schema = tmp_path / "sample.yaml"
    schema.write_text(
        """
columns:
  state: {role: quasi, population: CO_UF}
  sex: {role: quasi, population: {column: TP_SEXO, values: {"F": "2", "M": "1"}}}
  age: {role: quasi}
"""
    )
    population = tables.population.select(
        pl.col("state").alias("CO_UF"), pl.col("sex").replace({"F": "2", "M": "1"}).alias("TP_SEXO"), "age"
    )
    found = bb.membership(bb.read(tables.sample, schema), bb.read(population))
    expected = bb.membership(bb.read(tables.sample), bb.read(tables.population), QUASI)
    assert found.subsets.equals(expected.subsets)


def test_the_mapping_survives_writing_the_schema(tmp_path) -> None:
    schema = bb.Schema.from_tree({"columns": {"a": {"population": {"column": "B", "values": {"1": "M"}}}}})
    path = tmp_path / "s.yaml"
    path.write_text(schema.to_yaml())
    assert bb.Schema.load(path) == schema


@pytest.mark.parametrize("entry", [{"values": {"1": 2}}, {"values": ["1"]}, 3, {"name": "x"}])
def test_a_malformed_mapping_is_refused(entry: object) -> None:
    with pytest.raises(bb.SchemaError):
        bb.Schema.from_tree({"columns": {"a": {"population": entry}}})


def test_invalid_rows_are_left_out_of_both_tables() -> None:
    invalid = bb.Schema({"q": bb.ColumnSchema("quasi", invalid=frozenset({"9"}))})
    population = bb.read(pl.DataFrame({"q": ["a", "a", "b", "9"]}), invalid)
    sample = bb.read(pl.DataFrame({"q": ["a", "9"]}), invalid)
    found = bb.membership(sample, population)
    assert (found.people, found.sampled) == (3, 1)
    assert [dropped.rows for dropped in found.tables.dropped] == [1, 1]


def test_repeated_people_are_refused_or_counted_once() -> None:
    schema = bb.Schema({"q": bb.ColumnSchema("quasi")}, person="id")
    population = bb.read(pl.DataFrame({"id": ["1", "2", "3"], "q": ["a", "a", "b"]}), schema, columns=["q", "id"])
    sample = bb.read(pl.DataFrame({"id": ["1", "1"], "q": ["a", "a"]}), schema, columns=["q", "id"])
    with pytest.raises(bb.ColumnError, match="1 person in 2 rows"):
        bb.membership(sample, population)
    found = bb.membership(sample, population, repeated="count-once")
    assert (found.sampled, found.subset(["q"])["posterior"]) == (1, 1 / 2)


def test_distribution_is_over_the_people_of_the_sample(school: bb.Membership) -> None:
    spread = school.distribution(QUASI)
    assert dict(zip(spread.values.round(4), spread.records, strict=True)) == {0.5: 1, 0.6667: 2, 1.0: 1}
    assert spread.mean == pytest.approx(school.subset(QUASI)["posterior"])


def test_best_is_the_most_telling_subset_of_each_size(school: bb.Membership) -> None:
    best = school.best()
    assert best["size"].to_list() == [1, 2, 3]
    for row in best.iter_rows(named=True):
        of_size = school.subsets.filter(pl.col("size") == row["size"])
        assert row["posterior"] == of_size["posterior"].max()
