"""Search by local recoding: less is lost than by any global plan, and what is claimed holds in the files."""

import json
from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused
from strangers import READERS
from strangers import groups as groups_of

import biombo as bb

QUASI = ["age", "city", "sex"]
BY_COLUMN = {
    "age": bb.Hierarchy.by_interval(5, [2, 4]),
    "city": bb.Hierarchy.all_or_nothing(),
    "sex": bb.Hierarchy.all_or_nothing(),
}


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    rng = np.random.default_rng(7)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 80, 400),
            "city": rng.choice(["A", "B", "C", "D"], 400, p=[0.6, 0.2, 0.15, 0.05]),
            "sex": rng.choice(["F", "M"], 400),
            "disease": rng.choice(["flu", "gout", "tb", "asthma"], 400),
        }
    )


def found(people: pl.DataFrame, *criteria: bb.Criterion, **how):
    asked = {"quasi": QUASI, "sensitive": ["disease"], "hierarchies": BY_COLUMN, "recoding": "local"} | how
    return bb.search(people, list(criteria), **asked)


@pytest.mark.parametrize("k", [2, 5, 10])
def test_more_is_kept_than_by_the_best_global_plan(people, k) -> None:
    local = found(people, bb.KAnonymity(k))[0]
    best = found(people, bb.KAnonymity(k), recoding="global", max_suppression=0.05)[0]

    assert local.granularity > best.granularity
    assert local.loss < best.loss
    assert local.suppressed == 0
    assert local.smallest_group >= k


def test_groups_gather_whom_they_lack_most_to_be_like_the_table() -> None:
    """Whoever brings a group nearer to its bound counts, also where it is not met yet: else it takes in anybody."""
    rng = np.random.default_rng(2)
    age, town, job = rng.integers(20, 80, 1500), rng.integers(0, 60, 1500), rng.integers(0, 8, 1500)
    ill = (rng.random(1500) < np.where(age > 60, 0.7, 0.1) + 0.2 * (job == 3)).astype(str)
    table = pl.DataFrame({"age": age, "town": [f"{each:02}" for each in town], "job": job.astype(str), "ill": ill})
    levels = {"age": bb.Hierarchy.by_interval(5, [2, 4, 8]), "town": bb.Hierarchy.by_prefix([1])}
    levels["job"] = bb.Hierarchy.all_or_nothing()
    asked = {"quasi": [*levels], "sensitive": ["ill"], "hierarchies": levels, "recoding": "local"}
    (local,) = bb.search(table, [bb.KAnonymity(2), bb.TCloseness(0.3)], **asked)

    assert local.granularity > 0.86  # 0.83 where only the bound itself counts


@pytest.mark.parametrize("recoding", ["local", "multidimensional"])
def test_groups_are_measured_in_people_only_where_it_is_known_whose_records_they_have(recoding) -> None:
    visits = {"age": ["1"] * 4 + ["2"] * 4, "disease": [*"abaa", *"abbb"], "id": [*"1233", *"5678"]}
    columns = {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}, "id": {"role": "identifier"}}
    data = bb.read(pl.DataFrame(visits), schema={"columns": columns, "person": "id"}, columns=[*columns])
    asked = {"recoding": recoding, "hierarchies": {"age": bb.Hierarchy.all_or_nothing()}}

    assert bb.search(data, [bb.TCloseness(0.9)], **asked)[0].smallest_group == 4
    assert bb.search(data, [bb.TCloseness(0.9), bb.KAnonymity(1)], **asked)[0].smallest_group == 3


def test_the_plan_makes_what_the_search_has_measured(people, tmp_path) -> None:
    local = found(people, bb.KAnonymity(5))[0]
    applied = bb.apply(people, local.plan, tmp_path / "out.csv")
    lost = bb.utility(people, tmp_path / "out.csv", plan=local.plan).measures

    assert applied.rows == people.height
    assert lost.granularity == pytest.approx(local.granularity)
    assert lost.loss == pytest.approx(local.loss)
    assert lost.precision == pytest.approx(local.precision)
    assert lost.entropy == pytest.approx(local.entropy)
    assert lost.discernibility == local.discernibility
    assert lost.class_size == pytest.approx(local.class_size)
    assert lost.column_loss == pytest.approx(local.column_loss)


def test_the_same_table_gives_the_same_groups_in_any_order(people) -> None:
    one, other = (
        found(each, bb.KAnonymity(5))[0] for each in (people, people.sample(fraction=1, shuffle=True, seed=3))
    )

    assert one.levels == other.levels
    assert one.plan.hash == other.plan.hash
    assert one.discernibility == other.discernibility


hostile = st.sampled_from(
    ["A", "B", "*", "=cmd", "a,b", 'q"', "x\ny", "é", "e\u0301", "A ", "", "'A", "NaN", "[20, 25)", None]
)
KINDS = ("local", "multidimensional", "multidimensional-relaxed")
records = st.lists(
    st.tuples(st.integers(0, 99), hostile, st.sampled_from("FM"), st.sampled_from(["flu", "tb", "gout"])),
    min_size=8,
    max_size=60,
)


