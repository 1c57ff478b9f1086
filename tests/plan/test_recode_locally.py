"""Local recoding as an operation: groups at levels of their own, whatever the table holds."""

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb

AGE = bb.RecodedColumn("age", bb.Hierarchy.by_interval(5, [2]))
CITY = bb.RecodedColumn("city", bb.Hierarchy.all_or_nothing())
ROLES = {"quasi": ["age", "city"], "sensitive": ["disease"]}
PEOPLE = pl.DataFrame(
    {
        "age": [31, 32, 33, 34, 61, 62, 63, 64, 65, 90],
        "city": ["A", "A", "A", "A", "B", "B", "B", "B", "B", "A"],
        "disease": ["flu", "gout", "flu", "tb", "flu", "gout", "flu", "tb", "flu", "gout"],
    }
)


def recoded(table: pl.DataFrame, criteria: list[bb.Criterion], **how) -> pl.DataFrame:
    plan = bb.Plan([bb.RecodeLocally([AGE, CITY], **how)], criteria, **ROLES)
    return bb.apply(table, plan, keep_order=True).data


def test_groups_keep_what_they_can_and_one_who_is_alone_is_told_by_less() -> None:
    released = recoded(PEOPLE, [bb.KAnonymity(2)])

    assert released.group_by("age", "city").len()["len"].min() >= 2
    assert released.height == 10
    assert set(released["age"][:4]) <= {"[30, 35)", "[30, 40)", "31", "32", "33", "34", "*"}
    assert released["disease"].to_list() == PEOPLE["disease"].to_list()


def test_who_is_alike_anyway_stays_as_it_is() -> None:
    twice = pl.concat([PEOPLE, PEOPLE])

    assert recoded(twice, [bb.KAnonymity(2)])["age"].to_list() == [str(age) for age in twice["age"]]


values = st.sampled_from(["A", "B", "*", "30-34", "", "=1+1", "a\nb", '"', "ç", None, "B "])
tables = st.lists(
    st.tuples(st.one_of(st.integers(0, 99).map(str), st.none()), values, st.sampled_from(["flu", "tb", "gout"])),
    min_size=6,
    max_size=40,
).map(lambda rows: pl.DataFrame(rows, {"age": pl.String, "city": pl.String, "disease": pl.String}, orient="row"))


@examples(60)
@given(table=tables, k=st.integers(2, 4), prefer=st.sampled_from(["loss", "precision", "entropy"]))
def test_every_group_is_large_enough_and_says_only_what_is_true(table, k, prefer) -> None:
    released = recoded(table, [bb.KAnonymity(k)], prefer=prefer)

    assert min(Counter(zip(released["age"], released["city"], strict=True)).values()) >= k
    for before, after in zip(table["age"], released["age"], strict=True):
        above = bb.Hierarchy.by_interval(5, [2]).with_top().ancestors(before) if before else ()
        assert after in (before or None, "*", *above)
    for before, after in zip(table["city"], released["city"], strict=True):
        assert after in (before or None, "*")


@examples(40)
@given(table=tables, k=st.integers(2, 3))
def test_values_within_groups_are_as_different_as_asked_or_nobody_can_make_them_so(table, k) -> None:
    released = recoded(table, [bb.KAnonymity(k), bb.LDiversity(2)])
    found = defaultdict(set)
    for row in released.iter_rows(named=True):
        found[row["age"], row["city"]].add(row["disease"])

    if table["disease"].n_unique() > 1:
        assert min(map(len, found.values())) >= 2


@examples(20)
@given(table=tables, data=st.data())
def test_the_order_of_records_does_not_matter(table, data) -> None:
    shuffled = table[data.draw(st.permutations(range(table.height)))]
    one, other = (
        Counter(recoded(each, [bb.KAnonymity(3)]).select("age", "city").iter_rows()) for each in (table, shuffled)
    )

    assert one == other


def test_people_are_counted_and_not_records() -> None:
    table = pl.DataFrame(
        {"person": ["a", "a", "a", "b", "c", "d"], "age": [31, 31, 31, 31, 62, 63], "city": ["A"] * 6, "disease": "flu"}
    )
    plan = bb.Plan([bb.RecodeLocally([AGE, CITY])], [bb.KAnonymity(2)], **ROLES, person="person")
    released = bb.apply(table, plan, keep_order=True).data.with_columns(table["person"])

    assert released.group_by("age", "city").agg(pl.col("person").n_unique())["person"].min() >= 2


def test_columns_that_stay_part_the_groups() -> None:
    table = PEOPLE.with_columns(sex=pl.Series(["F", "M"] * 5))
    plan = bb.Plan(
        [bb.RecodeLocally([AGE, CITY])], [bb.KAnonymity(2)], quasi=["age", "city", "sex"], sensitive=["disease"]
    )
    released = bb.apply(table, plan).data

    assert released.group_by("age", "city", "sex").len()["len"].min() >= 2


