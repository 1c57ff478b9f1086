"""Diversify sensitive values by synonyms (document 001, processes 9 to 11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._criteria import Criterion
from biombo._data import Column, Dataset, Role, Schema, written
from biombo._errors import ColumnError, UsageError
from biombo._plan.context import Context
from biombo._plan.decision import Decision
from biombo._plan.distinct import replaced, reworded
from biombo._plan.numbering import numbered
from biombo._plan.operations.operation import Seen, TwoPassOperation
from biombo._plan.randomness import Randomness
from biombo._plan.step import Batch, Rows, Step
from biombo._plan.synonyms import checked_synonyms, collapsed, meanings

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Diversify(TwoPassOperation):
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
    groups_below: int
    missing: Literal["stop", "leave"] = "stop"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "synonyms", checked_synonyms(self.column, self.synonyms))
        if self.groups_below < 2:
            raise UsageError("plan.groups-below", value=self.groups_below)

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:  # noqa: ARG002
        """The column and the quasi columns, by which the groups are."""
        return (*schema.quasi, self.column)

    def as_understood(self, data: Dataset) -> Dataset:
        """``data`` with synonyms as one value, where the column is in it."""
        return collapsed(data, self.column, meanings(self.synonyms)) if self.column in data.columns else data

    def decide(self, seen: Seen) -> Decision:
        """Choose a word for each record whose group has too few."""
        data, kept = seen.data, ~seen.suppressed
        if not data.schema.quasi:
            raise UsageError("attack.no-quasi", source=data.label)
        group, poor = _poor_groups(data, self.column, kept, self.groups_below)
        group, rows, column = group[poor], np.flatnonzero(kept)[poor], data[self.column]
        meaning = _Meaning.of(column, self.synonyms)
        value = meaning.value[column.codes[rows]]
        listed = value >= 0
        if self.missing == "stop":
            self._refuse_unlisted(column, np.unique(column.codes[rows[~listed]]))
        word = np.full(data.rows, -1, np.int32)
        word[rows[listed]] = meaning.words_in_turn(group[listed], value[listed], seen.context.random)
        return Reword(word >= 0, self.column, word, meaning.words)

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
        known = {word: place_of[value] for word, value in meanings(synonyms).items()}
        value = np.array([known.get(word, -1) for word in written(column.values).to_list()], np.int64)
        count = np.array([1 + len(words) for words in synonyms.values()], np.int64)
        return cls(value, tuple(known), np.cumsum(count) - count, count)

    def words_in_turn(self, group: NDArray[np.uint32], value: Numbers, random: Randomness) -> Numbers:
        """A word for each record: those of a group with the same value take its words in turn, in random order."""
        if not len(value):
            return value
        among, count = numbered([group, value.astype(np.uint32)], [int(group.max()) + 1, len(self.count)])
        order = random.order(len(among))
        order = order[np.argsort(among[order], kind="stable")]
        size = np.bincount(among, minlength=count)
        turn = np.empty(len(among), np.uint64)
        turn[order] = np.arange(len(among)) - np.repeat(np.cumsum(size) - size, size)
        words = self.count[value].astype(np.uint64)
        begin = random.words(count)[among] % words
        return self.first[value] + ((begin + turn) % words).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Reword(Decision):
    """The records get other words in one column."""

    column: str
    word: NDArray[np.int32]
    """Per row the place of its word; -1 where it keeps its own."""
    words: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Put the words in, batch by batch."""
        return _Rewording(self)


class _Rewording(Step):
    def __init__(self, decision: Reword) -> None:
        self._decision = decision
        self._seen = 0

    def __call__(self, batch: Batch) -> Batch:
        name, words = self._decision.column, self._decision.words
        start, self._seen = self._seen, self._seen + batch.table.num_rows
        chunk = reworded(batch.table.column(name), name, self._decision.word[start : self._seen], words)
        return replace(batch, table=replaced(batch.table, name, chunk))