@examples(200, fuzz=1000)
@given(
    rows=records,
    k=st.integers(2, 4),
    l_=st.integers(1, 2),
    t=st.sampled_from([None, 0.4]),
    recoding=st.sampled_from(KINDS),
    suffix=st.sampled_from([".csv", ".parquet"]),
)
def test_k_l_and_t_hold_in_the_file_whoever_reads_it(rows, k, l_, t, recoding, suffix, tmp_path_factory) -> None:
    table = pl.DataFrame(rows, [*QUASI, "disease"], orient="row")
    criteria = [bb.KAnonymity(k), *([bb.LDiversity(2)] if l_ > 1 else []), *([bb.TCloseness(t)] if t else [])]
    plans = found(table, *criteria, recoding=recoding)
    if not plans:
        assert table["disease"].n_unique() < l_
        return
    path = tmp_path_factory.mktemp("local") / f"out{suffix}"
    bb.apply(table, plans[0].plan, path)
    whole = Counter(table["disease"])
    for read in READERS[suffix]:
        released = read(path)
        assert len(released) == table.height
        for size in range(1, len(QUASI) + 1):
            for subset in combinations(QUASI, size):
                groups = [Counter(row["disease"] for row in group) for group in groups_of(released, subset)]
                assert min(each.total() for each in groups) >= k
                assert min(map(len, groups)) >= l_
                assert not t or max(distance(each, whole) for each in groups) <= t + 1e-9


def distance(group: Counter, whole: Counter) -> float:
    shares = [abs(group[value] / group.total() - whole[value] / whole.total()) for value in whole]
    return sum(shares) / 2


def test_a_bound_for_the_table_holds(people) -> None:
    bound = bb.Vulnerability(0.6, over="table")
    local = found(people, bb.KAnonymity(2), bound)[0]
    released = bb.apply(people, local.plan).data

    assert bb.judge(released, [bound], quasi=QUASI, sensitive=["disease"]).holds


def test_criteria_on_some_of_the_columns_hold(people) -> None:
    criteria = [bb.KAnonymity(10, quasi=["age", "sex"]), bb.KAnonymity(3, quasi=["city"])]
    released = bb.apply(people, found(people, *criteria)[0].plan).data

    assert released.group_by("age", "sex").len()["len"].min() >= 10
    assert released.group_by("city").len()["len"].min() >= 3


def test_what_nobody_can_meet_has_no_plan(people) -> None:
    nothing = found(people, bb.LDiversity(5))

    assert len(nothing) == 0
    assert nothing.as_json()["plans"] == []
    assert "no groups" in repr(nothing)


@pytest.mark.parametrize(
    ("key", "how"),
    [
        ("search.recoding", {"recoding": "wild"}),
        ("search.local-bounds", {"bounds": {"age": (1, 2)}}),
        ("search.local-policy", {"prefer": "discernibility"}),
        ("search.local-suppression", {"max_suppression": 0.1}),
    ],
)
def test_contradictions_are_refused(people, key, how) -> None:
    with refused(key):
        found(people, bb.KAnonymity(2), **how)


@pytest.mark.parametrize("kind", ["local", "multidimensional", "multidimensional-relaxed"])
def test_a_plan_that_time_cut_short_makes_the_same_groups_at_any_time(people, kind) -> None:
    cut, whole = (found(people, bb.KAnonymity(3), recoding=kind, seconds=seconds)[0] for seconds in (1e-6, 0))
    released = [sorted(bb.apply(each, cut.plan).data.select(QUASI).rows()) for each in (people, people[::-1])]

    assert whole.steps is None
    assert cut.steps == 0
    assert cut.as_json()["steps"] == 0
    assert "steps: 0" in cut.plan.to_yaml()
    assert cut.smallest_group >= 3
    assert cut.granularity < whole.granularity
    assert released[0] == released[1]
    assert bb.utility(people, bb.apply(people, cut.plan).data, plan=cut.plan).measures.granularity == pytest.approx(
        cut.granularity
    )


def test_time_that_suffices_changes_nothing(people) -> None:
    timed, whole = (found(people, bb.KAnonymity(3), seconds=seconds)[0] for seconds in (600, 0))

    assert timed.steps is None
    assert timed.plan == whole.plan
    assert timed.granularity == whole.granularity


def test_the_frontier_has_both_side_by_side(people) -> None:
    asked = {"quasi": QUASI, "sensitive": ["disease"], "hierarchies": BY_COLUMN}
    both = bb.frontier(people, ks=[2, 5], limits=[0, 0.05], recoding="local", **asked)
    told = both.as_json()["frontier"]

    assert [point["k"] for point in told if point.get("recoding") == "local"] == [2, 5]
    assert len(told) == 6
    for k, plan in both.local.items():
        assert plan.granularity > both.at(k, 0.05).best.granularity


