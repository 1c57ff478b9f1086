"""Groups at levels of their own, against definitions that anyone can check and, on tiny tables, the best there is."""

from collections import Counter, defaultdict
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo import _kernel
from biombo._cells import LevelledColumn, LocalGroups, Requirement, Rule, TargetColumn, local_groups, narrowest

Levels = list[list[int]]
Rows = list[tuple[int, ...]]

RULES = [
    Rule(0, "distinct", 2),
    Rule(0, "entropy", 0.9),
    Rule(0, "recursive", 1.5, 2),
    Rule(0, "top-share", 0.6),
    Rule(0, "distance", 0.3),
    Rule(0, "ordered-distance", 0.25),
]


def levelled(codes: list[int], levels: Levels) -> LevelledColumn:
    width = len(levels[0])
    leaves = [[level.count(group) for group in level] for level in levels]
    return LevelledColumn("column", np.array(codes, narrowest(width)), np.array(levels), np.array(leaves), width)


def lost_share(column: LevelledColumn) -> np.ndarray:
    return (column.leaves - 1) / max(1, column.domain - 1)


def grouped(
    hierarchies: list[Levels],
    rows: Rows,
    k: int,
    rules: tuple[Rule, ...] = (),
    counts: list[int] | None = None,
    **how: object,
) -> LocalGroups:
    """Groups of the rows by their first columns; the last one is the target."""
    columns = [levelled([row[i] for row in rows], levels) for i, levels in enumerate(hierarchies)]
    target = TargetColumn("target", np.array([row[-1] for row in rows], np.uint8), 3, order=np.arange(3))
    return local_groups(
        columns,
        [lost_share(column) for column in columns],
        [target],
        Requirement(k, rules),
        np.arange(len(rows)),
        counts=None if counts is None else np.array(counts, np.int64),
        **how,
    )


@st.composite
def hierarchies(draw: st.DrawFn) -> Levels:
    """Per level and code: a group; each level brings together groups of the one before, the last one all."""
    values = draw(st.integers(1, 6))
    levels = [list(range(values))]
    for _ in range(draw(st.integers(0, 2))):
        merged = draw(st.lists(st.integers(0, 9), min_size=10, max_size=10))
        levels.append([merged[group] for group in levels[-1]])
    return [*levels, [0] * values]


@st.composite
def tables(draw: st.DrawFn, most: int = 60) -> tuple[list[Levels], Rows]:
    columns = draw(st.lists(hierarchies(), min_size=1, max_size=4))
    row = st.tuples(*(st.integers(0, len(levels[0]) - 1) for levels in columns), st.integers(0, 2))
    return columns, draw(st.lists(row, min_size=1, max_size=most))


def members(groups: LocalGroups, rows: Rows) -> dict[int, Counter[tuple[int, ...]]]:
    """By group: its records, as far as they are told apart."""
    found: dict[int, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for kind, group, count in zip(groups.of_kind, groups.group, groups.count, strict=True):
        found[int(group)][rows[groups.row_of_kind[kind]]] += int(count)
    return found


def meeting(levels: Levels, codes: set[int]) -> int:
    return next(number for number, level in enumerate(levels) if len({level[code] for code in codes}) == 1)


def distances(values: Counter[int], whole: Counter[int]) -> tuple[float, float]:
    """From the whole table: total variation, and the earth mover's distance between neighbouring values."""
    gaps = [values[value] / values.total() - whole[value] / whole.total() for value in range(3)]
    return sum(map(abs, gaps)) / 2, (abs(gaps[0]) + abs(gaps[0] + gaps[1])) / 2


def is_met(rule: Rule, values: Counter[int], whole: Counter[int]) -> bool:
    shares = sorted((count / values.total() for count in values.values()), reverse=True)
    match rule.kind:
        case "distinct":
            return len(shares) >= rule.bound
        case "entropy":
            return -sum(share * np.log2(share) for share in shares) >= rule.bound - 1e-9
        case "recursive":
            return len(shares) >= rule.tail and shares[0] < rule.bound * sum(shares[rule.tail - 1 :]) - 1e-9
        case "top-share":
            return shares[0] <= rule.bound + 1e-9
        case "distance":
            return distances(values, whole)[0] <= rule.bound + 1e-9
        case _:
            return distances(values, whole)[1] <= rule.bound + 1e-9


def check(groups: LocalGroups, hierarchies: list[Levels], rows: Rows, k: int, rules: tuple[Rule, ...]) -> None:
    found = members(groups, rows)
    told = len(hierarchies) + bool(rules)
    assert sum(found.values(), Counter()) == Counter(rows[groups.row_of_kind[kind]] for kind in groups.kind)
    assert all(rows[groups.row_of_kind[kind]][:told] == row[:told] for kind, row in zip(groups.kind, rows, strict=True))
    assert sorted(found) == list(range(len(groups.levels)))
    whole = Counter(row[-1] for row in rows)
    for group, records in found.items():
        lowest = [meeting(levels, {row[i] for row in records}) for i, levels in enumerate(hierarchies)]
        assert groups.levels[group].tolist() == lowest
        values: Counter[int] = Counter()
        for row, count in records.items():
            values[row[-1]] += count
        assert groups.meets[group] == (records.total() >= k and all(is_met(rule, values, whole) for rule in rules))
        assert groups.sizes[group] == records.total()


@settings(max_examples=150, deadline=None)
@given(tables(), st.integers(1, 6))
def test_each_record_is_in_one_group_of_k_at_the_lowest_levels_at_which_it_is_like_the_others(table, k):
    columns, rows = table
    groups = grouped(columns, rows, k)
    check(groups, columns, rows, k, ())
    assert groups.meets.all() == (len(rows) >= k)


@settings(max_examples=200, deadline=None)
@given(tables(), st.integers(1, 4), st.lists(st.sampled_from(RULES), min_size=1, max_size=2, unique=True))
def test_groups_meet_rules_or_say_that_they_do_not(table, k, rules):
    columns, rows = table
    check(grouped(columns, rows, k, tuple(rules)), columns, rows, k, tuple(rules))


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 4), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_rows_does_not_matter(table, k, random, ruled):
    columns, rows = table
    rules = (RULES[0],) if ruled else ()
    others = random.sample(rows, len(rows))
    told = len(columns) + ruled

    def seen(groups: LocalGroups, rows: Rows) -> Counter:
        found = members(groups, [row[:told] for row in rows])
        return Counter((tuple(groups.levels[group]), frozenset(of.items())) for group, of in found.items())

    assert seen(grouped(columns, rows, k, rules), rows) == seen(grouped(columns, others, k, rules), others)


