"""An ARX project as schema, hierarchies and request."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from biombo._data import ColumnSchema, Role, Schema
from biombo._errors import BiomboError
from biombo._files import without_folders
from biombo._hierarchy import Hierarchy, TableHierarchy
from biombo._i18n import number, text
from biombo._migration.arx_archive import opened
from biombo._migration.arx_criteria import name_of, read_criterion, together
from biombo._migration.arx_project import ArxColumn, ArxProject
from biombo._migration.taken_over import Kind, TakenOver, fits_a_file
from biombo._requests import SearchRequest
from biombo._search import Policy

_ROLES: dict[str, Role] = {
    "IDENTIFYING_ATTRIBUTE": "identifier",
    "QUASI_IDENTIFYING_ATTRIBUTE": "quasi",
    "SENSITIVE_ATTRIBUTE": "sensitive",
    "INSENSITIVE_ATTRIBUTE": "other",
}
_TYPES = {"Integer": "discrete", "Decimal": "continuous", "Date/Time": "date"}
_ISO_DATE = "yyyy-MM-dd"
_POLICIES = {
    r"Loss( \(.*\))?": "loss",
    r"(non-|mono-)?(monotonic )?precision.*": "precision",
    r"Height": "absolute-distance",
    r"Average equivalence class size": "class-size",
    r"(non-)?(monotonic )?discernability.*": "discernibility",
    r"(non-|mono-)?(monotonic )?non-uniform entropy.*": "entropy",
    r"normalized non-uniform entropy": "normalised-entropy",
    r"ambiguity": "ambiguity",
    r"KL[- ]divergence": "kl-divergence",
}
"""What is preferred here, by how ARX writes its measure; as far as a search has it."""
_EVEN = 0.5
"""ARX's factor between generalising and suppressing that favours neither, and its weight of a column by default."""
_NEXT_TO_NOTHING = 1e-6
_ALWAYS_SO = {
    "suppresstuplesinnonanonymousoutput": "true",
    "practicalmonotonicity": "false",
    "suppressedattributetypes": "QUASI_IDENTIFYING_ATTRIBUTE",
    "suppressionstring": "*",
}
"""Settings that say what Biombo does anyway, or what is said of suppressed records."""


@contextmanager
def from_arx(path: str | Path, *, data: bool = False) -> Iterator[TakenOver]:
    """What is taken over of the ARX project at ``path``, which stays open meanwhile, for its table; raises where
    ``data`` are asked for and there is none.
    """
    with opened(path) as archive:
        if data:
            archive.refuse_without_data()
        project = ArxProject.of(archive)
        yield _Reading(project, Path(path)).taken_over(archive.copy_data if archive.has_data else None)


