"""Records of one person that can be told to be so: then whoever knows some of them looks for all of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, tallied
from biombo._criteria import Criterion, KAnonymity, LDiversity
from biombo._data import Column, Dataset, Schema
from biombo._engine import Paired, Pairs, numbered
from biombo._i18n import text
from biombo._plan import Plan, as_understood

Numbers = NDArray[np.int64]

_NEARLY = 0.95
"""Files have typing errors."""


@dataclass(frozen=True)
class Histories:
    """How people stand out by all their records, which a released ``column`` links.

    A history is the multiset of a person's released quasi tuples.
    """

    column: str
    quasi: tuple[str, ...]
    smallest_group: int
    """The fewest people who share a history."""
    diversity: Mapping[str, int]
    """By sensitive column: the fewest values that different people have who share a history; 1 where all of them have
    some value, whatever else they have."""

    @classmethod
    def by(cls, released: Dataset, column: str, quasi: Sequence[str], sensitive: Iterable[str]) -> "Histories":
        """The histories of the ``released`` records, or of counted tuples of these columns."""
        data, person = _by_person(released, column)
        group = _classes(person, _tuples(data, quasi), data.counts)
        sizes = np.bincount(group)
        diversity = {name: _diversity(person, group, sizes, data[name]) for name in sensitive}
        return cls(column, tuple(quasi), int(sizes.min()), diversity)

    def failures(self, criteria: Iterable[Criterion]) -> Iterator[str]:
        """What does not hold once histories are looked at, in words."""
        for criterion in criteria:
            if isinstance(criterion, KAnonymity) and self.smallest_group < criterion.k:
                yield text("release.histories.k", column=self.column, group=self.smallest_group, k=criterion.k)
            elif isinstance(criterion, LDiversity) and criterion.kind == "distinct":
                for name in self.diversity if criterion.column is None else (criterion.column,):
                    if self.diversity.get(name, 0) < criterion.l:
                        told = {"sensitive": name, "found": self.diversity.get(name, 0), "l": int(criterion.l)}
                        yield text("release.histories.l", column=self.column, **told)
            elif not isinstance(criterion, KAnonymity):
                yield text("release.histories.not-judged", column=self.column, criterion=criterion)


def histories_of(pairs: Pairs, plan: Plan, used: Schema) -> tuple[Histories, ...]:
    """The histories by each released column that links records of a person.

    Quasi columns apart, that is every column whose values are nearly always one person's, some of them in several
    records; where nobody says who a record is about, every pseudonym whose values repeat. Synonyms that the plan
    brought in are one value, as for criteria.
    """
    quasi = [name for name in used.quasi if name in pairs.columns]
    sensitive = [name for name in used.sensitive if name in pairs.columns]
    return tuple(_histories(pairs, plan, name, quasi, sensitive) for name in _linking(pairs, plan, used))


def _histories(pairs: Pairs, plan: Plan, column: str, quasi: Sequence[str], sensitive: Sequence[str]) -> Histories:
    others = [name for name in sensitive if name != column]
    released = as_understood(pairs.counted([column, *quasi, *others]).released, plan.operations)
    return Histories.by(released, column, quasi, others)


def _linking(pairs: Pairs, plan: Plan, used: Schema) -> Iterator[str]:
    pseudonyms = {name for each in plan.operations for name in each.releases}
    person = used.person if used.person in pairs.originals else None
    for name in pairs.columns:
        if name in used.quasi or not _repeats(pairs.counted([name]).released, name):
            continue
        links = name in pseudonyms if person is None else _is_one_persons(pairs.counted([name], [person]), name, person)
        if links or name == used.person:
            yield name


def _repeats(released: Dataset, name: str) -> bool:
    column = released[name]
    count = tallied(column.codes, column.cardinality, released.counts)
    return bool((count[~column.values.is_null().to_numpy()] > 1).any())


def _is_one_persons(paired: Paired, name: str, of: str) -> bool:
    """Do nearly all records with a value that repeats stand with others of the same person?"""
    column, person = paired.released[name], paired.own[of]
    there = ~column.values.is_null().to_numpy()[column.codes]
    values, people = column.codes[there].astype(np.int64), person.codes[there].astype(np.int64)
    width = int(person.cardinality) + 1
    pairs, place = np.unique(values * width + people, return_inverse=True)
    records = tallied(place.ravel(), len(pairs), None if paired.own.counts is None else paired.own.counts[there])
    all_records, most = np.zeros(column.cardinality, np.int64), np.zeros(column.cardinality, np.int64)
    np.add.at(all_records, pairs // width, records)
    np.maximum.at(most, pairs // width, records)
    repeated = all_records > 1
    return bool(most[repeated].sum() >= _NEARLY * all_records[repeated].sum() > 0)


def _by_person(data: Dataset, name: str) -> tuple[Dataset, Numbers]:
    """The same records, and a number for the person of each: those without a value are different people's."""
    column = data[name]
    missing = column.values.is_null().to_numpy()[column.codes]
    if data.counts is not None and missing.any():
        repeats = np.where(missing, data.counts, 1)
        counts = np.repeat(np.where(missing, 1, data.counts), repeats)
        rows = np.repeat(np.arange(data.rows), repeats)
        data = replace(data, columns=_taken(data, rows), rows=len(rows), counts=counts)
        column, missing = data[name], missing[rows]
    codes = column.codes.astype(np.int64)
    codes[missing] = column.cardinality + np.arange(missing.sum())
    return data, np.unique(codes, return_inverse=True)[1].ravel()


def _taken(data: Dataset, rows: NDArray[np.intp]) -> dict[str, Column]:
    return {name: replace(column, codes=column.codes[rows]) for name, column in data.columns.items()}


def _tuples(released: Dataset, quasi: Sequence[str]) -> Numbers:
    columns = [released[name] for name in quasi]
    if not columns:
        return np.zeros(released.rows, np.int64)
    return numbered([each.codes for each in columns], [each.cardinality for each in columns])[0].astype(np.int64)


def _classes(person: Numbers, tuples: Numbers, counts: Counts | None) -> Numbers:
    """By person: a number for the history, the same for people who share it."""
    person, tuples, counts = _added_up(person, tuples, counts)
    ends = np.cumsum(np.bincount(person))
    number_of: dict[bytes, int] = {}
    classes = np.empty(len(ends), np.int64)
    start, sequence = 0, np.stack([tuples, counts], axis=1)
    for place, end in enumerate(ends.tolist()):
        history = sequence[start:end].tobytes()
        classes[place] = number_of.setdefault(history, len(number_of))
        start = end
    return classes


def _added_up(person: Numbers, tuples: Numbers, counts: Counts | None) -> tuple[Numbers, Numbers, Numbers]:
    """Each person with each of its tuples once, in their order, and with how many records it has of it."""
    width = int(tuples.max()) + 1
    pairs, place = np.unique(person * width + tuples, return_inverse=True)
    return pairs // width, pairs % width, tallied(place.ravel(), len(pairs), counts)


def _diversity(person: Numbers, group: Numbers, sizes: Numbers, column: Column) -> int:
    """The fewest values in a class of people; 1 where everybody in it has one and the same."""
    width = column.cardinality
    pairs = np.unique(person * width + column.codes)  # a value counts once for each person
    cells, people = np.unique(group[pairs // width] * width + pairs % width, return_counts=True)
    classes = cells // width
    values = np.bincount(classes, minlength=len(sizes))
    shared_by_all = np.zeros(len(sizes), bool)
    shared_by_all[classes[people == sizes[classes]]] = True
    return int(np.where(shared_by_all, 1, values).min())
