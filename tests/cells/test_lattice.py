"""The lattice sweep against a definition anyone can check, and against ARX."""

import csv
import json
from collections import Counter, defaultdict
from math import floor, inf, log, log2
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from biombo._cells import (
    Lattice,
    LevelledColumn,
    NodeState,
    Requirement,
    Rule,
    TargetColumn,
    judge_groups,
    narrowest,
)


def levelled(name: str, codes: list[int], levels: list[list[int]]) -> LevelledColumn:
    width = len(levels[0])
    leaves = [[level.count(group) for group in level] for level in levels]
    return LevelledColumn(name, np.array(codes, narrowest(width)), np.array(levels), np.array(leaves), width)


@st.composite
def hierarchies(draw: st.DrawFn) -> list[list[int]]:
    """Per level and code: a group; each level brings together groups of the one before."""
    values = draw(st.integers(1, 6))
    levels = [list(range(values))]
    for _ in range(draw(st.integers(0, 3))):
        merged = draw(st.lists(st.integers(0, 9), min_size=10, max_size=10))
        levels.append([merged[group] for group in levels[-1]])
    return levels


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[list[int]]], list[tuple[int, ...]]]:
    columns = draw(st.lists(hierarchies(), min_size=1, max_size=3))
    row = st.tuples(*(st.integers(0, len(levels[0]) - 1) for levels in columns), st.integers(0, 2), st.integers(0, 2))
    return columns, draw(st.lists(row, min_size=1, max_size=60))


RULES = [
    Rule(0, "distinct", 2),
    Rule(0, "entropy", 0.9),
    Rule(0, "recursive", 1.5, 2),
    Rule(0, "top-share", 0.6),
    Rule(0, "distance", 0.3),
    Rule(0, "ordered-distance", 0.2),
    Rule(1, "distinct", 2),
    Rule(1, "distance", 0.25),
    Rule(0, "value-share", 0.3, codes=(0, 2)),
    Rule(1, "value-share", 0.0),
    Rule(0, "gain", 0.5),
    Rule(1, "limited-gain", 0.8),
    Rule(0, "log-ratio", 0.7),
]
REQUIREMENTS = [
    Requirement(2),
    Requirement(5),
    Requirement(2, (RULES[0],)),
    *(Requirement(1, (rule,)) for rule in RULES),
]
TREE = np.array([[0, 1, 2], [0, 0, 1]])
"""The second target's hierarchy: 0 and 1 lie together, and all under one top."""


def value(rule: Rule, group: Counter[int], whole: Counter[int]) -> float:
    size, total = group.total(), whole.total()
    counts = sorted(group.values(), reverse=True)
    gain = [group[v] / size - whole[v] / total for v in range(3)]
    if rule.kind == "distinct":
        return len(group)
    if rule.kind == "entropy":
        return -sum(c / size * log2(c / size) for c in counts)
    if rule.kind == "recursive":
        tail = sum(counts[rule.tail - 1 :])
        return counts[0] / tail if tail else inf
    if rule.kind == "top-share":
        return counts[0] / size
    if rule.kind == "value-share":
        return max((group[code] / size for code in rule.codes), default=0)
    ratios = [group[v] / size / (whole[v] / total) for v in whole]
    if rule.kind == "gain":
        return max(ratios) - 1
    if rule.kind == "limited-gain":
        beyond = any(ratio - 1 > -log(whole[v] / total) + 1e-9 for v, ratio in zip(whole, ratios, strict=True))
        return inf if beyond else max(ratios) - 1
    if rule.kind == "log-ratio":
        return max(abs(log2(ratio)) if ratio else inf for ratio in ratios)
    if rule.kind == "ordered-distance":
        return sum(abs(sum(gain[: i + 1])) for i in range(3)) / 2
    if rule.target == 0:
        return sum(map(abs, gain)) / 2
    return (sum(map(abs, gain)) + abs(gain[0] + gain[1]) + abs(gain[2])) / 4


def met(rule: Rule, found: float) -> bool:
    if rule.kind in ("distinct", "entropy"):
        return found >= rule.bound - 1e-9
    strict = rule.kind in ("recursive", "log-ratio")
    return found < rule.bound - 1e-9 if strict else found <= rule.bound + 1e-9


