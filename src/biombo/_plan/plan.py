"""What will be done to a table, as data."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self, cast

from biombo._criteria import Criterion, KAnonymity, Waiver, refuse_contradictions, suppression_limit, waiver_list
from biombo._data import Role, Schema
from biombo._documents import Document, canonical, document_schema, listed, spelled
from biombo._errors import UsageError
from biombo._files import write_whole
from biombo._glance import Glance, Result
from biombo._plan.columns import refuse_k_of_noise
from biombo._plan.operations import Aggregate, GroupOperation, Operation, RecodeLocally, SelectRecords

DOCUMENT = Document(
    "plan",
    mark="biombo-plan",
    order=("identifiers", "quasi", "sensitive", "person", "criteria", "waived", "max-suppression", "operations"),
)
"""What a plan begins with, and how it is written."""

_SHARE = {"type": ["number", "null"], "minimum": 0, "maximum": 1}


@dataclass(frozen=True, repr=False)
class Plan(Result):
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
    waived: tuple[Waiver, ...] = ()
    """Criteria on sensitive values that need not be met, each with who accepts that and why. They decide nothing."""

    def __post_init__(self) -> None:
        for name in ("operations", "criteria", "quasi", "sensitive", "identifiers"):
            object.__setattr__(self, name, listed(name, getattr(self, name)))
        object.__setattr__(self, "waived", waiver_list(listed("waived", self.waived)))
        refuse_contradictions(self.criteria, self.waived, self.quasi)
        _refuse_two_roles(self)
        _refuse_late_selection(self.operations)
        _refuse_overlap(self.operations)
        _refuse_aggregation(self)
        _refuse_wrong_roles(self.operations, self.roles)
        _refuse_groups_without_criteria(self.operations, self.criteria)
        _refuse_criteria_on_removed(self)
        refuse_k_of_noise(self, self.quasi)
        _refuse_no_share(self.max_suppression)

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

    @property
    def selections(self) -> tuple[SelectRecords, ...]:
        """What says which records there are, before anything is done to them."""
        return tuple(operation for operation in self.operations if isinstance(operation, SelectRecords))

    @property
    def on_selected(self) -> Self:
        """The plan for a table that has no others than the records which it selects."""
        return replace(self, operations=self.operations[len(self.selections) :])

    def selecting(self, selections: Iterable[SelectRecords]) -> Self:
        """The plan for fewer records: also those of ``selections`` that it does not have yet go before all else."""
        new = tuple(each for each in selections if each not in self.operations)
        return replace(self, operations=(*new, *self.operations)) if new else self

    @property
    def aggregation(self) -> Aggregate | None:
        """What makes a table of counts of the records that all other operations leave, where there is to be one."""
        return next((each for each in self.operations if isinstance(each, Aggregate)), None)

    @property
    def local_recoding(self) -> RecodeLocally | None:
        """What gives groups of records levels of their own, where something does."""
        return next((each for each in self.operations if isinstance(each, RecodeLocally)), None)

    @property
    def on_records(self) -> Self:
        """The plan up to where records are counted."""
        return replace(self, operations=tuple(each for each in self.operations if each is not self.aggregation))

    @property
    def judged(self) -> tuple[Criterion, ...]:
        """All criteria that the result is held against: those that it must meet, and those that were waived."""
        return (*self.criteria, *(each.criterion for each in self.waived))

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
        if self.waived:  # a plan without any is the one that it was before there were waivers
            content["waived"] = canonical(self.waived)
        written = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()

    def to_tree(self) -> dict[str, Any]:
        """The plan as plain values for YAML or JSON; what is as usual is left out."""
        return DOCUMENT.tree(self)

    def as_json(self) -> dict[str, Any]:
        """The same as :meth:`to_tree`."""
        return self.to_tree()

    def _glance(self) -> Glance:
        from biombo._plan.glance import of_plan

        return of_plan(self)

    @classmethod
    def from_tree(cls, tree: Any, folder: str | Path | None = ".") -> Self:
        """The plan that plain values describe; files with hierarchies are looked for in ``folder``. Without one it may
        name none.
        """
        return DOCUMENT.read(cls, tree, None if folder is None else Path(folder))

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


def _refuse_two_roles(plan: Plan) -> None:
    """A column is one thing, and is named once."""
    people = () if plan.person in (None, *plan.identifiers) else (plan.person,)
    for column, times in Counter([*plan.quasi, *plan.sensitive, *plan.identifiers, *people]).items():
        if times > 1:
            raise UsageError("plan.two-roles", column=column)


def _refuse_late_selection(operations: Iterable[Operation]) -> None:
    """What is done before must not have seen the records that are as if they had never been there."""
    first: Operation | None = None
    for operation in operations:
        if not isinstance(operation, SelectRecords):
            first = first or operation
        elif first is not None:
            raise UsageError("plan.late-selection", name=operation.name, first=first.name)


def _refuse_overlap(operations: Iterable[Operation]) -> None:
    """A column is changed by one operation: what a second one would do depends on the words of the first. Some are made
    to come after others.
    """
    before: dict[str, str] = {}
    for operation in operations:
        for column in operation.columns:
            if column in before and before[column] not in operation.follows:
                raise UsageError("plan.overlap", column=column, first=before[column], second=operation.name)
            before[column] = operation.name


def _refuse_aggregation(plan: Plan) -> None:
    """A table of counts has no records for others to change, and none that criteria on their groups could be met by."""
    if plan.aggregation is None:
        return
    places = [place for place, each in enumerate(plan.operations) if isinstance(each, Aggregate)]
    if places != [len(plan.operations) - 1]:
        raise UsageError("plan.aggregate-last")
    for criterion in plan.judged:
        if not isinstance(criterion, KAnonymity):
            raise UsageError("plan.aggregate-criterion", criterion=criterion)


def _refuse_wrong_roles(operations: Iterable[Operation], roles: Mapping[str, Role]) -> None:
    """An operation may not be for columns of every role; identifiers are left out anyway."""
    for operation in operations:
        for column in operation.columns:
            role = roles.get(column, "other")
            if role not in operation.roles:
                raise UsageError("plan.wrong-role", column=column, role=role, name=operation.name)


def _refuse_groups_without_criteria(operations: Iterable[Operation], criteria: Sequence[Criterion]) -> None:
    """Which groups fail can only be told where something is asked of them."""
    for operation in operations:
        if isinstance(operation, GroupOperation) and not criteria:
            raise UsageError("plan.no-criteria", name=operation.name)


def _refuse_criteria_on_removed(plan: Plan) -> None:
    """A criterion cannot be judged by columns that nobody will see."""
    removing = {column: operation.name for operation in plan.operations for column in operation.removes}
    for criterion in plan.judged:
        for column in (*(criterion.quasi or ()), *criterion.about(())):
            if column in removing:
                raise UsageError("plan.criterion-removed", criterion=criterion, column=column, name=removing[column])
        if criterion.quasi is None and plan.quasi and all(column in removing for column in plan.quasi):
            raise UsageError("plan.no-quasi-left", criterion=criterion)


def _refuse_no_share(max_suppression: float | None) -> None:
    """A share lies between none and all."""
    if max_suppression is not None and not 0 <= max_suppression <= 1:
        raise UsageError("plan.max-suppression", value=max_suppression)
