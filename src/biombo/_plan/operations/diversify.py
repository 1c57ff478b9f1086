"""Diversify sensitive values by synonyms (Moraes et al. 2025, processes 9 to 11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import recoded
from biombo._criteria import Criterion
from biombo._data import Column, Dataset, Role, Schema, written
from biombo._documents import checked, is_within_limit, limited
from biombo._engine import Batch, Dealing, MarkedChange, MarkedStep, Marks, Numbers, Randomness, Rows, numbered
from biombo._errors import ColumnError, UsageError
from biombo._plan.operations.operation import CountingOperation, Seen
from biombo._plan.treatment import Treatment
from biombo._plan.values.distinct_values import reworded

_FEWEST = 2
"""Synonyms that a value needs (Moraes et al. 2025, process 10)."""


@dataclass(frozen=True)
class Diversify(CountingOperation):
    """Where a group has fewer than ``groups_below`` different values in ``column``, write them in different words.

    Within such a group the records of a value take the value and its synonyms in turn, which of them which is drawn
    from the system's secure source. Each value that occurs there needs two or more synonyms; without them the error
    lists all that do (``missing: stop``), or they stay as they are (``missing: leave``).

    Whoever knows that the words mean the same learns as much as before. So criteria take synonyms for one value, and
    the number of different words is only shown beside it.

    >>> Diversify("disease", {"flu": ["influenza", "grippe"]}, groups_below=2).to_tree()["diversify"]["synonyms"]
    {'flu': ['grippe', 'influenza']}
    """

    name: ClassVar[str] = "diversify"
    roles: ClassVar[tuple[Role, ...]] = ("sensitive", "other")  # what the plan does not name may be the schema's
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.diversify"

    column: str
    synonyms: Mapping[str, Any]
    groups_below: int = field(metadata=limited(2))
    missing: Literal["stop", "leave"] = "stop"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "synonyms", _checked_synonyms(self.column, self.synonyms))
        if not is_within_limit(self, "groups_below"):
            raise UsageError("plan.groups-below", value=self.groups_below)

    @property
    def draws(self) -> bool:
        """Yes: who gets which word."""
        return True

    @property
    def is_understood(self) -> bool:
        """Yes: words that mean the same count as one value."""
        return True

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:  # noqa: ARG002
        """The column and the quasi columns, by which the groups are."""
        return (*schema.quasi, self.column)

    def as_understood(self, data: Dataset) -> Dataset:
        """``data`` with synonyms as one value, where the column is in it."""
        return _collapsed(data, self.column, _meanings(self.synonyms)) if self.column in data.columns else data

    def decide(self, seen: Seen) -> Treatment:
        """Choose words for the records of each value in each group that has too few."""
        data, kept = seen.data, ~seen.out
        if not data.schema.quasi:
            raise UsageError("attack.no-quasi", source=data.label)
        group, poor = _poor_groups(data, self.column, kept, self.groups_below)
        group, tuples, column = group[poor], np.flatnonzero(kept)[poor], data[self.column]
        meaning = _Meaning.of(column, self.synonyms)
        value = meaning.value[column.codes[tuples]]
        listed = value >= 0
        if self.missing == "stop":
            self._refuse_unlisted(column, np.unique(column.codes[tuples[~listed]]))
        pile = np.full(data.rows, -1, np.int64)
        among = meaning.piles(group[listed], value[listed])
        pile[tuples[listed]] = among
        counts = seen.counts[tuples[listed]]
        dealing = Dealing(pile, *meaning.words_in_turn(among, value[listed], counts, seen.random))
        return Treatment(dealing, Reword(self.column, meaning.words))

    def _refuse_unlisted(self, column: Column, codes: NDArray[np.integer]) -> None:
        unlisted = written(column.values).gather(codes).drop_nulls().sort().to_list()
        if unlisted:
            raise ColumnError(
                "plan.without-synonyms",
                column=self.column,
                below=self.groups_below,
                count=len(unlisted),
                values=", ".join(unlisted),  # all: it is the list that is sent to whoever asked for the data
            )


def _poor_groups(data: Dataset, column: str, kept: Rows, below: int) -> tuple[NDArray[np.uint32], Rows]:
    """The group of each row that is kept, and whether that has fewer than ``below`` different words in ``column``."""
    quasi, about = [data[name] for name in data.schema.quasi], data[column]
    group, groups = numbered([each.codes[kept] for each in quasi], [each.cardinality for each in quasi])
    pair, pairs = numbered([group, about.codes[kept]], [groups, about.cardinality])
    group_of = np.empty(pairs, np.int64)
    group_of[pair] = group
    return group, np.bincount(group_of, minlength=groups)[group] < below


@dataclass(frozen=True, eq=False)
class _Meaning:
    """Which listed value each code of a column means, and the words for it."""

    value: Numbers
    """Per code the place of the value among those listed; -1 where it is not listed."""
    words: tuple[str, ...]
    """The words for the first value, for the second, …"""
    first: Numbers
    """Per value the place of its first word."""
    count: Numbers
    """Per value the number of its words."""

    @classmethod
    def of(cls, column: Column, synonyms: Mapping[str, tuple[str, ...]]) -> "_Meaning":
        place_of = {value: place for place, value in enumerate(synonyms)}
        known = {word: place_of[value] for word, value in _meanings(synonyms).items()}
        value = np.array([known.get(word, -1) for word in written(column.values).to_list()], np.int64)
        count = np.array([1 + len(words) for words in synonyms.values()], np.int64)
        return cls(value, tuple(known), np.cumsum(count) - count, count)

    def piles(self, group: NDArray[np.uint32], value: Numbers) -> Numbers:
        """A number for each tuple, the same for those of one group and one value."""
        if not len(value):
            return value
        columns = [group, value.astype(np.uint32)]
        return numbered(columns, [int(group.max()) + 1, len(self.count)])[0].astype(np.int64)

    def words_in_turn(
        self, pile: Numbers, value: Numbers, counts: Numbers, random: Randomness
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Hands of words: the records of a pile take the words for its value in turn, from any of them on."""
        piles = int(pile.max(initial=-1)) + 1
        size, of_pile = np.zeros(piles, np.int64), np.zeros(piles, np.int64)
        np.add.at(size, pile, counts)
        of_pile[pile] = value
        words = self.count[of_pile]
        to = np.repeat(np.arange(piles), words)
        place = np.arange(len(to)) - np.repeat(np.cumsum(words) - words, words)
        begin = (random.words(piles) % words.astype(np.uint64)).astype(np.int64)
        turn = (place - begin[to]) % words[to]
        return to, self.first[of_pile][to] + place, size[to] // words[to] + (turn < (size % words)[to])


