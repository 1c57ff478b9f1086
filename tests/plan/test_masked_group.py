"""The masked records form one group that meets every criterion, several at once: against the definition."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb

MARK = "*"
Record = tuple[str, str, str]
"""Two quasi values and a sensitive one."""

QUASI = st.sampled_from(["a", "b", "c", MARK])
SENSITIVE = st.sampled_from(["flu", "gout", "asthma"])
RECORDS = st.lists(st.tuples(QUASI, QUASI, SENSITIVE), min_size=1, max_size=25)


@dataclass(frozen=True)
class Asked:
    """What every group must be."""

    k: int
    l: int  # noqa: E741 - as everybody calls it
    t: Fraction
    share: Fraction
    k_by_first: int
    """Of the groups by the first quasi column alone."""

    @property
    def criteria(self) -> list[bb.Criterion]:
        asked: list[bb.Criterion] = [bb.KAnonymity(self.k), bb.TCloseness(float(self.t))]
        asked += [bb.Vulnerability(float(self.share)), bb.KAnonymity(self.k_by_first, quasi=["x"])]
        return [*asked, bb.LDiversity(self.l)] if self.l > 1 else asked

    def failing(self, records: Sequence[Record], everybody: Sequence[Record]) -> set[int]:
        """The places of records in a group that fails, where ``everybody`` is who was there in the beginning."""
        by_both, by_first = grouped(records, 2), grouped(records, 1)
        small = [group for group in by_first if len(group) < self.k_by_first]
        unmet = [group for group in by_both if not self._met([records[place][2] for place in group], everybody)]
        return {place for group in (*small, *unmet) for place in group}

    def _met(self, values: Sequence[str], everybody: Sequence[Record]) -> bool:
        here, there = Counter(values), Counter(record[2] for record in everybody)
        shares = {each: Fraction(here[each], len(values)) for each in there}
        distance = sum(abs(share - Fraction(there[each], len(everybody))) for each, share in shares.items()) / 2
        enough = len(values) >= self.k and len(here) >= self.l
        return enough and distance <= self.t and max(shares.values()) <= self.share


TENTHS = st.integers(1, 10).map(lambda tenth: Fraction(tenth, 10))
ASKED = st.builds(Asked, st.integers(1, 5), st.integers(1, 3), TENTHS, TENTHS, st.integers(1, 8))


def grouped(records: Sequence[Record], columns: int) -> list[list[int]]:
    groups = defaultdict(list)
    for place, record in enumerate(records):
        groups[record[:columns]].append(place)
    return list(groups.values())


def masked(records: Sequence[Record], places: Iterable[int]) -> list[Record]:
    hidden = set(places)
    return [(MARK, MARK, each[2]) if place in hidden else each for place, each in enumerate(records)]


def to_be_hidden(records: Sequence[Record], asked: Asked) -> set[int]:
    """Who is in a group that fails, or in one that does once these are masked."""
    places: set[int] = set()
    while further := asked.failing(masked(records, places), records) - places:
        places |= further
    return places


def applied(records: Sequence[Record], asked: Asked, **options: str) -> bb.Applied:
    table = pl.DataFrame(records, schema=["x", "y", "z"], orient="row")
    plan = bb.Plan([bb.MaskGroups(MARK, **options)], asked.criteria, ["x", "y"], ["z"])
    return bb.apply(table, plan, keep_order=True)


@settings(max_examples=100)
@given(records=RECORDS, asked=ASKED)
def test_as_many_are_masked_as_it_takes(records, asked) -> None:
    failing = to_be_hidden(records, asked)
    try:
        result = applied(records, asked)
    except bb.UsageError:
        assert asked.failing(masked(records, range(len(records))), records)  # even if everybody is masked
        return
    released = result.data.rows()
    others = [group for group in grouped(records, 2) if not failing & set(group)]
    further = [group for group in others if released[group[0]] != records[group[0]]]
    kept = [group for group in others if released[group[0]] == records[group[0]] != (MARK, MARK, records[group[0]][2])]
    hidden = failing.union(*further)

    assert result.holds
    assert asked.failing(released, records) == set()
    assert released == masked(records, hidden)
    assert max(map(len, further), default=0) <= min(map(len, kept), default=len(records))
    assert (result.masked, result.suppressed) == (len(failing) + result.masked_further, 0)
    assert (result.masked_further > 0) == bool(asked.failing(masked(records, failing), records))


@settings(max_examples=100)
@given(groups=st.lists(st.integers(1, 8), min_size=1, max_size=8), k=st.integers(1, 9))
def test_and_no_more_one_group_after_the_other_the_smallest_first(groups, k) -> None:
    records = [("a", str(number), "flu") for number, size in enumerate(groups) for _ in range(size)]
    small, large = sum(size for size in groups if size < k), sorted(size for size in groups if size >= k)
    try:
        result = applied(records, Asked(k, 1, Fraction(1), Fraction(1), 1))
    except bb.UsageError:
        assert len(records) < k
        return
    further = 0
    while 0 < small + further < k:
        further += large.pop(0)

    assert (result.masked, result.masked_further) == (small + further, further)


@settings(max_examples=100)
@given(records=RECORDS, asked=ASKED)
def test_or_they_are_dropped(records, asked) -> None:
    failing = to_be_hidden(records, asked)
    hidden = not asked.failing(masked(records, failing), records)
    try:
        result = applied(records, asked, if_failing="drop")
    except bb.UsageError:
        assert not hidden  # and nobody would be left
        return
    if hidden:
        assert (result.masked, result.suppressed, result.unhidden) == (len(failing), 0, 0)
        assert result.data.rows() == masked(records, failing)
    else:
        assert (result.masked, result.masked_further) == (0, 0)
        assert result.suppressed == result.unhidden == len(records) - result.rows > 0
    assert asked.failing(result.data.rows(), records) == set()
    assert result.holds


def test_a_group_of_other_columns_that_gets_small_is_masked_too() -> None:
    """One of five people in a is alone in b; without that one, only four are left in a."""
    records = [("a", "b", "flu"), *[("a", "c", "flu")] * 4, *[("d", "c", "flu")] * 6]
    result = applied(records, Asked(2, 1, Fraction(1), Fraction(1), 5))

    assert result.holds
    assert result.data.rows() == masked(records, range(5))
    assert (result.masked, result.masked_further) == (5, 0)


@pytest.mark.parametrize("options", [{}, {"if_failing": "drop"}])
def test_where_nobody_can_be_hidden_it_is_said(options) -> None:
    with pytest.raises(bb.UsageError):
        applied([("a", "a", "flu")] * 3, Asked(5, 1, Fraction(1), Fraction(1), 1), **options)
