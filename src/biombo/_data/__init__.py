"""Reading tables into codes, and saying what their columns are."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._data.bins import Binning, binned
    from biombo._data.canonical_rows import canonical_rows
    from biombo._data.coded_table import CodedTable
    from biombo._data.columns_read_off import check_read_off, read_off
    from biombo._data.dataset import Column, Dataset
    from biombo._data.encoder import ColumnEncoder, SpelledValues
    from biombo._data.far_tuples import FarCodes, FarTuples
    from biombo._data.fitting import fitting_schema
    from biombo._data.formats.copies import copy_query, copy_table, tables_in
    from biombo._data.formats.csv_stream import CsvStream
    from biombo._data.formats.distant import Distant, Stores
    from biombo._data.formats.encodings import decoded
    from biombo._data.formats.formulas import escaped, escaped_text, unescaped, unescaped_text
    from biombo._data.formats.open import KINDS_OF_FILES
    from biombo._data.formats.postgres import Postgres
    from biombo._data.formats.soundness import foreign_failures
    from biombo._data.formats.source import ColumnNotes, File, Source
    from biombo._data.formats.sql_query import kind_of_database
    from biombo._data.formats.sqlite import file_at
    from biombo._data.formats.values import mixed_columns
    from biombo._data.generalised_column import through
    from biombo._data.hierarchy_fit import HierarchyFit, fit_of_hierarchy
    from biombo._data.inspection.adversaries import proposed_adversaries
    from biombo._data.inspection.column_names import meaning_of
    from biombo._data.inspection.column_types import column_type
    from biombo._data.inspection.hierarchies import HierarchyProposal, built_in_for
    from biombo._data.inspection.identifiers import IDENTIFIERS, recognise
    from biombo._data.inspection.inspection import Inspection, identifiers_among, inspect, proposed_hierarchies
    from biombo._data.inspection.profile import MOST_VALUES, ColumnProfile, ValueSample, value_counts, value_sample
    from biombo._data.numbers import parse_numbers
    from biombo._data.plain import (
        as_written,
        hashed,
        is_bytes_type,
        is_text_type,
        plain,
        plain_values,
        value_type,
        without_empty_texts,
        written,
    )
    from biombo._data.population import coded_alike, population_columns, read_population, with_population
    from biombo._data.reader import as_dataset, count_table, declared_schema, read, read_counted
    from biombo._data.schema import QUASI_AT_MOST, ROLES, ColumnSchema, InPopulation, Role, Schema, built_in
    from biombo._data.selection import Choosing, Chosen, Selection, chosen_by
    from biombo._data.source_table import Progress, SourceTable
    from biombo._data.table_size import TableSize
    from biombo._data.value_names import named_values
    from biombo._data.worded import in_language

__all__ = [
    "IDENTIFIERS",
    "KINDS_OF_FILES",
    "MOST_VALUES",
    "QUASI_AT_MOST",
    "ROLES",
    "Binning",
    "Choosing",
    "Chosen",
    "CodedTable",
    "Column",
    "ColumnEncoder",
    "ColumnNotes",
    "ColumnProfile",
    "ColumnSchema",
    "CsvStream",
    "Dataset",
    "Distant",
    "FarCodes",
    "FarTuples",
    "File",
    "HierarchyFit",
    "HierarchyProposal",
    "InPopulation",
    "Inspection",
    "Postgres",
    "Progress",
    "Role",
    "Schema",
    "Selection",
    "Source",
    "SourceTable",
    "SpelledValues",
    "Stores",
    "TableSize",
    "ValueSample",
    "as_dataset",
    "as_written",
    "binned",
    "built_in",
    "built_in_for",
    "canonical_rows",
    "check_read_off",
    "chosen_by",
    "coded_alike",
    "column_type",
    "copy_query",
    "copy_table",
    "count_table",
    "declared_schema",
    "decoded",
    "escaped",
    "escaped_text",
    "file_at",
    "fit_of_hierarchy",
    "fitting_schema",
    "foreign_failures",
    "hashed",
    "identifiers_among",
    "in_language",
    "inspect",
    "is_bytes_type",
    "is_text_type",
    "kind_of_database",
    "meaning_of",
    "mixed_columns",
    "named_values",
    "parse_numbers",
    "plain",
    "plain_values",
    "population_columns",
    "proposed_adversaries",
    "proposed_hierarchies",
    "read",
    "read_counted",
    "read_off",
    "read_population",
    "recognise",
    "tables_in",
    "through",
    "unescaped",
    "unescaped_text",
    "value_counts",
    "value_sample",
    "value_type",
    "with_population",
    "without_empty_texts",
    "written",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
