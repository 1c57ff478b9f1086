"""What a plan did to the records of a table. Private: small counts are about few people."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl
import polars.selectors as cs
import pyarrow as pa
from pyarrow import parquet

from biombo._data import Column, Dataset, Schema, read
from biombo._engine import Counted, Fate, FateCounts, Fates, as_read
from biombo._errors import InputError
from biombo._files import PRIVATE, write_whole
from biombo._plan.operations import DropDuplicates, GroupOperation, Operation, Sample, TwoPassOperation
from biombo._plan.plan import Plan

OUTCOME = "outcome.parquet"
"""What its file is called in a private folder."""

_MARK, _VERSION = b"biombo-outcome", b"1"
_ORIGINAL, _RELEASED, _FATE, _RECORDS = "original ", "released ", "fate", "records"


@dataclass(frozen=True, eq=False)
class Outcome:
    """The fates of all records, by their quasi values before and after. Made by :func:`biombo.apply`.

    What a release lost is measured by this, so that a plan that draws at random need not be carried out again, which
    would draw anew.
    """

    plan_hash: str
    original: Dataset
    """The tuples of the quasi columns as they were in the table."""
    released: Dataset
    """The same tuples in the quasi columns as they are released, without those that are not."""
    fates: Fates
    """By tuple."""

    @property
    def total(self) -> FateCounts:
        """Records by fate."""
        return FateCounts.of(self.fates, self.original.counts)

    @classmethod
    def of(cls, counted: Counted, plan: Plan, quasi: Sequence[str]) -> "Outcome":
        """``counted`` are the tuples of :func:`counted_columns`."""
        before = {name: replace(counted.data[as_read(name)], name=name) for name in quasi}
        after = {
            name: counted.data[name] if name in counted.data.columns else before[name]
            for name in quasi
            if not _is_removed(name, plan)
        }
        whole = replace(counted.data, counts=counted.counts)
        return cls(plan.hash, replace(whole, columns=before), replace(whole, columns=after), counted.fates)

    def write(self, path: Path) -> None:
        """Write it as a Parquet file that nobody else may read."""
        columns = [
            *(_decoded(column, _ORIGINAL) for column in self.original.columns.values()),
            *(_decoded(column, _RELEASED) for column in self.released.columns.values()),
            pl.Series(_FATE, [Fate(fate).name.lower() for fate in self.fates], pl.String),
            pl.Series(_RECORDS, self.original.counts, pl.Int64),
        ]
        table = pl.DataFrame(columns).to_arrow()
        marks = {_MARK: _VERSION, b"plan": self.plan_hash.encode()}
        buffer = BytesIO()  # written by ourselves, so that a full disk is told as such
        parquet.write_table(table.replace_schema_metadata(marks), buffer, compression="zstd")
        write_whole(path, buffer.getvalue(), mode=PRIVATE)

    @classmethod
    def load(cls, outcome: "Outcome | str | Path") -> "Outcome":
        """An outcome, or the file that :meth:`write` wrote."""
        if isinstance(outcome, Outcome):
            return outcome
        try:
            table = parquet.read_table(outcome)
            marks = table.schema.metadata or {}
            if marks.get(_MARK) != _VERSION:
                raise InputError("plan.no-outcome", path=str(outcome))
            return cls._read(pl.DataFrame(table), marks[b"plan"].decode(), str(outcome))
        except (OSError, pa.ArrowException, KeyError, ValueError):
            raise InputError("plan.no-outcome", path=str(outcome)) from None

    @classmethod
    def _read(cls, frame: pl.DataFrame, plan_hash: str, label: str) -> "Outcome":
        kinds = [frame.schema[name] for name in (_RECORDS, _FATE)]
        if (
            kinds != [pl.Int64, pl.String]
            or frame[_FATE].null_count()
            or not (frame[_RECORDS] > 0).all(ignore_nulls=False)
        ):
            raise InputError("plan.no-outcome", path=label)
        counts, fates = frame[_RECORDS].to_numpy(), frame[_FATE].to_list()
        codes = np.array([Fate[fate.upper()] for fate in fates], np.uint8)
        sides: list[Dataset] = []
        for prefix in (_ORIGINAL, _RELEASED):
            names = [name for name in frame.columns if name.startswith(prefix)]
            coded = read(frame.select(cs.by_name(*names))).columns if names else {}
            columns = {name.removeprefix(prefix): _renamed(each, prefix) for name, each in coded.items()}
            sides.append(Dataset(columns, len(counts), Schema(), label, counts=counts))
        original, released = sides
        return cls(plan_hash, original, released, codes)


def quasi_columns(plan: Plan, used: Schema, there: Collection[str]) -> list[str]:
    """The quasi columns of a table, those that the plan removes included."""
    return [name for name in plan.quasi or used.quasi if name in there]


def counted_columns(plan: Plan, quasi: Sequence[str]) -> tuple[str, ...]:
    """What must be counted for an outcome: quasi values before, and after where they may be others."""
    changed = {name for operation in plan.operations for name in operation.columns}
    if any(isinstance(operation, GroupOperation) for operation in plan.operations):
        changed |= {*quasi}
    shown = [name for name in quasi if name in changed and not _is_removed(name, plan)]
    return (*map(as_read, quasi), *shown)


def follows_a_rule(plan: Plan, schema: Schema, quasi: Sequence[str]) -> bool:
    """Does carrying the plan out once more give the same fates and quasi values? Not where these are drawn."""
    drawn: set[str] = set()
    for operation in plan.operations:
        if isinstance(operation, Sample) or (operation.chooses and _chooses_by(operation, drawn, plan, schema)):
            return False
        if operation.draws and not operation.deals:
            drawn |= {*operation.columns}
        elif drawn & {*operation.reads}:
            drawn |= {*operation.columns, *operation.adds}
    return not drawn & {*quasi}


def _chooses_by(operation: Operation, drawn: set[str], plan: Plan, schema: Schema) -> bool:
    if isinstance(operation, DropDuplicates):
        return bool(drawn)
    seen = operation.sees(plan.criteria, schema) if isinstance(operation, TwoPassOperation) else operation.reads
    if isinstance(operation, GroupOperation):  # which looks through words that mean the same
        drawn = drawn - {name for each in plan.operations if each.is_understood for name in each.columns}
    return bool(drawn & {*(seen or ())})


def _is_removed(name: str, plan: Plan) -> bool:
    return any(name in operation.removes for operation in plan.operations)


def _decoded(column: Column, prefix: str) -> pl.Series:
    return column.decoded().alias(prefix + column.name)


def _renamed(column: Column, prefix: str) -> Column:
    name = column.name.removeprefix(prefix)
    return Column(name, column.codes, column.values.alias(name))
