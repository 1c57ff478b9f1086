"""Tables of counts, sums and means."""

import hypothesis.strategies as st
import polars as pl
import pytest
from donations import DONORS
from hypothesis import given, settings
from refusal import refused

import biombo as bb


def test_the_guides_donations() -> None:
    """Document 003, 14.6; the last band is printed as 5000-6000, which is [5000, 6000) here."""
    bands = {"salary": bb.Hierarchy.by_interval(1000)}
    found = bb.tabulate(DONORS, {"salary": [1]}, sums=["donated"], k=3, percent=0, hierarchies=bands).to_frame()

    assert found.select("salary", "records", "donated").rows() == [
        ("[1000, 2000)", 4, 1470),
        ("[2000, 3000)", 5, 1220),
        ("[3000, 4000)", 3, 290),
        ("[4000, 5000)", 5, 1520),
        ("[5000, 6000)", 3, 870),
        ("Total", 20, 5370),
    ]


@given(
    cents=st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 10**7)), min_size=1, max_size=60),
    digits=st.integers(0, 4),
)
def test_sums_are_those_of_whoever_adds_up_by_hand(cents: list[tuple[str, int]], digits: int) -> None:
    """As decimal fractions, in whichever order, and in the file as here."""
    amounts = [amount / 10**digits for _, amount in cents]
    table = pl.DataFrame({"town": [town for town, _ in cents], "paid": amounts})
    made = bb.tabulate(table, ["town"], sums=["paid"], k=1, percent=0, categories={"town": ["a", "b"]})
    by_hand = {town: sum(amount for each, amount in cents if each == town) / 10**digits for town in "ab"}

    found = dict(zip(made.cube.classifications[0].labels, made.cube.sums["paid"].totals.tolist(), strict=True))
    assert found == {**by_hand, "(others)": 0, "Total": sum(amount for _, amount in cents) / 10**digits}


@pytest.mark.parametrize("asked", [{"by": ["", "u"]}, {"by": ["u"], "sums": [""]}, {"by": ["u"], "means": [""]}])
def test_a_column_without_a_name_is_refused(asked: dict) -> None:
    with refused("tabulate.nameless"):
        bb.tabulate(pl.DataFrame({"": [1] * 9, "u": [2] * 9}), k=5, **asked)


rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 5), st.integers(0, 40)),
    min_size=1,
    max_size=40,
)


@settings(max_examples=40)
@given(rows=rows, k=st.integers(1, 4), percent=st.sampled_from([0.0, 0.1, 0.5]))
def test_cells_are_left_out_by_the_rules_and_all_others_tell_the_truth(
    rows: list[tuple], k: int, percent: float
) -> None:
    """Against people and amounts that are looked at one by one."""
    table = pl.DataFrame(rows, ["town", "sex", "who", "paid"], orient="row")
    rule = bb.Dominance(1, 0.9)
    made = bb.tabulate(table, ["town", "sex"], sums=["paid"], k=k, percent=percent, dominance=rule, person="who")
    frame = made.to_frame()
    towns = {label: label for label in frame["town"]}
    for town, sex, records, paid, state in frame.rows():
        mine = [row for row in rows if _in(town, row[0], towns) and _in(sex, row[1], frame["sex"])]
        each = sorted((sum(row[3] for row in mine if row[2] == who) for who in {row[2] for row in mine}), reverse=True)
        total = sum(each)
        first, second = (*each, 0, 0)[:2]
        tells = 0 < len(each) < k or total - first - second < percent * first or first > 0.9 * total
        assert (state == "suppressed") >= (tells and bool(mine))
        if state == "shown":
            assert (records, paid) == (len(mine), total)
    assert made.small <= made.small + made.besides == frame["cell"].eq("suppressed").sum()


def _in(label: str, value: str, labels: object) -> bool:
    return label in ("Total", value) or (label == "(others)" and value not in set(labels))


def test_categories_of_few_people_are_counted_together() -> None:
    """That a category is there at all would depend on them."""
    table = pl.DataFrame({"disease": ["flu"] * 9 + ["gout"] * 8 + ["Ana's own"] * 2})
    assert set(bb.tabulate(table, ["disease"], k=5).to_frame()["disease"]) == {"flu", "gout", "(others)", "Total"}


def test_rows_that_are_there_because_k_people_have_them_do_not_give_the_others_away() -> None:
    """By hand: were all but 12 shown, of which Scotland must have 10 to have a row, there would be two others."""
    people = pl.DataFrame({"country": ["US"] * 40 + ["Scotland"] * 11 + ["Holland"]})
    made = bb.tabulate(people, ["country"], k=10)
    public = bb.tabulate(people, ["country"], k=10, categories={"country": ["Scotland", "US"]})

    assert made.to_frame()["records"].to_list() == [None, 11, None, 52]
    assert made.cube.classifications[0].frequent == (1, 2)
    assert made.suppression.evidence["records"].high.tolist() == [31, 11, 40, 52]
    assert made.suppression.evidence["records"].low.tolist() == [1, 11, 10, 52]
    assert public.to_frame()["records"].to_list() == [None, None, 40, 52]  # the rows tell nothing there


def test_groups_of_a_hierarchy_have_rows_by_themselves() -> None:
    """The state has k people, its two cities have not: those are counted together, and nothing is known of them."""
    cities = pl.DataFrame({"city": ["330455"] * 3 + ["330330"] * 3 + ["355030"] * 15})
    how: dict = {"hierarchies": {"city": bb.Hierarchy.built_in("municipality")}, "categories": {"city": "data"}}
    (tree,) = bb.tabulate(cities, {"city": [0, "state"]}, k=5, **how).cube.classifications

    assert [tree.labels[place] for place in tree.frequent] == ["355030", *tree.labels[2:4]]