@settings(max_examples=60, deadline=None)
@given(tables(most=30), st.integers(1, 5), st.data())
def test_a_row_that_stands_for_many_records_is_as_many_rows(table, k, data):
    columns, rows = table
    counts = data.draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    repeated = [row for row, count in zip(rows, counts, strict=True) for _ in range(count)]
    short, long = grouped(columns, rows, k, counts=counts), grouped(columns, repeated, k)
    assert members(short, [row[:-1] for row in rows]) == members(long, [row[:-1] for row in repeated])


def lost(groups: LocalGroups, hierarchies: list[Levels], rows: Rows) -> float:
    shares = [lost_share(levelled([], levels)) for levels in hierarchies]
    first = [rows[row] for row in groups.row_of_group]
    return sum(
        size * sum(share[level, row[i]] for i, (share, level) in enumerate(zip(shares, levels, strict=True)))
        for size, levels, row in zip(groups.sizes.tolist(), groups.levels, first, strict=True)
    )


def best(hierarchies: list[Levels], rows: Rows, k: int) -> tuple[float, float]:
    """The least that groups can lose, over all ways to part the records, and with one level for each column."""
    shares = [lost_share(levelled([], levels)) for levels in hierarchies]

    @cache
    def of_group(chosen: int) -> float:
        records = [row for place, row in enumerate(rows) if chosen >> place & 1]
        levels = [meeting(levels, {row[i] for row in records}) for i, levels in enumerate(hierarchies)]
        at_levels = enumerate(zip(shares, levels, strict=True))
        return len(records) * sum(share[level, records[0][i]] for i, (share, level) in at_levels)

    @cache
    def of_all(left: int) -> float:
        if not left:
            return 0.0
        first, least, chosen = left & -left, float("inf"), left
        while chosen:
            if chosen & first and chosen.bit_count() >= k:
                least = min(least, of_group(chosen) + of_all(left ^ chosen))
            chosen = (chosen - 1) & left
        return least

    def everywhere(node: tuple[int, ...]) -> float:
        chosen = [levels[at] for levels, at in zip(hierarchies, node, strict=True)]
        sizes = Counter(tuple(level[row[i]] for i, level in enumerate(chosen)) for row in rows)
        if min(sizes.values()) < k:
            return float("inf")
        return sum(share[at, row[i]] for row in rows for i, (share, at) in enumerate(zip(shares, node, strict=True)))

    return of_all((1 << len(rows)) - 1), min(map(everywhere, product(*(range(len(levels)) for levels in hierarchies))))


def test_tiny_tables_lose_hardly_more_than_they_must():
    random = np.random.default_rng(17)
    hierarchy = [[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0] * 6]
    columns = [hierarchy, hierarchy[::3], [[0, 1, 2], [0, 0, 1], [0, 0, 0]]]
    found, least, on_one_level = 0.0, 0.0, 0.0
    for _ in range(60):
        k = int(random.integers(2, 4))
        rows = [(*(int(random.integers(len(levels[0]))) for levels in columns), 0) for _ in range(9)]
        here = lost(grouped(columns, rows, k), columns, rows)
        optimum, globally = best(columns, rows, k)
        assert optimum - 1e-6 <= here
        found, least, on_one_level = found + here, least + optimum, on_one_level + globally
    assert found <= 1.05 * least
    assert found <= 0.75 * on_one_level


