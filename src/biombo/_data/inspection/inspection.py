"""``inspect``: a first look at a table that nobody has described yet."""

from collections.abc import Mapping
from dataclasses import dataclass

from biombo._data.dataset import Dataset
from biombo._data.inspection.dependencies import Dependencies, dependencies
from biombo._data.inspection.profile import MOST_VALUES, ColumnProfile, profile, value_counts, value_sample
from biombo._data.inspection.proposal import ColumnEvidence, is_named_identifier, person_column, propose
from biombo._data.schema import Schema
from biombo._i18n import text


@dataclass(frozen=True)
class Inspection:
    """How the values of a table are distributed, and what its columns seem to be. A proposal: nothing is applied."""

    label: str
    rows: int
    schema: Schema
    """The proposed role and type of each column, with the reason."""
    profiles: Mapping[str, ColumnProfile]
    dependencies: Dependencies
    person: str | None
    """The column that seems to tell which rows are about the same person, where several can be."""

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

    def to_yaml(self) -> str:
        """The proposed schema as a file for a person to edit, with comments on how."""
        notes = [text("inspect.yaml.head", label=self.label), *self.bounds]
        if self.person is not None:
            notes.append(text("inspect.yaml.person", column=self.person))
        return "".join(_comment(line) for note in notes for line in note.strip().splitlines()) + self.schema.to_yaml()


def inspect(data: Dataset) -> Inspection:
    """Profile the columns of ``data`` and propose what each of them is.

    >>> import polars as pl
    >>> from biombo._data.reader import read
    >>> found = inspect(read(pl.DataFrame({"sex": ["F", "M", "F"], "disease": ["A90", "B24", "A90"]})))
    >>> found.schema.quasi, found.schema.sensitive, found.profiles["sex"].max_frequency
    (('sex',), ('disease',), 2)
    """
    counts = {name: value_counts(column) for name, column in data.columns.items()}
    profiles = {name: profile(column, counts[name]) for name, column in data.columns.items()}
    evidence = {
        name: ColumnEvidence(profiles[name], value_sample(column, counts[name]), data.rows)
        for name, column in data.columns.items()
    }
    found = dependencies(data, counts)
    schema = propose(evidence, found)
    return Inspection(data.label, data.rows, schema, profiles, found, person_column(evidence, schema))


def identifiers_among(data: Dataset) -> dict[str, tuple[str, bool]]:
    """The columns of ``data`` that seem to tell who somebody is, with the reason for each, and whether their names or
    values say so, and not only that hardly any repeats.

    >>> import polars as pl
    >>> from biombo._data.reader import read
    >>> list(identifiers_among(read(pl.DataFrame({"nome": ["Ana", "Bia", "Caio"], "sex": ["F", "F", "M"]}))))
    ['nome']
    """
    found = inspect(data)
    proposed = found.schema
    return {
        name: (proposed[name].reason or "", is_named_identifier(_evidence(data, name)))
        for name in proposed.with_role("identifier")
    }


def _evidence(data: Dataset, name: str) -> ColumnEvidence:
    counts = value_counts(data[name])
    return ColumnEvidence(profile(data[name], counts), value_sample(data[name], counts), data.rows)


def _comment(line: str) -> str:
    """A line of YAML that says ``line`` to people; a control character in it would make the file unreadable."""
    printable = "".join(mark if mark.isprintable() else "?" for mark in line)
    return f"# {printable}".rstrip() + "\n"
