"""What was added to sums, by hand: for each rule a source in which nothing else keeps two tables apart."""

import polars as pl
import pytest

import biombo as bb

Amounts = dict[str, list[int]]


def frame_of(*parts: Amounts) -> pl.DataFrame:
    rows = [(place, paid) for part in parts for place, amounts in part.items() for paid in amounts]
    return pl.DataFrame(rows, ["place", "paid"], orient="row")


def shown(*months: Amounts, percents: tuple[float, ...] = (0.1, 0.1)) -> list[dict[str, float | None]]:
    """What a table of each month shows, of those who came until then, beside all before."""
    found: list[bb.Tabulation] = []
    how: dict = {"k": 5, "categories": {"place": ["A", "B", "C"]}}
    for number, percent in enumerate(percents):
        earlier = [each.on_record(str(place)) for place, each in enumerate(found)]
        frame = frame_of(*months[: number + 1])
        found.append(bb.tabulate(frame, ["place"], sums=["paid"], percent=percent, earlier=earlier, **how))
    return [dict(each.to_frame().select("place", "paid").iter_rows()) for each in found]


@pytest.mark.parametrize(("each", "is_told"), [(10, True), (25, True), (50, False)])
def test_where_it_is_not_known_what_was_added_it_is_in_doubt_by_twice_as_much(each, is_told) -> None:
    """By hand: in March three in A and three in B have 6 e together, of which nobody knows how much is A's. In April
    1090 came to A, of which one has 1000. If A is shown, what came to it is known to 6 e, which is less than 200 for
    e = 10 and for e = 25, and is not for e = 50.
    """
    march = {"A": [each] * 3, "B": [each] * 3, "C": [100] * 20}
    april = {"A": [1000, *range(6, 15)], "B": [*range(95, 105)]}
    first, second = shown(march, april)

    assert (first["A"], first["B"], first["Total"]) == (None, None, 2000 + 6 * each)
    assert (second["A"] is None) == is_told


def test_what_is_certain_to_be_enough_need_not_be_in_doubt() -> None:
    """By hand: what came to A is known to 60, and is no less than 3090, of which nobody has more than 1000."""
    march = {"A": [10] * 3, "B": [10] * 3, "C": [100] * 20}
    _, second = shown(march, {"A": [1000, 980, 960, *range(6, 21)], "B": [*range(95, 105)]})

    assert second["A"] == 30 + 2940 + 195


def test_what_an_earlier_table_left_out_stays_in_doubt() -> None:
    """By hand: A was left out in March, since one has 1000 of its 1040, and B with it. In April much came to A and
    nothing to B, which would tell that A had 1040 to 1185 in March.
    """
    march = {"A": [1000, *range(6, 11)], "B": [*range(10, 20)], "C": [100] * 20}
    april = {"A": [*range(81, 111)]}
    first, second = shown(march, april)

    assert (first["A"], first["B"]) == (None, None)
    assert second["B"] is None


def test_what_came_to_a_group_that_only_the_later_table_shows_is_in_doubt() -> None:
    """By hand: those under 17 have 1354 in April, those under 16 had 200 in March, and all others 190. So 964 to 1154
    came to those under 17, of which one has 1000. Much came to those of 40, so that nothing else tells it.
    """
    march = [(10, 10)] * 20 + [(16, paid) for paid in range(28, 33)] + [(40, 2)] * 20
    april = [*march, (16, 1000), (16, 2), (16, 1), (16, 1), (16, 0), *((40, 90 + each) for each in range(20))]
    found: list[bb.Tabulation] = []
    for rows, end in ((march, 16), (april, 17)):
        frame = pl.DataFrame(rows, ["age", "paid"], orient="row")
        ages = {"age": bb.Hierarchy.by_bounds([[0, end, 99]])}
        earlier = [each.on_record("march") for each in found]
        found.append(bb.tabulate(frame, {"age": [1]}, sums=["paid"], k=5, hierarchies=ages, earlier=earlier))
    first, second = (each.to_frame().filter(pl.col("records").fill_null(1) > 0)["paid"].to_list() for each in found)

    assert first == [200, 190, 390]
    assert second[0] is None


MARCH = {"A": [10] * 20, "B": [10] * 20, "C": [10] * 20}


def test_what_came_may_be_more_as_far_as_anybody_can_tell() -> None:
    """By hand: 1004 came to A, nearly all of it one person's, and much to C. If A and B were left out, it would be
    known that no more than 1004 came to both.
    """
    _, second = shown(MARCH, {"A": [1000, 1, 1, 1, 1], "C": [*range(90, 110)]})

    assert second["A"] is None
    assert None in (second["C"], second["Total"])


def test_what_two_brought_is_not_enough() -> None:
    """By hand: 1102 is more than 1000 and a tenth of it, but two have 1090 of it."""
    assert shown(MARCH, {"A": [1000, 90, 4, 4, 4]})[1]["A"] is None
    assert shown(MARCH, {"A": [1000, 90, 10, *[30] * 3]})[1]["A"] == 1390


def test_the_largest_share_counts_that_a_table_asks_for() -> None:
    """By hand: of 1300, one has 1000 and nobody else more than 30, which is enough by a tenth and not by four."""
    came = {"A": [1000, *[30] * 10]}
    assert shown(MARCH, came)[1]["A"] == 1500
    assert shown(MARCH, came, percents=(0.4, 0.1))[1]["A"] is None


def test_what_came_is_in_doubt_also_beside_sums_that_are_a_million_times_as_large() -> None:
    assert shown({**MARCH, "C": [10**8] * 20}, {"A": [1000, 1, 1, 1, 1]})[1]["A"] is None
