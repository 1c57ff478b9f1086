"""Tables of the same source that are published one after the other give nothing away together."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
import polars as pl
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb

Record = tuple[str, ...]


def published(tables: Sequence[tuple[pl.DataFrame, object]], k: int, **how) -> list[bb.Tabulation]:
    """Tables that are made beside all that were made before."""
    found: list[bb.Tabulation] = []
    for frame, by in tables:
        earlier = [each.on_record(str(number)) for number, each in enumerate(found)]
        found.append(bb.tabulate(frame, by, k=k, earlier=earlier, categories=dict.fromkeys(by, "data"), **how))
    return found


def shown(table: bb.Tabulation) -> dict[tuple[str, ...], int | None]:
    columns = [tree.column for tree in table.cube.classifications]
    return {row[:-1]: row[-1] for row in table.to_frame().select(*columns, "records").rows()}


def test_a_table_and_its_finer_one_are_not_subtracted() -> None:
    """By hand: 14 are in the state, of which the city has 12. Who lives elsewhere is not told by subtraction."""
    cities = pl.DataFrame({"city": ["330455"] * 12 + ["330330"] * 2 + ["355030"] * 20})
    hierarchies = {"city": bb.Hierarchy.built_in("municipality")}
    state = bb.tabulate(
        cities, {"city": ["state"]}, k=5, hierarchies=hierarchies, categories={"city": "data"}, earlier=[]
    )
    assert {14, 20, 34} == set(shown(state).values())

    city = bb.tabulate(cities, ["city"], k=5, categories={"city": "data"}, earlier=[state.on_record("state")])
    told = {label: number for (label,), number in shown(city).items()}
    assert told["330455"] is None  # with 14 it would give the other two away, and alone it would not
    assert (told["355030"], told["Total"]) == (20, 34)


def test_two_ages_are_not_subtracted() -> None:
    """By hand: 20 are under 18 and 19 under 17, so that one is 17: the second table does not say 19."""
    frame = pl.DataFrame({"age": [10] * 12 + [16] * 7 + [17] + [40] * 30})
    under = {end: {"age": bb.Hierarchy.by_bounds([[0, end, 99]])} for end in (18, 17)}
    how: dict = {"k": 5, "categories": {"age": "data"}}
    first = bb.tabulate(frame, {"age": [1]}, **how, hierarchies=under[18], earlier=[])
    assert [*shown(first).values()] == [20, 30, 50]
    assert [*shown(bb.tabulate(frame, {"age": [1]}, **how, hierarchies=under[17])).values()] == [19, 31, 50]

    second = bb.tabulate(frame, {"age": [1]}, **how, hierarchies=under[17], earlier=[first.on_record("1")])
    assert [*shown(second).values()] == [None, None, 50]


def test_categories_that_are_public_and_empty_stay_so_beside_others() -> None:
    """Nobody is in C, which everybody may know; the table of B and C together says nothing new."""
    frame = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20})
    tree = {"town": bb.Hierarchy.by_hand({"north": ["A"], "south": ["B", "C"]})}
    lists = {"town": ["A", "B", "C"]}
    first = bb.tabulate(frame, ["town"], k=5, categories=lists, earlier=[])
    second = bb.tabulate(frame, {"town": [1]}, k=5, hierarchies=tree, earlier=[first.on_record("1")])

    assert shown(first)[("C",)] == 0
    assert (shown(second)[("north",)], shown(second)[("south",)]) == (20, 20)


def test_a_row_that_is_missing_does_not_tell_who_came() -> None:
    """By hand: one more of A, which two tables keep open: the first has somebody elsewhere, as far as anybody can tell.
    A third one without a row for others would say that it has not, and so that A had 20 and has 21.
    """
    march = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20})
    april = pl.concat([march, pl.DataFrame({"town": ["A"]})])
    how: dict = {"k": 5, "zeros": "protected"}
    lists = {"town": ["A", "B"]}
    first = bb.tabulate(march, ["town"], **how, categories=lists, earlier=[])
    second = bb.tabulate(april, ["town"], **how, categories=lists, earlier=[first.on_record("1")])
    earlier = [first.on_record("1"), second.on_record("2")]
    assert shown(first)[("A",)] is None

    with refused("tabulate.zeros-tell"):
        bb.tabulate(april, ["town"], **how, earlier=earlier)
    third = bb.tabulate(april, ["town"], **how, categories=lists, earlier=earlier)
    assert third.suppression.public == 0


def test_last_month_is_not_subtracted_from_this_month() -> None:
    """By hand: one more of A. Nobody can tell that anybody came."""
    before = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20})
    after = pl.concat([before, pl.DataFrame({"town": ["A"]})])
    first, second = published([(before, ["town"]), (after, ["town"])], k=5)

    assert shown(first) == {("A",): 20, ("B",): 20, ("Total",): 40}
    assert shown(second) == {("A",): None, ("B",): 20, ("Total",): None}


def test_as_many_as_k_may_be_seen_to_come() -> None:
    before = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20})
    after = pl.concat([before, pl.DataFrame({"town": ["A"] * 5})])
    _, second = published([(before, ["town"]), (after, ["town"])], k=5)

    assert shown(second) == {("A",): 25, ("B",): 20, ("Total",): 45}


def test_this_month_does_not_tell_who_was_few_last_month() -> None:
    """By hand: B has 20 and y has 27 in both months, so that the 7 who came are A and x. Where April shows 10 of them,
    there were 3 in March.
    """
    march = pl.DataFrame({"t": ["A"] * 20 + ["B"] * 20, "s": ["x"] * 3 + ["y"] * 17 + ["x"] * 10 + ["y"] * 10})
    april = pl.concat([march, pl.DataFrame({"t": ["A"] * 7, "s": ["x"] * 7})])
    first, second, third = published([(march, ["t"]), (march, ["s"]), (april, ["t", "s"])], 5)

    assert shown(first) == {("A",): 20, ("B",): 20, ("Total",): 40}
    assert shown(second) == {("x",): 13, ("y",): 27, ("Total",): 40}
    assert shown(third)["A", "x"] is None
    assert (shown(third)["Total", "y"], shown(third)["Total", "Total"]) == (27, 47)


def test_two_tables_of_two_months_do_not_tell_that_few_came_of_a_group_that_none_shows() -> None:
    """By hand: under 17 are 20 and then 28, under 18 are 40 and then 50. So two came who are 17: (50 - 40) - (28 - 20).
    That tables by sex cut these in two does not hide them.
    """
    march = pl.DataFrame({"age": [15] * 20 + [17] * 20 + [18] * 20, "sex": ["F", "M"] * 30})
    april = pl.concat([march, pl.DataFrame({"age": [15] * 8 + [17] * 2 + [18] * 8, "sex": ["F", "M"] * 9})])
    under = {end: {"age": bb.Hierarchy.by_bounds([[0, end, 99]])} for end in (17, 18)}
    found: list[bb.EarlierTable] = []
    for frame, by, how in (
        (march, {"age": [1]}, {"hierarchies": under[17]}),
        (march, {"age": [1]}, {"hierarchies": under[18]}),
        (march, ["sex"], {}),
        (april, {"age": [1]}, {"hierarchies": under[17]}),
        (april, ["sex"], {}),
    ):
        lists = dict.fromkeys(by, "data")
        table = bb.tabulate(frame, by, k=5, categories=lists, earlier=[*found], **how)
        assert None not in shown(table).values()
        found.append(table.on_record(str(len(found))))
    last = bb.tabulate(april, {"age": [1]}, k=5, categories={"age": "data"}, hierarchies=under[18], earlier=found)
    assert [*shown(last).values()] == [None, None, 78]


def test_it_is_not_told_that_nobody_is_in_a_group_where_zeros_are_protected() -> None:
    """By hand: 20 women are under 17 and 20 under 18, so that no woman is 17."""
    frame = pl.DataFrame(
        {"age": [15] * 40 + [17] * 20 + [18] * 40, "sex": ["F", "M"] * 20 + ["M"] * 20 + ["F", "M"] * 20}
    )
    under = {end: {"age": bb.Hierarchy.by_bounds([[0, end, 99]])} for end in (17, 18)}
    by = {"sex": [0], "age": [1]}
    for zeros, is_told in (("shown", True), ("protected", False)):
        how: dict = {"k": 5, "zeros": zeros, "categories": {"age": "data", "sex": "data"}}
        first = bb.tabulate(frame, by, **how, hierarchies=under[17], earlier=[])
        second = bb.tabulate(frame, by, **how, hierarchies=under[18], earlier=[first.on_record("1")])
        assert shown(first)["F", "[0, 17)"] == 20
        assert (shown(second)["F", "[0, 18)"] == 20) is is_told


def test_a_group_that_no_table_shows_is_not_told_by_three() -> None:
    """By hand: all three tables have 5 or more everywhere. What 000 has more, 111 has less, which is 2: so 000 has 3 at
    most.
    """
    times = {"000": 1, "001": 9, "010": 9, "100": 9, "011": 3, "101": 3, "110": 3, "111": 2}
    frame = frame_of([tuple(cell) for cell, number in times.items() for _ in range(number)], "abc")
    pairs = [["a", "b"], ["a", "c"], ["b", "c"]]
    alone = [bb.tabulate(frame, by, k=5) for by in pairs]
    assert all(None not in shown(each).values() for each in alone)
    *_, last = published([(frame, by) for by in pairs], k=5)

    assert None in shown(last).values()


def test_sums_are_not_subtracted() -> None:
    """By hand: 13 of RJ paid 130, of which one alone paid for Niterói. With the sum of Rio it would be told what."""
    cities = pl.DataFrame({"city": ["330455"] * 12 + ["330330"] + ["355030"] * 11, "paid": [10.0] * 24})
    how: dict = {"k": 1, "sums": ["paid"], "hierarchies": {"city": bb.Hierarchy.built_in("municipality")}}
    state = bb.tabulate(cities, {"city": ["state"]}, **how, categories={"city": "data"}, earlier=[])
    assert sorted(state.to_frame()["paid"]) == [110, 130, 240]
    alone = bb.tabulate(cities, ["city"], **how)
    city = bb.tabulate(cities, ["city"], **how, earlier=[state.on_record("state")])

    assert alone.to_frame()["paid"].to_list() == [None, 120, None, 240]
    assert city.to_frame()["paid"].to_list() == [None, None, 110, 240]


def test_what_is_counted_by_is_not_added_up_in_another_table() -> None:
    """The sum of 0 and 1 would be how many have 1."""
    people = pl.DataFrame({"city": ["A"] * 50 + ["B"] * 60, "ill": [1] * 3 + [0] * 47 + [1] * 20 + [0] * 40})
    by, added = ({"by": ["city", "ill"]}, {"by": ["city"], "sums": ["ill"]})
    for first, second in ((by, added), (added, by)):
        kept = bb.tabulate(people, **first, earlier=[]).on_record("one")
        with refused("tabulate.counted-and-added", "'ill'", "one"):
            bb.tabulate(people, **second, earlier=[kept])


def test_values_are_counted_together_only_where_somebody_says_so_and_is_told_what_that_means() -> None:
    few = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 3})
    with refused("tabulate.gathered-in-series", "'town'"):
        bb.tabulate(few, ["town"], k=5, earlier=[])
    told = " ".join(bb.tabulate(few, ["town"], k=5, categories={"town": "data"}, earlier=[]).verdict())
    listed = bb.tabulate(few, ["town"], k=5, categories={"town": ["A", "B"]}, earlier=[])

    assert "In town, values of fewer than 5" in told
    assert "counted together" not in " ".join(listed.verdict())


TOWNS = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20, "who": [*range(40)]})


def test_the_same_records_are_known_in_whatever_order_and_form(tmp_path) -> None:
    TOWNS.write_parquet(tmp_path / "towns.parquet")
    first = bb.tabulate(TOWNS, ["town"], earlier=[])
    for same in (TOWNS.reverse(), TOWNS.select("who", "town"), str(tmp_path / "towns.parquet"), TOWNS.to_pandas()):
        second = bb.tabulate(same, ["town"], earlier=[first.on_record("1")])
        assert second.basis.state == first.basis.state
    assert bb.tabulate(TOWNS.head(39), ["town"], earlier=[]).basis.state != first.basis.state


def test_what_is_kept_is_read_back_and_has_no_number_that_was_left_out() -> None:
    frame = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20 + [None] * 3 + ["C"] * 17, "paid": [*range(60)]})
    how: dict = {"k": 5, "dominance": bb.Dominance(1, 0.9), "categories": {"town": "data"}}
    made = bb.tabulate(frame, ["town"], sums=["paid"], **how, earlier=[])
    kept = made.on_record("1")
    back = bb.EarlierTable.read(kept.written())

    assert (back.release, back.state, back.rules, back.person) == ("1", made.basis.state, made.rules, None)
    assert back.leaves == made.basis.leaves
    assert back.shown.frame().equals(made.to_frame())
    assert made.suppression.hidden.any()
    assert np.array_equal(np.isnan(back.shown.values["records"]), made.suppression.hidden)


def test_what_undoes_an_earlier_table_is_refused() -> None:
    kept = bb.tabulate(TOWNS, ["town"], k=10, zeros="protected", person="who", earlier=[]).on_record("one")
    with refused("tabulate.lower-k", "one", "10"):
        bb.tabulate(TOWNS, ["town"], k=5, earlier=[kept])
    with refused("tabulate.zeros-protected", "one"):
        bb.tabulate(TOWNS, ["town"], earlier=[kept])
    with refused("tabulate.other-person", "'who'"):
        bb.tabulate(TOWNS, ["town"], zeros="protected", earlier=[kept])


def test_a_source_that_lost_records_is_no_later_state() -> None:
    kept = bb.tabulate(TOWNS, ["town"], earlier=[]).on_record("one")
    with refused("tabulate.not-grown", "one"):
        bb.tabulate(TOWNS.head(39), ["town"], earlier=[kept])


def test_an_earlier_state_can_still_be_counted() -> None:
    """By hand: in April 12 came, six of each sex. The table of March by sex, published after that of April, does not
    tell that.
    """
    march = pl.DataFrame({"town": ["A"] * 20 + ["B"] * 20, "sex": ["F", "M"] * 20})
    april = pl.concat([march, pl.DataFrame({"town": ["B"] * 12, "sex": ["F", "M"] * 6})])
    *_, by_sex, late = published([(march, ["town"]), (april, ["town"]), (april, ["sex"]), (march, ["sex"])], k=10)

    assert shown(by_sex) == {("F",): 26, ("M",): 26, ("Total",): 52}
    assert shown(late) == {("F",): None, ("M",): None, ("Total",): 40}


def test_what_earlier_tables_gave_away_is_told_to_whoever_publishes() -> None:
    """A cell of 4 was shown with k = 3; with k = 5 it is left out, to no avail."""
    frame = pl.DataFrame({"town": ["A"] * 4 + ["B"] * 20 + ["C"] * 20})
    first = bb.tabulate(frame, ["town"], k=3, earlier=[])
    second = bb.tabulate(frame, ["town"], k=5, categories={"town": "data"}, earlier=[first.on_record("1")])

    assert shown(first)[("A",)] == 4
    assert shown(second)[("(others)",)] is None
    assert second.suppression.public > 0
    assert "cannot be taken back" in " ".join(second.verdict())


def test_too_many_groups_are_refused() -> None:
    ids = pl.DataFrame({"a": [*range(3000)] * 5, "b": [*range(3000)] * 5})
    kept = bb.tabulate(ids, ["a"], k=2, earlier=[]).on_record("1")
    with refused("tabulate.too-many-groups"):
        bb.tabulate(ids, ["b"], k=2, earlier=[kept])


def sources(values: dict[str, str], most: int) -> st.SearchStrategy[list[Record]]:
    cells = [*product(*values.values())]
    return st.lists(st.sampled_from(cells), min_size=2, max_size=most).map(sorted)


def frame_of(records: Sequence[Record], columns: str) -> pl.DataFrame:
    return pl.DataFrame(records, [*columns], orient="row")


def possible(cells: int, most: int) -> np.ndarray:
    """All numbers of base cells that come to no more than so many."""
    ends = np.array([*combinations(range(most + cells), cells)])
    return np.diff(ends, axis=1, prepend=-1) - 1


class Base:
    """All sources that there could be, by when each record came and by its values."""

    def __init__(self, values: dict[str, str], states: int, most: int) -> None:
        self.values, self.columns = values, "".join(values)
        self.cells = [*product(range(states), *values.values())]
        self.numbers = possible(len(self.cells), most)

    def of(self, came: range, values: dict[str, frozenset]) -> np.ndarray:
        """What a group has in each of them."""
        mine = [
            cell[0] in came and all(cell[1 + self.columns.index(column)] in some for column, some in values.items())
            for cell in self.cells
        ]
        return self.numbers[:, mine].sum(axis=1)

    def cells_of(self, table: bb.Tabulation) -> Iterator[tuple[tuple[int, ...], dict[str, frozenset]]]:
        trees = table.cube.classifications
        for place in np.ndindex(*table.cube.shape):
            yield (
                place,
                {
                    tree.column: frozenset().union(*(table.basis.leaves[tree.column][n] for n in tree.leaves_under(at)))
                    for tree, at in zip(trees, place, strict=True)
                },
            )

    def agree(self, tables: Sequence[tuple[int, bb.Tabulation]]) -> np.ndarray:
        """Those that tables could be of, each of a state."""
        found = np.ones(len(self.numbers), bool)
        for state, table in tables:
            for place, group in self.cells_of(table):
                has = self.of(range(state + 1), group)
                if not table.suppression.hidden[place]:
                    found &= has == table.cube.records[place]
                elif table.rules.zeros == "shown" and all(
                    tree.levels[at] == 0 for tree, at in zip(table.cube.classifications, place, strict=True)
                ):
                    found &= has >= 1
            for column, leaves in table.basis.leaves.items():
                there = frozenset().union(*leaves)
                found &= self.of(range(state + 1), {column: frozenset(self.values[column]) - there}) == 0
        return found


def one_after_the_other(tables: Sequence[tuple[pl.DataFrame, object]], k: int, zeros: str) -> list[bb.Tabulation]:
    """The tables; none where knowing where nobody is would tell too much."""
    try:
        return published(tables, k, zeros=zeros)
    except bb.UsageError as error:
        assume(error.key != "tabulate.zeros-tell")
        raise


THREE, TWO = {"a": "01", "b": "01", "c": "01"}, {"a": "01", "b": "01"}
ways = st.lists(st.sampled_from([["a"], ["b"], ["a", "b"], ["a", "c"], ["b", "c"]]), min_size=2, max_size=3)


@examples(12)
@given(
    records=sources(THREE, 5), ways=ways, k=st.integers(2, 3), zeros=st.sampled_from(["shown", "shown", "protected"])
)
def test_every_small_group_may_have_k_as_far_as_anybody_can_tell(records, ways, k: int, zeros: str) -> None:
    """Against every source that there could be: of all groups that tables tell apart."""
    told = {column: THREE[column] for column in THREE if any(column in way for way in ways)}
    frame = frame_of(records, "abc").select([*told])
    tables = one_after_the_other([(frame, way) for way in ways], k, zeros)
    base = Base(told, 1, len(records) + k + 1)
    for number in range(1, len(tables)):
        before, after = (base.agree([(0, table) for table in tables[:end]]) for end in (number, number + 1))
        for cell in set(frame.rows()):
            has = base.of(range(1), {column: frozenset([value]) for column, value in zip(told, cell, strict=True)})
            assert frame.rows().count(cell) >= k or has[after].max() >= min(k, has[before].max())


@examples(12)
@given(
    records=sources(TWO, 4),
    more=sources(TWO, 3),
    ways=st.lists(st.sampled_from([["a"], ["b"], ["a", "b"]]), min_size=2, max_size=3),
    late=st.booleans(),
    k=st.integers(2, 3),
)
def test_nobody_can_tell_that_few_came(records, more, ways, late: bool, k: int) -> None:
    """Against every source that there could be, and every later state of it."""
    states = [0, int(late) if len(ways) > 2 else 1, 1][: len(ways)]
    frames = [frame_of(records, "ab"), frame_of([*records, *more], "ab")]
    tables = one_after_the_other([(frames[state], way) for state, way in zip(states, ways, strict=True)], k, "shown")
    base = Base(TWO, 2, len(records) + len(more) + k)
    stated = [*zip(states, tables, strict=True)]
    before, after = base.agree(stated[:-1]), base.agree(stated)
    assert after.any()
    groups = [group for _, table in stated for _, group in base.cells_of(table)]
    groups += [{"a": frozenset(a), "b": frozenset(b)} for a, b in product(["0", "1", "01"], repeat=2)]
    for group in groups:
        grown = base.of(range(1, 2), group)
        assert _is_open(grown[after], k) or not _is_open(grown[before], k)
    for a, b in {*records, *more}:
        for came in (range(1), range(1, 2)):
            few = base.of(came, {"a": frozenset(a), "b": frozenset(b)})
            assert _may_be_many(few[after], k) or not _may_be_many(few[before], k)


def _may_be_many(few: np.ndarray, k: int) -> bool:
    """May there be k, or is it known that there is nobody?"""
    return bool(few.max() >= k or few.max() == 0)


def _is_open(grown: np.ndarray, k: int) -> bool:
    """May nobody have come, or k?"""
    return bool(((grown == 0) | (grown >= k)).any())
