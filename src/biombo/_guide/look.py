"""A first look at a table: its rows, what its columns seem to be, and a few of their values."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from biombo._data import Dataset, Inspection, Schema, fitting_schema, inspect, read, value_counts, written
from biombo._watch import begin

if TYPE_CHECKING:
    from biombo._requests import PublishRequest

_EXAMPLES = 3


@dataclass(frozen=True, eq=False)
class Look:
    """A table that was read. Private: it shows values."""

    data: Dataset
    inspection: Inspection

    @cached_property
    def proposed(self) -> Schema:
        """What the columns seem to be, and which of them says who a row is about, where rows are not people."""
        return replace(self.inspection.schema, person=self.inspection.person)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, in the table's order."""
        return tuple(self.data.columns)

    @cached_property
    def known(self) -> tuple[str, Schema] | None:
        """The built-in schema for such a table, and its name; its columns are those of the table, spelled as there."""
        name = fitting_schema(self.columns)
        if name is None:
            return None
        schema, spelled = Schema.load(name), {column.casefold(): column for column in self.columns}
        there = {
            spelled[column.casefold()]: about
            for column, about in schema.columns.items()
            if column.casefold() in spelled
        }
        known = {
            who: tuple(spelled[each.casefold()] for each in columns if each.casefold() in spelled)
            for who, columns in schema.adversaries.items()
        }
        person = spelled.get(schema.person.casefold()) if schema.person else None
        return name, replace(schema, columns=there, adversaries=known, person=person)

    def examples(self, column: str) -> list[str]:
        """The most frequent values of a column, for whoever has the table."""
        held = value_counts(self.data[column])
        values = written(self.data[column].values).to_list()
        often = sorted(range(len(values)), key=lambda code: (-int(held[code]), code))
        return [values[code] for code in often if values[code] is not None][:_EXAMPLES]

    def described(self, schema: Schema, hierarchies: str | None = None) -> Dataset:
        """The columns that a search needs, as ``schema`` has them; those too that hierarchies are read off, of which
        there may be a folder.
        """
        from biombo._search import columns_to_read

        person = [schema.person] if schema.person else []
        names = [*schema.quasi, *schema.sensitive, *columns_to_read(schema.quasi, hierarchies, schema), *person]
        columns = {name: self.data[name] for name in dict.fromkeys(names)}
        return replace(self.data, columns=columns, schema=schema)


def look_at(request: "PublishRequest") -> Look:
    """Read the table of ``request``, all columns of it."""
    begin("reading")
    data = read(request.table(None, request.chosen_engine()))
    return Look(data, inspect(data))
