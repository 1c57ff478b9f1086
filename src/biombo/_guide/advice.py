"""``advise``: which technique fits which column, by what the data are needed for (PDPC 2018, Annex A)."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from biombo._criteria import KAnonymity
from biombo._data import (
    ColumnSchema,
    Dataset,
    HierarchyProposal,
    Schema,
    inspect,
    proposed_hierarchies,
    read,
    value_counts,
)
from biombo._engine import numbered
from biombo._glance import Glance, Result, columns
from biombo._guide.choices import USUAL
from biombo._guide.rounding import rounding_base
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._plan import (
    DropDuplicates,
    Operation,
    Plan,
    Pseudonymise,
    Round,
    SuppressColumn,
    SuppressGroups,
    Swap,
    short,
)
from biombo._search import QuasiColumn

Technique = Literal[
    "suppress-column",
    "suppress-records",
    "pseudonyms",
    "generalise",
    "swap",
    "perturb",
    "synthesise",
    "aggregate",
    "query",
    "drop-duplicates",
    "keep",
]

SECTIONS: dict[Technique, tuple[str, ...]] = {
    "suppress-column": ("6", "15.2"),
    "suppress-records": ("7", "16.5"),
    "pseudonyms": ("9.4",),
    "generalise": ("10.2",),
    "swap": ("11.2",),
    "perturb": ("12.2", "12.4"),
    "synthesise": ("13.2",),
    "aggregate": ("14",),
    "query": ("18.3",),
    "drop-duplicates": ("16.7", "16.8"),
    "keep": ("15.2",),
}
"""Where the guide says when a technique is to be used."""

_DIMENSIONS = 3
"""A table by more columns has hardly any cell that is not small."""
_FEW = 20
"""Nor has one by a column of more different values, as it is."""


@dataclass(frozen=True, kw_only=True)
class Use:
    """What the data are needed for. What is usual is the use that needs most: analyses of records as they are."""

    distinguishable: bool = False
    """Must the records of one person be told from those of others?"""
    relations: bool = True
    """Are relations between columns analysed, record by record?"""
    slight_changes: bool = False
    """May values be slightly other than they were?"""
    aggregates: bool = False
    """Are sums and counts enough, so that nobody needs records?"""
    test_data: bool = False
    """Is anything enough that looks like the data, as for the test of a system?"""


@dataclass(frozen=True)
class ColumnAdvice:
    """What to do to one column, or to the records of all."""

    column: str | None
    """None for what is about records."""
    technique: Technique
    reason: str
    operation: Operation | None = None
    """What does it in a plan; none where nothing has to, or no operation does it."""
    command: tuple[str, ...] = ()
    """Where a command does it that is no plan: its words, to which the files, and their schema, are added."""

    @property
    def title(self) -> str:
        """What the technique is called, in the language in use."""
        return text(f"advice.technique.{self.technique}")

    @property
    def sections(self) -> tuple[str, ...]:
        """Where the guide speaks of it."""
        return SECTIONS[self.technique]

    def as_json(self) -> dict[str, Any]:
        """The advice as plain values."""
        return {
            "column": self.column,
            "technique": self.technique,
            "reason": self.reason,
            "sections": list(self.sections),
            "operation": None if self.operation is None else self.operation.to_tree(),
            "command": list(self.command),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Advice(Result):
    """Which technique fits which column, for a person to accept or not. Nothing is applied, and nothing is proved: how
    far to go is found by :func:`biombo.search`.
    """

    label: str
    use: Use
    schema: Schema
    advised: tuple[ColumnAdvice, ...]

    @property
    def plan(self) -> Plan:
        """The operations that were advised, as a plan to edit."""
        operations = [each.operation for each in self.advised if each.operation is not None]
        grouped = any(isinstance(each, SuppressGroups) for each in operations)
        return Plan(
            tuple(operations),
            (KAnonymity(USUAL),) if grouped else (),
            quasi=self.schema.quasi,
            sensitive=self.schema.sensitive,
            identifiers=self.schema.with_role("identifier"),
        )

    def commands(self, files: Sequence[str] = (), schema: str | Path | None = None) -> tuple[str, ...]:
        """The commands that were advised, as they are typed, on ``files`` with their ``schema``."""
        described = () if schema is None else ("--schema", str(schema))
        return tuple(
            shlex.join(("biombo", *each.command, *(files or (self.label,)), *described))
            for each in self.advised
            if each.command
        )

    def to_yaml(self) -> str:
        """The plan as a file for a person to edit, with the reason for each entry in comments."""
        told = (text("advice.line", column=_named(each), title=each.title, reason=each.reason) for each in self.advised)
        typed = (text("advice.command", command=each) for each in self.commands())
        notes = [text("advice.head", label=self.label), *told, *typed]
        return "".join(f"# {_printable(note)}\n" for note in notes) + self.plan.to_yaml()

    def as_json(self) -> dict[str, Any]:
        """What is advised, columns in the table's order."""
        return {
            "source": self.label,
            "use": asdict(self.use),
            "advice": [each.as_json() for each in self.advised],
            "plan": self.plan.to_tree(),
        }

    def _glance(self) -> Glance:
        rows = [(_named(each), each.title, each.reason) for each in self.advised]
        return Glance(text("advice.title", label=self.label), columns("column", "technique", "reason"), rows)


