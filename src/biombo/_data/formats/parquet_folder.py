"""Folders of Parquet parts, as Spark, pandas or DuckDB write them: one table, with columns in the names of folders."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from biombo._data.formats.parquet_file import ParquetFile
from biombo._errors import ColumnError, InputError, shortened
from biombo._files import files_in, is_file, is_folder

_SUFFIXES = (".parquet", ".pq")
_NOTHING = "__HIVE_DEFAULT_PARTITION__"
_DEEPEST = 32

Constants = tuple[tuple[str, str | None], ...]


def parquet_parts(folder: Path, tables: tuple[str, ...]) -> list[ParquetFile]:
    """The parts in ``folder``, in the order of their names; none where there is none. Raises where other ``tables``, by
    their suffixes, lie among them, or where parts do not have the same columns.
    """
    found = list(_found(folder, (), tables, _DEEPEST))
    parts = [part for part in found if isinstance(part, ParquetFile)]
    others = [part for part in found if not isinstance(part, ParquetFile)]
    if parts and others:
        raise InputError("input.folder-mixed", path=str(folder), others=shortened(other.name for other in others))
    for part in parts:
        _refuse_other_columns(parts[0], part)
    return parts


def _found(folder: Path, constants: Constants, tables: tuple[str, ...], depth: int) -> Iterator[ParquetFile | Path]:
    if not depth:
        raise InputError("input.folder-deep", path=str(folder))
    for path in files_in(folder):
        if path.name.startswith((".", "_")):  # what writers note for themselves
            continue
        if is_folder(path):
            if constant := _constant(path.name):  # no other folder is a part of a table
                yield from _found(path, constants + constant, tables, depth - 1)
        elif is_file(path) and path.name.lower().endswith(_SUFFIXES):
            yield ParquetFile(path, constants=constants)
        elif is_file(path) and path.name.lower().endswith(tables):
            yield path


def _constant(name: str) -> Constants:
    """The column in the name of a folder such as ``uf=12``."""
    column, equals, value = name.partition("=")
    if not equals or not column:
        return ()
    return ((unquote(column), None if value == _NOTHING else unquote(value)),)


def _refuse_other_columns(first: ParquetFile, part: ParquetFile) -> None:
    twice = [name for name, _ in part.constants if part.columns.count(name) > 1]
    if twice:
        raise ColumnError("column.also-in-name", source=part.label, columns=shortened(twice))
    different = set(first.columns) ^ set(part.columns)
    if different:
        raise InputError(
            "input.folder-columns", path=part.label, first=first.label, columns=shortened(sorted(different))
        )
