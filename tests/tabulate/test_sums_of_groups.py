"""Sums of groups that no table shows, and that several tables of the same records tell by subtraction."""

from collections.abc import Sequence
from itertools import chain, combinations

import numpy as np
import polars as pl
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st

import biombo as bb
from biombo._tabulate import Program, System


def made(people: pl.DataFrame, ends: Sequence[Sequence[int]], column: str, **how) -> list[bb.Tabulation]:
    """Tables of the same people by age, each beside all before: in the first up to these ages, and so on."""
    found: list[bb.Tabulation] = []
    for each in ends:
        earlier = [table.on_record(str(number)) for number, table in enumerate(found)]
        ages = {"age": bb.Hierarchy.by_bounds([[0, *each, 99]])}
        found.append(bb.tabulate(people, {"age": [1]}, sums=[column], hierarchies=ages, earlier=earlier, **how))
    return found


def shown(table: bb.Tabulation, column: str) -> list[float | None]:
    """What is shown where somebody is, or may be."""
    return table.to_frame().filter(pl.col("records").fill_null(1) > 0)[column].to_list()


def test_what_one_person_has_is_not_told_by_two_ages() -> None:
    """By hand: six are 17, of whom one has 1000 and all others 1. Those under 18 have 2005 and those under 17 have
    1000, which would leave 1005.
    """
    ages = [10] * 100 + [17] * 6 + [40] * 100
    people = pl.DataFrame({"age": ages, "paid": [10] * 100 + [1000, 1, 1, 1, 1, 1] + [20] * 100})
    first, second = made(people, [[18], [17]], "paid", k=5)

    assert shown(made(people, [[17]], "paid", k=5)[0], "paid") == [1000, 3005, 4005]
    assert shown(first, "paid") == [2005, 2000, 4005]
    assert shown(second, "paid") == [None, None, 4005]


def test_how_few_are_ill_is_not_told_by_two_ages() -> None:
    """By hand: two of ten who are 17 are ill, which 12 under 18 and 10 under 17 would tell."""
    ill = {10: [1] * 10 + [0] * 20, 17: [1] * 2 + [0] * 8, 40: [1] * 20 + [0] * 20}
    people = pl.DataFrame([(age, each) for age, some in ill.items() for each in some], ["age", "ill"], orient="row")
    first, second = made(people, [[18], [17]], "ill", k=5)

    assert shown(made(people, [[17]], "ill", k=5)[0], "ill") == [10, 22, 32]
    assert shown(first, "ill") == [12, 20, 32]
    assert shown(second, "ill") == [None, None, 32]


def test_what_many_have_is_told_by_two_ages() -> None:
    ages = [10] * 20 + [17] * 20 + [40] * 20
    people = pl.DataFrame({"age": ages, "paid": [10, 11, 12, 13] * 15})
    _, second = made(people, [[18], [17]], "paid", k=5)

    assert shown(second, "paid") == [230, 460, 690]


AGES = (10, 20, 30, 40)
SOME = [*chain.from_iterable(combinations(AGES, size) for size in range(1, 5))]
KINDS = st.tuples(st.sampled_from(AGES), st.sampled_from([1, 8, 10, 10, 12, 50]), st.integers(1, 5))


@examples(60)
@given(
    people=st.lists(KINDS, min_size=4, max_size=9),
    ends=st.lists(st.sets(st.sampled_from([15, 25, 35]), min_size=1).map(sorted), min_size=2, max_size=3),
    percent=st.sampled_from([0.1, 0.4]),
    k=st.sampled_from([1, 1, 2]),
    zeros=st.sampled_from(["shown", "shown", "protected"]),
)
def test_of_nobody_can_it_be_told_that_they_have_hardly_more(people, ends, percent: float, k: int, zeros: str) -> None:
    """Against whoever adds and subtracts all that is shown: of all unions of groups that tables tell apart."""
    rows = [(age, had) for age, had, times in people for _ in range(times)]
    frame = pl.DataFrame(rows, ["age", "had"], orient="row")
    lists = {"age": "public"}
    try:
        tables = made(frame, ends, "had", k=k, percent=percent, zeros=zeros, categories=lists)
    except bb.UsageError as error:
        assume(error.key != "tabulate.zeros-tell")
        raise
    for number in range(1, len(tables)):
        before, after = knowing(tables[:number]), knowing(tables[: number + 1])
        for some in SOME:
            places = [AGES.index(age) for age in some]
            wanted = (1 + percent) * max((had for age, had in rows if age in some), default=0)
            assert after.most(places) >= min(before.most(places), wanted) - 1e-3


def knowing(tables: Sequence[bb.Tabulation]) -> Program:
    """What follows of the sums of single ages."""
    sums, told = [], []
    for table in tables:
        (tree,) = table.cube.classifications
        for cell in np.flatnonzero(~table.suppression.hidden):
            held = frozenset().union(*(table.basis.leaves["age"][leaf] for leaf in tree.leaves_under(int(cell))))
            sums.append(np.array([place for place, age in enumerate(AGES) if str(age) in held], np.int64))
            told.append(float(table.cube.sums["had"].totals[cell]))
    ends = np.array(told)
    return Program(System.of_sums(sums, ends, ends, np.zeros(len(AGES)), np.full(len(AGES), 1e5)))
