"""The lattice sweep against a definition anyone can check, and against ARX."""

import csv
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import floor, log2
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo._cells import narrowest
from biombo._cells.lattice import Lattice, LevelledColumn
from biombo._kernel import Requirement


@dataclass(frozen=True)
class Target:
    name: str
    codes: np.ndarray
    cardinality: int


def levelled(name: str, codes: list[int], levels: list[list[int]]) -> LevelledColumn:
    width = len(levels[0])
    return LevelledColumn(
        name, np.array(codes, narrowest(width)), np.array(levels, np.int64), np.ones(width, np.int64), width
    )


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
    row = st.tuples(*(st.integers(0, len(levels[0]) - 1) for levels in columns), st.integers(0, 2))
    return columns, draw(st.lists(row, min_size=1, max_size=60))


REQUIREMENTS = [
    Requirement(k=2),
    Requirement(k=5),
    Requirement(k=2, l=2),
    Requirement(entropy=0.9),
    Requirement(top_share=0.6),
    Requirement(distance=0.3),
]


def fulfils(group: Counter[int], whole: Counter[int]) -> list[bool]:
    size, total = group.total(), whole.total()
    entropy = -sum(c / size * log2(c / size) for c in group.values())
    distance = sum(abs(group[v] / size - whole[v] / total) for v in whole) / 2
    top = max(group.values())
    return [size >= 2, size >= 5, size >= 2 and len(group) >= 2, entropy >= 0.9, top <= 0.6 * size, distance <= 0.3]


@settings(max_examples=120)
@given(tables())
def test_every_node_agrees_with_the_definition(table: tuple[list[list[list[int]]], list[tuple[int, ...]]]) -> None:
    hierarchy, rows = table
    columns = [levelled(str(i), [row[i] for row in rows], levels) for i, levels in enumerate(hierarchy)]
    target = Target("s", np.array([row[-1] for row in rows], np.uint8), 3)
    lattice = Lattice.count(columns, target, len(rows))
    found = lattice.sweep(REQUIREMENTS, len(rows))
    whole = Counter(row[-1] for row in rows)
    for node, levels in enumerate(lattice.nodes):
        groups: defaultdict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        for row in rows:
            groups[tuple(hierarchy[i][level][row[i]] for i, level in enumerate(levels))][row[-1]] += 1
        for r in range(len(REQUIREMENTS)):
            kept = [group for group in groups.values() if fulfils(group, whole)[r]]
            assert found.suppressed[node, r] == len(rows) - sum(group.total() for group in kept)
            assert found.groups[node, r] == len(kept)
            assert found.top[node, r] == sum(max(group.values()) for group in kept)
            assert found.squares[node, r] == sum(group.total() ** 2 for group in kept)
            lost = {key: group for key, group in groups.items() if not fulfils(group, whole)[r]}
            for i, level in enumerate(levels):
                values = Counter[int]()
                for key, group in lost.items():
                    values[key[i]] += group.total()
                entropy = -sum(c * log2(c / values.total()) for c in values.values())
                assert found.suppressed_entropy[node, r, i] == pytest.approx(entropy, abs=1e-9)
                share = sum(c * hierarchy[i][level].count(v) / len(hierarchy[i][0]) for v, c in values.items())
                assert found.suppressed_share[node, r, i] == pytest.approx(share, abs=1e-9)


def adult(folder: Path) -> tuple[Lattice, pl.DataFrame]:
    table = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    columns = []
    for name in table.columns:
        with (folder / f"adult_hierarchy_{name}.csv").open(newline="") as file:
            rows = list(csv.reader(file, delimiter=";"))
        numbers = [{label: i for i, label in enumerate(dict.fromkeys(level))} for level in zip(*rows, strict=True)]
        levels = [[n[label] for label in level] for n, level in zip(numbers, zip(*rows, strict=True), strict=True)]
        columns.append(levelled(name, [numbers[0][value] for value in table[name]], levels))
    return Lattice.count(columns, None, len(table)), table


def precision(lattice: Lattice, suppressed: np.ndarray) -> np.ndarray:
    heights = np.array([column.height for column in lattice.columns])
    kept = (lattice.records - suppressed)[:, None]
    return ((kept * lattice.nodes / heights + suppressed[:, None]) / lattice.records).mean(axis=1)


def test_adult_has_the_optima_that_arx_finds(shared_data: Path) -> None:
    lattice, table = adult(shared_data / "adult")
    assert len(lattice.nodes) == 12_960
    reference = json.loads((shared_data.parent / "reference" / "arx-adult.json").read_text())["results"]
    settings = [r for r in reference if r["dataset"] == "adult9" and r["metric"] == "precision"]
    found = lattice.sweep([Requirement(k=5), Requirement(k=10)], floor(0.05 * lattice.records))
    for setting in settings:
        suppressed = found.suppressed[:, (5, 10).index(setting["k"])]
        score = precision(lattice, suppressed)
        score[suppressed > floor(setting["suppression_limit"] * lattice.records)] = np.inf
        best = int(score.argmin())
        assert score[best] == pytest.approx(setting["score"])
        assert lattice.nodes[best].tolist() in setting["tied_optima"]
        assert suppressed[best] == setting["suppressed"]
    assert len(settings) == 6
    assert table.columns == list(settings[0]["levels"])
