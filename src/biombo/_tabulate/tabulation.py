"""``tabulate``: a table of counts, sums and means, in which nobody can be found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from biombo._data import Column, Dataset, Schema, SourceTable
from biombo._engine import LOCAL, Engine, Randomness, engine_of
from biombo._errors import ColumnError, UsageError
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._tabulate.atoms import Value
from biombo._tabulate.classification import Classification, Places, classified
from biombo._tabulate.counting import Counting
from biombo._tabulate.cube import Contributions, Cube, Numbers, counted
from biombo._tabulate.earlier import Basis, EarlierTable
from biombo._tabulate.protection import SUPPRESS, Counted, Kind, Protection
from biombo._tabulate.public_lists import Categories, checked_categories, public_list
from biombo._tabulate.rules import RECORDS, Dominance, Rules, Shown, full_cells
from biombo._tabulate.shown import STATUS, ShownTable, level_column, mean_of
from biombo._tabulate.suppression import Suppression, nothing_left_out, suppressed
from biombo._tabulate.together import Together
from biombo._watch import begin

if TYPE_CHECKING:
    from biombo._frames import Frame

_MOST_SUMMED = 2.0**53
"""Above it numbers are no longer told apart."""

_OF_ALL_CELLS = ("people", "left out")
"""The columns that only the private list of all cells has."""

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
    person: str | None
    """The column that told people apart."""
    label: str
    kind: FrameKind
    protection: Protection | None = None
    """What protects it; none where cells are left out."""
    disguised: Numbers | None = None
    """The counts that are shown in the place of the true ones, where no cell is left out."""
    basis: Basis | None = None
    """What it was made of and beside; None where nobody said which tables were published earlier."""
    untold: Mapping[str, int] = field(default_factory=dict)
    """By column that is added up: how many records have nothing in it, and so add nothing. Private."""

    @property
    def earlier(self) -> list[str] | None:
        """The ids of the releases that it was made beside; None where nobody said which there are."""
        return None if self.basis is None else [table.release for table in self.basis.earlier]

    def on_record(self, release: str) -> EarlierTable:
        """The table as later ones of the same source must know it."""
        if self.basis is None:
            raise UsageError("tabulate.without-earlier")
        return EarlierTable(release, self.basis.state, self.shown, self.basis.leaves, self.rules, self.person)

    @property
    def protected_by(self) -> Kind:
        """What protects it, in a word."""
        return SUPPRESS if self.protection is None else self.protection.kind

    @cached_property
    def shown(self) -> ShownTable:
        """What everybody may have."""
        if self.protection is not None and self.disguised is not None:
            values = {RECORDS: self.disguised}
            return ShownTable(self.cube.classifications, values, (), self.rules.k, True, self.protection)
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
        if self.protection is not None:
            counts = text("tabulate.cells", cells=cells, filled=filled, zeros=cells - filled)
            return [counts, *self.protection.sentences(self.rules.k)]
        share = np.count_nonzero(self.suppression.hidden) / max(1, filled)
        proved = "tabulate.proved" if self.suppression.is_proved else "tabulate.proved-in-part"
        lines = [
            text("tabulate.left-out", small=self.small, besides=self.besides, share=share, k=self.rules.k),
            *self._beside(),
            text(proved, k=self.rules.k),
            text("tabulate.cells", cells=cells, filled=filled, zeros=cells - filled),
        ]
        if not self.holds:
            lines.insert(0, text("tabulate.nothing-shown", k=self.rules.k))
        if self.full:
            lines.append(text("tabulate.full", cells=self.full))
        lines += [text("tabulate.untold", column=name, records=each) for name, each in self.untold.items() if each]
        return lines

    def _beside(self) -> list[str]:
        """What is to be said of other tables of the same source."""
        if self.basis is None:
            return [text("tabulate.alone")]
        columns = ", ".join(self.basis.gathered)
        gathered = [text("tabulate.gathered", columns=columns, k=self.rules.k)] if columns else []
        if not self.basis.earlier:
            return [text("tabulate.first"), *gathered]
        lines = [text("tabulate.beside", tables=len(self.basis.earlier), further=self.suppression.further), *gathered]
        if self.suppression.public:
            lines.append(text("tabulate.public-before", groups=self.suppression.public))
        if self.basis.has_grown(self.cube.sums):
            lines.append(text("tabulate.sums-grown", percent=self.rules.percent))
        return lines

    def as_json(self) -> dict[str, Any]:
        """The numbers of the verdict, and every cell as it is shown."""
        return {
            "k": self.rules.k,
            "protection": {"kind": SUPPRESS} if self.protection is None else self.protection.to_tree(),
            "cells": self.cube.records.size,
            "small": self.small,
            "besides": self.besides,
            "full": self.full,
            "proved": self.suppression.is_proved,
            "earlier": self.earlier,
            "known_before": self.suppression.public,
            "untold": dict(self.untold),
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
    protection: Protection | None = None,
    categories: Mapping[str, Categories] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    schema: Schema | str | Mapping[str, Any] | None = None,
    engine: Engine | str = LOCAL,
    earlier: Sequence[EarlierTable] | None = None,
) -> Tabulation:
    """Count the records of a table by columns, with all totals, and leave out what tells too much.

    Nobody who has the result, knows how it was made, and is in at most one of its cells without parts can tell of a
    cell left out that it has fewer than ``k`` people, nor a sum more exactly than by ``percent`` of what whoever has
    most of it has, nor of a sum that fewer than ``k`` people have another amount than most. Whoever knows of many
    people where they are knows more.

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
        protection: Other numbers in the place of the true ones (:class:`Rounding`, :class:`CellKeys`,
            :class:`NoisyCounts`), so that no cell is left out; for counts alone.
        categories: By column, which there are, as everybody may know: a list of values (``None`` for a missing one),
            ``"public"`` for all that its schema or hierarchy lists, or ``"data"`` for those that are there. By default
            short public lists, and what at least ``k`` people have.
        hierarchies: By column, in the place of the schema's.
        schema: What the columns are.
        engine: Where records are counted.
        earlier: Tables of the same source that were published before, from :meth:`biombo.Register.tables`: together
            with them the table gives nothing away either. Without them it can be published, and not put on record.

    >>> import polars as pl
    >>> table = pl.DataFrame({"sex": ["F"] * 7 + ["M"] * 6, "ill": ["no"] * 4 + ["yes"] * 3 + ["no"] * 5 + ["yes"]})
    >>> tabulate(table, ["sex", "ill"], k=3).to_frame()["records"].to_list()
    [None, None, 7, None, None, 6, 9, 4, 13]
    """
    rules = Rules(k, percent, dominance, zeros)
    levels = dict(by) if isinstance(by, Mapping) else {column: [0] for column in by}
    amounts = tuple(dict.fromkeys([*sums, *means]))
    columns = _checked([*levels, *amounts, *filter(None, [person])], levels)
    _refuse_unprotected(protection, rules, amounts, earlier)
    _refuse_taken(levels, amounts, means)
    _refuse_counted_and_added(levels, amounts, earlier or ())
    place = engine_of(engine)
    table = source if isinstance(source, Dataset) else SourceTable.open(place.reached(source))
    state = None if earlier is None else _state(table)
    besides = [name for each in earlier or () for name in each.columns_at(state)]
    whole = protection is not None and protection.by_records and person is None
    data = _read(table, [*dict.fromkeys([*columns, *besides])], schema, place, whole=whole)
    begin("counting")
    counting = Counting(data, person)
    lists = _lists(checked_categories(categories, levels), levels, protection)
    trees, codes = _classified(counting, levels, _hierarchies(levels, hierarchies, data.schema, lists), lists, k)
    gathered = () if state is None else _gathered(trees, lists)
    leaves = [codes[tree.column][data[tree.column].codes] for tree in trees]
    added = {name: counting.amounts(name, is_mean=name in means) for name in amounts}
    given = Contributions(leaves, counting.records, counting.people, added)
    cube = counted(trees, given, rules.largest)
    _refuse_huge(cube)
    begin("protecting")
    about = (tuple(means), person, data.label, data.kind)
    if protection is not None:
        told, counts = protection.disguised(Counted(cube, given, data, person, k), Randomness())
        return Tabulation(cube, rules, nothing_left_out(cube), *about, told, counts)
    untold = {name: counting.untold(name) for name in amounts}
    if state is None:
        return Tabulation(cube, rules, suppressed(cube, rules), *about, untold=untold)
    held = _held(counting, trees, codes)
    found = suppressed(cube, rules, Together(counting, state, cube, held, rules, earlier) if earlier else None)
    basis = Basis(state, held, tuple(earlier or ()), gathered)
    return Tabulation(cube, rules, found, *about, basis=basis, untold=untold)


def _checked(columns: list[str], levels: Mapping[str, Any]) -> list[str]:
    """The columns that are read, each once."""
    if not levels:
        raise UsageError("tabulate.no-columns")
    for column in {each for each in columns if columns.count(each) > 1}:
        raise ColumnError("tabulate.column-twice", column=column)
    return columns


def _refuse_taken(levels: Mapping[str, Sequence[Any]], amounts: Sequence[str], means: Sequence[str]) -> None:
    """Raise where a column is called like one of the table's own, or has no name."""
    shown = [*levels, *(name for name in amounts if name not in means), *map(mean_of, dict.fromkeys(means))]
    own = [RECORDS, STATUS, *_OF_ALL_CELLS, *(level_column(name) for name, each in levels.items() if len(each) > 1)]
    for name in [*shown, *amounts]:
        if not name:
            raise ColumnError("tabulate.nameless")
        if name in own or shown.count(name) > 1:
            raise ColumnError("tabulate.name-taken", column=name)