def test_fewer_records_than_k_are_one_group_that_does_not_meet_it():
    columns = [[[0, 1], [0, 0]]]
    groups = grouped(columns, [(0, 0), (1, 0), (1, 0)], 4)
    assert groups.levels.tolist() == [[1]]
    assert groups.sizes.tolist() == [3]
    assert not groups.meets.any()


@pytest.mark.parametrize("rows", [[], [(0, 0)], [(0, 0)] * 5])
def test_nothing_or_one_tuple(rows):
    groups = grouped([[[0, 1], [0, 0]]], rows, 1)
    assert groups.sizes.tolist() == ([len(rows)] if rows else [])
    assert groups.meets.all()


def test_records_beyond_sixteen_bits_are_shared_between_groups():
    columns = [[[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]]
    counts = [1 << 20, 1, 1 << 20, 1]
    groups = grouped(columns, [(0, 0), (1, 0), (2, 0), (3, 0)], 1 << 18, counts=counts)
    assert groups.meets.all()
    assert groups.sizes.sum() == sum(counts)
    # Two who are alone need others to be with; all the rest stays as it is.
    assert groups.sizes[groups.levels[:, 0] == 0].sum() >= sum(counts) - 2 * (1 << 18)


def test_rules_on_hundreds_of_values():
    random = np.random.default_rng(5)
    values, rows = 400, 600
    column = levelled(random.integers(6, size=rows).tolist(), [[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], [0] * 6])
    codes = random.integers(values, size=rows).astype(np.uint16)
    target = TargetColumn("target", codes, values, order=np.arange(values))
    for rule in (Rule(0, "distinct", 30), Rule(0, "ordered-distance", 0.05)):
        groups = local_groups([column], [lost_share(column)], [target], Requirement(5, (rule,)), np.arange(rows))
        assert groups.meets.all()
        assert groups.sizes.sum() == rows
        assert len(groups.levels) > 1


def test_threads_do_not_matter(monkeypatch):
    random = np.random.default_rng(3)
    levels = [list(range(40)), [value // 5 for value in range(40)], [0] * 40]
    rows = [(*random.integers(40, size=3).tolist(), 0) for _ in range(9000)]
    kernel = _kernel.recode_locally
    found = []
    for threads in (1, 3):
        monkeypatch.setattr(_kernel, "recode_locally", partial(kernel, threads=threads))
        found.append(grouped([levels] * 3, rows, 4))
    assert np.array_equal(found[0].levels, found[1].levels)
    assert np.array_equal(found[0].group, found[1].group)
    assert np.array_equal(found[0].count, found[1].count)


def same(one: LocalGroups, other: LocalGroups) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("of_kind", "group", "count", "levels")
    )


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 4), st.integers(0, 40), st.booleans(), st.sampled_from(["local", "strict", "relaxed"]))
def test_groups_are_what_they_must_be_after_any_number_of_steps(table, k, steps, ruled, recoding):
    columns, rows = table
    rules = (RULES[0],) if ruled else ()
    whole, cut = (grouped(columns, rows, k, rules, recoding=recoding, steps=most) for most in (None, steps))

    check(cut, columns, rows, k, rules)
    assert cut.meets.all() == whole.meets.all()
    assert cut.steps == min(steps, whole.steps) or recoding == "local"
    assert lost(whole, columns, rows) <= lost(cut, columns, rows) + 1e-5 or recoding == "relaxed"


@pytest.mark.parametrize("seconds", [1e-9, 0.15, 0.4])
@pytest.mark.parametrize("recoding", ["local", "relaxed"])
def test_the_steps_that_were_made_in_some_time_make_the_same_groups_again(seconds, recoding):
    random = np.random.default_rng(4)
    levels = [list(range(40)), [value // 5 for value in range(40)], [0] * 40]
    rows = [(*random.integers(40, size=3).tolist(), 0) for _ in range(9000)]
    cut = grouped([levels] * 3, rows, 4, recoding=recoding, seconds=seconds)
    again = grouped([levels] * 3, rows, 4, recoding=recoding, steps=cut.steps)

    assert cut.meets.all()
    assert same(cut, again)
    if seconds < 1e-3:
        assert cut.is_cut
        assert cut.steps == 0


def test_more_columns_than_can_be_recoded_are_refused():
    with pytest.raises(ValueError, match="at most 256 columns"):
        grouped([[[0, 1], [0, 0]]] * 257, [(0,) * 258, (1,) * 258], 2)
