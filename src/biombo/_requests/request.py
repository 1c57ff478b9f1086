"""What every request has: the table that it is about, and its file."""

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from biombo._documents import Document, read_entries
from biombo._errors import InputError, UsageError
from biombo._files import read_whole, refuse_existing, refuse_onto, write_whole
from biombo._requests.entries import (
    check_fields,
    conditions,
    files_read,
    in_place,
    placed,
    read_by,
    selections_of,
    shown,
    without_passwords,
    without_unsaved,
)
from biombo._requests.places import inside, is_current, outside, wholly
from biombo._watch import begin

if TYPE_CHECKING:
    from biombo._data import Dataset, FarTuples, SourceTable
    from biombo._engine import Engine
    from biombo._plan import SelectRecords

KIND = "kind"

_DOCUMENT = Document("request", mark="biombo-request")
_KINDS = {
    "risk": "RiskRequest",
    "search": "SearchRequest",
    "apply": "ApplyRequest",
    "publish": "PublishRequest",
    "utility": "UtilityRequest",
    "tabulate": "TabulateRequest",
    "query": "QueryRequest",
    "synthesise": "SynthesiseRequest",
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Request:
    """What is asked of one command, under the names of its options.

    A request is checked, carried out, and kept in a YAML file. Paths in the file are relative to its own folder;
    passwords are never written.
    """

    kind: ClassVar[str]

    engine: str = placed("engine", default="local")
    """Where the work is done: ``local``, ``spark:local[*]``, ``spark://host:7077`` or ``sc://host:15002``."""

    def __post_init__(self) -> None:
        check_fields(self)

    def __repr__(self) -> str:
        return shown(self)

    @abstractmethod
    def check(self) -> Any:
        """Raise whatever can be known before long work; what it will take, where there is an estimate."""

    @abstractmethod
    def run(self) -> Any:
        """Carry the request out."""

    def chosen_engine(self, given: "Engine | str | None" = None) -> "Engine":
        """The engine that is ``given`` in the place of the named one, or this; nothing is started."""
        from biombo._engine import engine_of

        return engine_of(self.engine if given is None else given)

    def check_engine(self) -> None:
        """Raise where no engine is called so."""
        from biombo._engine import check_engine

        check_engine(self.engine)

    @property
    def outputs(self) -> list[Path]:
        """The files that the request may write."""
        return []

    @property
    def inputs(self) -> list[Path]:
        """The files that the request reads, as far as they are there."""
        return files_read(self)

    def refuse_outputs(self, *further: str | Path, read: Sequence[str | Path] = ()) -> None:
        """Raise where an output, or a ``further`` one, is an input, is ``read`` besides, or is there twice."""
        inputs, seen = [*self.inputs, *read], list[str]()
        for path in (*self.outputs, *map(Path, further)):
            refuse_onto(path, inputs)
            if os.path.abspath(path) in seen:  # noqa: PTH100  # without what a link leads to
                raise UsageError("output.twice", path=str(path))
            seen.append(os.path.abspath(path))  # noqa: PTH100

    def to_tree(self, folder: str | Path = ".") -> dict[str, Any]:
        """The request as plain values, without what is as usual, for a file in ``folder``.

        >>> from biombo import SearchRequest
        >>> SearchRequest(files=["people.csv"], quasi=["age", "sex"], k=5).to_tree()
        {'biombo-request': 1, 'kind': 'search', 'files': ['people.csv'], 'quasi': ['age', 'sex'], 'k': 5}
        """
        mark, *entries = _DOCUMENT.tree(self).items()
        kept = without_unsaved(type(self), without_passwords(type(self), dict(entries)))
        written = in_place(type(self), kept, outside(os.fspath(folder)))
        return dict([mark, (KIND, self.kind)]) | written

    @classmethod
    def from_tree(cls, tree: Any, folder: str | Path = "") -> Self:
        """The request that plain values describe; files that they name are looked for in ``folder``.

        >>> from biombo import Request
        >>> Request.from_tree({"biombo-request": 1, "kind": "search", "quasi": ["age"], "k": 5}).k
        5
        """
        entries = dict(_DOCUMENT.entries(tree))
        kind = cls._named(entries.pop(KIND, None))
        return read_entries(kind, in_place(kind, entries, inside(os.fspath(folder))))

    @classmethod
    def _named(cls, name: Any) -> type[Self]:
        """The kind of request that is called so."""
        from biombo import _requests

        if not isinstance(name, str) or name not in _KINDS:
            raise InputError("document.entry-choice", entry=KIND, value=name, choices=", ".join(_KINDS))
        kind = getattr(_requests, _KINDS[name])
        if not issubclass(kind, cls):
            raise InputError("request.other-kind", kind=name, wanted=cls.kind)
        return kind  # type: ignore[no-any-return]

    def to_yaml(self, folder: str | Path = ".") -> str:
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
        from biombo._documents import load_yaml

        content = read_whole(path)
        with _DOCUMENT.errors_in(path):
            request = cls.from_tree(load_yaml(content), _folder(path))
            for each in request.outputs:
                refuse_onto(each, [path])
            return request


@dataclass(frozen=True, kw_only=True, repr=False)
class TableRequest(Request):
    """A request about one table."""

    files: tuple[str, ...] = placed("files", default=())
    """The table's files, or a query where there is a ``database``."""
    schema: str | Mapping[str, Any] | None = placed("schema")
    """What the columns are: a YAML file, the name of a built-in schema, or the schema itself."""
    filename: str | None = None
    """A pattern that takes columns from the files' names."""
    database: str | None = placed("address", repr=False)
    """The database that the query is for."""
    sheet: str | None = None
    """Which table of a file that has several: a sheet of a workbook, or a file in a zip archive."""
    where: Mapping[str, Any] | None = field(default=None, metadata=read_by(conditions))
    """The only records that are asked for, as ``where`` of :class:`SelectRecords` has it: by column, a value, some
    values, or limits. It is as if the others had never been there."""

    @property
    def selections(self) -> "tuple[SelectRecords, ...]":
        """What the records are selected by: plans begin with it."""
        return selections_of(self.where)

    def source(self, given: Any = None) -> Any:
        """The table: the one that is ``given`` in place of the files, or these."""
        if given is not None:
            return given
        if not self.files:
            raise UsageError("request.no-files")
        return self.files[0] if len(self.files) == 1 else list(self.files)

    @property
    def _how_read(self) -> dict[str, Any]:
        return {"filename": self.filename, "database": self.database, "sheet": self.sheet}

    @property
    def which_table(self) -> tuple[Any, ...]:
        """What tells the table from others, without passwords: requests about the same table have the same.

        >>> from biombo import RiskRequest
        >>> RiskRequest(files=["a.xlsx"], sheet="A").which_table == RiskRequest(files=["./a.xlsx"]).which_table
        False
        """
        return (*wholly(self.files, self.database), self.filename, self.sheet)

    def table(self, given: Any, engine: "Engine") -> "SourceTable":
        """The table, opened where ``engine`` gets to it, with none but the records that are asked for."""
        from biombo._data import SourceTable

        reached = engine.reached(self.source(given), **self._how_read)
        return SourceTable.open(reached, **self._how_read).selected(self.selections)

    def opened(self, given: Any, columns: Sequence[str], engine: "Engine") -> "tuple[SourceTable | Dataset, Dataset]":
        """The table, and these ``columns`` of it without their rows."""
        import numpy as np

        from biombo._data import Dataset, Schema

        if isinstance(given, Dataset):
            self._refuse_unread(given)
            return given, given.take(np.empty(0, np.intp))
        table = self.table(given, engine)
        return table, table.header(columns, Schema.load(self.schema).told_of(table.columns))

    def counted(self, columns: "list[str]", table: "SourceTable | Dataset", engine: "Engine") -> "Dataset":
        """The combinations of values of some columns with their counts, found where ``engine`` has the rows."""
        from biombo._data import Dataset, Schema

        begin("reading")
        if isinstance(table, Dataset):
            return self._selected(table)
        return engine.open(table).tuples(columns, Schema.load(self.schema).told_of(table.columns))

    def surveyed(self, columns: "list[str]", table: "SourceTable | Dataset", engine: "Engine") -> "Dataset | FarTuples":
        """The same, or, where these are too many for this process, what can be asked where they were counted."""
        from biombo._data import Dataset, Schema

        begin("reading")
        if isinstance(table, Dataset):
            return self._selected(table)
        return engine.open(table).surveyed(columns, Schema.load(self.schema).told_of(table.columns))

    def _refuse_unread(self, data: "Dataset") -> None:
        for selection in self.selections:
            for name in selection.reads:
                data[name]  # raises where it is not there

    def _selected(self, data: "Dataset") -> "Dataset":
        """The records that are asked for, of a table that was read before."""
        if not self.selections:
            return data
        from biombo._plan import selected

        return selected(data, self.selections)


def _folder(path: str | Path) -> str:
    """The folder that paths in the file are relative to, as a text; nothing for the current one."""
    folder = Path(path).parent
    return "" if is_current(folder) else str(folder)