def advise(
    source: Any,
    *,
    schema: Schema | str | Path | Mapping[str, Any] | None = None,
    use: Use | None = None,
) -> Advice:
    """Say which technique of the guide fits which column, as operations of a plan where there is one.

    Args:
        source: Whatever :func:`biombo.read` takes, or what it gave.
        schema: What the columns are; by default what :func:`biombo.inspect` takes them for.
        use: What the data are needed for; by default analyses of records as they are.

    >>> import polars as pl
    >>> people = pl.DataFrame({"name": ["Ana", "Bia"], "age": [31, 37], "disease": ["A90", "B24"]})
    >>> roles = {"columns": {"name": {"role": "identifier"}, "age": {"role": "quasi", "hierarchy": "age"}}}
    >>> for each in advise(people, schema=roles, use=Use(distinguishable=True)).advised[:2]:
    ...     print(each.column, each.technique, each.sections, next(iter(each.operation.to_tree())))
    name pseudonyms ('9.4',) pseudonymise
    age generalise ('10.2',) generalise
    """
    data, wanted = read(source), use or Use()
    if schema is None:
        found = inspect(data)
        known, hierarchies = replace(found.schema, person=found.person), found.hierarchies
    else:
        known = Schema.load(schema).told_of(list(data.columns))
        hierarchies = proposed_hierarchies(data, known)
    advisor = _Advisor(replace(data, schema=known), known, hierarchies, wanted)
    advised = (*advisor.on_duplicates(), *map(advisor.on, data.columns), *advisor.on_records())
    return Advice(data.label, wanted, known, advised)


