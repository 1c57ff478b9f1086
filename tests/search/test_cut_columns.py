"""Numbers without a hierarchy, recoded by regions that are cut near the middle, again and again, at round numbers."""

import csv
import json
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given

import biombo as bb

KINDS = ["multidimensional", "multidimensional-relaxed", "local"]
Row = tuple[Any, ...]

tables = st.lists(
    st.tuples(st.integers(0, 60), st.integers(-500, 500).map(lambda cents: cents / 100), st.sampled_from("FM")),
    min_size=12,
    max_size=70,
)
QUASI = ["age", "pay", "sex"]
SCHEMA = bb.Schema(
    {
        "age": bb.ColumnSchema("quasi", "discrete"),
        "pay": bb.ColumnSchema("quasi", "continuous"),
        "sex": bb.ColumnSchema("quasi"),
    }
)
WHOLE = {name: bb.Hierarchy.all_or_nothing() for name in QUASI}


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, 600),
            "pay": np.round(rng.lognormal(7, 0.6, 600), 2),
            "sex": rng.choice(["F", "M"], 600),
            "disease": rng.choice(["flu", "gout", "tb"], 600),
        }
    )


def found(table: pl.DataFrame, k: int, recoding: str = "multidimensional", **how: Any) -> Any:
    data = bb.read(table, schema=SCHEMA)
    with bb.Watch(warning=lambda _: None):
        return bb.search(data, bb.KAnonymity(k), quasi=QUASI, recoding=recoding, **how)[0]  # type: ignore[arg-type]


def released(table: pl.DataFrame, plan: bb.Plan) -> pl.DataFrame:
    return bb.apply(table, plan, schema=SCHEMA, keep_order=True).data


def holds(label: str | None, value: float) -> bool:
    """Does what is released say the truth of a number?"""
    if label is None or label == "*":
        return label == "*"
    if label.startswith("< "):
        return value < float(label[2:])
    if label.startswith("≥ "):
        return value >= float(label[2:])
    if label.startswith("["):
        low, high = label[1:-1].split(", ")
        return float(low) <= value < float(high)
    return float(label) == value


@pytest.mark.parametrize("recoding", KINDS)
@given(rows=tables, k=st.integers(2, 5))
@examples(25)
def test_numbers_become_intervals_that_hold_them_and_groups_are_large_enough(
    recoding: str, rows: list[Row], k: int
) -> None:
    table = pl.DataFrame(rows, QUASI, orient="row")
    shown = released(table, found(table, k, recoding).plan)

    assert shown.group_by(QUASI).len()["len"].min() >= k
    for name in ("age", "pay"):
        assert all(holds(label, value) for label, value in zip(shown[name], table[name], strict=True))


@given(rows=tables, k=st.integers(2, 5))
@examples(40)
def test_strict_regions_are_those_of_a_plain_mondrian(rows: list[Row], k: int) -> None:
    """What is released of a record follows from its values, and no region can be cut once more."""
    table = pl.DataFrame(rows, QUASI, orient="row")
    plan = found(table, k).plan
    shown, hierarchies = released(table, plan), {each.column: each.hierarchy for each in plan.operations[0].columns_}
    by_values, regions = defaultdict(set), defaultdict(list)
    for before, after in zip(table.rows(), shown.rows(), strict=True):
        by_values[before].add(after)
        regions[after].append(before)

    assert {len(each) for each in by_values.values()} == {1}
    for region in regions.values():
        for place, name in enumerate(QUASI):
            parts = next_parts([str(row[place]).removesuffix(".0") for row in region], hierarchies[name])
            assert not parts or min(parts) < k


def next_parts(values: list[str], hierarchy: bb.Hierarchy) -> list[int]:
    """How many are in each part when values are told one level further down than where all are alike."""
    paths = [(value, *(hierarchy.ancestors(value) or ())) for value in values]
    alike = next((level for level in range(hierarchy.height + 1) if len({path[level] for path in paths}) == 1), None)
    if alike == 0:
        return []
    level = hierarchy.height if alike is None else alike - 1
    return list(Counter(path[level] for path in paths).values())


def test_where_many_are_together_the_others_borrow_from_them_in_relaxed_regions() -> None:
    table = pl.DataFrame({"age": [10] * 3 + [30] * 20 + [50] * 20, "pay": [1.0] * 43, "sex": ["F"] * 43})
    strict, relaxed = found(table, 5), found(table, 5, "multidimensional-relaxed")

    assert relaxed.granularity > strict.granularity
    assert relaxed.smallest_group >= 5


@pytest.mark.parametrize("recoding", KINDS)
def test_the_most_extreme_person_is_not_told(people: pl.DataFrame, recoding: str) -> None:
    """Twins: that one has by far the highest pay, and the lowest age, leaves no trace in what comes out."""
    top, low = people["pay"].arg_max(), people["age"].arg_min()
    out = people.with_row_index("row").with_columns(
        pay=pl.when(pl.col("row") == top).then(98_765.43).otherwise("pay"),
        age=pl.when(pl.col("row") == low).then(-7).otherwise("age"),
    )
    below = people.with_row_index("row").with_columns(age=pl.when(pl.col("row") == low).then(-1).otherwise("age"))
    one, other = (found(each.drop("row"), 5, recoding) for each in (below, out))

    assert one.plan.hash == other.plan.hash
    assert (
        released(below.drop("row"), one.plan)
        .select("age", "pay", "sex")
        .equals(released(out.drop("row"), other.plan).select("age", "pay", "sex"))
    )


