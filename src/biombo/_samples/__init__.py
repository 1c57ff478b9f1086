"""Made-up data: nobody in it exists."""

from biombo._samples.clinic import clinic
from biombo._samples.national import national
from biombo._samples.siapa import QUASI, SEED, SENSITIVE, code_arrays, tables, write_csv, write_parquet

__all__ = ["QUASI", "SEED", "SENSITIVE", "clinic", "code_arrays", "national", "tables", "write_csv", "write_parquet"]