@dataclass(frozen=True, eq=False)
class _Advisor:
    data: Dataset
    schema: Schema
    hierarchies: Mapping[str, HierarchyProposal]
    use: Use

    def on(self, column: str) -> ColumnAdvice:
        """What to do to a column; the first that fits, by its role and by the use."""
        role = self.schema[column].role
        if role == "undecided":
            return ColumnAdvice(column, "suppress-column", text("advice.undecided"))
        if self.use.test_data:
            left_out = None if role == "identifier" else SuppressColumn(column)
            return ColumnAdvice(column, "synthesise", text("advice.synthesise"), left_out)
        if role == "identifier":
            return self._on_identifier(column)
        if role == "quasi":
            return self._on_quasi(column)
        if not self.use.relations and not self.use.aggregates:
            return ColumnAdvice(column, "swap", text("advice.swap"), Swap((column,)))
        return ColumnAdvice(column, "keep", text(f"advice.keep-{role}"))

    def on_duplicates(self) -> Iterator[ColumnAdvice]:
        """Who was entered twice would count as two people, where nobody says whose records they are."""
        if self.schema.person is not None or not self.schema.with_role("identifier"):
            return
        columns = list(self.data.columns.values())
        _, kinds = numbered([each.codes for each in columns], [each.cardinality for each in columns])
        if kinds < self.data.rows:
            yield ColumnAdvice(None, "drop-duplicates", text("advice.drop-duplicates"), DropDuplicates())

    def on_records(self) -> Iterator[ColumnAdvice]:
        """Whose records would stand out is left out, wherever groups say something; and what no plan makes."""
        yield from self._made_otherwise()
        changed = [] if self.use.test_data else [self._on_quasi(name).operation for name in self.schema.quasi]
        removed = all(isinstance(each, SuppressColumn) for each in changed)
        if not removed and not any(isinstance(each, Swap) for each in changed):
            yield ColumnAdvice(None, "suppress-records", text("advice.suppress-records", k=USUAL), SuppressGroups())

    def _made_otherwise(self) -> Iterator[ColumnAdvice]:
        drawn = [name for name in self.data.columns if not self.schema[name].kept_back]
        if self.use.test_data and drawn:
            words = ("synthesise", "--columns", ",".join(drawn), "--out", "synthetic.csv")
            yield ColumnAdvice(None, "synthesise", text("advice.synthesise-command"), command=words)
        counted = [by for name in self.schema.quasi if (by := self._counted_by(name)) is not None]
        if self.use.aggregates and not self.use.test_data and counted:
            asked = (*(word for by in counted[:_DIMENSIONS] for word in ("--by", by)), "--k", str(USUAL))
            tabulated, queried = text("advice.aggregate-command", k=USUAL), text("advice.query-command")
            yield ColumnAdvice(None, "aggregate", tabulated, command=("tabulate", *asked))
            yield ColumnAdvice(None, "query", queried, command=("query", *asked, "--history", "questions.jsonl"))

    def _counted_by(self, column: str) -> str | None:
        """A column as a table counts by it: at its first level where the schema has one that tells something, else as
        it is where it has few values and none of them is rare.
        """
        declared = self.schema[column].hierarchy
        if declared is not None and _has_broader_values(Hierarchy.load(declared)):
            return f"{column}=1"
        return column if self.data[column].cardinality <= _FEW and self._is_common(column) else None

    def _on_identifier(self, column: str) -> ColumnAdvice:
        identifiers = self.schema.with_role("identifier")
        chosen = self.schema.person if self.schema.person in identifiers else next(iter(identifiers))
        if not self.use.distinguishable or self.use.aggregates:
            return ColumnAdvice(column, "suppress-column", text("advice.identifier"))
        if column != chosen:
            return ColumnAdvice(column, "suppress-column", text("advice.one-is-enough", column=chosen))
        return ColumnAdvice(column, "pseudonyms", text("advice.pseudonyms"), Pseudonymise(column, "random"))

    def _on_quasi(self, column: str) -> ColumnAdvice:
        if self.use.aggregates:
            return replace(self._generalised(column), technique="aggregate", reason=text("advice.aggregate"))
        if not self.use.relations:
            return ColumnAdvice(column, "swap", text("advice.swap"), Swap((column,)))
        about = self.schema[column]
        if self.use.slight_changes and (base := rounding_base(self.data[column], about)) is not None:
            return ColumnAdvice(
                column, "perturb", text("advice.perturb", base=short(base)), _rounded(column, base, about)
            )
        return self._generalised(column)

    def _generalised(self, column: str) -> ColumnAdvice:
        hierarchy = self._hierarchy(column)
        if hierarchy is None or not _has_broader_values(hierarchy):
            if self._is_common(column):
                return ColumnAdvice(column, "keep", text("advice.keep-quasi", k=USUAL))
            return ColumnAdvice(column, "suppress-column", text("advice.no-hierarchy"), SuppressColumn(column))
        generalised = QuasiColumn.of(self.data, column, hierarchy, missing="suppress").at_level(1)
        reason = text("advice.generalise", level=hierarchy.level_label(1))
        return ColumnAdvice(column, "generalise", reason, generalised)

    def _is_common(self, column: str) -> bool:
        """Does each of its values stand in many records?"""
        held = value_counts(self.data[column])
        return bool((held[held > 0] >= USUAL).all())

    def _hierarchy(self, column: str) -> Hierarchy | None:
        declared = self.schema[column].hierarchy
        if declared is not None:
            return Hierarchy.load(declared)
        proposal = self.hierarchies.get(column)
        return None if proposal is None else proposal.hierarchy


def _has_broader_values(hierarchy: Hierarchy) -> bool:
    """Is there a level between a value and nothing at all?"""
    return hierarchy.height > 1 or not hierarchy.has_top


def _rounded(column: str, base: float, about: ColumnSchema) -> Round:
    return Round(column, base, apart=tuple(sorted(value for value in about.invalid if value is not None)))


def _named(advice: ColumnAdvice) -> str:
    return text("advice.records") if advice.column is None else advice.column


def _printable(line: str) -> str:
    """A control character in a comment would make the file unreadable."""
    return "".join(mark if mark.isprintable() else "?" for mark in line)