def test_the_plan_is_kept_read_again_and_made_of_the_same_records_in_any_order(people, tmp_path) -> None:
    plan = found(people, 5).plan
    (tmp_path / "plan.yaml").write_text(plan.to_yaml(), encoding="utf-8")
    again = bb.Plan.load(tmp_path / "plan.yaml")
    shuffled = people.sample(fraction=1, shuffle=True, seed=3)

    assert again.hash == plan.hash == found(shuffled, 5).plan.hash
    assert sorted(released(people, again).rows()) == sorted(released(shuffled, plan).rows())


def test_what_the_search_says_is_lost_is_what_utility_measures(people, tmp_path) -> None:
    regions = found(people, 5)
    bb.apply(people, regions.plan, tmp_path / "out.csv", schema=SCHEMA)
    lost = bb.utility(people, tmp_path / "out.csv", plan=regions.plan, schema=SCHEMA).measures

    assert lost.granularity == pytest.approx(regions.granularity)
    assert lost.column_loss == pytest.approx(regions.column_loss)
    assert regions.granularity > found(people, 5, hierarchies=WHOLE).granularity


def test_intervals_of_different_regions_never_overlap_in_part(people) -> None:
    shown = released(people, found(people, 3).plan)
    for name in ("age", "pay"):
        numbers = sorted(people[name].to_list())
        ranges = {label: [holds(label, number) for number in numbers] for label in shown[name].unique()}
        for one in ranges.values():
            for other in ranges.values():
                both = [a and b for a, b in zip(one, other, strict=True)]
                assert not any(both) or both in (one, other)


def test_a_global_search_leaves_numbers_without_a_hierarchy_whole_and_says_so(people) -> None:
    said: list[str] = []
    data = bb.read(people, schema=SCHEMA)
    with bb.Watch(warning=said.append):
        bb.search(data, bb.KAnonymity(5), quasi=QUASI)
        bb.search(data, bb.KAnonymity(5), quasi=QUASI, recoding="multidimensional")

    assert "no hierarchy for age, pay, sex: such a column is either kept" in said[0]
    assert "no hierarchy for sex: in each group of records, such a column either stays" in said[1]
    assert "no hierarchy for age, pay: their numbers or dates are cut" in said[1]


def test_a_release_of_cut_numbers_is_verified_and_its_dictionary_tells_the_levels(people, tmp_path) -> None:
    people.with_columns(pl.col("age", "pay").cast(pl.String)).write_csv(tmp_path / "people.csv")
    schema, release = tmp_path / "schema.yaml", tmp_path / "release"
    bb.Schema({**SCHEMA.columns, "disease": bb.ColumnSchema("sensitive")}).save(schema)
    with bb.Watch(warning=lambda _: None):
        asked = {"schema": str(schema), "k": 5, "recoding": "multidimensional", "out": str(release)}
        bb.PublishRequest(**asked).run(str(tmp_path / "people.csv"))
    dictionary = json.loads((release / "dictionary.json").read_text(encoding="utf-8"))
    told = {each["column"]: each for each in dictionary["columns"]}
    with (release / "data.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert bb.verify(release).holds
    levels = {*told["pay"]["value_levels"].values()}
    assert {int(level) for level in told["pay"]["levels"]} == levels
    assert {*told["pay"]["examples"]} <= {*told["pay"]["value_levels"]}
    assert len({told["pay"]["value_levels"][value] for value in told["pay"]["examples"]}) == min(3, len(levels))
    assert set(told["pay"]["value_levels"]) == {row["pay"] for row in rows}
    assert min(Counter((row["age"], row["pay"], row["sex"]) for row in rows).values()) >= 5


def test_missing_numbers_are_values_of_their_own() -> None:
    table = pl.DataFrame({"age": [*range(20, 60), *([None] * 10)], "pay": [1.0] * 50, "sex": ["F"] * 50})
    shown = released(table, found(table, 5).plan)

    assert shown["age"].to_list().count(None) == 10
    assert all(not label.startswith("*") for label in shown["age"].drop_nulls())


def test_ends_are_open(people) -> None:
    plan = found(people, 5).plan
    for each in plan.operations[0].columns_:
        if each.column != "sex":
            for level in range(1, each.hierarchy.height):
                labels = each.hierarchy.domain(level)
                assert (labels[0][:1], labels[-1][:1]) == ("<", "≥")
                assert all(a != b for a, b in pairwise(labels))


@pytest.mark.parametrize(("recoding", "way"), [*zip(KINDS, ["divided again", "stay behind", "begin as"], strict=True)])
def test_the_report_says_how_groups_of_this_kind_are_formed(people, recoding: str, way: str, tmp_path) -> None:
    people.write_csv(tmp_path / "people.csv")
    SCHEMA.save(tmp_path / "schema.yaml")
    asked = {"schema": str(tmp_path / "schema.yaml"), "k": 5, "recoding": recoding}
    with bb.Watch(warning=lambda _: None):
        page = bb.SearchRequest(**asked).run(str(tmp_path / "people.csv")).report()

    assert way in page
    assert ("divided near the middle" in page) == (recoding != "local")
