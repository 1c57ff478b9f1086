"""The first two steps of a publication: which columns are selected, and what each of them is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from biombo._data import ColumnSchema, Schema
from biombo._plan import Plan


@dataclass(frozen=True)
class Classified:
    """The columns of a table, with those that nobody spoke of set aside."""

    schema: Schema
    unspoken: tuple[str, ...]
    """Columns that have no role anywhere, so that they are not released: what is in them is not known."""

    @classmethod
    def of(cls, columns: Sequence[str], plan: Plan, schema: Schema, other: Iterable[str] = ()) -> "Classified":
        """What the plan, the schema and the list ``other`` (neither quasi nor sensitive) say about ``columns``."""
        released = {name: replace(schema[name], role="other") for name in other}
        changed = {name for operation in plan.operations for name in operation.columns}
        spoken = {*schema.columns, *plan.roles, *released, *changed}
        unspoken = tuple(name for name in columns if name not in spoken)
        hidden = {name: ColumnSchema(role="identifier") for name in unspoken}
        return cls(replace(schema, columns={**schema.columns, **released, **hidden}), unspoken)
