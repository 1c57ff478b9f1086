"""``inspect``: a first look at a table that nobody has described yet."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from biombo._data.dataset import Dataset
from biombo._data.fitting import fitting_schema
from biombo._data.inspection.dependencies import Dependencies, dependencies
from biombo._data.inspection.hierarchies import HierarchyProposal, propose_hierarchies, with_hierarchies
from biombo._data.inspection.noted import as_noted
from biombo._data.inspection.profile import MOST_VALUES, ColumnProfile, Counts, profile, value_counts, value_sample
from biombo._data.inspection.proposal import (
    ColumnEvidence,
    Why,
    is_named_identifier,
    person_column,
    propose,
    worded,
)
from biombo._data.reader import as_dataset
from biombo._data.schema import SPREADSHEETS, Schema
from biombo._data.worded import Worded
from biombo._errors import UsageError
from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._i18n import LANGUAGES, language, speaking, text

_LISTS = ("same_as", "follows_from", "hierarchy", "levels", "example")


@dataclass(frozen=True, repr=False)
class Inspection(Result, Framed):
    """How the values of a table are distributed, and what its columns seem to be. A proposal: nothing is applied."""

    label: str
    rows: int
    schema: Schema
    """The proposed role and type of each column, with the reason."""
    profiles: Mapping[str, ColumnProfile]
    dependencies: Dependencies
    hierarchies: Mapping[str, HierarchyProposal]
    """For each quasi column, and for sensitive ones of known codes: how it can be generalised, and why."""
    person: str | None
    """The column that seems to tell which rows are about the same person, where several can be."""
    kind: FrameKind = field(default="polars", kw_only=True)
    """The kind of frame that the table came as."""
    why: Why = field(default_factory=dict, kw_only=True)
    """The reasons for what is proposed, to be worded."""

    @property
    def schema_in_every_language(self) -> Schema:
        """The proposed schema with its reasons in each language, for whoever may read it."""
        reasons: dict[str, dict[str, str]] = {name: {} for name in self.why}
        for code in LANGUAGES:
            with speaking(code):
                for name, why in self.why.items():
                    reasons[name][code] = worded(why)
        return _with_reasons(self.schema, reasons)

    def as_json(self) -> dict[str, Any]:
        """All that was found, columns in the table's order."""
        return {
            "source": self.label,
            "records": self.rows,
            "columns": [self._column(name) for name in self.profiles],
            "person": self.person,
            "fits": self.fits,
            "bounds": self.bounds,
        }

    def _column(self, name: str) -> dict[str, Any]:
        proposed, found = self.schema[name], self.dependencies
        return (
            {"column": name, "role": proposed.role, "type": proposed.type, "reason": proposed.why(language())}
            | {key: value for key, value in asdict(self.profiles[name]).items() if key != "name"}
            | _hierarchy_as_json(self.hierarchies.get(name))
            | {"same_as": found.same_as(name), "follows_from": found.follows_from(name)}
        )

    def _table(self) -> pl.DataFrame:
        flat = [{key: value for key, value in row.items() if key not in _LISTS} for row in self.as_json()["columns"]]
        return pl.DataFrame(flat)

    @property
    def _kind(self) -> FrameKind:
        return self.kind

    def _glance(self) -> Glance:
        from biombo._data.glance import of_inspection

        return of_inspection(self)

    @property
    def bounds(self) -> tuple[str, ...]:
        """Where only a part of the table was looked at, in words."""
        notes = []
        large = sum(profile.distinct > MOST_VALUES for profile in self.profiles.values())
        if large:
            notes.append(text("inspect.bound.values", columns=large, most=MOST_VALUES))
        if self.dependencies.rows < self.rows:
            notes.append(text("inspect.bound.rows", rows=self.dependencies.rows))
        if left_out := self.dependencies.left_out:
            notes.append(text("inspect.bound.columns", columns=self.dependencies.columns, left_out=left_out))
        return tuple(notes)

    @property
    def fits(self) -> str | None:
        """The name of the built-in schema that is made for such a table, if there is one."""
        return fitting_schema(self.profiles)

    def as_file(self, path: str | Path) -> str | bytes:
        """The proposed schema for a person to edit: a spreadsheet where the name of the file says so, else YAML."""
        return self.schema.as_file(path) if Path(path).suffix.lower() in SPREADSHEETS else self.to_yaml()

    def to_yaml(self) -> str:
        """The proposed schema as a file for a person to edit, with comments on how."""
        notes = [text("inspect.yaml.head", label=self.label), *self.bounds]
        if self.person is not None:
            notes.append(text("inspect.yaml.person", column=self.person))
        return "".join(_comment(line) for note in notes for line in note.strip().splitlines()) + self.schema.to_yaml()