def _refuse_counted_and_added(levels: Iterable[str], amounts: Iterable[str], earlier: Sequence[EarlierTable]) -> None:
    """Raise where one table of a source adds up what another counts by: what it adds up to tells how many have it."""
    for table in earlier:
        by = {tree.column for tree in table.shown.classifications}
        for column in sorted(by.intersection(amounts) | set(table.shown.values).intersection(levels)):
            raise ColumnError("tabulate.counted-and-added", column=column, release=table.release)


def _gathered(trees: Sequence[Classification], lists: Mapping[str, Categories]) -> tuple[str, ...]:
    """The columns of which values are counted together because fewer than k people have each, as somebody chose. Raises
    where nobody did.
    """
    found = tuple(tree.column for tree in trees if text("tabulate.other") in tree.labels)
    for column in found:
        if column not in lists:
            raise ColumnError("tabulate.gathered-in-series", column=column)
    return tuple(column for column in found if lists[column] == "data")


def _refuse_huge(cube: Cube) -> None:
    """Raise where sums are too large to be exact."""
    for name, sums in cube.sums.items():
        if not (sums.totals <= _MOST_SUMMED).all():
            raise ColumnError("tabulate.sum-too-large", column=name)


def _refuse_unprotected(
    protection: Protection | None, rules: Rules, amounts: Sequence[str], earlier: Sequence[EarlierTable] | None
) -> None:
    """Raise where something is asked for that only leaving cells out protects."""
    if protection is not None and amounts:
        raise ColumnError("tabulate.counts-alone", column=amounts[0])
    if protection is not None and rules.zeros == "protected":
        raise UsageError("tabulate.zeros-alone")
    if protection is not None and earlier is not None:
        raise UsageError("tabulate.earlier-alone")


