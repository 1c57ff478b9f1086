"""Reading tables into codes, and saying what their columns are."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._data.bins import Binning, binned
    from biombo._data.canonical_rows import canonical_rows
    from biombo._data.coded_table import CodedTable
    from biombo._data.dataset import Column, Dataset
    from biombo._data.encoder import ColumnEncoder, SpelledValues
    from biombo._data.far_tuples import FarCodes, FarTuples
    from biombo._data.formats.csv_stream import CsvStream
    from biombo._data.formats.distant import Distant, Stores
    from biombo._data.formats.encodings import decoded
    from biombo._data.formats.formulas import escaped, unescaped, unescaped_text
    from biombo._data.formats.postgres import Postgres
    from biombo._data.formats.soundness import foreign_failures
    from biombo._data.formats.source import File, Source
    from biombo._data.formats.sql_query import kind_of_database
    from biombo._data.formats.sqlite import file_at
    from biombo._data.formats.values import mixed_columns
    from biombo._data.generalised_column import through
    from biombo._data.inspection.column_types import column_type
    from biombo._data.inspection.identifiers import IDENTIFIERS, recognise
    from biombo._data.inspection.inspection import Inspection, identifiers_among, inspect
    from biombo._data.inspection.profile import MOST_VALUES, ColumnProfile, ValueSample, value_sample
    from biombo._data.numbers import parse_numbers
    from biombo._data.plain import (
        as_written,
        hashed,
        is_bytes_type,
        is_text_type,
        missing_where,
        plain,
        plain_values,
        value_type,
        written,
    )
    from biombo._data.reader import count_table, read, read_counted
    from biombo._data.schema import QUASI_AT_MOST, ROLES, ColumnSchema, InPopulation, Role, Schema, built_in
    from biombo._data.source_table import Progress, SourceTable
    from biombo._data.table_size import TableSize

__all__ = [
    "IDENTIFIERS",
    "MOST_VALUES",
    "QUASI_AT_MOST",
    "ROLES",
    "Binning",
    "CodedTable",
    "Column",
    "ColumnEncoder",
    "ColumnProfile",
    "ColumnSchema",
    "CsvStream",
    "Dataset",
    "Distant",
    "FarCodes",
    "FarTuples",
    "File",
    "InPopulation",
    "Inspection",
    "Postgres",
    "Progress",
    "Role",
    "Schema",
    "Source",
    "SourceTable",
    "SpelledValues",
    "Stores",
    "TableSize",
    "ValueSample",
    "as_written",
    "binned",
    "built_in",
    "canonical_rows",
    "column_type",
    "count_table",
    "decoded",
    "escaped",
    "file_at",
    "foreign_failures",
    "hashed",
    "identifiers_among",
    "inspect",
    "is_bytes_type",
    "is_text_type",
    "kind_of_database",
    "missing_where",
    "mixed_columns",
    "parse_numbers",
    "plain",
    "plain_values",
    "read",
    "read_counted",
    "recognise",
    "through",
    "unescaped",
    "unescaped_text",
    "value_sample",
    "value_type",
    "written",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
