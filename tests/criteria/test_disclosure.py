"""The one rule for what may be told in public."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._criteria import SMALLEST, Count, Disclosure

COUNTS = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: Count(max(pair), min(pair)))


@given(COUNTS, st.lists(COUNTS, max_size=2), st.integers(2, 12))
def test_a_count_is_told_only_where_it_and_what_follows_are_about_enough_people(count, following, least) -> None:
    enough = all(each.people >= least for each in (count, *following))

    assert Disclosure(least).told(count, *following) == (count.records if enough else None)


def test_none_reads_as_few_do() -> None:
    assert Disclosure(5).told(Count(0, 0)) is Disclosure(5).told(Count(4, 4)) is Disclosure(5).told(Count(7, 1)) is None


def test_k_decides_and_ten_where_there_is_none() -> None:
    assert Disclosure.of([bb.KAnonymity(3), bb.KAnonymity(7, quasi=["a"]), bb.LDiversity(20)]).least == 7
    assert Disclosure.of([bb.LDiversity(2)]).least == SMALLEST == 10


@pytest.mark.parametrize(
    ("criterion", "told"),
    [
        (bb.KAnonymity(5), True),
        (bb.LDiversity(2), True),
        (bb.Vulnerability(0.5), True),
        (bb.TCloseness(0.3), False),
        (bb.Leakage(0.1), False),
    ],
)
def test_what_compares_with_others_is_told_as_met_only(criterion, told) -> None:
    assert Disclosure(5).tells_value(criterion) is told


def test_shares_are_told_where_half_a_percent_of_the_released_is_enough_people() -> None:
    assert Disclosure(10).tells_shares(2_000)
    assert not Disclosure(10).tells_shares(1_999)
