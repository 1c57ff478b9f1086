"""What rows stream from: files, databases and tables in memory. A format is loaded when there is a file of it."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._data.formats.csv_file import CsvFile
    from biombo._data.formats.dbc import DbcFile
    from biombo._data.formats.dbf import DbfFile
    from biombo._data.formats.filenames import FilenamePattern
    from biombo._data.formats.header import title_rows
    from biombo._data.formats.json_file import JsonFile
    from biombo._data.formats.ods_file import OdsFile
    from biombo._data.formats.open import open_sources
    from biombo._data.formats.parquet_file import ParquetFile
    from biombo._data.formats.record_as_header import like_values
    from biombo._data.formats.statistics_file import StatisticsFile
    from biombo._data.formats.xlsx_file import XlsxFile
    from biombo._data.formats.xml_file import XmlFile

__all__ = [
    "CsvFile",
    "DbcFile",
    "DbfFile",
    "FilenamePattern",
    "JsonFile",
    "OdsFile",
    "ParquetFile",
    "StatisticsFile",
    "XlsxFile",
    "XmlFile",
    "like_values",
    "open_sources",
    "title_rows",
]

__getattr__, __dir__ = face(__name__)
