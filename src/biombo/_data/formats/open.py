"""Finds out what a source is, and opens it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import has_magic
from os import PathLike
from pathlib import Path
from typing import Any

from biombo._data import formats
from biombo._data.formats.memory_table import table_source
from biombo._data.formats.source import Source
from biombo._errors import InputError, UsageError, system_reason

_BY_MARK = {b"PAR1": "ParquetFile", b"PK\x03\x04": "XlsxFile", b"\x1f\x8b": "CsvFile"}
"""By how files begin; the last is gzip's."""

_BY_SUFFIX = {
    ".csv": "CsvFile",
    ".tsv": "CsvFile",
    ".txt": "CsvFile",
    ".parquet": "ParquetFile",
    ".pq": "ParquetFile",
    ".xlsx": "XlsxFile",
    ".xlsm": "XlsxFile",
    ".dbf": "DbfFile",
    ".dbc": "DbcFile",
}

_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
"""How ``.xls`` files begin, and ``.xlsx`` files with a password."""


def open_sources(source: Any, database: str | None = None) -> list[Source]:
    """The files, tables or query that ``source`` names, in order; several files of a glob by name."""
    if database is not None:
        return [_query(source, database)]
    if isinstance(source, str | PathLike):
        return [_open_file(path) for path in _paths(Path(source).expanduser())]
    if table := table_source(source):
        return [table]
    if isinstance(source, Iterable) and not isinstance(source, bytes | Mapping):
        return _several(source)
    raise UsageError("usage.source", type=type(source).__name__)


def _several(parts: Iterable[Any]) -> list[Source]:
    sources = [opened for part in parts for opened in open_sources(part)]
    if not sources:
        raise UsageError("usage.no-source")
    _refuse_twice(sources)
    return sources


def _query(query: Any, database: str) -> Source:
    if not isinstance(query, str) or not query.strip():
        raise UsageError("usage.query")
    from biombo._data.formats.sql_query import SqlQuery, database_at

    return SqlQuery(query, database_at(database))


def _paths(path: Path) -> list[Path]:
    if has_magic(str(path)) and not path.exists():
        relative = path.relative_to(path.anchor)
        files = sorted(match for match in Path(path.anchor).glob(str(relative)) if match.is_file())
        if not files:
            raise InputError("input.no-match", pattern=str(path))
        return files
    if path.is_dir():
        raise InputError("input.folder", path=str(path))
    if not path.is_file():
        raise InputError("input.missing-file", path=str(path))
    return [path]


def _open_file(path: Path) -> Source:
    try:
        with path.open("rb") as file:
            start = file.read(8)
    except OSError as error:
        raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None
    if not start:
        raise InputError("input.empty-file", path=str(path))
    if start.startswith(_OLD_EXCEL):
        raise InputError("input.old-excel", path=str(path))
    opened: Source = getattr(formats, _format(path, start))(path)
    return opened


def _format(path: Path, start: bytes) -> str:
    """What the file's first bytes say goes before what its name says."""
    for mark, kind in _BY_MARK.items():
        if start.startswith(mark):
            return kind
    suffix = path.suffix.lower()
    if suffix not in _BY_SUFFIX:
        raise InputError("input.unknown-format", path=str(path), known=" ".join(_BY_SUFFIX))
    return _BY_SUFFIX[suffix]


def _refuse_twice(sources: Sequence[Source]) -> None:
    """The same file twice would count everybody in it twice."""
    seen: set[Path] = set()
    for path in _files(sources):
        if path.resolve() in seen:
            raise UsageError("usage.file-twice", path=str(path))
        seen.add(path.resolve())


def _files(sources: Sequence[Source]) -> Iterator[Path]:
    for source in sources:
        if isinstance(path := getattr(source, "path", None), Path):
            yield path