@dataclass(frozen=True, eq=False)
class Reword(MarkedChange):
    """The records get other words in one column: a mark is the place of the word."""

    column: str
    words: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The one whose values it replaces."""
        return (self.column,)

    def start(self) -> MarkedStep:
        """Put the words in, batch by batch."""
        return _Rewording(self)


class _Rewording(MarkedStep):
    def __init__(self, change: Reword) -> None:
        self._change = change

    def __call__(self, batch: Batch, marks: Marks) -> Batch:
        name = self._change.column
        return batch.with_column(name, reworded(batch.table.column(name), name, marks, self._change.words))


def _checked_synonyms(column: str, synonyms: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The synonyms of each value, in an order that does not depend on how they are listed."""
    listed = {value: checked(tuple[str, ...], value, words) for value, words in synonyms.items()}
    tidied = {value: tuple(sorted({*words} - {value, ""})) for value, words in listed.items()}
    for value, words in tidied.items():
        if len(words) < _FEWEST:
            raise UsageError("plan.few-synonyms", column=column, value=value, count=len(words), fewest=_FEWEST)
    _refuse_two_meanings(column, tidied)
    return tidied


def _meanings(synonyms: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The value that each word means.

    >>> _meanings({"flu": ("grippe", "influenza")})
    {'flu': 'flu', 'grippe': 'flu', 'influenza': 'flu'}
    """
    return {word: value for value, words in synonyms.items() for word in (value, *words)}


def _collapsed(data: Dataset, column: str, meaning_of: Mapping[str, str]) -> Dataset:
    """``data`` with the words of ``column`` that mean the same as one value."""
    literal = data[column]
    words = written(literal.values).to_list()
    code_of: dict[str | None, int] = {}
    codes = [code_of.setdefault(word if word is None else meaning_of.get(word, word), len(code_of)) for word in words]
    values = pl.Series(column, list(code_of), pl.String)
    meant = Column(column, recoded(literal.codes, codes, len(code_of)), values)
    return replace(data, columns={**data.columns, column: meant})


def _refuse_two_meanings(column: str, synonyms: Mapping[str, tuple[str, ...]]) -> None:
    first: dict[str, str] = {}
    for value, words in synonyms.items():
        for word in (value, *words):
            if word in first:
                raise UsageError("plan.two-meanings", column=column, word=word, first=first[word], second=value)
            first[word] = value