Rows = list[tuple[int, ...]]


def fulfils(asked: Requirement, group: Rows, rows: Rows) -> bool:
    def counted(records: Rows, target: int) -> Counter[int]:
        return Counter(row[target - 2] for row in records)

    return len(group) >= asked.k and all(
        met(rule, value(rule, counted(group, rule.target), counted(rows, rule.target))) for rule in asked.rules
    )


def groups_of(rows: Rows, hierarchy: list[list[list[int]]], levels: list[int]) -> dict[tuple[int, ...], Rows]:
    groups: defaultdict[tuple[int, ...], Rows] = defaultdict(list)
    for row in rows:
        groups[tuple(hierarchy[i][level][row[i]] for i, level in enumerate(levels))].append(row)
    return groups


def counted_lattice(hierarchy: list[list[list[int]]], rows: Rows) -> Lattice:
    columns = [levelled(str(i), [row[i] for row in rows], levels) for i, levels in enumerate(hierarchy)]
    return Lattice.count(columns, targets_of(rows), len(rows))


def targets_of(rows: Rows) -> list[TargetColumn]:
    codes = [np.array([row[place] for row in rows], np.uint8) for place in (-2, -1)]
    return [TargetColumn("s", codes[0], 3, order=np.arange(3)), TargetColumn("t", codes[1], 3, levels=TREE)]


@settings(max_examples=120)
@given(tables())
def test_every_node_agrees_with_the_definition(table: tuple[list[list[list[int]]], Rows]) -> None:
    hierarchy, rows = table
    lattice = counted_lattice(hierarchy, rows)
    found = lattice.sweep(REQUIREMENTS, len(rows), tops=True)
    assert (found.state == NodeState.CHECKED).all()
    for node, levels in enumerate(lattice.nodes):
        groups = groups_of(rows, hierarchy, levels.tolist())
        for r, asked in enumerate(REQUIREMENTS):
            kept = {key: group for key, group in groups.items() if fulfils(asked, group, rows)}
            lost = {key: group for key, group in groups.items() if key not in kept}
            assert found.suppressed[node, r] == sum(map(len, lost.values()))
            assert found.groups[node, r] == len(kept)
            assert found.squares[node, r] == sum(len(group) ** 2 for group in kept.values())
            for target in (0, 1):
                tops = [max(Counter(row[target - 2] for row in group).values()) for group in kept.values()]
                assert found.tops[node, r, target] == sum(tops)
            for i, level in enumerate(levels):
                values = Counter[int]()
                for key, group in lost.items():
                    values[key[i]] += len(group)
                entropy = -sum(c * log2(c / values.total()) for c in values.values())
                assert found.suppressed_entropy[node, r, i] == pytest.approx(entropy, abs=1e-9)
                share = sum(c * hierarchy[i][level].count(v) / len(hierarchy[i][0]) for v, c in values.items())
                assert found.suppressed_share[node, r, i] == pytest.approx(share, abs=1e-9)


@settings(max_examples=40)
@given(tables(), st.sampled_from([None, 0, 1]), st.integers(0, 60))
def test_members_of_kept_groups_are_told(table: tuple[list[list[list[int]]], Rows], people: int | None, limit) -> None:
    hierarchy, rows = table
    lattice = counted_lattice(hierarchy, rows)
    asked = [Requirement(1), Requirement(2), Requirement(1, (RULES[0],))]
    found = lattice.sweep(asked, limit, people=people, sizes=True)
    for node in np.flatnonzero(found.state == NodeState.CHECKED):
        groups = groups_of(rows, hierarchy, lattice.nodes[node].tolist()).values()
        for r, requirement in enumerate(asked):
            kept = [group for group in groups if fulfils(requirement, group, rows)]
            members = [len(g) if people is None else len({row[people - 2] for row in g}) for g in kept]
            sizes = found.sizes[node, r]
            told = {} if sizes is None else dict(zip(*(each.tolist() for each in sizes), strict=True))
            assert found.unique[node, r] == sum(len(g) for g, size in zip(kept, members, strict=True) if size == 1)
            assert found.picked[node, r] == pytest.approx(sum(len(g) / m for g, m in zip(kept, members, strict=True)))
            assert told == (Counter(members) if found.suppressed[node, r] <= limit else {})
    if people is None:
        plain = lattice.sweep(asked[:2], limit)  # where nothing but size matters
        assert (plain.unique == found.unique[:, :2])[plain.state == NodeState.CHECKED].all()
        assert (plain.picked == found.picked[:, :2])[plain.state == NodeState.CHECKED].all()


