"""Made-up data: nobody in it exists."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._samples.people import School, clinic, school
    from biombo._samples.siapa import QUASI, SEED, SENSITIVE, code_arrays, national, tables, write_csv, write_parquet
    from biombo._samples.vaccination import vaccination
    from biombo._samples.world import STATES

__all__ = [
    "QUASI",
    "SEED",
    "SENSITIVE",
    "STATES",
    "School",
    "clinic",
    "code_arrays",
    "national",
    "school",
    "tables",
    "vaccination",
    "write_csv",
    "write_parquet",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