def test_levels_of_a_hierarchy_are_added_up() -> None:
    table = pl.DataFrame({"city": ["330455"] * 20 + ["330330"] * 12 + ["355030"] * 15})
    municipality = {"city": bb.Hierarchy.built_in("municipality")}
    found = bb.tabulate(table, {"city": [0, "state"]}, k=5, hierarchies=municipality).to_frame()

    assert found.select("city: level", "records").rows() == [(0, 12), (0, 20), (0, 15), (1, 32), (1, 15), (2, 47)]


def test_means_are_of_the_records_shown_beside_them() -> None:
    table = pl.DataFrame({"sex": ["F"] * 6 + ["M"] * 6, "age": [30, 31, 32, 33, 34, 35] * 2})
    found = bb.tabulate(table, ["sex"], means=["age"], k=3).to_frame()

    assert found["age: mean"].to_list() == [32.5, 32.5, 32.5]


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_whoever_publishes_is_told_that_nothing_was_added_where_no_amount_is_told(nothing: float | None) -> None:
    """Missing and not a number are the same, as everywhere: counted, and nothing in the sum."""
    table = pl.DataFrame({"sex": ["F"] * 8 + ["M"] * 8, "paid": [nothing, *range(100, 107)] * 2, "age": [40] * 16})
    found = bb.tabulate(table, ["sex"], sums=["paid", "age"], k=3)

    assert found.to_frame().select("records", "paid").rows() == [(8, 721), (8, 721), (16, 1442)]
    assert found.untold == {"paid": 2, "age": 0}
    told = [line for line in found.verdict() if "tells no amount" in line]
    assert told == [
        "In 2 records the column 'paid' tells no amount (missing, or not a number), which adds nothing to its sums; "
        "the counts have all records."
    ]


@pytest.mark.parametrize(
    ("table", "how", "said"),
    [
        ({"x": []}, {}, "no rows"),
        ({"x": ["a"]}, {"sums": ["x"]}, "named twice"),
        ({"x": ["a"], "y": ["b"]}, {"sums": ["y"]}, "no numbers"),
        ({"x": ["a"], "y": [-1]}, {"sums": ["y"]}, "negative"),
        ({"x": ["a", "b"], "y": [1.0, float("inf")]}, {"sums": ["y"]}, "no numbers"),
        ({"x": ["a", "b"], "y": [1.0, float("nan")]}, {"means": ["y"]}, "missing values"),
        ({"x": ["a", "b"], "y": [1, None]}, {"means": ["y"]}, "missing values"),
        ({"x": ["a"]}, {"k": 0}, "at least 1 person"),
        ({"x": ["a"]}, {"percent": 2}, "from 0 to 1"),
        ({"x": ["a"]}, {"sums": ["z"]}, "'z' is not in"),
        ({"x": ["a"], "y": [1e16]}, {"sums": ["y"]}, "larger units"),
        ({"x": ["a"], "records": [1]}, {"sums": ["records"]}, "table's own"),
        ({"x": ["a"], "cell": [1]}, {"sums": ["cell"]}, "table's own"),
        ({"x": ["a", "b"], "who": ["1", None]}, {"person": "who"}, "missing values"),
        ({"x": ["Total"]}, {}, "'Total'"),
        ({"x": ["(others)", "b"]}, {}, "others"),
        ({"x": ["(missing)", None]}, {}, "missing"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_one_sentence(table, how, said) -> None:
    with pytest.raises(bb.BiomboError, match=said):
        bb.tabulate(pl.DataFrame(table), ["x"], **how)


def test_a_table_of_small_groups_alone_shows_nothing() -> None:
    made = bb.tabulate(pl.DataFrame({"x": list("abc")}), ["x"], k=5)

    assert not made.holds
    assert made.to_frame()["records"].drop_nulls().is_empty()


@settings(max_examples=15)
@given(base=st.lists(st.integers(0, 9), min_size=4, max_size=12))
def test_the_order_of_rows_does_not_matter(base: list[int]) -> None:
    cells = [(f"a{n % 3}", f"b{n % 4}") for n, times in enumerate(base) for _ in range(times)]
    if not cells:
        return
    tables = [pl.DataFrame(each, ["x", "y"], orient="row") for each in (cells, cells[::-1])]
    one, other = (bb.tabulate(table, ["x", "y"], k=3).to_frame() for table in tables)

    assert one.equals(other)


def test_people_are_counted_once_however_many_records_they_have() -> None:
    table = pl.DataFrame({"x": ["a"] * 12 + ["b"] * 12, "who": [1] * 12 + list(range(12))})
    made = bb.tabulate(table, ["x"], k=5, person="who")

    assert dict(zip(made.cube.classifications[0].labels, made.cube.people.tolist(), strict=True)) == {
        "(others)": 1,
        "b": 12,
        "Total": 12,
    }
    assert made.small >= 1


def test_a_table_of_small_cells_alone_says_that_nothing_is_left() -> None:
    few = pl.DataFrame({"town": [*"ABCD"]})
    told = [bb.tabulate(few, ["town"], k=k).verdict()[0] for k in (10, 1)]

    assert [each.startswith("Nothing is left to show") for each in told] == [True, False]