def test_plain_values_say_how_many_records_are_at_which_level(people) -> None:
    told = json.loads(json.dumps(found(people, bb.KAnonymity(5)).as_json()))
    (plan,) = told["plans"]

    assert told["recoding"] == "local"
    assert {name: sum(levels.values()) for name, levels in plan["levels"].items()} == dict.fromkeys(QUASI, 400)
    assert plan["smallest_group"] >= 5
    assert 0 < plan["arx"]["granularity"] <= 1


@pytest.mark.parametrize("bound", [bb.AverageRisk(0.2), bb.Uniqueness(0.0)])
def test_a_bound_on_how_many_share_a_group_holds(people, bound) -> None:
    released = bb.apply(people, found(people, bound)[0].plan).data

    assert bb.judge(released, [bound], quasi=QUASI).holds


@pytest.mark.parametrize("criterion", [bb.BetaLikeness(1.0), bb.DeltaDisclosure(1.0), bb.KMap(3, 5000)])
def test_criteria_of_groups_hold(people, criterion) -> None:
    released = bb.apply(people, found(people, bb.KAnonymity(2), criterion)[0].plan).data

    assert bb.judge(released, [criterion], quasi=QUASI, sensitive=["disease"]).holds


@pytest.mark.parametrize("recoding", ["multidimensional", "multidimensional-relaxed"])
def test_regions_are_large_enough_and_lose_less_than_global_plans(people, recoding) -> None:
    regions = found(people, bb.KAnonymity(5), bb.LDiversity(2), recoding=recoding)[0]
    best = found(people, bb.KAnonymity(5), bb.LDiversity(2), recoding="global")[0]
    released = bb.apply(people, regions.plan, keep_order=True).data

    assert released.group_by(QUASI).len()["len"].min() >= 5
    assert released.group_by(QUASI).agg(pl.col("disease").n_unique())["disease"].min() >= 2
    assert regions.granularity > best.granularity


@examples(30)
@given(rows=records, k=st.integers(2, 4))
def test_what_is_released_of_a_record_in_strict_regions_follows_from_its_values(rows, k) -> None:
    table = pl.DataFrame(rows, [*QUASI, "disease"], orient="row")
    plan = found(table, bb.KAnonymity(k), recoding="multidimensional")[0].plan
    released = bb.apply(table, plan, keep_order=True).data
    shown = defaultdict(set)
    for before, after in zip(table.select(QUASI).iter_rows(), released.select(QUASI).iter_rows(), strict=True):
        shown[tuple(value or None for value in before)].add(after)

    assert released.group_by(QUASI).len()["len"].min() >= k
    assert {len(each) for each in shown.values()} == {1}


def test_what_sensitive_values_decided_is_counted(people) -> None:
    """Two groups of four are alike but for the city; in one of them all have the same disease."""
    table = pl.DataFrame(
        {"age": [30] * 8, "city": ["A"] * 4 + ["B"] * 4, "sex": ["F"] * 8, "disease": ["flu"] * 4 + ["flu", "tb"] * 2}
    )

    assert found(table, bb.KAnonymity(4), bb.LDiversity(2))[0].decided_by_values == 8
    assert found(table, bb.KAnonymity(4))[0].decided_by_values is None
    assert found(table, bb.KAnonymity(5), bb.LDiversity(2))[0].decided_by_values == 0


@examples(25)
@given(rows=records, data=st.data())
def test_nor_does_the_order_matter_where_sensitive_values_count(rows, data) -> None:
    table = pl.DataFrame(rows, [*QUASI, "disease"], orient="row")
    shuffled = table[data.draw(st.permutations(range(table.height)))]
    criteria = [bb.KAnonymity(2), bb.LDiversity(2, kind="entropy"), bb.TCloseness(0.5)]
    one, other = (found(each, *criteria) for each in (table, shuffled))

    assert [plan.levels for plan in one] == [plan.levels for plan in other]
    assert [plan.as_json() for plan in one] == [plan.as_json() for plan in other]


def test_what_is_called_otherwise_follows_from_the_hierarchy_and_not_from_who_is_there() -> None:
    hierarchy = bb.Hierarchy.load({"kind": "tree", "tree": {"*": {"3": ["1", "2"], "z": ["3", "7", "8"]}}})
    asked = {"quasi": ["a"], "hierarchies": {"a": hierarchy}, "recoding": "local"}
    with_three, without = (["1"] * 3 + ["2"] * 3 + ["7"] * 4 + [other] for other in ("3", "8"))
    shown = [
        Counter(bb.apply(table, bb.search(table, bb.KAnonymity(5), **asked)[0].plan).data["a"])
        for table in (pl.DataFrame({"a": each}) for each in (with_three, without))
    ]

    assert shown == [{"3 [1]": 6, "z": 5}] * 2