def _state(table: Dataset | SourceTable) -> str:
    """By which a source is known to be in the same state as before: of all its records."""
    opened = SourceTable.open(table)
    if opened.selections:
        raise UsageError("tabulate.selected")
    return opened.state()


def _lists(
    lists: dict[str, Categories], columns: Iterable[str], protection: Protection | None
) -> dict[str, Categories]:
    """Which categories there are, by column; public ones throughout where the protection rests on that."""
    if protection is None or not protection.public_lists:
        return lists
    for column in columns:
        if lists.setdefault(column, "public") == "data":
            raise ColumnError("tabulate.dp-data", column=column)
    return lists


def _read(table: Dataset | SourceTable, columns: list[str], schema: Any, engine: Engine, *, whole: bool) -> Dataset:
    """The combinations of values of the columns, or of all columns there are, with their counts."""
    begin("reading")
    if isinstance(table, Dataset):
        return table
    table.header(columns, Schema())
    columns = list(table.columns) if whole else columns
    return engine.open(table).tuples(columns, Schema.load(schema).told_of(table.columns))


def _hierarchies(
    levels: Mapping[str, Sequence[int | str]],
    given: Mapping[str, Any] | None,
    schema: Schema,
    lists: Mapping[str, Categories],
) -> dict[str, Hierarchy]:
    """The hierarchies of columns that are wanted at other levels than as they are, or whose values these list."""
    from biombo._search import hierarchies_of

    listing = [
        column
        for column in levels
        if lists.get(column) == "public" and (column in (given or {}) or schema[column].hierarchy is not None)
    ]
    wanted = [column for column, each in levels.items() if [*map(str, each)] != ["0"] or column in listing]
    found = hierarchies_of(wanted, {name: each for name, each in (given or {}).items() if name in wanted}, schema)
    return {name: each.for_column(name) for name, each in found.items()}


def _classified(
    counting: Counting,
    levels: Mapping[str, Sequence[int | str]],
    hierarchies: Mapping[str, Hierarchy],
    lists: Mapping[str, Categories],
    k: int,
) -> tuple[list[Classification], dict[str, Places]]:
    """The categories of each column, and the leaf of each of its codes."""
    trees, leaves = [], {}
    for name, wanted in levels.items():
        column, hierarchy = counting.data[name], hierarchies.get(name)
        numbers = levels_of(name, wanted, hierarchy)

        def in_groups(group: Places, column: Column = column) -> Places:
            return counting.people_in(group[column.codes])

        public = public_list(name, numbers, hierarchy, counting.data.schema[name], lists.get(name))
        tree, leaves[name] = classified(column, numbers, hierarchy, k, in_groups, public)
        trees.append(tree)
    return trees, leaves


def _held(
    counting: Counting, trees: Sequence[Classification], leaves: Mapping[str, Places]
) -> dict[str, tuple[frozenset[Value], ...]]:
    """By column: the values of each category without parts; its own name where it is public and nobody is in it."""
    found = {}
    for tree in trees:
        some: list[set[Value]] = [set() for _ in range(tree.leaves)]
        for value, leaf in zip(counting.values(tree.column), leaves[tree.column], strict=True):
            some[leaf].add(value)
        found[tree.column] = tuple(frozenset(each or {label}) for each, label in zip(some, tree.labels, strict=False))
    return found


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
