"""What is asked of a synthesis, and what of it makes no sense."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from biombo._data import Schema, SourceTable
from biombo._documents import check_above, check_number, check_whole
from biombo._errors import ColumnError, UsageError
from biombo._plan import SelectRecords
from biombo._synthesis.constraints import Constraint

Mechanism = Literal["mst", "aim"]
"""What is asked of the records under ε."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """See :func:`biombo.synthesise`, whose arguments these are."""

    schema: Schema
    columns: tuple[str, ...]
    keep: tuple[str, ...] = ()
    replace_where: Mapping[str, Any] | None = None
    records: int | None = None
    k: int = 5
    bins: int = 32
    constraints: tuple[Constraint, ...] = ()
    epsilon: float | None = None
    delta: float = 0.0
    domains: Mapping[str, Sequence[str]] = field(default_factory=dict)
    records_per_person: int = 1
    holdout: float = 0.2
    tries: int = 500
    confidence: float = 0.95
    fill_groups: int | None = None
    mechanism: Mechanism = "mst"

    @property
    def is_partial(self) -> bool:
        """Do original values come out as they are?"""
        return bool(self.keep) or self.replace_where is not None or self.fill_groups is not None

    def beside_people(self) -> "Recipe":
        """The same for records that are added beside those there are: quasi values are theirs, and others drawn."""
        quasi = tuple(name for name in self.columns if self.schema[name].role == "quasi")
        if not quasi:
            raise UsageError("synthesis.fill-no-quasi")
        if self.keep or self.replace_where is not None or self.records is not None or self.epsilon is not None:
            raise UsageError("synthesis.fill-alone")
        return replace(self, keep=quasi, columns=tuple(name for name in self.columns if name not in quasi))

    @property
    def released(self) -> tuple[str, ...]:
        """The columns of the result."""
        return (*self.keep, *self.columns)

    @property
    def selection(self) -> SelectRecords | None:
        """Which records are replaced, where not all are."""
        return None if self.replace_where is None else SelectRecords(self.replace_where)

    @property
    def reads(self) -> list[str]:
        """The columns that it takes."""
        chosen = () if self.selection is None else self.selection.reads
        person = () if self.schema.person is None else (self.schema.person,)
        return list(dict.fromkeys([*self.released, *chosen, *person]))

    def check(self, table: SourceTable) -> None:
        """Raise whatever can be known by the columns of the table."""
        table.check(self.reads)
        self._check_numbers()
        if not self.columns and self.fill_groups is None:
            raise UsageError("synthesis.no-columns")
        if twice := [name for name in self.columns if name in self.keep]:
            raise UsageError("synthesis.kept-too", column=twice[0])
        for name in self.released:
            if self.schema[name].role == "identifier":
                raise ColumnError("synthesis.identifier", column=name)
        for constraint in self.constraints:
            for name in constraint.reads:
                if name not in self.released:
                    raise ColumnError("synthesis.constraint-column", column=name, constraint=str(constraint))
        for name in self.domains:
            if name not in self.columns:
                raise ColumnError("synthesis.domain-column", column=name)

    def _check_numbers(self) -> None:
        check_whole("k", self.k, 1)
        check_whole("bins", self.bins, 2)
        check_whole("tries", self.tries, 1)
        check_whole("records-per-person", self.records_per_person, 1)
        check_number("holdout", self.holdout, 0, 0.5)
        check_number("delta", self.delta, 0, 0.5)
        if self.mechanism not in get_args(Mechanism):
            choices = ", ".join(get_args(Mechanism))
            raise UsageError("document.entry-choice", entry="mechanism", choices=choices, value=self.mechanism)
        if self.fill_groups is not None:
            check_whole("fill-groups", self.fill_groups, 2)
            if self.k < self.fill_groups:  # or the people of a group that is filled could alone decide what is drawn
                raise UsageError("synthesis.fill-k", k=self.k, size=self.fill_groups)
        if self.records is not None:
            check_whole("records", self.records, 1)
            if self.is_partial:
                raise UsageError("synthesis.partial-records")
        if not 0 < self.confidence < 1:
            raise UsageError("privacy.confidence", confidence=self.confidence)
        if self.epsilon is None:
            return
        check_above("epsilon", self.epsilon, 0)
        if self.is_partial:
            raise UsageError("synthesis.private-partial")


def columns_asked(
    table: SourceTable, schema: Schema, named: Sequence[str] | None, keep: Sequence[str]
) -> tuple[str, ...]:
    """The columns that are named, or all that the schema gives a role to, without identifiers."""
    if named is not None:
        return tuple(dict.fromkeys(named))
    return tuple(name for name in table.columns if not schema[name].kept_back and name not in keep)
