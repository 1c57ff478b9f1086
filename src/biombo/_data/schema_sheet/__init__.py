"""Schemas as spreadsheets that people edit: workbooks and CSV files."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._data.schema_sheet.csv_sheet import csv_of, rows_in_csv
    from biombo._data.schema_sheet.grid import rows_of, schema_of
    from biombo._data.schema_sheet.xlsx_sheet import rows_in_xlsx, xlsx_of

__all__ = ["csv_of", "rows_in_csv", "rows_in_xlsx", "rows_of", "schema_of", "xlsx_of"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
