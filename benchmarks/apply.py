"""Plans on a large table: how fast rows stream, and in how much memory, beside a plain copy of the file by Polars.

    python benchmarks/apply.py [--rows 10000000] [--repeat 5]

Made-up health records with further columns, Parquet to Parquet, each run in a process of its own. The copy does nothing
but read and write. Aims: a plan of ten operations that look at each row once takes at most 6 times as long as the copy,
in memory that does not grow with the table; that is shown at a tenth of the rows as well. Pseudonyms are apart, since
they must be drawn and kept for every person. On a busy machine the ratio of processor seconds tells more.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
from pyarrow import parquet

import biombo as bb
from biombo._samples import tables

ROW_OPERATIONS = (
    bb.Generalise("PA_IDADE", bb.Hierarchy.by_interval(10, [2]), 1),
    bb.Generalise("PA_MUNPCN", bb.Hierarchy.by_prefix([2]), 1),
    bb.Generalise("PA_PROC_ID", bb.Hierarchy.by_prefix([4, 2]), 1),
    bb.Generalise("PA_MVM", bb.Hierarchy.by_prefix([4]), 1),
    bb.MaskCharacters("zip", keep_first=5, hide_length=True),
    bb.Round("cost", 10),
    bb.TopBottomCode("height", bottom=140, top=200),
    bb.AddNoise("weight", 2.5, "normal", decimals=1),
    bb.DeriveDuration("admitted", "discharged", "stay"),
    bb.SuppressColumn("PA_CMP"),
)
QUASI = ("PA_SEXO", "PA_RACACOR", "PA_IDADE", "PA_MUNPCN")


def plan_for(what: str) -> bb.Plan:
    if what == "rows":
        return bb.Plan(ROW_OPERATIONS, quasi=["PA_SEXO", "PA_RACACOR", "PA_CODUNI"], identifiers=["patient"])
    if what == "passes":
        operations = (*ROW_OPERATIONS[:8], bb.Swap(["PA_CODUNI"], within=["PA_MUNPCN"]), bb.SuppressGroups())
        further = ["PA_CMP", "admitted", "discharged"]
        return bb.Plan(operations, [bb.KAnonymity(5)], QUASI, further, identifiers=["patient"])
    columns = [name for operation in ROW_OPERATIONS for name in operation.columns]
    return bb.Plan([bb.Pseudonymise("patient", "random")], quasi={*QUASI, *columns, "PA_CODUNI"})


def write_table(path: Path, rows: int, batch_rows: int = 500_000) -> None:
    """Rows of ``samples``, with a patient, a place, measurements and a stay."""
    random = np.random.default_rng(5)
    writer = None
    for batch in tables(rows, batch_rows=batch_rows):
        table = pa.Table.from_batches([batch])
        for name, values in further(random, table.num_rows, rows).items():
            table = table.append_column(name, values)
        writer = writer or parquet.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    if writer is not None:
        writer.close()


def further(random: np.random.Generator, rows: int, people: int) -> dict[str, pa.Array]:
    admitted = random.integers(19_000, 19_365, rows).astype(np.int32)
    stay = random.geometric(0.2, rows).astype(np.int32)
    patient = pl.Series(random.integers(0, max(people // 3, 1), rows)).cast(pl.String).str.zfill(11)
    zip_code = pl.Series(random.integers(0, 20_000, rows) * 500).cast(pl.String).str.zfill(8)
    return {
        "patient": patient.to_arrow(),
        "zip": zip_code.to_arrow(),
        "height": pa.array(random.normal(165, 12, rows).astype(np.int16)),
        "weight": pa.array(np.round(random.normal(70, 15, rows), 1)),
        "cost": pa.array(random.integers(0, 5_000, rows)),
        "admitted": pa.array(admitted, pa.date32()),
        "discharged": pa.array(admitted + stay, pa.date32()),
    }


def run_here(what: str, source: Path, out: Path, keep_order: bool) -> None:
    """One run, whose time and peak memory are printed for the process that asked for it."""
    start, busy = time.perf_counter(), time.process_time()
    if what == "copy":
        pl.scan_parquet(source).sink_parquet(out)
    else:
        bb.apply(source, plan_for(what), out, keep_order=keep_order, force=True)
    print(json.dumps([time.perf_counter() - start, time.process_time() - busy, peak_mebibytes()]))


def peak_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


@dataclass(frozen=True)
class Measured:
    seconds: float
    processor_seconds: float
    mebibytes: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s ({self.processor_seconds:.1f} s of processor), {self.mebibytes:,.0f} MiB"


def measured(what: str, source: Path, repeat: int, keep_order: bool = True) -> Measured:
    """The median times and the largest memory of several runs."""
    command = [sys.executable, __file__, "--here", what, str(source), *(["--keep-order"] if keep_order else [])]
    runs = [json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout) for _ in range(repeat)]
    seconds, processor_seconds, mebibytes = zip(*runs, strict=True)
    return Measured(statistics.median(seconds), statistics.median(processor_seconds), max(mebibytes))


def compare(rows: int, repeat: int, folder: Path) -> None:
    source = folder / f"{rows}.parquet"
    write_table(source, rows)
    copy = measured("copy", source, repeat)
    print(f"{rows:,} rows in {source.stat().st_size / 2**20:,.0f} MiB; plain copy by Polars: {copy}")
    for label, what, keep_order in (
        ("ten operations on rows, in order", "rows", True),
        ("the same, shuffled", "rows", False),
        ("ten operations, two of which must see all rows first, shuffled", "passes", False),
        ("random pseudonyms for one column, in order", "pseudonyms", True),
    ):
        ours = measured(what, source, repeat, keep_order)
        print(f"  {label}: {ours}, {rows / ours.seconds / 1e6:.2f} million rows/s")
        ratios = ours.seconds / copy.seconds, ours.processor_seconds / copy.processor_seconds
        print(f"    {ratios[0]:.1f} times as long as the copy, with {ratios[1]:.1f} times the processor")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--here", nargs=2, metavar=("WHAT", "FILE"), help=argparse.SUPPRESS)
    parser.add_argument("--keep-order", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here is not None:
        source = Path(asked.here[1])
        run_here(asked.here[0], source, source.with_name("out.parquet"), asked.keep_order)
        return
    with tempfile.TemporaryDirectory() as folder:
        for rows in (asked.rows // 10, asked.rows):
            compare(rows, asked.repeat, Path(folder))


if __name__ == "__main__":
    main()
