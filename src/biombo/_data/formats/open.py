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
from biombo._data.formats.archive import chosen_table, names_in
from biombo._data.formats.distant import Distant, Stores, at_hand
from biombo._data.formats.memory_table import table_source
from biombo._data.formats.source import File, Source
from biombo._data.formats.unpacking import GZIP_MARK, ZIP_MARK
from biombo._errors import InputError, UsageError
from biombo._files import files_in, is_file, is_folder, reading_from

_BY_MARK = {b"PAR1": "ParquetFile", b"$FL2": "StatisticsFile", b"$FL3": "StatisticsFile"}
"""By how files begin."""

_BY_SUFFIX = {
    ".csv": "CsvFile",
    ".tsv": "CsvFile",
    ".txt": "CsvFile",
    ".parquet": "ParquetFile",
    ".pq": "ParquetFile",
    ".xlsx": "XlsxFile",
    ".xlsm": "XlsxFile",
    ".ods": "OdsFile",
    ".json": "JsonFile",
    ".jsonl": "JsonFile",
    ".ndjson": "JsonFile",
    ".xml": "XmlFile",
    ".dbf": "DbfFile",
    ".dbc": "DbcFile",
    ".sav": "StatisticsFile",
    ".zsav": "StatisticsFile",
    ".por": "StatisticsFile",
    ".dta": "StatisticsFile",
    ".sas7bdat": "StatisticsFile",
    ".xpt": "StatisticsFile",
}
_WORKBOOKS = ("XlsxFile", "OdsFile")
_ARCHIVES = (".zip", ".gz")
KINDS_OF_FILES = (*_BY_SUFFIX, *_ARCHIVES)
"""How the names of files end that can be read."""

_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
"""How ``.xls`` files begin, and ``.xlsx`` files with a password."""

_QUERY = re.compile(r"\s*(select|with)\s", re.IGNORECASE)
_SHOWN = 40
_START = 8


def open_sources(
    source: Any, database: str | None = None, stores: Stores | None = None, sheet: str | None = None
) -> list[Source]:
    """The files, tables or query that ``source`` names, in order; several files of a glob by name. Of a file with
    several tables, the one that ``sheet`` names. What lies beyond this process is opened by ``stores``.
    """
    if sheet is not None and (database is not None or not _names_files(source)):
        raise UsageError("usage.sheet-no-file")
    if database is not None:
        return [_query(source, database, stores)]
    if isinstance(source, str) and is_store(source):
        return [at_hand(stores, source).files(source)]
    if isinstance(source, str | os.PathLike):
        return list(_opened(_at_home(Path(source)), sheet))
    if table := table_source(source):
        return [table]
    if isinstance(source, Iterable) and not isinstance(source, bytes | Mapping):
        return _several(source, stores, sheet)
    raise UsageError("usage.source", type=type(source).__name__)


def _names_files(source: Any) -> bool:
    if isinstance(source, str | os.PathLike):
        return not is_store(os.fspath(source))
    return isinstance(source, list | tuple) and all(map(_names_files, source))


def _several(parts: Iterable[Any], stores: Stores | None, sheet: str | None) -> list[Source]:
    sources = [opened for part in parts for opened in open_sources(part, stores=stores, sheet=sheet)]
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


def _opened(path: Path, sheet: str | None) -> Iterator[Source]:
    if not is_folder(path):
        yield from (_open_file(each, sheet) for each in _paths(path))
        return
    from biombo._data.formats.parquet_folder import parquet_parts

    parts = parquet_parts(path, KINDS_OF_FILES)
    if not parts:
        raise InputError("input.folder", path=str(path))
    if sheet is not None:
        raise InputError("input.no-sheets", path=str(path))
    yield from parts


def _paths(path: Path) -> list[Path]:
    if is_file(path):
        return [path]
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


def _open_file(path: Path, sheet: str | None) -> Source:
    with reading_from(path), path.open("rb") as file:
        start = file.read(_START)
    if not start:
        raise InputError("input.empty-file", path=str(path))
    if start.startswith(GZIP_MARK):
        inside = Path(path.stem) if path.suffix.lower() == ".gz" else path
        return _made(File(path, sheet=sheet), inside, is_packed=True)
    if start.startswith(ZIP_MARK) and _kind_of_zip(path) is None:
        member, within = chosen_table(path, names_in(path), _BY_SUFFIX, sheet)
        return _made(File(path, member=member, sheet=within), Path(member), is_packed=True)
    return _made(File(path, sheet=sheet), path, is_packed=False)


def _kind_of_zip(path: Path) -> str | None:
    """The kind of workbook that a zip file is; none of an archive."""
    named = _BY_SUFFIX.get(path.suffix.lower())
    if named in _WORKBOOKS:
        return named
    names = {name.lower() for name in names_in(path)}
    if {"mimetype", "content.xml"} <= names:
        return "OdsFile"
    return "XlsxFile" if any(name.endswith("workbook.xml") for name in names) else None


def _made(file: File, name: Path, *, is_packed: bool) -> Source:
    """The source that ``file`` is, by its first bytes, and by its ``name``, which is that inside where it is packed."""
    with reading_from(file.path), file.opened() as content:
        start = content.read(_START)
    if not start:
        raise InputError("input.empty-file", path=file.label)
    if start.startswith(_OLD_EXCEL):
        raise InputError("input.old-excel", path=file.label)
    kind = _format(file, name, start, is_packed)
    if file.sheet is not None and kind not in _WORKBOOKS:
        raise InputError("input.no-sheets", path=file.label)
    opened: Source = getattr(formats, kind)(file.path, member=file.member, sheet=file.sheet)
    return opened


def _format(file: File, name: Path, start: bytes, is_packed: bool) -> str:
    """What the file's first bytes say goes before what its name says."""
    suffix = name.suffix.lower()
    for mark, kind in _BY_MARK.items():
        if start.startswith(mark):
            return kind
    if start.startswith(ZIP_MARK):
        if not is_packed:
            return _kind_of_zip(file.path) or "XlsxFile"
        if _BY_SUFFIX.get(suffix) not in _WORKBOOKS:
            raise InputError("input.nested-archive", path=file.label)
    if start.startswith(GZIP_MARK):
        raise InputError("input.nested-archive", path=file.label)
    is_only_packed = is_packed and file.member is None
    if suffix not in _BY_SUFFIX and not is_only_packed:
        raise InputError("input.unknown-format", path=file.label, known=" ".join(KINDS_OF_FILES))
    return _BY_SUFFIX.get(suffix, "CsvFile")


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
