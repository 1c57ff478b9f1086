"""What every request has: the table that it is about, and its file."""

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from biombo._errors import InputError, UsageError
from biombo._files import read_whole, refuse_existing, write_whole
from biombo._requests.entries import check_fields, chosen, placed, places_of
from biombo._requests.places import inside, is_current, moved, outside

Result = TypeVar("Result")

MARK, KIND, VERSION = "biombo-request", "kind", 1
"""What the file of a request begins with."""

_KINDS = {
    "risk": "RiskRequest",
    "search": "SearchRequest",
    "apply": "ApplyRequest",
    "publish": "PublishRequest",
    "utility": "UtilityRequest",
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked of one command, under the names of its options.

    A request is checked, carried out, and kept in a YAML file. Paths in the file are relative to its own folder;
    passwords are never written.
    """

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        check_fields(self)

    @abstractmethod
    def check(self) -> Any:
        """Raise whatever can be known before long work; what it will take, where there is an estimate."""

    @abstractmethod
    def run(self) -> Any:
        """Carry the request out."""

    def to_tree(self, folder: str | Path | None = None) -> dict[str, Any]:
        """The request as plain values, without what is as usual, for a file in ``folder``; by default the current one.

        >>> from biombo import SearchRequest
        >>> SearchRequest(files=["people.csv"], quasi=["age", "sex"], k=5).to_tree()
        {'biombo-request': 1, 'kind': 'search', 'files': ['people.csv'], 'quasi': ['age', 'sex'], 'k': 5}
        """
        move = outside(os.fspath(folder)) if folder is not None else outside(".")
        return {MARK: VERSION, KIND: self.kind} | chosen(self, move)

    @classmethod
    def from_tree(cls, tree: Any, folder: str | Path = "") -> Self:
        """The request that plain values describe; files that they name are looked for in ``folder``.

        >>> from biombo import Request
        >>> Request.from_tree({"biombo-request": 1, "kind": "search", "quasi": ["age"], "k": 5}).k
        5
        """
        kind = cls._kind_of(tree)
        return kind.made(kind.read(tree, folder))

    @classmethod
    def read(cls, tree: Any, folder: str | Path = "") -> dict[str, Any]:
        """By field: what ``tree`` says. Raises where it says what no request of this kind knows."""
        from biombo._documents import by_entry, entry_name

        kind = cls._kind_of(tree)
        known = {entry_name(each.name): each.name for each in fields(kind)}
        given = by_entry({entry: value for entry, value in tree.items() if entry not in (MARK, KIND)}, known)
        given = {entry: value for entry, value in given.items() if value is not None}
        places, move = places_of(kind), inside(os.fspath(folder))
        return {
            known[entry]: moved(places[entry], value, given, move) if entry in places else value
            for entry, value in given.items()
        }

    @classmethod
    def made(cls, values: Mapping[str, Any]) -> Self:
        """The request with these ``values`` of its fields. Raises where one is missing."""
        from biombo._documents import entry_name

        for each in fields(cls):
            if each.default is MISSING and each.name not in values:
                raise InputError("document.entry-missing", entry=entry_name(each.name))
        return cls(**values)

    @classmethod
    def _kind_of(cls, tree: Any) -> type[Self]:
        """The kind of request that ``tree`` describes."""
        from biombo import _requests

        if not isinstance(tree, Mapping) or MARK not in tree:
            raise InputError("document.mark", mark=f"{MARK}: {VERSION}")
        if tree[MARK] != VERSION:
            raise InputError("document.version", version=tree[MARK], known=VERSION)
        name = tree.get(KIND)
        kind = getattr(_requests, _KINDS[name]) if isinstance(name, str) and name in _KINDS else None
        if kind is None:
            raise InputError("request.kind", kind=name, kinds=", ".join(_KINDS))
        if not issubclass(kind, cls):
            raise InputError("request.other-kind", kind=name, wanted=cls.kind)
        return kind  # type: ignore[no-any-return]

    def to_yaml(self, folder: str | Path | None = None) -> str:
        """The request as a YAML file in ``folder``, for people to edit."""
        from biombo._documents import dump_yaml

        return dump_yaml(self.to_tree(folder), flow=True)

    def save(self, path: str | Path, *, force: bool = True) -> None:
        """Write the request to a YAML file, whole or not at all."""
        if not force:
            refuse_existing(path)
        write_whole(path, self.to_yaml(Path(path).parent))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The request in a YAML file. Files that it names are looked for from the folder that it is in."""
        return cls._in_file(path, cls.from_tree)

    @classmethod
    def values(cls, path: str | Path) -> dict[str, Any]:
        """By field: what the YAML file says, for a request that takes the rest from elsewhere."""
        return cls._in_file(path, cls.read)

    @staticmethod
    def _in_file(path: str | Path, read: Callable[[Any, str], Result]) -> Result:
        """What ``read`` makes of the plain values in the file, and of its folder."""
        from biombo._documents import errors_within, load_yaml

        content = read_whole(path)
        with errors_within("request.in-file", path=os.fspath(path)):
            return read(load_yaml(content), _folder(path))


@dataclass(frozen=True, kw_only=True)
class TableRequest(Request):
    """A request about one table."""

    files: tuple[str, ...] = placed("files", default=())
    """The table's files, or a query where there is a ``database``."""
    schema: str | None = placed("schema")
    """What the columns are: a YAML file, or the name of a built-in schema."""
    filename: str | None = None
    """A pattern that takes columns from the files' names."""
    database: str | None = placed("address", repr=False)
    """The database that the query is for."""

    def source(self, given: Any = None) -> Any:
        """The table: the one that is ``given`` in place of the files, or these."""
        if given is not None:
            return given
        if not self.files:
            raise UsageError("request.no-files")
        return self.files[0] if len(self.files) == 1 else list(self.files)

    @property
    def where(self) -> dict[str, Any]:
        """How the table is read."""
        return {"filename": self.filename, "database": self.database}

    def table_there(self, columns: "list[str]", given: Any = None) -> None:
        """Raise where the table, or one of ``columns``, is missing."""
        from biombo._data import SourceTable

        SourceTable.open(self.source(given), **self.where).check(columns)


def _folder(path: str | Path) -> str:
    """The folder that paths in the file are relative to, as a text; nothing for the current one."""
    folder = Path(path).parent
    return "" if is_current(folder) else str(folder)
