"""Documents: what people keep in YAML files, such as plans, and how it is read and written."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from biombo._documents.entries import chosen_entries, errors_within, read_entries
from biombo._errors import BiomboError, InputError
from biombo._files import read_whole

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Record = TypeVar("Record", bound=DataclassInstance)


@dataclass(frozen=True)
class Document:
    """A kind of document. Its entries are the fields of a dataclass."""

    name: str
    """What it is: the catalogue has a sentence ``errors.document.in-NAME`` for what is wrong in a file of it."""
    mark: str | None = None
    """What it begins with, if by a line that says so; after it stands the version."""
    version: int = 1
    order: tuple[str, ...] = ()
    """Its entries in the order in which they are written, where that is not the one of the fields."""

    def read(self, kind: "type[Record]", tree: Any, folder: Path | None = Path()) -> "Record":
        """What the plain values in ``tree`` describe; files that they name are looked for in ``folder``, if any."""
        return read_entries(kind, self.entries(tree), folder)

    def load(self, kind: "type[Record]", path: str | Path) -> "Record":
        """What the YAML file describes; files that it names are looked for beside it."""
        from biombo._documents.yaml_text import load_yaml  # not before there is a file

        content = read_whole(path)
        with self.errors_in(path):
            return self.read(kind, load_yaml(content), Path(path).parent)

    def tree(self, record: "DataclassInstance") -> dict[str, Any]:
        """``record`` as plain values; what is as usual is left out."""
        chosen = chosen_entries(record)
        ordered = {entry: chosen[entry] for entry in self.order if entry in chosen} | chosen
        return ordered if self.mark is None else {self.mark: self.version} | ordered

    def yaml(self, record: "DataclassInstance") -> str:
        """``record`` as a YAML file for people to edit."""
        from biombo._documents.yaml_text import dump_yaml

        return dump_yaml(self.tree(record), flow=True)

    def errors_in(self, path: str | Path) -> AbstractContextManager[None]:
        """Name the file in what goes wrong inside."""
        return errors_within(f"document.in-{self.name}", path=str(path))

    def entries(self, tree: Any) -> Any:
        """``tree`` without its first line, which must be the one that it should."""
        if self.mark is None:
            return tree
        if not isinstance(tree, Mapping) or self.mark not in tree:
            raise InputError("document.mark", mark=f"{self.mark}: {self.version}")
        if isinstance(tree[self.mark], bool) or tree[self.mark] != self.version:
            raise InputError("document.version", version=tree[self.mark], known=self.version)
        return {entry: value for entry, value in tree.items() if entry != self.mark}


@contextmanager
def raised_as(kind: type[BiomboError]) -> Iterator[None]:
    """Raise what goes wrong inside as an error of another ``kind``, in the same words."""
    try:
        yield
    except BiomboError as error:
        if isinstance(error, kind):
            raise
        raise kind(error.key, **error.values) from None
