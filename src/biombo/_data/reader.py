"""``read`` and ``read_counted``: any supported input becomes a :class:`Dataset`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from biombo._cells import TupleCounter
from biombo._data.dataset import Dataset
from biombo._data.encoder import ColumnEncoder
from biombo._data.schema import Schema
from biombo._data.source_table import Progress, SourceTable
from biombo._errors import UsageError
from biombo._frames import frame_kind
from biombo._watch import advance, instead


def read(
    source: Any,
    schema: Schema | str | Path | None = None,
    *,
    columns: Sequence[str] | None = None,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
    unescape: bool = False,
    progress: Progress | None = None,
) -> Dataset:
    """Read a table, keeping only the columns in use, as codes.

    Args:
        source: A path, a glob or a list of them (CSV, TSV, Parquet, also a folder of parts, XLSX, ODS, JSON, XML, DBC,
            DBF, SPSS, Stata, SAS; also in ``.zip`` or ``.gz``); a Polars, pandas or Arrow table; or, with ``database``,
            an SQL query.
        schema: What the columns are: a :class:`Schema`, a YAML file, or the name of a built-in one (``"siapa"``).
        columns: The columns to keep. By default the quasi and sensitive columns of the schema and those that
            ``filename`` adds; without such roles, all.
        filename: A pattern that takes columns from the files' names, such as ``"PA{uf:2}{year:2}{month:2}.dbc"``.
        database: The database that the query ``source`` is for: ``sqlite:///file.db`` or ``postgresql://…``.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        unescape: Take the apostrophes away that Biombo puts into the text and the header of CSV files before what a
            spreadsheet would take for a formula; for files that :func:`biombo.apply` wrote.
        progress: Called now and then with the rows read and the rows expected.

    >>> import polars as pl
    >>> data = read(pl.DataFrame({"sex": ["F", "M", "F"], "cnes": ["0000013", "0000013", None]}))
    >>> data["cnes"].decoded().to_list()
    ['0000013', '0000013', None]
    """
    table, loaded, wanted = _opened(source, schema, columns, filename, database, sheet, unescape)
    encoders = {name: ColumnEncoder(name) for name in wanted}
    rows = 0
    for label, batch in table.batches(wanted, instead(progress, advance)):
        rows += batch.num_rows
        for name, encoder in encoders.items():
            encoder.add(batch.column(name), label)
    if rows == 0:
        table.refuse_empty()
    coded = {name: encoder.finish() for name, encoder in encoders.items()}
    return Dataset(coded, rows, loaded, table.label, notes=table.notes, kind=table.kind)


def as_dataset(table: Any, *named: Sequence[str] | str | None) -> Dataset:
    """A pandas, Polars or Arrow table as :func:`read` gives it, with the columns ``named`` where any are. What was read
    already stays as it is, and so does what is no table, for whoever asked to refuse in words of their own.

    >>> import polars as pl
    >>> as_dataset(pl.DataFrame({"sex": ["F", "M"], "age": [30, 31]}), ["sex"], None)
    <Dataset the Polars table: 2 rows, 1 columns>
    """
    if frame_kind(table) is None:
        return cast(Dataset, table)
    columns = [name for names in named if names is not None for name in _each(names)]
    return read(table, columns=columns or None)


def _each(names: Sequence[str] | str) -> Sequence[str]:
    """One name or several. Raises where one is no text, as pandas calls columns that nobody gave a name."""
    several = names if isinstance(names, Iterable) and not isinstance(names, str) else [names]
    for name in several:
        if not isinstance(name, str):
            raise UsageError("usage.name-no-text", value=name, written=str(name))
    return several


def declared_schema(table: Any, schema: Schema | str | Path | None) -> Schema:
    """What is said of the columns of ``table``: ``schema``, or else what a table that was read was read with."""
    return table.schema if schema is None and isinstance(table, Dataset) else Schema.load(schema)


def read_counted(
    source: Any,
    schema: Schema | str | Path | None = None,
    *,
    columns: Sequence[str] | None = None,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
    unescape: bool = False,
    progress: Progress | None = None,
) -> Dataset:
    """Read a table as :func:`read` does, but keep only the combinations of values and how often each occurs.

    Memory follows the combinations, not the rows. Whatever reasons about groups gives the same results: attacks,
    criteria, searches. What needs single records refuses. A table in which nearly all rows differ is kept row by row.

    >>> import polars as pl
    >>> data = read_counted(pl.DataFrame({"sex": ["F", "M", "F"], "age": [30, 31, 30]}))
    >>> data.records, data.rows, data.counts.tolist()
    (3, 2, [2, 1])
    """
    table, loaded, wanted = _opened(source, schema, columns, filename, database, sheet, unescape)
    return count_table(table, wanted, loaded, progress)


def count_table(
    table: SourceTable, columns: Sequence[str], schema: Schema, progress: Progress | None = None
) -> Dataset:
    """The combinations of values of some columns of ``table``, and how often each occurs."""
    encoders = [ColumnEncoder(name) for name in columns]
    counter = TupleCounter(len(encoders))
    for label, batch in table.batches(columns, instead(progress, advance)):
        counter.add([encoder.coded(batch.column(encoder.name), label) for encoder in encoders])
    tuples = counter.finish()
    if tuples.rows == 0:
        table.refuse_empty()
    coded = {encoder.name: encoder.column(codes) for encoder, codes in zip(encoders, tuples.codes, strict=True)}
    return Dataset(coded, tuples.rows, schema, table.label, counts=tuples.counts, notes=table.notes, kind=table.kind)


def _opened(
    source: Any,
    schema: Schema | str | Path | None,
    columns: Sequence[str] | None,
    filename: str | None,
    database: str | None,
    sheet: str | None,
    unescape: bool,
) -> tuple[SourceTable, Schema, list[str]]:
    """The table, its schema and the columns to keep."""
    loaded = Schema.load(schema)
    table = SourceTable.open(source, filename=filename, database=database, sheet=sheet, unescape=unescape)
    loaded = loaded.told_of(table.columns)
    return table, loaded, _wanted(table, loaded, columns)


def _wanted(table: SourceTable, schema: Schema, columns: Sequence[str] | None) -> list[str]:
    """The columns to keep, each of them found in every source or in every file's name."""
    if isinstance(columns, str):
        raise UsageError("usage.string-for-list", argument="columns", value=columns)
    if columns is not None:
        wanted = list(columns) or table.sources[0].columns
    else:
        wanted = [*([*schema.quasi, *schema.sensitive] or table.sources[0].columns), *table.columns_of_names]
    table.check(wanted)
    return list(dict.fromkeys(wanted))