def inspect(data: Any) -> Inspection:
    """Profile the columns of ``data`` and propose what each of them is.

    ``data`` is what :func:`biombo.read` gave, or a pandas, Polars or Arrow table.

    >>> import polars as pl
    >>> found = inspect(pl.DataFrame({"sex": ["F", "M", "F"], "disease": ["A90", "B24", "A90"]}))
    >>> found.schema.quasi, found.schema.sensitive, found.profiles["sex"].max_frequency
    (('sex',), ('disease',), 2)
    """
    data = _read(data)
    counts = {name: value_counts(column) for name, column in data.columns.items()}
    evidence = _all_evidence(data, counts)
    found = dependencies(data, counts)
    proposed, why = propose(evidence, found)
    roles = as_noted(proposed, data)
    person = person_column(evidence, roles)
    hierarchies = propose_hierarchies(data, roles, counts, found, person)
    profiles = {name: about.profile for name, about in evidence.items()}
    further = {name: (proposal.why,) for name, proposal in hierarchies.items()}
    why = {name: (*each, *further.get(name, ())) for name, each in why.items()}
    schema = _with_reasons(with_hierarchies(roles, hierarchies), {name: worded(each) for name, each in why.items()})
    return Inspection(data.label, data.rows, schema, profiles, found, hierarchies, person, kind=data.kind, why=why)


def _with_reasons(schema: Schema, reasons: Mapping[str, Worded]) -> Schema:
    columns = {name: replace(column, reason=reasons[name]) for name, column in schema.columns.items()}
    return replace(schema, columns=columns)


def proposed_hierarchies(data: Dataset, schema: Schema) -> dict[str, HierarchyProposal]:
    """How the quasi columns of ``schema``, as a person decided on them, can be generalised, and why.

    >>> import polars as pl
    >>> from biombo._data.reader import read
    >>> from biombo._data.schema import ColumnSchema
    >>> data = read(pl.DataFrame({"idade": [n % 90 for n in range(900)]}))
    >>> proposed_hierarchies(data, Schema({"idade": ColumnSchema("quasi", "discrete")}))["idade"].document
    'age'
    """
    counts = {name: value_counts(column) for name, column in data.columns.items()}
    return propose_hierarchies(data, schema, counts, dependencies(data, counts))


def _hierarchy_as_json(proposal: HierarchyProposal | None) -> dict[str, Any]:
    if proposal is None:
        return {"hierarchy": None, "levels": [], "example": []}
    return {"hierarchy": proposal.document, "levels": proposal.levels, "example": proposal.example}


def _read(data: Any) -> Dataset:
    read = as_dataset(data)
    if not isinstance(read, Dataset):
        raise UsageError("attack.not-read", type=type(data).__name__)
    return read


def identifiers_among(data: Dataset) -> dict[str, tuple[str, bool]]:
    """The columns of ``data`` that seem to tell who somebody is, with the reason for each, and whether their names or
    values say so, and not only that hardly any repeats.

    >>> import polars as pl
    >>> from biombo._data.reader import read
    >>> list(identifiers_among(read(pl.DataFrame({"nome": ["Ana", "Bia", "Caio"], "sex": ["F", "F", "M"]}))))
    ['nome']
    """
    counts = {name: value_counts(column) for name, column in data.columns.items()}
    evidence = _all_evidence(data, counts)
    proposed, why = propose(evidence, dependencies(data, counts))
    return {name: (worded(why[name]), is_named_identifier(evidence[name])) for name in proposed.with_role("identifier")}


def _all_evidence(data: Dataset, counts: Mapping[str, Counts]) -> dict[str, ColumnEvidence]:
    return {
        name: ColumnEvidence(profile(column, counts[name]), value_sample(column, counts[name]), data.rows)
        for name, column in data.columns.items()
    }


def _comment(line: str) -> str:
    """A line of YAML that says ``line`` to people; a control character in it would make the file unreadable."""
    printable = "".join(mark if mark.isprintable() else "?" for mark in line)
    return f"# {printable}".rstrip() + "\n"
