"""What will be done to a table, as data."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self, cast

from biombo._criteria import Criterion, suppression_limit
from biombo._data import Role, Schema
from biombo._documents import Document, canonical, document_schema, listed, spelled
from biombo._files import write_whole
from biombo._plan import checks
from biombo._plan.operations import Operation

DOCUMENT = Document(
    "plan",
    mark="biombo-plan",
    order=("identifiers", "quasi", "sensitive", "person", "criteria", "max-suppression", "operations"),
)
"""What a plan begins with, and how it is written."""

_SHARE = {"type": ["number", "null"], "minimum": 0, "maximum": 1}


@dataclass(frozen=True)
class Plan:
    """An ordered list of operations, the criteria that the result must meet, and what the columns are.

    Nothing else changes a table. The search writes plans, people edit them, :func:`biombo.apply` applies them.

    >>> from biombo import Generalise, Hierarchy, KAnonymity, SuppressGroups
    >>> plan = Plan(
    ...     operations=[Generalise("age", Hierarchy.built_in("age"), 2), SuppressGroups()],
    ...     criteria=[KAnonymity(5)],
    ...     quasi=["sex", "age"],
    ...     max_suppression=0.02,
    ... )
    >>> Plan.from_tree(plan.to_tree()) == plan
    True
    """

    operations: tuple[Operation, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    """Left out of every output."""
    person: str | None = None
    """The column that names the person a record is about: an identifier, by which groups are counted in people."""
    max_suppression: float | None = field(default=None, metadata=spelled(schema=_SHARE))
    """The highest share of the records that may be dropped or masked; without it there is no limit."""

    def __post_init__(self) -> None:
        for name in ("operations", "criteria", "quasi", "sensitive", "identifiers"):
            object.__setattr__(self, name, listed(name, getattr(self, name)))
        checks.refuse_two_roles(self)
        checks.refuse_overlap(self.operations)
        checks.refuse_wrong_roles(self.operations, self.roles)
        checks.refuse_groups_without_criteria(self.operations, self.criteria)
        checks.refuse_criteria_on_removed(self)
        checks.refuse_no_share(self.max_suppression)

    @property
    def roles(self) -> Mapping[str, Role]:
        """The roles of the columns that the plan names."""
        people = () if self.person is None else (self.person,)
        named: tuple[tuple[Role, tuple[str, ...]], ...] = (
            ("quasi", self.quasi),
            ("sensitive", self.sensitive),
            ("identifier", (*self.identifiers, *people)),
        )
        return {column: role for role, columns in named for column in columns}

    def completed(self, schema: Schema) -> Self:
        """The plan with what its operations leave to ``schema`` to declare, such as the bounds of noise."""
        return replace(self, operations=tuple(operation.completed(schema) for operation in self.operations))

    def suppression_limit(self, rows: int) -> int:
        """How many of ``rows`` records may be dropped or masked: ⌊max_suppression · rows⌋, in exact decimals.

        >>> Plan(max_suppression=0.29).suppression_limit(100)
        29
        """
        if self.max_suppression is None:
            return rows
        return suppression_limit(self.max_suppression, rows)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the canonical JSON of the plan: all defaults filled in, hierarchies by their content."""
        content = {
            DOCUMENT.mark: DOCUMENT.version,
            "operations": canonical(self.operations),
            "criteria": canonical(self.criteria),
            "roles": dict(self.roles),
            "person": self.person,
            "max-suppression": canonical(self.max_suppression),
        }
        written = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(written.encode()).hexdigest()

    def to_tree(self) -> dict[str, Any]:
        """The plan as plain values for YAML or JSON; what is as usual is left out."""
        return DOCUMENT.tree(self)

    @classmethod
    def from_tree(cls, tree: Any, folder: str | Path = ".") -> Self:
        """The plan that plain values describe; files with hierarchies are looked for in ``folder``."""
        return DOCUMENT.read(cls, tree, Path(folder))

    def to_yaml(self) -> str:
        """The plan as a YAML file for people to edit."""
        return DOCUMENT.yaml(self)

    @classmethod
    def load(cls, source: "Plan | str | Path") -> Self:
        """The plan itself, or the one in a YAML file; hierarchies that it names are looked for beside the file."""
        if isinstance(source, Plan):
            return cast(Self, source)
        return DOCUMENT.load(cls, source)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON schema of plans, for editors that check and complete YAML as it is typed.

        >>> sorted(Plan.json_schema()["properties"])[:3]
        ['biombo-plan', 'criteria', 'identifiers']
        """
        return document_schema(DOCUMENT, Plan)

    def save(self, path: str | Path) -> None:
        """Write the plan to a YAML file, replacing what is there."""
        write_whole(path, self.to_yaml())
