"""The first two steps of a publication: which columns are selected, and what each of them is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from biombo._data import ColumnSchema, Schema
from biombo._errors import ColumnError
from biombo._plan import Plan


@dataclass(frozen=True)
class Classified:
    """The columns of a table, with those that nobody spoke of set aside."""

    schema: Schema
    unspoken: tuple[str, ...]
    """Columns that have no role that counts, so that they are not released: nobody looked at what they tell."""

    @classmethod
    def of(cls, columns: Sequence[str], plan: Plan, schema: Schema, other: Iterable[str] = ()) -> "Classified":
        """What the plan, the schema and the list ``other`` (neither quasi nor sensitive) say about ``columns``."""
        released = {name: replace(schema[name], role="other") for name in other}
        _refuse_identifiers(released, plan, schema)
        changed = {name for operation in plan.operations for name in operation.columns}
        spoken = {*plan.roles, *released, *changed, *_counting(schema, plan)}
        unspoken = tuple(name for name in columns if name not in spoken)
        hidden = {name: ColumnSchema(role="identifier") for name in unspoken}
        described = {**schema.columns, **released, **hidden}
        return cls(replace(schema, columns=described, adversaries={}), unspoken)  # who may know columns left out


def _refuse_identifiers(other: Iterable[str], plan: Plan, schema: Schema) -> None:
    for name in other:
        if plan.roles.get(name) == "identifier" or schema[name].role == "identifier":
            raise ColumnError("release.other-identifier", column=name)


def _counting(schema: Schema, plan: Plan) -> Iterator[str]:
    """The columns whose role in the schema counts: a plan that names quasi columns does not protect any others."""
    unprotected = {role for role, named in (("quasi", plan.quasi), ("sensitive", plan.sensitive)) if named}
    return (name for name, column in schema.columns.items() if column.role not in unprotected)
