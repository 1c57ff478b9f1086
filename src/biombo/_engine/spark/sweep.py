"""The sweep over subsets of columns where Spark has the tuples: each is counted from the smallest one above it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING
from weakref import finalize

import numpy as np
import pyarrow as pa

from biombo._cells import SIZE_CLASSES, Cells, Codes, Counts, Groups, SubsetCounts, narrowest
from biombo._engine.local.groups import numbered
from biombo._engine.spark.jobs import Jobs, summed
from biombo._engine.spark.tuples import COUNT
from biombo._errors import LimitError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_TIMES, _TOP, _TIES, _SIZE, _CLASS, _WHAT = "times", "top", "ties", "size", "class", "what"


@dataclass(frozen=True, eq=False)
class CodedFrame:
    """Tuples of codes with their counts, which Spark keeps for as long as somebody may ask."""

    jobs: Jobs
    frame: "DataFrame"
    columns: Sequence[str]
    rows: int
    records: int

    @classmethod
    def of(cls, jobs: Jobs, frame: "DataFrame", columns: Sequence[str]) -> "CodedFrame":
        """Count a frame."""
        fn = jobs.functions

        kept = frame.persist()
        whole = kept.agg(fn.count("*").alias(_TIMES), fn.coalesce(fn.sum(COUNT), fn.lit(0)).alias(COUNT))
        (rows,), (records,) = (column.to_pylist() for column in jobs.collected(whole).columns)
        found = cls(jobs, kept, tuple(columns), rows, records)
        finalize(found, kept.unpersist).atexit = False  # the session ends before
        return found

    def by(self, columns: Sequence[str]) -> "CodedFrame":
        """The tuples of some of the columns."""
        return CodedFrame.of(self.jobs, summed(self.frame, columns), columns)

    @property
    def fits(self) -> bool:
        """Is there room for all tuples in the driver?"""
        return self.rows <= self.jobs.most_tuples

    def brought(self, columns: Sequence[str]) -> pa.Table:
        """``columns``, and the counts."""
        assert self.fits
        return self._bounded(self.frame.select(*columns, COUNT))

    def spectrum(self, columns: Sequence[str]) -> tuple[Counts, Counts]:
        """How many records hold a value of ``columns``, ascending, and how many values are held so."""
        fn = self.jobs.functions

        held = summed(self.frame, columns).groupBy(COUNT).agg(fn.count("*").alias(_TIMES))
        counts, times = self._collected(held)
        order = np.argsort(counts)
        return counts[order], times[order]

    def groups(self, subset: Sequence[str], target: Sequence[str]) -> Groups:
        """The groups of a subset, those that are alike as one, by what they say about a target."""
        fn = self.jobs.functions

        held = summed(self.frame, [*subset, *target])
        alike = held.groupBy(*subset, COUNT).agg(fn.count("*").alias(_TIES))
        top = fn.max(fn.struct(COUNT, _TIES))
        groups = alike.groupBy(*subset).agg(fn.sum(fn.col(COUNT) * fn.col(_TIES)).alias(_SIZE), top.alias(_TOP))
        told = groups.select(_SIZE, fn.col(f"{_TOP}.{COUNT}").alias(_TOP), fn.col(f"{_TOP}.{_TIES}").alias(_TIES))
        return Groups(*self._collected(told.groupBy(_SIZE, _TOP, _TIES).agg(fn.count("*").alias(_TIMES))))

    def exposure(self, subset: Sequence[str], targets: Sequence[Sequence[str]]) -> tuple[Counts, Counts, Counts]:
        """Of a subset: groups by size class, records in them, and the top counts of targets."""
        fn = self.jobs.functions

        size = summed(self.frame, subset)
        place = sum(((fn.col(COUNT) >= low).cast("int") for low in SIZE_CLASSES[1:]), start=fn.lit(0))
        sizes = size.groupBy(place.alias(_CLASS)).agg(fn.count("*").alias(_TIMES), fn.sum(COUNT).alias(COUNT))
        told = sizes.select(fn.lit(-1).alias(_WHAT), _CLASS, _TIMES, COUNT)
        for number, target in enumerate(targets):
            top = summed(self.frame, [*subset, *target]).groupBy(*subset).agg(fn.max(COUNT).alias(COUNT))
            whole = top.agg(fn.sum(COUNT).alias(COUNT))
            told = told.unionAll(
                whole.select(fn.lit(number).alias(_WHAT), fn.lit(0).alias(_CLASS), fn.lit(0).cast("long"), COUNT)
            )
        what, classes, times, counts = self._collected(told)
        groups, records, tops = (np.zeros(n, np.int64) for n in (len(SIZE_CLASSES), len(SIZE_CLASSES), len(targets)))
        of_sizes = what < 0
        groups[classes[of_sizes]], records[classes[of_sizes]] = times[of_sizes], counts[of_sizes]
        tops[what[~of_sizes]] = counts[~of_sizes]
        return groups, records, tops

    def _collected(self, frame: "DataFrame") -> list[Counts]:
        return [column.to_numpy() for column in self._bounded(frame).columns]

    def _bounded(self, frame: "DataFrame") -> pa.Table:
        """Rows that are few, or refused."""
        most = self.jobs.most_tuples + _FEW
        table = self.jobs.collected(frame, most + 1)
        if table.num_rows > most:
            raise LimitError("spark.too-many-tuples", source=self.jobs.label, tuples=table.num_rows, most=most)
        return table


_FEW = 1 << 16
"""So many integers have room in any process."""


@dataclass(frozen=True, eq=False)
class SparkCells:
    """See :class:`biombo._cells.Countable`."""

    frame: CodedFrame
    quasi: Mapping[str, str]
    """By name: what a column is called in the frame."""
    targets: Mapping[str, Sequence[str]]
    cardinality: Mapping[str, int]

    def groups(self, subset: Sequence[str], target: str | None = None) -> Groups:
        """The groups that ``subset`` makes, and what they say about ``target``, if any."""
        return self.frame.groups([self.quasi[name] for name in subset], self.targets[target] if target else ())

    def sweep(self, max_size: int, progress: Callable[[float], object] | None = None) -> SubsetCounts:
        """All subsets, the largest first. What fits into the driver is swept there, with all that is below it."""
        places = tuple(self.quasi.values())
        asked = [subset for size in range(1, max_size + 1) for subset in combinations(places, size)]
        found: dict[tuple[str, ...], tuple[Counts, Counts, Counts]] = {}
        parents = {places: self._with_targets(self.frame, places)}
        for subset in [places, *reversed(asked)]:
            if subset in found:
                continue
            counted = parents.get(subset) or self._with_targets(_smallest_above(parents, subset), subset)
            if counted.fits:
                found.update(
                    (each, counts) for each, counts in self._swept(counted, subset, max_size) if each not in found
                )
            else:
                parents = {
                    each: above
                    for each, above in parents.items()
                    if len(each) in (len(places), len(subset), len(subset) + 1)
                }
                parents[subset] = counted
                if len(subset) <= max_size:
                    found[subset] = counted.exposure(subset, list(self.targets.values()))
            if progress is not None:
                progress(len(found) / len(asked))
        return self._result(asked, found)

    def _with_targets(self, above: CodedFrame, subset: Sequence[str]) -> CodedFrame:
        """The tuples of a subset and of all targets."""
        columns = tuple(dict.fromkeys([*subset, *(name for target in self.targets.values() for name in target)]))
        return above if set(columns) == set(above.columns) else above.by(columns)

    def _swept(
        self, counted: CodedFrame, subset: Sequence[str], max_size: int
    ) -> Iterator[tuple[tuple[str, ...], tuple[Counts, Counts, Counts]]]:
        """What the kernel finds for a subset and for all that are below it."""
        *codes, counts = (column.to_numpy() for column in counted.brought(counted.columns).columns)
        columns = {name: self._column(name, own) for name, own in zip(counted.columns, codes, strict=True)}
        targets = [_jointly(target, [columns[name] for name in names]) for target, names in self.targets.items()]
        cells = Cells.count([columns[name] for name in subset], targets, len(counts), counts=counts)
        swept = cells.sweep(min(max_size, len(subset)))
        for place, members in enumerate(swept.members):
            names = tuple(name for name, is_in in zip(subset, members, strict=True) if is_in)
            yield names, (swept.groups[place], swept.records[place], swept.top[place])

    def _column(self, name: str, codes: Counts) -> "_Codes":
        cardinality = self.cardinality[name]
        return _Codes(name, codes.astype(narrowest(cardinality)), cardinality)  # type: ignore[arg-type]

    def _result(
        self, asked: Sequence[tuple[str, ...]], found: Mapping[tuple[str, ...], tuple[Counts, Counts, Counts]]
    ) -> SubsetCounts:
        members = np.array([[place in subset for place in self.quasi.values()] for subset in asked])
        groups, records, top = (np.stack(each) for each in zip(*(found[subset] for subset in asked), strict=True))
        of_all = [self.frame.spectrum(target)[0].max() for target in self.targets.values()]
        return SubsetCounts(members, groups, records, top, np.array(of_all, np.int64))


@dataclass(frozen=True, eq=False)
class _Codes:
    name: str
    codes: Codes
    cardinality: int


def _jointly(name: str, columns: Sequence[_Codes]) -> _Codes:
    if len(columns) == 1:
        return _Codes(name, columns[0].codes, columns[0].cardinality)
    return _Codes(name, *numbered([each.codes for each in columns], [each.cardinality for each in columns]))


def _smallest_above(parents: Mapping[tuple[str, ...], CodedFrame], subset: Sequence[str]) -> CodedFrame:
    """Of the tuples that were counted, the fewest that have all columns of a subset."""
    return min((frame for each, frame in parents.items() if {*subset} <= {*each}), key=lambda frame: frame.rows)
