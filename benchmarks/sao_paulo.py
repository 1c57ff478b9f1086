"""A whole state: as many made-up records as São Paulo had in 2023, from a Parquet file to the report.

    python benchmarks/sao_paulo.py [--rows 112637066] [--folder FOLDER]

Prints the time and the peak memory of ``biombo risk`` alone; making the records up is not counted. Aims: under five
minutes on two cores, below 12 GiB.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from biombo._samples import write_parquet

SAO_PAULO_2023 = 112_637_066
BYTES_A_ROW = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=SAO_PAULO_2023)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where there is room")
    asked = parser.parse_args()
    needed, free = asked.rows * BYTES_A_ROW, shutil.disk_usage(asked.folder).free
    print(f"Needs about {needed / 1e9:.1f} GB in {asked.folder} ({free / 1e9:.1f} GB free); removed afterwards.")
    if needed > free:
        sys.exit("Not enough room there; choose another --folder.")
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        table = Path(folder) / "sp.parquet"
        start = time.perf_counter()
        write_parquet(table, asked.rows)
        seconds = time.perf_counter() - start
        print(f"Made up {asked.rows:,} records in {seconds:.0f} s: {table.stat().st_size / 1e9:.2f} GB")
        program = "import sys; from biombo._cli import main; sys.exit(main())"
        arguments = ["risk", str(table), "--schema", "siapa", "--out", str(Path(folder) / "report")]
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program, *arguments], check=True)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(f"\nFrom the file to the report: {seconds:.0f} s, peak memory {peak / 2**30:.1f} GiB")


if __name__ == "__main__":
    main()
