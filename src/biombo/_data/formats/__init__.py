"""What rows stream from: files, databases and tables in memory. A format is loaded when there is a file of it."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._data.formats.csv_file import CsvFile
    from biombo._data.formats.dbc import DbcFile
    from biombo._data.formats.dbf import DbfFile
    from biombo._data.formats.filenames import FilenamePattern
    from biombo._data.formats.open import open_sources
    from biombo._data.formats.parquet_file import ParquetFile
    from biombo._data.formats.xlsx_file import XlsxFile

__all__ = ["CsvFile", "DbcFile", "DbfFile", "FilenamePattern", "ParquetFile", "XlsxFile", "open_sources"]

__getattr__, __dir__ = face(__name__)
