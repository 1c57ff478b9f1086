"""Finds out what a source is, and opens it."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from glob import has_magic
from pathlib import Path
from typing import Any

from biombo._addresses import JDBC, is_store
from biombo._data import formats
from biombo._data.formats.distant import Distant, Stores, at_hand
from biombo._data.formats.memory_table import table_source
from biombo._data.formats.source import Source
from biombo._errors import InputError, UsageError
from biombo._files import files_in, is_file, is_folder, reading_from

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

_QUERY = re.compile(r"\s*(select|with)\s", re.IGNORECASE)
_SHOWN = 40


def open_sources(source: Any, database: str | None = None, stores: Stores | None = None) -> list[Source]:
    """The files, tables or query that ``source`` names, in order; several files of a glob by name. What lies beyond
    this process is opened by ``stores``.
    """
    if database is not None:
        return [_query(source, database, stores)]
    if isinstance(source, str) and is_store(source):
        return [at_hand(stores, source).files(source)]
    if isinstance(source, str | os.PathLike):
        return [_open_file(path) for path in _paths(_at_home(Path(source)))]
    if table := table_source(source):
        return [table]
    if isinstance(source, Iterable) and not isinstance(source, bytes | Mapping):
        return _several(source, stores)
    raise UsageError("usage.source", type=type(source).__name__)


def _several(parts: Iterable[Any], stores: Stores | None) -> list[Source]:
    sources = [opened for part in parts for opened in open_sources(part, stores=stores)]
    if not sources:
        raise UsageError("usage.no-source")
    _refuse_twice(sources)
    return sources


def _query(query: Any, database: str, stores: Stores | None) -> Source:
    if not isinstance(query, str) or not query.strip():
        raise UsageError("usage.query")
    if database.startswith(JDBC):
        return at_hand(stores, JDBC).query(query, database)
    from biombo._data.formats.sql_query import SqlQuery, database_at

    return SqlQuery(query, database_at(database))


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # nobody is called so: then it is the name of a file
        return path


def _paths(path: Path) -> list[Path]:
    if is_file(path):
        return [path]
    if is_folder(path):
        raise InputError("input.folder", path=str(path))
    if _QUERY.match(str(path)):
        raise UsageError("usage.query-without-database", start=_start(str(path)))
    if not has_magic(str(path)):
        raise InputError("input.missing-file", path=str(path))
    return _fitting(path)


def _start(query: str) -> str:
    return query if len(query) <= _SHOWN else f"{query[:_SHOWN]}…"


def _fitting(pattern: Path) -> list[Path]:
    """The files that fit a pattern. Raises where one may not look into the folder that it begins with."""
    folder = next(above for above in pattern.parents if not has_magic(str(above)))
    files = []
    if is_folder(folder):
        files_in(folder)
        with reading_from(pattern), suppress(ValueError):  # a pattern that nothing can fit
            files = sorted(match for match in folder.glob(str(pattern.relative_to(folder))) if is_file(match))
    if not files:
        raise InputError("input.no-match", pattern=str(pattern))
    return files


def _open_file(path: Path) -> Source:
    with reading_from(path), path.open("rb") as file:
        start = file.read(8)
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
    for label, times in Counter(source.label for source in sources if isinstance(source, Distant)).items():
        if times > 1:
            raise UsageError("usage.file-twice", path=label)


def _files(sources: Sequence[Source]) -> Iterator[Path]:
    for source in sources:
        if isinstance(path := getattr(source, "path", None), Path):
            yield path
