"""``tabulate``: a table of counts, sums and means, in which nobody can be found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from biombo._data import Column, Dataset, Schema, SourceTable, parse_numbers
from biombo._engine import LOCAL, Engine, engine_of
from biombo._errors import ColumnError, UsageError
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._tabulate.classification import Classification, Places, classified
from biombo._tabulate.cube import Contributions, Cube, Numbers, counted
from biombo._tabulate.rules import Dominance, Rules, Shown, full_cells
from biombo._tabulate.shown import RECORDS, ShownTable
from biombo._tabulate.suppression import Suppression, suppressed
from biombo._watch import begin

if TYPE_CHECKING:
    from biombo._frames import Frame

By = Sequence[str] | Mapping[str, Sequence[int | str]]
"""The columns of a table, or the levels of each that are counted apart and added up."""


@dataclass(frozen=True, eq=False, repr=False)
class Tabulation(Result, Framed):
    """A table, what it is made of, and why it may go out; only :attr:`shown` is public. Made by :func:`tabulate`."""

    cube: Cube
    """All numbers of all cells."""
    rules: Rules
    suppression: Suppression
    means: tuple[str, ...]
    counts_people: bool
    """Did a column tell people apart?"""
    label: str
    kind: FrameKind

    @cached_property
    def shown(self) -> ShownTable:
        """What everybody may have."""
        hidden = self.suppression.hidden
        numbers = {RECORDS: self.cube.records.astype(np.float64)}
        numbers |= {name: sums.totals for name, sums in self.cube.sums.items()}
        values = {name: np.where(hidden, np.nan, each) for name, each in numbers.items()}
        return ShownTable(self.cube.classifications, values, self.means, self.rules.k, self.rules.zeros == "shown")

    @property
    def holds(self) -> bool:
        """Is there anything to show?"""
        return not bool(self.suppression.hidden[self.cube.records > 0].all())

    @property
    def small(self) -> int:
        """How many cells tell too much by themselves."""
        return int(np.count_nonzero(self.suppression.sensitive))

    @property
    def besides(self) -> int:
        """How many are left out for their sake."""
        return int(np.count_nonzero(self.suppression.hidden)) - self.small

    @property
    def full(self) -> int:
        """How many cells are shown that have all records of a total."""
        return int(np.count_nonzero(full_cells(self.cube) & ~self.suppression.hidden))

    def _table(self) -> pl.DataFrame:
        return self.shown.frame()

    @property
    def _kind(self) -> FrameKind:
        return self.kind

    def _glance(self) -> Glance:
        frame = self.shown.frame()
        rows = [["" if value is None else value for value in row] for row in frame.head(20).rows()]
        return Glance(" ".join(self.verdict()), frame.columns, rows)

    def verdict(self) -> list[str]:
        """What came of it, in a few sentences; for whoever has the data."""
        cells, filled = self.cube.records.size, int(np.count_nonzero(self.cube.records))
        lines = [text("tabulate.cells", cells=cells, filled=filled, zeros=cells - filled)]
        share = np.count_nonzero(self.suppression.hidden) / max(1, filled)
        lines.append(text("tabulate.left-out", small=self.small, besides=self.besides, share=share, k=self.rules.k))
        lines.append(
            text("tabulate.proved" if self.suppression.is_proved else "tabulate.proved-in-part", k=self.rules.k)
        )
        if self.full:
            lines.append(text("tabulate.full", cells=self.full))
        return lines

    def as_json(self) -> dict[str, Any]:
        """The numbers of the verdict, and every cell as it is shown."""
        return {
            "k": self.rules.k,
            "cells": self.cube.records.size,
            "small": self.small,
            "besides": self.besides,
            "full": self.full,
            "proved": self.suppression.is_proved,
            "table": self.shown.frame().to_dicts(),
        }


def tabulate(
    source: "Frame | Dataset | SourceTable | str | Sequence[str]",
    by: By,
    *,
    sums: Sequence[str] = (),
    means: Sequence[str] = (),
    k: int = 10,
    percent: float = 0.1,
    dominance: Dominance | None = None,
    zeros: Shown = "shown",
    person: str | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    schema: Schema | str | Mapping[str, Any] | None = None,
    engine: Engine | str = LOCAL,
) -> Tabulation:
    """Count the records of a table by columns, with all totals, and leave out what tells too much.

    Nobody who has the result, knows how it was made, and is in at most one of its cells without parts can tell of a
    cell left out that it has fewer than ``k`` people, nor a sum more exactly than by ``percent`` of what whoever has
    most of it has. Whoever knows of many people where they are knows more.

    Args:
        source: The table.
        by: Columns; or for each the levels of its hierarchy, by number or name, the finest first.
        sums: Columns whose sums are shown.
        means: Columns whose means are shown.
        k: How many people a cell has at least.
        percent: The p% rule for sums and means, as a share.
        dominance: The (n, k) rule besides.
        zeros: Whether it may be known where there is nobody.
        person: The column that tells people apart; without it every record is taken for another person.
        hierarchies: By column, in the place of the schema's.
        schema: What the columns are.
        engine: Where records are counted.

    >>> import polars as pl
    >>> table = pl.DataFrame({"sex": ["F"] * 7 + ["M"] * 6, "ill": ["no"] * 4 + ["yes"] * 3 + ["no"] * 5 + ["yes"]})
    >>> tabulate(table, ["sex", "ill"], k=3).to_frame()["records"].to_list()
    [None, None, 7, None, None, 6, 9, 4, 13]
    """
    rules = Rules(k, percent, dominance, zeros)
    levels = dict(by) if isinstance(by, Mapping) else {column: [0] for column in by}
    amounts = tuple(dict.fromkeys([*sums, *means]))
    columns = _checked([*levels, *amounts, *filter(None, [person])], levels)
    data = _read(source, columns, schema, engine_of(engine))
    begin("counting")
    records = np.ones(data.rows, np.int64) if data.counts is None else data.counts.astype(np.int64)
    people = None if person is None else data[person].codes.astype(np.int64)
    chosen = _hierarchies(levels, hierarchies, data.schema)
    trees, leaves = _classified(data, levels, chosen, k, records, people)
    given = Contributions(leaves, records, people, {name: amounts_of(data, name, name in means) for name in amounts})
    cube = counted(trees, given, rules.largest)
    begin("protecting")
    return Tabulation(cube, rules, suppressed(cube, rules), tuple(means), person is not None, data.label, data.kind)


def _checked(columns: list[str], levels: Mapping[str, Any]) -> list[str]:
    """The columns that are read, each once."""
    if not levels:
        raise UsageError("tabulate.no-columns")
    for column in {each for each in columns if columns.count(each) > 1}:
        raise ColumnError("tabulate.column-twice", column=column)
    return columns


def _read(source: Any, columns: list[str], schema: Any, engine: Engine) -> Dataset:
    """The combinations of values of the columns, with their counts."""
    begin("reading")
    if isinstance(source, Dataset):
        return source
    table = source if isinstance(source, SourceTable) else SourceTable.open(engine.reached(source))
    table.header(columns, Schema())
    return engine.open(table).tuples(columns, Schema.load(schema).told_of(table.columns))


def _hierarchies(
    levels: Mapping[str, Sequence[int | str]], given: Mapping[str, Any] | None, schema: Schema
) -> dict[str, Hierarchy]:
    """The hierarchies of columns that are wanted at other levels than as they are."""
    from biombo._search import hierarchies_of

    wanted = [column for column, each in levels.items() if [*map(str, each)] != ["0"]]
    return hierarchies_of(wanted, {name: each for name, each in (given or {}).items() if name in wanted}, schema)


def _classified(
    data: Dataset,
    levels: Mapping[str, Sequence[int | str]],
    hierarchies: Mapping[str, Hierarchy],
    k: int,
    records: Places,
    people: Places | None,
) -> tuple[list[Classification], list[Places]]:
    """The categories of each column, and the leaf of each tuple."""
    trees, leaves = [], []
    for name, wanted in levels.items():
        column, hierarchy = data[name], hierarchies.get(name)
        numbers = levels_of(name, wanted, hierarchy)

        def in_groups(group: Places, column: Column = column) -> Places:
            return _people(group[column.codes], records, people)

        tree, leaf = classified(column, numbers, hierarchy, k, in_groups)
        trees.append(tree)
        leaves.append(leaf[column.codes])
    return trees, leaves


def levels_of(column: str, wanted: Sequence[int | str], hierarchy: Hierarchy | None) -> list[int]:
    """The levels that are meant, from the finest up; the total is there anyway."""
    if hierarchy is None:
        return [0]
    names = ["", *(name or "" for name in hierarchy.level_names)]
    found = []
    for level in wanted:
        if isinstance(level, str) and level in names[1:]:
            found.append(names.index(level))
        elif isinstance(level, str) and not level.isdecimal():
            known = ", ".join(filter(None, names))
            raise ColumnError("tabulate.no-level", column=column, level=level, known=known)
        else:
            hierarchy.check_level(int(level))
            found.append(int(level))
    return sorted(set(found))


def _people(group: Places, records: Places, people: Places | None) -> Places:
    """By group: how many people are in it."""
    if people is None:
        return np.bincount(group, records).astype(np.int64)
    return np.bincount(np.unique(np.stack([group, people]), axis=1)[0]).astype(np.int64)


def amounts_of(data: Dataset, name: str, is_mean: bool) -> Numbers:
    """What each record of a tuple has; nothing where nothing is told."""
    column = data[name]
    numbers = parse_numbers(column.values)
    told = ~column.values.is_null()
    if numbers.is_null().filter(told).any():
        raise ColumnError("tabulate.not-numbers", column=name)
    if is_mean and not told.all():
        raise ColumnError("tabulate.mean-missing", column=name)
    if (numbers.min() or 0) < 0:  # type: ignore[operator]
        raise ColumnError("tabulate.negative", column=name)
    return numbers.fill_null(0.0).to_numpy()[column.codes]
