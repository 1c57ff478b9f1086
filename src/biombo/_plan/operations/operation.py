"""What every operation of a plan declares about itself, and what it is given."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import polars as pl

from biombo._criteria import Count, Criterion
from biombo._data import Dataset, Role, Schema
from biombo._documents import Named, check_types, chosen_entries, read_entries
from biombo._engine import Change, Counted, Flow, Footprint, Gathered, Numbers, Randomness, Rows, Step, Warn, were_there
from biombo._i18n import text, text_or
from biombo._plan.columns import judged_columns
from biombo._plan.pseudonyms.identities import Identities
from biombo._plan.pseudonyms.used import UsedPseudonyms
from biombo._plan.treatment import Treatment
from biombo._secrets import Keys
from biombo._watch import warn

Scope = Literal["row", "two-pass", "table"]
"""``row``: streams; ``two-pass``: must have seen every record first; ``table``: needs everything in memory."""


@dataclass(frozen=True)
class Noised:
    """For how many records an operation drew values, where it chose them by their groups."""

    operation: str
    columns: tuple[str, ...]
    count: Count

    def sentence(self, all_records: int) -> str:
        """In words, in the language in use."""
        told = {"columns": ", ".join(self.columns), "operation": operation_title(self.operation)}
        share = self.count.records / max(1, all_records)
        return text("plan.noised", **told, records=self.count.records, share=share)

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"operation": self.operation, "columns": list(self.columns), **asdict(self.count)}


@dataclass(frozen=True, eq=False)
class Context:
    """Where randomness and keys come from, and where the identities behind pseudonyms go. None of it is in the plan."""

    random: Randomness = field(default_factory=Randomness)
    keys: Keys = field(default_factory=Keys)
    identities: Identities = field(default_factory=Identities)
    used: UsedPseudonyms = field(default_factory=UsedPseudonyms)
    """Which pseudonyms are not to be given any more."""
    noised: list[Noised] = field(default_factory=list)
    """Where it is noted for whom noise was drawn."""
    warn: Warn = warn
    """Called with what somebody must be warned of."""
    population: Dataset | None = None
    """The people of whom those of the table are some, by the quasi columns as they were read, for criteria that are
    counted in it."""

    def write_identities(self) -> None:
        """Write the tables of identities, in random order."""
        self.identities.write(self.random)


def operation_title(name: str) -> str:
    """What people call the operation that plans call ``name``, in the language in use.

    >>> operation_title("mask-groups")
    'masking of groups'
    """
    return text_or(name, f"plan.operation.{name}")


@dataclass(frozen=True)
class Operation(Footprint, ABC):
    """One thing that a plan does to a table. The fields of an operation are its entries in the plan."""

    name: ClassVar[str]
    """What it is called in a plan."""
    scope: ClassVar[Scope]
    roles: ClassVar[tuple[Role, ...]]
    """The roles of the columns that it may change."""
    truthful: ClassVar[bool]
    """Is what the table says afterwards still true, though perhaps less precise?"""
    reversible: ClassVar[bool]
    """Can whoever holds a key undo it?"""
    leaks: ClassVar[str]
    """What can still be told from the result: a key of the catalogue."""

    def __post_init__(self) -> None:
        check_types(self)

    @property
    def title(self) -> str:
        """What people call it, in the language in use."""
        return operation_title(self.name)

    @property
    def draws(self) -> bool:
        """Does it draw at random, whether that is settled before the rows pass by or while they do?"""
        return not self.repeatable

    deals: ClassVar[bool] = False
    """Is all that it draws which of several records that are alike, in its columns and in those that criteria are
    about, gets what? Then carrying it out once more gives the same tuples as often."""
    leaves_out: ClassVar[bool] = False
    """Does it leave records out, which are then not suppressed?"""
    noisy: ClassVar[bool] = False
    """Does it draw values at random in the place of true ones, so that who is alike afterwards says nothing?"""
    follows: ClassVar[tuple[str, ...]] = ()
    """The operations that may have changed its columns before; as a rule one operation changes a column."""

    @property
    def is_understood(self) -> bool:
        """Does whoever judges the result see through what it does? See :meth:`as_understood`."""
        return False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes: as a rule the one that its entry ``column`` names."""
        column: str | None = getattr(self, "column", None)
        return () if column is None else (column,)

    @property
    def by_quasi(self) -> tuple[str, ...]:
        """Of these, the ones that must be quasi, since it forms groups by them."""
        return ()

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...] | None:  # noqa: ARG002
        """The columns that it must have seen: as a rule those that it reads; ``None`` for all that there are."""
        return self.reads

    @property
    def removes(self) -> tuple[str, ...]:
        """Columns that are not released."""
        return ()

    def completed(self, schema: Schema) -> "Operation":  # noqa: ARG002
        """The operation with what it leaves to ``schema`` to declare, or the one that it stands for."""
        return self

    @property
    def releases(self) -> tuple[str, ...]:
        """Identifiers that come out after all, because it leaves nothing of them."""
        return ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The ids of the keys that it needs."""
        return ()

    def as_understood(self, data: Dataset) -> Dataset:
        """``data``, of which it may have changed some, as an adversary reads it: criteria are judged on that."""
        return data

    def drawing(self, column: str) -> "Operation":  # noqa: ARG002
        """What changes one of its columns: itself, unless it leaves that to others."""
        return self

    def as_looked_up(self, values: pl.Series) -> pl.Series:
        """True values of a column that it changes, as whoever looks for them in the result has to write them."""
        return values

    def to_tree(self) -> dict[str, Any]:
        """The operation as plain values for YAML or JSON, entries that are as usual left out."""
        return {self.name: chosen_entries(self)}

    @classmethod
    def from_entries(cls, entries: Mapping[str, Any] | None, folder: Path | None) -> Self:
        """The operation with these entries; files that they name are looked for in ``folder``."""
        return read_entries(cls, entries, folder)


@dataclass(frozen=True)
class RowOperation(Operation, Change):
    """An operation that needs to see no more than one batch of rows at a time."""

    scope: ClassVar[Scope] = "row"

    @abstractmethod
    def start(self, context: Context) -> Step:
        """What to do to each batch of one pass over the rows."""


@dataclass(frozen=True, eq=False)
class Seen:
    """All records as the operations before left them: the tuples of the columns that an operation asked for."""

    counted: Counted
    criteria: tuple[Criterion, ...]
    random: Randomness
    values: tuple[str, ...] = ()
    """The columns in use: where one of several records is chosen, these decide."""

    @property
    def data(self) -> Dataset:
        """The tuples."""
        return self.counted.data

    @property
    def counts(self) -> Numbers:
        """Records by tuple."""
        return self.counted.counts

    @property
    def out(self) -> Rows:
        """The tuples whose records the operations before have dropped."""
        return self.counted.out

    @property
    def valid(self) -> Rows | None:
        """The tuples that count for what was known beforehand; all where it is missing."""
        return were_there(self.counted.fates)


@dataclass(frozen=True)
class TwoPassOperation(Operation):
    """An operation that must have seen every record before it can say what to do."""

    scope: ClassVar[Scope] = "two-pass"


@dataclass(frozen=True)
class CountingOperation(TwoPassOperation):
    """An operation that decides by tuples of values, and how many records have them."""

    understands: ClassVar[bool] = False
    """Does it look through words that mean the same? See :meth:`as_understood`."""

    @abstractmethod
    def decide(self, seen: Seen) -> Treatment | Change:
        """What to do to which records, or to all of them."""


@dataclass(frozen=True)
class TableOperation(TwoPassOperation):
    """An operation that works on all records at once. It is refused where these do not fit into memory."""

    scope: ClassVar[Scope] = "table"

    @property
    def row_bytes(self) -> int:
        """Memory for each record: its codes before and afterwards, and what it takes to draw and sort."""
        return 8 * len(self.reads) + 48

    @property
    def draws(self) -> bool:
        """Yes: whose values a record takes."""
        return True

    @abstractmethod
    def exchanged(self, gathered: Gathered, context: Context) -> Flow:
        """The table with values that have changed places."""


@dataclass(frozen=True)
class GroupOperation(CountingOperation):
    """An operation on the records of groups that fail the criteria."""

    understands: ClassVar[bool] = True
    roles: ClassVar[tuple[Role, ...]] = ("quasi",)

    @property
    def chooses(self) -> bool:
        """Yes: those of groups that meet the criteria."""
        return True

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:
        """The columns that the criteria are about."""
        return judged_columns(criteria, schema)


def _operations() -> "Mapping[str, type[Operation]]":
    """All that there are, loaded when a plan is read."""
    from biombo._plan.operations.registry import OPERATIONS

    return OPERATIONS


Named(_operations, shape="plan.operation-shape", within="plan.in-operation").register(Operation)
