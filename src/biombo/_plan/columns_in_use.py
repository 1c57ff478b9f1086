"""What each column is: as the plan says, and else as the schema does."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from biombo._data import ColumnSchema, Role, Schema
from biombo._errors import ColumnError
from biombo._plan.plan import Plan


def schema_in_use(plan: Plan, schema: Schema) -> Schema:
    """The columns that somebody spoke of, with what the schema knows about them; all others are undecided.

    The plan goes before the schema. Where it names no quasi columns, or no sensitive ones, or no person, the schema's
    count; what only the schema calls an identifier is one. A column that the plan changes or adds without a role is
    ``other``; one that is removed has none: nobody sees it.
    """
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


def keeping(schema: Schema, columns: Sequence[str], plan: Plan) -> Schema:
    """``schema`` with ``columns`` released as they are, by a person's word. Raises where one is an identifier.

    What is quasi or sensitive stays that: to be kept is no way out of the criteria.
    """
    for name in columns:
        if plan.roles.get(name, schema[name].role) == "identifier":
            raise ColumnError("plan.keep-identifier", column=name)
    used = schema_in_use(plan, schema)
    kept = {name: replace(schema[name], role="other") for name in columns if used[name].role == "undecided"}
    return replace(schema, columns={**schema.columns, **kept}, adversaries={})  # who may know columns of another role


def unspoken_columns(columns: Iterable[str], plan: Plan, used: Schema) -> tuple[str, ...]:
    """Those of ``columns`` that stay out because nobody has decided on them."""
    removed = {column for operation in plan.operations for column in operation.removes}
    return tuple(name for name in columns if used[name].role == "undecided" and name not in removed)


def _described(role: Role, column: ColumnSchema, changed: bool) -> ColumnSchema:
    """A column that is changed has other values than the schema lists."""
    if changed:
        return replace(column, role=role, type="categorical", domain=None, bounds=None)
    return replace(column, role=role)
