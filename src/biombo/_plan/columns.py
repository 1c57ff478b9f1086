"""The columns of a plan: what each is, which must be there, which are judged, and which come out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from biombo._criteria import Criterion
from biombo._data import ColumnSchema, Dataset, Role, Schema, SourceTable
from biombo._engine import Flow
from biombo._errors import ColumnError, UsageError

if TYPE_CHECKING:
    from biombo._plan.operations import Operation
    from biombo._plan.plan import Plan


def schema_in_use(plan: "Plan", schema: Schema) -> Schema:
    """The columns that somebody spoke of, with what the schema knows about them; all others are undecided.

    The plan goes before the schema. Where it names no quasi columns, or no sensitive ones, or no person, the schema's
    count; what only the schema calls an identifier is one. A column that the plan changes or adds without a role is
    ``other``; one that is removed has none: nobody sees it.

    Whatever carries a plan out on records, or measures them, asks for this: a plan that makes none is refused.
    """
    if plan.aggregation is not None:
        raise UsageError("plan.aggregated")
    named = plan.roles
    roles: dict[str, Role] = dict(named)
    fallback: tuple[tuple[Role, bool], ...] = (
        ("quasi", not plan.quasi),
        ("sensitive", not plan.sensitive),
        ("identifier", True),
        ("other", True),
    )
    for role, counts in fallback:
        if counts:
            roles |= {column: role for column in schema.with_role(role) if column not in named}
    person = plan.person
    if person is None and schema.person is not None and roles[schema.person] == "identifier":
        person = schema.person
    changed = {column for operation in plan.operations for column in operation.columns}
    for column in (name for operation in plan.operations for name in (*operation.columns, *operation.adds)):
        roles.setdefault(column, "other")
    removed = {column for operation in plan.operations for column in operation.removes if column != person}
    return Schema(
        {name: _described(role, schema[name], name in changed) for name, role in roles.items() if name not in removed},
        person,
    )


def keeping(schema: Schema, columns: Sequence[str], plan: "Plan") -> Schema:
    """``schema`` with ``columns`` released as they are, by a person's word. Raises where one is an identifier.

    What is quasi or sensitive stays that: to be kept is no way out of the criteria.
    """
    for name in columns:
        if plan.roles.get(name, schema[name].role) == "identifier":
            raise ColumnError("plan.keep-identifier", column=name)
    used = schema_in_use(plan, schema)
    kept = {name: replace(schema[name], role="other") for name in columns if used[name].role == "undecided"}
    # Adversaries are left out: they may know columns that have another role now.
    return replace(schema, columns={**schema.columns, **kept}, adversaries={}, adversary_labels={})


def unspoken_columns(columns: Iterable[str], plan: "Plan", used: Schema) -> tuple[str, ...]:
    """Those of ``columns`` that stay out because nobody has decided on them."""
    removed = {column for operation in plan.operations for column in operation.removes}
    return tuple(name for name in columns if used[name].role == "undecided" and name not in removed)


def _described(role: Role, column: ColumnSchema, changed: bool) -> ColumnSchema:
    """A column that is changed has other values than the schema lists."""
    if changed:
        return replace(column, role=role, type="categorical", domain=None, bounds=None)
    return replace(column, role=role)


def check_columns(plan: "Plan", used: Schema, table: SourceTable) -> None:
    """Raise when ``table`` does not have a column that the plan needs, or has one that the plan adds."""
    table.check(_named(plan, used))
    refuse_k_of_noise(plan, used.quasi)
    for operation in plan.operations:
        for column in operation.by_quasi:
            if column not in used.quasi:
                raise ColumnError("plan.noise-not-quasi", column=column, name=operation.name)
    there, adding = set(table.columns), {name: each.name for each in plan.operations for name in each.adds}
    for operation in plan.operations:
        for column in operation.sees(plan.criteria, used) or ():
            if column not in there and column in adding:
                raise ColumnError("plan.added-later", column=column, name=operation.name, adding=adding[column])
        for column in operation.adds:
            if column in there:
                raise ColumnError("plan.added-exists", column=column, name=operation.name)
            there.add(column)


def noised_columns(plan: "Plan") -> dict[str, str]:
    """The columns whose values are drawn at random in the place of true ones, each with the operation that does so."""
    return {column: each.name for each in plan.operations if each.noisy for column in each.columns}


def refuse_k_of_noise(plan: "Plan", quasi: Iterable[str]) -> None:
    """Raise where k-anonymity, or what else counts who is in a group, is asked for groups of values that are drawn: how
    many records happen to be alike then says nothing about how many people were. ``quasi`` are the columns of criteria
    that name none.
    """
    noised = noised_columns(plan)
    for criterion in plan.criteria:
        column = next((name for name in criterion.quasi or quasi if name in noised), None)
        if column is not None and criterion.counts_members:
            raise UsageError("plan.k-of-noise", criterion=criterion, column=column, name=noised[column])


def released_columns(plan: "Plan", columns: Iterable[str], schema: Schema, label: str) -> list[str]:
    """Those of all ``columns``, new ones last, that come out. Raises where there are none, or one has no name."""
    there = list(columns)
    hidden = {name for name in there if schema[name].kept_back}
    hidden -= {name for operation in plan.operations for name in operation.releases}
    hidden |= {name for operation in plan.operations for name in operation.removes}
    released = [name for name in there if name not in hidden]
    if "" in released:
        raise ColumnError("plan.nameless", source=label)
    if not released:
        raise UsageError("plan.no-columns", source=label)
    return released


def columns_in_use(plan: "Plan", flow: Flow) -> tuple[str, ...]:
    """The columns that somebody spoke of, or that the plan reads, in an order that does not depend on the table's."""
    read = {name for operation in plan.on_selected.operations for name in operation.reads}
    return tuple(sorted(name for name in flow.columns if name in read or flow.schema[name].role != "undecided"))


def _named(plan: "Plan", used: Schema) -> Sequence[str]:
    needed = [column for operation in plan.operations for column in operation.reads]
    added = {column for operation in plan.operations for column in operation.adds}
    people = () if used.person is None else (used.person,)
    named = [*plan.roles, *needed, *used.quasi, *used.sensitive, *people, *judged_columns(plan.judged, used)]
    return [column for column in named if column not in added]


def judged_columns(criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:
    """The columns that the criteria read."""
    if not criteria:
        return ()
    columns = [*schema.quasi, *(column for criterion in criteria for column in criterion.quasi or ())]
    columns += [column for criterion in criteria for column in criterion.about(schema.sensitive)]
    if schema.person is not None:
        columns.append(schema.person)
    return tuple(dict.fromkeys(columns))


def as_understood(data: Dataset, operations: "Sequence[Operation]") -> Dataset:
    """``data`` as an adversary reads it who knows which words the operations took for the same."""
    for operation in operations:
        data = operation.as_understood(data)
    return data
