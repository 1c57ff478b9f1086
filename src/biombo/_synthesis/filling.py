"""Made-up records beside people who stand out (PDPC 2018, 16.6): how many, where, and what they change for whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Counts
from biombo._data import Dataset
from biombo._engine import numbered
from biombo._i18n import text
from biombo._synthesis.people import people_of

Shares = tuple[float, float]
"""Before and afterwards."""


@dataclass(frozen=True, eq=False)
class Filling:
    """What was added, and what holds then. Private. Made-up records are about nobody and count as no people: whatever k
    a table has is that of the people in it, before as after.
    """

    size: int
    """How many records a group has at least, with those that were made up."""
    smallest: int
    """How many people the smallest group has: the k that may be claimed."""
    groups: int
    """The groups that got made-up records."""
    people: int
    """The people in them."""
    added: int
    record: Shares
    """How often a person's record is found by whoever knows the quasi values, and cannot tell records apart."""
    guessed: Mapping[str, Shares]
    """By sensitive column: how often its value is guessed right by whoever knows the quasi values, how many records
    were added to each group, and how their values were drawn; measured on the people, against the truth."""
    made_up: pl.Series = field(repr=False, default_factory=lambda: pl.Series(dtype=pl.Boolean))
    """By record of the result: is it made up?"""

    @property
    def told(self) -> int:
        """How many made-up records may be told of in public: a multiple of ``size``, and 0, which stands for no number,
        where fewer people than that are behind it.
        """
        return self.added // self.size * self.size if self.people >= self.size else 0

    def sentences(self) -> Iterator[str]:
        """What was added, what holds, and what is to be said in public, in the language in use."""
        yield text("synthesis.filling.added", **self._numbers)
        yield text("synthesis.filling.k", k=self.smallest)
        before, after = self.record
        yield text("synthesis.filling.record", before=before, after=after)
        for column, (before, after) in self.guessed.items():
            yield text("synthesis.filling.guessed", column=column, before=before, after=after)
        yield text("synthesis.filling.to-say", sentence=self.public_sentence())

    def public_sentence(self) -> str:
        """What whoever gets the table is told."""
        if self.told:
            return text("synthesis.filling.public", records=self.told)
        return text("synthesis.filling.public-few")

    @property
    def _numbers(self) -> dict[str, int]:
        names = ("size", "groups", "people", "added")
        return {name: getattr(self, name) for name in names}

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values, without saying which records are made up."""
        return {
            **self._numbers,
            "smallest": self.smallest,
            "record": list(self.record),
            "guessed": {column: list(shares) for column, shares in self.guessed.items()},
            "public": self.public_sentence(),
        }


@dataclass(frozen=True, eq=False)
class Groups:
    """The records of a table by their quasi values."""

    data: Dataset
    of: NDArray[np.int64]
    """By record: its group."""
    people: Counts
    """By group."""

    @classmethod
    def by(cls, data: Dataset, quasi: Sequence[str]) -> "Groups":
        """By the columns ``quasi``."""
        columns = [data[name] for name in quasi]
        found, count = numbered([each.codes for each in columns], [each.cardinality for each in columns])
        of, people = found.astype(np.int64), people_of(data)
        if people is None:
            return cls(data, of, np.bincount(of, minlength=count).astype(np.int64))
        pairs = np.unique(np.stack([of, people]), axis=1)
        return cls(data, of, np.bincount(pairs[0], minlength=count).astype(np.int64))

    def near(self, size: int) -> NDArray[np.intp]:
        """For each record to be made up the place of one with the quasi values that it gets: as many as a group lacks
        people.
        """
        _, first = np.unique(self.of, return_index=True)
        return np.repeat(first, np.maximum(0, size - self.people))

    def filled(self, size: int, made: pl.DataFrame, made_up: pl.Series) -> Filling:
        """What the records ``made``, in the order of :meth:`near`, change."""
        added: Counts = np.maximum(0, size - self.people)
        few = added > 0
        records = np.bincount(self.of, minlength=len(self.people))
        return Filling(
            size=size,
            smallest=int(self.people.min()),
            groups=int(few.sum()),
            people=int(self.people[few].sum()),
            added=int(added.sum()),
            record=(
                float(len(records) / max(1, records.sum())),
                float((records / (records + added)).sum() / max(1, records.sum())),
            ),
            guessed={
                name: self._guessed(name, made[name], added)
                for name in self.data.schema.sensitive
                if name in made.columns
            },
            made_up=made_up,
        )

    def _guessed(self, name: str, made: pl.Series, added: Counts) -> Shares:
        """How often the value is right that most records of a group have, or that most are left with once those that
        were likely made up are taken off: whichever the adversary gains more by.
        """
        column = self.data[name]
        values = column.values.cast(made.dtype)
        place = {value: code for code, value in enumerate(values.to_list())}
        own = np.zeros((len(self.people), column.cardinality))
        np.add.at(own, (self.of, column.codes), 1)
        beside = np.zeros_like(own)
        for group, value in zip(np.repeat(np.arange(len(added)), added), made.to_list(), strict=True):
            if value in place:
                beside[group, place[value]] += 1
        expected = added[:, None] * own.sum(axis=0) / max(1.0, own.sum())
        seen = [_right(own, own), _right(own, own + beside), _right(own, own + beside - expected)]
        return seen[0], max(seen[1:])


def _right(own: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    """How many of all records have a value of the highest score in their group; of several, one is drawn."""
    best = np.isclose(scores, scores.max(axis=1, keepdims=True))
    return float(((own * best).sum(axis=1) / best.sum(axis=1)).sum() / max(1.0, own.sum()))