@settings(max_examples=120)
@given(tables(), st.integers(0, 20), st.sets(st.integers(0, len(REQUIREMENTS) - 1), min_size=1), st.data())
def test_only_nodes_above_the_limit_are_left_out(
    table: tuple[list[list[list[int]]], Rows], limit: int, chosen: set[int], data: st.DataObject
) -> None:
    hierarchy, rows = table
    lattice = counted_lattice(hierarchy, rows)
    asked = [REQUIREMENTS[i] for i in sorted(chosen)]
    whole = lattice.sweep(asked, len(rows), describe=False)
    wanted = np.array(data.draw(st.lists(st.booleans(), min_size=len(lattice.nodes), max_size=len(lattice.nodes))))
    found = lattice.sweep(asked, limit, describe=False, wanted=wanted)
    checked = found.state == NodeState.CHECKED
    assert (found.suppressed[checked] == whole.suppressed[checked]).all()
    assert (found.groups[checked] == whole.groups[checked]).all()
    assert (whole.suppressed[found.state == NodeState.HOPELESS] > limit).all()
    assert not wanted[found.state == NodeState.UNKNOWN].any()
    known = lattice.sweep(asked, limit, describe=False, hopeless=found.state == NodeState.HOPELESS)
    assert (known.state[found.state == NodeState.HOPELESS] == NodeState.HOPELESS).all()
    assert (
        known.suppressed[known.state == NodeState.CHECKED] == whole.suppressed[known.state == NodeState.CHECKED]
    ).all()


@settings(max_examples=60)
@given(tables(), st.sampled_from(REQUIREMENTS), st.data())
def test_a_node_that_fails_rules_out_all_below_it_when_nothing_may_be_suppressed(
    table: tuple[list[list[list[int]]], Rows], asked: Requirement, data: st.DataObject
) -> None:
    hierarchy, rows = table
    lattice = counted_lattice(hierarchy, rows)
    fails = lattice.sweep([asked], len(rows), describe=False).suppressed[:, 0] > 0
    assume(fails.any())
    node = data.draw(st.sampled_from(np.flatnonzero(fails).tolist()))
    below = (lattice.nodes <= lattice.nodes[node]).all(axis=1)
    below[node] = False
    found = lattice.sweep([asked], 0, describe=False, wanted=np.arange(len(fails)) == node)
    assert (found.state[below] == NodeState.HOPELESS).all()
    assert fails[below].all()


@given(tables())
def test_groups_are_judged_by_every_rule(table: tuple[list[list[list[int]]], Rows]) -> None:
    hierarchy, rows = table
    columns = [
        TargetColumn(str(i), np.array([row[i] for row in rows], np.uint8), len(levels[0]))
        for i, levels in enumerate(hierarchy)
    ]
    found = judge_groups(columns, targets_of(rows), len(rows), RULES)
    groups = groups_of(rows, hierarchy, [0] * len(hierarchy))
    assert {tuple(codes) for codes in found.codes.tolist()} == set(groups)
    for codes, size, values, holds in zip(found.codes.tolist(), found.size, found.values, found.holds, strict=True):
        group = groups[tuple(codes)]
        assert size == len(group)
        for i, rule in enumerate(RULES):
            counts = [Counter(row[rule.target - 2] for row in records) for records in (group, rows)]
            assert values[i] == pytest.approx(value(rule, *counts), abs=1e-9)
            assert holds[i] == met(rule, value(rule, *counts))


