"""``read``: any supported input becomes a :class:`Dataset`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from biombo._data.dataset import Dataset
from biombo._data.encode import ColumnEncoder
from biombo._data.formats.csv_file import CsvFile
from biombo._data.formats.filenames import FilenamePattern
from biombo._data.formats.open import open_sources
from biombo._data.formats.source import File, Source
from biombo._data.schema import Schema
from biombo._errors import ColumnError, InputError, UsageError, shortened, system_reason

Progress = Callable[[int, int | None], None]
"""Called with the rows read so far and, where known, how many there will be."""


def read(
    source: Any,
    schema: Schema | str | Path | None = None,
    *,
    columns: Sequence[str] | None = None,
    filename: str | None = None,
    database: str | None = None,
    progress: Progress | None = None,
) -> Dataset:
    """Read a table, keeping only the columns in use, as codes.

    Args:
        source: A path, a glob or a list of them (CSV, TSV, Parquet, XLSX, DBC, DBF); a Polars, pandas or Arrow table;
            or, with ``database``, an SQL query.
        schema: What the columns are: a :class:`Schema`, a YAML file, or the name of a built-in one (``"siapa"``).
        columns: The columns to keep. By default the quasi and sensitive columns of the schema and those that
            ``filename`` adds; without such roles, all.
        filename: A pattern that takes columns from the files' names, such as ``"PA{uf:2}{year:2}{month:2}.dbc"``.
        database: The database that the query ``source`` is for: ``sqlite:///file.db`` or ``postgresql://…``.
        progress: Called now and then with the rows read and the rows expected.

    >>> import polars as pl
    >>> data = read(pl.DataFrame({"sex": ["F", "M", "F"], "cnes": ["0000013", "0000013", None]}))
    >>> data["cnes"].decoded().to_list()
    ['0000013', '0000013', None]
    """
    loaded = Schema.load(schema)
    pattern = FilenamePattern(filename) if filename is not None else None
    sources = open_sources(source, database)
    _check_pattern(sources, pattern)
    wanted = _wanted(sources, loaded, columns, pattern)
    encoders = {name: ColumnEncoder(name) for name in wanted}
    rows = _encode(sources, encoders, pattern, progress)
    label = sources[0].label if len(sources) == 1 else f"{sources[0].label} … {sources[-1].label}"
    if rows == 0:
        raise InputError("input.empty", source=label)
    return Dataset({name: encoder.finish() for name, encoder in encoders.items()}, rows, loaded, label)


def _check_pattern(sources: Sequence[Source], pattern: FilenamePattern | None) -> None:
    """Every file's name must hold the columns of ``pattern``, and no file may have them inside as well."""
    if pattern is None:
        return
    for source in sources:
        if not isinstance(source, File):
            raise UsageError("usage.pattern-no-file", pattern=pattern.pattern, source=source.label)
        pattern.match(source.label)
        both = [name for name in pattern.columns if name in source.columns]
        if both:
            raise ColumnError("column.also-in-name", source=source.label, columns=shortened(both))


def _wanted(
    sources: Sequence[Source], schema: Schema, columns: Sequence[str] | None, pattern: FilenamePattern | None
) -> list[str]:
    """The columns to keep, each of them found in every source or in every file's name."""
    if isinstance(columns, str):
        raise UsageError("usage.string-for-list", argument="columns", value=columns)
    from_names = pattern.columns if pattern else []
    wanted = list(columns) if columns is not None else [*schema.quasi, *schema.sensitive]
    wanted = wanted or sources[0].columns
    if columns is None:
        wanted = [*wanted, *from_names]
    for source in sources:
        available = [*source.columns, *from_names]
        for name in wanted:
            if name not in available:
                raise _missing(name, available, source)
    return list(dict.fromkeys(wanted))


def _missing(name: str, available: list[str], source: Source) -> ColumnError:
    if isinstance(source, CsvFile) and len(source.columns) == 1:
        return ColumnError("column.single", column=name, source=source.label, only=source.columns[0][:80])
    return ColumnError.missing(name, available, source.label)


def _encode(
    sources: Sequence[Source],
    encoders: dict[str, ColumnEncoder],
    pattern: FilenamePattern | None,
    progress: Progress | None,
) -> int:
    """Stream every source through the encoders; the number of rows."""
    expected = _expected(sources)
    rows = 0
    for source in sources:
        constants = pattern.match(source.label) if pattern else {}
        stored = [name for name in encoders if name not in constants]
        for batch in _batches(source, stored or source.columns[:1]):
            for name in stored:
                encoders[name].add(batch.column(name), source.label)
            for name in constants.keys() & encoders.keys():
                encoders[name].add_constant(constants[name], batch.num_rows)
            rows += batch.num_rows
            if progress:
                progress(rows, expected)
    return rows


def _batches(source: Source, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    try:
        yield from source.batches(columns)
    except OSError as error:
        raise InputError("input.unreadable", path=source.label, detail=system_reason(error)) from None


def _expected(sources: Iterable[Source]) -> int | None:
    counts = [source.rows for source in sources]
    return sum(count for count in counts if count is not None) if None not in counts else None
