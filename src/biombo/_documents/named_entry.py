"""Things that stand in documents as one name with its entries, such as ``k-anonymity: {k: 5}``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biombo._documents.entries import all_entries, chosen_entries, errors_within, read_entries, unknown_name
from biombo._documents.kinds import ValueKind, Where, register
from biombo._errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class Named:
    """A family of dataclasses of which a document names one and gives its entries."""

    kinds: Callable[[], Mapping[str, "type[DataclassInstance]"]]
    """All of them by name; asked when something is read, because they derive from the class that registers this."""
    shape: str
    """The error where there is not one name: its key, for a ``value`` at a ``place``."""
    within: str
    """The sentence that says which one a mistake is in: its key, for a ``name`` at a ``place`` and a ``detail``."""

    def register(self, base: type) -> None:
        """Say that values of ``base`` stand in documents in this way."""
        register(base, ValueKind(self.read, self.plain, self.canonical, self.schema, refusal=self.shape))

    def read(self, tree: Any, where: Where) -> Any:
        """The one that ``tree`` names."""
        if not isinstance(tree, Mapping) or len(tree) != 1:
            raise InputError(self.shape, value=tree, place=where.place)
        ((name, entries),) = tree.items()
        kinds = self.kinds()
        with errors_within(self.within, name=name, place=where.place):
            if name not in kinds:
                raise unknown_name(name, kinds)
            return read_entries(kinds[name], entries, where.folder)

    def plain(self, value: Any) -> dict[str, Any]:
        """The name and the entries that are not as usual."""
        return {value.name: chosen_entries(value)}

    def canonical(self, value: Any) -> dict[str, Any]:
        """The name and all entries."""
        return {value.name: all_entries(value)}

    def schema(self) -> dict[str, Any]:
        """One of the names, and the entries of that name."""
        from biombo._documents.json_schema import entries_schema  # for editors only

        return {
            "type": "object",
            "properties": {name: entries_schema(kind) for name, kind in self.kinds().items()},
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        }