def test_a_label_of_one_level_that_looks_like_one_of_another_is_told_apart() -> None:
    """1 and 2 are called 3 at level 1, which is no 3."""
    hierarchy = bb.Hierarchy.load({"kind": "tree", "tree": {"*": {"3": ["1", "2"], "9": ["3", "4"]}}})
    table = pl.DataFrame({"code": ["1", "2", "3", "3", "3"], "disease": ["flu"] * 5})
    plan = bb.Plan(
        [bb.RecodeLocally([bb.RecodedColumn("code", hierarchy)])],
        [bb.KAnonymity(2)],
        quasi=["code"],
        sensitive=["disease"],
    )

    assert bb.apply(table, plan, keep_order=True).data["code"].to_list() == ["3 [1]", "3 [1]", "3", "3", "3"]


@pytest.mark.parametrize(
    ("key", "make"),
    [
        ("plan.recoded-for-nothing", lambda: recoded(PEOPLE, [])),
        ("plan.no-column-named", lambda: bb.RecodeLocally([])),
        ("attack.repeated", lambda: bb.RecodeLocally([AGE, AGE])),
        ("plan.recoded-weight", lambda: bb.RecodedColumn("age", AGE.hierarchy, weight=-1)),
        ("document.entry-choice", lambda: bb.RecodeLocally([AGE], prefer="beauty")),
        ("document.entry-whole", lambda: bb.RecodeLocally([AGE], steps=-1)),
    ],
)
def test_what_makes_no_sense_is_refused(key, make) -> None:
    with refused(key):
        make()


def test_the_plan_is_written_read_and_hashed(tmp_path) -> None:
    plan = bb.Plan([bb.RecodeLocally([AGE, CITY], prefer="entropy", steps=40)], [bb.KAnonymity(2)], **ROLES)
    (tmp_path / "plan.yaml").write_text(plan.to_yaml(), "utf-8")
    again = bb.Plan.load(tmp_path / "plan.yaml")

    assert again == plan
    assert again.hash == plan.hash != bb.Plan([bb.RecodeLocally([CITY, AGE])], [bb.KAnonymity(2)], **ROLES).hash


def test_weights_say_which_column_is_to_be_kept() -> None:
    rng = np.random.default_rng(1)
    table = pl.DataFrame(
        {"age": rng.integers(20, 60, 60), "city": rng.choice(list("ABCDEFGH"), 60), "disease": ["flu"] * 60}
    )
    kept = []
    for weight in (0.01, 100.0):
        columns = [AGE, bb.RecodedColumn("city", CITY.hierarchy, weight=weight)]
        plan = bb.Plan([bb.RecodeLocally(columns)], [bb.KAnonymity(4)], **ROLES)
        kept.append((bb.apply(table, plan).data["city"] != "*").sum())

    assert kept[0] < kept[1]


UNDER = {"[0, 2)": "01", "[2, 4)": "23", "[4, 6)": "45", "*": "012345"}


def bits_lost(values: list[str], shown: list[str]) -> float:
    """Of each record log₂ of how many may be meant by what is shown, less those with its value."""
    held = Counter(values)
    meant = [sum(held[value] for value in UNDER.get(label, label)) for label in shown]
    return sum(np.log2(number / held[value]) for number, value in zip(meant, values, strict=True))


def fewest_bits(values: list[str], k: int) -> float:
    """The same for the best of all ways to part the records into groups of ``k``."""
    held = Counter(values)

    def of_group(chosen: tuple[str, ...]) -> float:
        ways = [under for under in (*"012345", *UNDER.values()) if set(chosen) <= set(under)]
        meant = sum(held[value] for value in min(ways, key=len))
        return sum(np.log2(meant / held[value]) for value in chosen)

    @cache
    def of_all(left: tuple[str, ...]) -> float:
        sizes = range(k, len(left) + 1)
        ways = {(left[0], *others) for size in sizes for others in combinations(left[1:], size - 1)}
        rests = [(of_group(chosen), tuple(sorted((Counter(left) - Counter(chosen)).elements()))) for chosen in ways]
        return min((lost + of_all(rest) for lost, rest in rests), default=float("inf")) if left else 0.0

    return of_all(tuple(sorted(values)))


def test_bits_are_counted_of_each_record_and_not_of_one_in_the_group() -> None:
    rng = np.random.default_rng(2)
    column = bb.RecodedColumn("code", bb.Hierarchy.by_interval(2))
    operation = bb.RecodeLocally([column], prefer="entropy")
    plan = bb.Plan([operation], [bb.KAnonymity(3)], quasi=["code"], sensitive=["disease"])
    lost, fewest = 0.0, 0.0
    for _ in range(25):
        values = rng.choice(list("012345"), 10, p=[0.35, 0.05, 0.25, 0.1, 0.2, 0.05]).tolist()
        table = pl.DataFrame({"code": values, "disease": ["flu"] * 10})
        lost += bits_lost(values, bb.apply(table, plan, keep_order=True).data["code"].to_list())
        fewest += fewest_bits(values, 3)

    assert fewest - 1e-6 <= lost <= 1.02 * fewest