@dataclass
class _Reading:
    """A project that is read, and what is said of it meanwhile."""

    project: ArxProject
    path: Path
    notes: list[tuple[Kind, str]] = field(default_factory=list)
    files: dict[str, Any] = field(default_factory=dict)
    levels: dict[str, Any] = field(default_factory=dict)

    def taken_over(self, copy_data: Any) -> TakenOver:
        """Schema, hierarchies and request."""
        project = self.project
        schema = Schema({column.name: self._column(column) for column in project.columns}, source=project.name or None)
        self._note_roles(schema)
        asked = self._criteria(schema) | self._preferred(schema) | {"max_suppression": self._suppression()}
        if self.levels:
            asked["level"] = self.levels
            self._note("taken", "levels", columns=", ".join(self.levels))
        self._others(has_data=copy_data is not None)
        headline = text(
            "migration.arx.headline",
            file=without_folders(str(self.path)),
            version=project.version,
            taken=self._count("taken"),
            other=self._count("other"),
            without=self._count("without"),
        )
        return TakenOver(headline, schema, SearchRequest(**asked), self.files, tuple(self.notes), copy_data)

    def _count(self, kind: Kind) -> int:
        return sum(each == kind for each, _ in self.notes)

    def _note(self, kind: Kind, key: str, **words: Any) -> None:
        self.notes.append((kind, text(f"migration.arx.{key}", **words)))

    def _column(self, column: ArxColumn) -> ColumnSchema:
        role = _ROLES.get(column.type, "undecided")
        if column.type not in _ROLES:
            self._note("without", "role", column=column.name, type=column.type)
        kind = _TYPES.get(column.datatype, "categorical")
        if column.format not in (None, "", _ISO_DATE):
            self._note("without", "format", column=column.name, type=column.datatype, format=column.format)
            kind = "categorical" if kind == "date" else kind
        if column.microaggregation is not None:
            self._note("without", "microaggregation", column=column.name, function=column.microaggregation)
        if column.is_response:
            self._note("without", "response", column=column.name)
        document = self._hierarchy(column) if role in ("quasi", "sensitive") else None
        if role == "quasi":
            self._bounds(column)
        return ColumnSchema(role, cast(Any, kind), hierarchy=document)

    def _hierarchy(self, column: ArxColumn) -> dict[str, Any] | None:
        """The hierarchy as a document, where it cannot be a file; what is one is noted."""
        if column.height == 0:
            return None
        listed = TableHierarchy({row[0]: row[1:] for row in column.hierarchy}).to_tree()
        try:
            known = Hierarchy.load(listed)
        except BiomboError as error:
            self._note("without", "hierarchy-refused", column=column.name, reason=str(error))
            return None
        words = {"column": column.name, "levels": column.height, "values": len(known.values or ())}
        if len({row[-1] for row in column.hierarchy}) > 1 and _ROLES[column.type] == "quasi":
            self._note("other", "no-top", column=column.name)
        if fits_a_file(column.name, [each.name for each in self.project.columns], column.hierarchy):
            self.files[column.name] = column.hierarchy
            self._note("taken", "hierarchy", **words)
            return None
        self._note("taken", "hierarchy-in-schema", **words)
        return listed

    def _bounds(self, column: ArxColumn) -> None:
        """The levels that ARX may choose; a column without a hierarchy is never generalised there."""
        if column.height == 0:
            if column.microaggregation is None:
                self.levels[column.name] = 0
                self._note("other", "identity", column=column.name)
            return
        lowest = column.lowest or None
        highest = None if column.highest is None or column.highest >= column.height else column.highest
        if lowest is not None or highest is not None:
            self.levels[column.name] = (lowest, highest)

    def _note_roles(self, schema: Schema) -> None:
        for role in _ROLES.values():
            if columns := schema.with_role(role):
                self._note("taken", f"columns-{role}", columns=", ".join(columns))

    def _criteria(self, schema: Schema) -> dict[str, Any]:
        """The entries for criteria, and the sensitive columns that they are about, where these are not all."""
        read = {written: read_criterion(written) for written in self.project.criteria}
        found = together([each for each in read.values() if each is not None])
        for written, each in read.items():
            if each is None:
                self._note("without", f"criterion.{name_of(written)}", written=written)
            elif each in found.left:
                self._note("without", "criterion.second", written=written)
            else:
                self._note("taken", "criterion.taken", written=written, entries=_typed(each.entries))
        if found.stricter:
            self._note("other", "criterion.stricter", columns=", ".join(found.columns), entries=_typed(found.entries))
        if not found.entries:
            self._note("without", "criterion.none")
        narrowed = found.columns and found.columns != schema.sensitive
        return found.entries | ({"sensitive": found.columns} if narrowed else {})

    def _preferred(self, schema: Schema) -> dict[str, Any]:
        metric = self.project.metric
        named = [name for form, name in _POLICIES.items() if re.fullmatch(form, metric, re.IGNORECASE)]
        if not named or not _is_policy(named[0]):
            self._note("without", "metric", metric=metric)
            return {}
        policy = self._with_factor(named[0])
        self._note("other", "policy", metric=metric, policy=policy)
        found: dict[str, Any] = {} if policy == "loss" else {"prefer": (policy,)}
        if named[0] == "loss":
            found["loss_domain"] = "hierarchy"
            self._note("other", "loss")
        return found | self._weights(schema)

    def _with_factor(self, policy: str) -> str:
        """The policy with ARX's factor between generalising and suppressing, where it favours one and a search can."""
        factor = re.fullmatch(r"Loss \(([0-9.]+)/.*\)", self.project.metric)
        if factor is None or float(factor[1]) == _EVEN:
            return policy
        weighed = f"{policy}:{float(factor[1]):g}"
        if _is_policy(weighed):
            return weighed
        self._note("without", "factor", factor=number(float(factor[1]), 4))
        return policy

    def _weights(self, schema: Schema) -> dict[str, Any]:
        given = {column: self.project.weights.get(column, _EVEN) for column in schema.quasi}
        if len(set(given.values())) < 2:
            return {}
        self._note("taken", "weights", weights=", ".join(f"{name}={number(each, 4)}" for name, each in given.items()))
        if nothing := [name for name, each in given.items() if not each]:
            self._note("other", "weight-zero", columns=", ".join(nothing), weight=number(_NEXT_TO_NOTHING, 6))
        return {"weights": {name: each or _NEXT_TO_NOTHING for name, each in given.items()}}

    def _suppression(self) -> float:
        limit = self.project.suppression
        if limit > 1:
            self._note("without", "suppression-high", limit=number(limit, 4))
            return 1.0
        self._note("taken", "suppression", limit=limit)
        if limit:
            self._note("other", "suppressed")
        return limit

    def _others(self, *, has_data: bool) -> None:
        for name, value in self.project.settings.items():
            if _ALWAYS_SO.get(name.casefold()) != value:
                self._note("without", "setting", name=name, value=value)
        self._note("without", "results")
        self._note("other", "data" if has_data else "no-data")


def _is_policy(name: str) -> bool:
    try:
        Policy.named(name)
    except BiomboError:
        return False
    return True


def _typed(entries: dict[str, Any]) -> str:
    """The entries as options are typed."""
    return " ".join(f"--{name.replace('_', '-')} {_one_word(value)}" for name, value in entries.items())


def _one_word(value: Any) -> str:
    return ",".join(f"{column}={each}" for column, each in value.items()) if isinstance(value, dict) else str(value)
