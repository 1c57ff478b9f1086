"""Small random tables with random hierarchies, to search by brute force."""

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl
from hypothesis import strategies as st
from plain_generalising import PlainColumn
from plain_search import PlainSearch, limit_of

import biombo as bb
from biombo._hierarchy import TableHierarchy
from biombo._search import POLICIES

DISEASES = {"lung": ["flu", "asthma"], "belly": ["colic", "ulcer"]}
PARENTS = {disease: parent for parent, diseases in DISEASES.items() for disease in diseases}
INCOMES = ("9", "10", "200", None)
PEOPLE = ("Ana", "Beto", "Caio", "Davi", None)

Levels = dict[str, tuple[str, ...]]
Row = tuple[Any, ...]


@dataclass(frozen=True)
class SmallTable:
    """Rows of quasi values, a disease, an income and a person, with a hierarchy for each quasi column."""

    hierarchies: tuple[Levels, ...]
    rows: tuple[Row, ...]
    with_people: bool = False
    loss_domain: str = "data"

    @property
    def quasi(self) -> list[str]:
        return [f"q{place}" for place in range(len(self.hierarchies))]

    @cached_property
    def data(self) -> bb.Dataset:
        names = [*self.quasi, "disease", "income", "person"]
        columns = {name: pl.Series([row[i] for row in self.rows], dtype=pl.String) for i, name in enumerate(names)}
        schema = bb.Schema({}, person="person" if self.with_people else None)
        return bb.read(pl.DataFrame(columns), schema, columns=names)

    @cached_property
    def columns(self) -> list[PlainColumn]:
        return [
            PlainColumn(levels, self._values(place), self.loss_domain) for place, levels in enumerate(self.hierarchies)
        ]

    @property
    def options(self) -> dict[str, Any]:
        """What a search of the table takes."""
        by_column = {name: TableHierarchy(levels) for name, levels in zip(self.quasi, self.hierarchies, strict=True)}
        return {"quasi": self.quasi, "sensitive": "disease", "hierarchies": by_column, "loss_domain": self.loss_domain}

    def plainly(self, criteria: list[bb.Criterion], share: float, **asked: Any) -> PlainSearch:
        """The same search by brute force."""
        return PlainSearch(
            self.columns,
            criteria,
            limit_of(share, len(self.rows)),
            sensitive={"disease": self._values(-3), "income": self._values(-2)},
            people=self._values(-1) if self.with_people else None,
            orders={"income": INCOMES},
            parents=PARENTS,
            **asked,
        )

    def _values(self, place: int) -> list[str | None]:
        return [row[place] for row in self.rows]


def telling_tables() -> list[SmallTable]:
    """Two tables for what takes too long to be asked of many: one with people and missing values, and a plain one."""
    chance = random.Random(4)
    deep = {value: (parent, "*") for value, parent in zip("abcde", "xxyyy", strict=True)}
    flat = dict.fromkeys("ab", ("*",))

    def rows(number: int, *quasi: list[str | None]) -> tuple[Row, ...]:
        values = [*quasi, sorted(PARENTS), INCOMES, PEOPLE]
        return tuple(tuple(chance.choice(each) for each in values) for _ in range(number))

    some = rows(70, [*"abcde", None], [*"ab"], [*"abcde"])
    return [SmallTable((deep, flat, deep), some, with_people=True), SmallTable((flat,), rows(40, [*"ab", None]))]


@st.composite
def hierarchies(draw: st.DrawFn) -> Levels:
    """What each value becomes, level by level; each level merges groups of the one below, the last perhaps all."""
    values = "abcde"[: draw(st.integers(1, 5))]
    levels: Levels = dict.fromkeys(values, ())
    groups = dict(zip(values, values, strict=True))
    for level in range(1, draw(st.integers(1, 3)) + 1):
        merged = {group: draw(st.sampled_from("xyz")) for group in sorted(set(groups.values()))}
        groups = {value: f"{merged[group]}{level}" for value, group in groups.items()}
        levels = {value: (*above, groups[value]) for value, above in levels.items()}
    if draw(st.booleans()):
        levels = {value: (*above, "*") for value, above in levels.items()}
    return levels


@st.composite
def small_tables(draw: st.DrawFn, *, rows: int = 20, columns: int = 3) -> SmallTable:
    levels = draw(st.lists(hierarchies(), min_size=1, max_size=columns))
    quasi = [st.sampled_from([*sorted(each), None] if draw(st.booleans()) else sorted(each)) for each in levels]
    row = st.tuples(*quasi, st.sampled_from(sorted(PARENTS)), st.sampled_from(INCOMES), st.sampled_from(PEOPLE))
    some = draw(st.lists(row, min_size=2, max_size=rows))
    domain = ("data", "hierarchy")[len(some) % 2]
    return SmallTable(tuple(levels), tuple(some), with_people=draw(st.booleans()), loss_domain=domain)


SINGLE_CRITERIA: list[bb.Criterion] = [
    bb.KAnonymity(2),
    bb.LDiversity(2),
    bb.LDiversity(3),
    bb.LDiversity(1.5, kind="entropy"),
    bb.LDiversity(2, kind="entropy"),
    bb.LDiversity(2, kind="recursive", c=1.5),
    bb.LDiversity(3, kind="recursive", c=2.0),
    bb.TCloseness(0.4),
    bb.TCloseness(0.25, kind="ordered", column="income"),
    bb.TCloseness(0.3, kind="hierarchical", hierarchy=bb.Hierarchy.by_hand(DISEASES)),
    bb.Deassociation(0.5),
    bb.Deassociation(0.4, values=["flu", "colic"]),
    bb.BetaLikeness(1.0, kind="basic"),
    bb.BetaLikeness(1.5),
    bb.DeltaDisclosure(1.0),
    bb.KMap(20, population=200),
    bb.Presence(0.25, population=200, over="table"),
    bb.AverageRisk(0.3),
    bb.Uniqueness(0.2),
    bb.PopulationUniqueness(0.1, population=200),
    bb.Vulnerability(0.5),
    bb.Vulnerability(0.75),
    bb.Leakage(0.2),
    bb.Leakage(1.5, form="multiplicative"),
    bb.Vulnerability(0.6, over="table"),
    bb.Leakage(0.1, over="table"),
    bb.Leakage(1.25, form="multiplicative", over="table"),
]
BESIDES: list[bb.Criterion] = [
    bb.Deassociation(0.6, column="income"),
    bb.BetaLikeness(0.8, column="income"),
    bb.DeltaDisclosure(1.5, column="income"),
    bb.LDiversity(2, column="income"),
    bb.Presence(0.6, population=40),
]
criteria_lists = st.lists(st.sampled_from([*SINGLE_CRITERIA, *BESIDES]), min_size=1, max_size=2, unique_by=str)
shares = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 1.0])
WITH_MORE = ("prediction:disease", "prediction:income", "loss:0", "loss:0.3", "arithmetic-loss:0.8", "maximum-loss:0.2")
PREFERENCES = (*POLICIES, *WITH_MORE, "maximum-loss:1", "entropy:0.25", "entropy:0.9")
policies = st.sampled_from(PREFERENCES)


def bounds_of(table: SmallTable) -> st.SearchStrategy[list[tuple[int, int]]]:
    """For each column, the lowest and the highest level allowed."""
    pairs = [
        st.tuples(st.integers(0, column.height), st.integers(0, column.height)).map(sorted).map(tuple)
        for column in table.columns
    ]
    return st.tuples(*pairs).map(list)


def weights_of(table: SmallTable) -> st.SearchStrategy[list[float]]:
    size = len(table.columns)
    return st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.0]), min_size=size, max_size=size)