@settings(max_examples=20)
@given(tables(), st.integers(0, 20))
def test_rows_of_several_words_give_the_same_counts(table: tuple[list[list[list[int]]], Rows], limit: int) -> None:
    hierarchy, rows = table
    columns = [levelled(str(i), [row[i] for row in rows], levels) for i, levels in enumerate(hierarchy)]
    width = 1 << 16
    values = np.arange(width)[None, :]
    wide = [LevelledColumn(f"w{i}", np.full(len(rows), i, np.uint16), values, values, width) for i in range(4)]
    expected = Lattice.count(columns, targets_of(rows), len(rows)).sweep(REQUIREMENTS, limit, tops=True)
    found = Lattice.count([*columns, *wide], targets_of(rows), len(rows)).sweep(REQUIREMENTS, limit, tops=True)
    checked = expected.state == NodeState.CHECKED
    assert (found.state == expected.state).all()
    for name in ("suppressed", "groups", "squares", "tops"):
        assert (getattr(found, name)[checked] == getattr(expected, name)[checked]).all()
    assert found.suppressed_entropy[checked][..., : len(columns)] == pytest.approx(expected.suppressed_entropy[checked])


def test_a_count_too_large_for_its_field_takes_several_rows() -> None:
    width = 1 << 14
    codes = np.zeros(70_000, np.uint16)
    codes[: width // 2] = np.arange(width // 2)
    wide = [
        LevelledColumn(
            str(i), codes, np.array([np.arange(width), np.arange(width) // width]), np.ones((2, width), np.int64), width
        )
        for i in range(4)
    ]
    found = Lattice.count(wide, [], len(codes)).sweep([Requirement(2)], len(codes), describe=False)
    assert found.groups[-1, 0] == 1
    assert found.squares[-1, 0] == 70_000.0**2


def test_without_time_no_node_is_checked() -> None:
    lattice = counted_lattice([[[0, 1, 2], [0, 0, 0]]], [(0, 0, 0), (1, 1, 1)])
    found = lattice.sweep([Requirement(2)], 2, seconds=1e-9)
    assert (found.state == NodeState.UNKNOWN).all()


def adult(folder: Path) -> tuple[Lattice, pl.DataFrame]:
    table = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    columns = []
    for name in table.columns:
        with (folder / f"adult_hierarchy_{name}.csv").open(newline="") as file:
            rows = list(csv.reader(file, delimiter=";"))
        numbers = [{label: i for i, label in enumerate(dict.fromkeys(level))} for level in zip(*rows, strict=True)]
        levels = [[n[label] for label in level] for n, level in zip(numbers, zip(*rows, strict=True), strict=True)]
        columns.append(levelled(name, [numbers[0][value] for value in table[name]], levels))
    return Lattice.count(columns, [], len(table)), table


def precision(lattice: Lattice, suppressed: np.ndarray) -> np.ndarray:
    heights = np.array([column.height for column in lattice.columns])
    kept = (lattice.records - suppressed)[:, None]
    return ((kept * lattice.nodes / heights + suppressed[:, None]) / lattice.records).mean(axis=1)


def test_adult_has_the_optima_that_arx_finds(shared_data: Path) -> None:
    lattice, table = adult(shared_data / "adult")
    assert len(lattice.nodes) == 12_960
    reference = json.loads((shared_data.parent / "reference" / "arx-adult.json").read_text())["results"]
    settings = [r for r in reference if r["dataset"] == "adult9" and r["metric"] == "precision"]
    found = lattice.sweep([Requirement(5), Requirement(10)], floor(0.05 * lattice.records))
    for setting in settings:
        suppressed = found.suppressed[:, (5, 10).index(setting["k"])]
        score = precision(lattice, suppressed)
        infeasible = suppressed > floor(setting["suppression_limit"] * lattice.records)
        score[infeasible | (found.state != NodeState.CHECKED)] = np.inf
        best = int(score.argmin())
        assert score[best] == pytest.approx(setting["score"])
        assert lattice.nodes[best].tolist() in setting["tied_optima"]
        assert suppressed[best] == setting["suppressed"]
    assert len(settings) == 6
    assert table.columns == list(settings[0]["levels"])
