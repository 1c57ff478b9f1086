"""Made-up data: nobody in it exists."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._samples.several_states import national
    from biombo._samples.siapa import QUASI, SEED, SENSITIVE, code_arrays, tables, write_csv, write_parquet
    from biombo._samples.ten_people import School, school
    from biombo._samples.twelve_people import clinic

__all__ = [
    "QUASI",
    "SEED",
    "SENSITIVE",
    "School",
    "clinic",
    "code_arrays",
    "national",
    "school",
    "tables",
    "write_csv",
    "write_parquet",
]

__getattr__, __dir__ = face(__name__)
