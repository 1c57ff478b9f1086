"""Whatever a file says of itself, reading it ends with a table or one sentence, and in a bounded amount of memory."""

import os
import random
import subprocess
import sys
from pathlib import Path

import openpyxl
import polars as pl
import pytest
from dbase import dbc, dbf
from hypothesis import given, settings
from hypothesis import strategies as st
from written_tables import FORMATS

READ = """
import resource, sys, warnings
from pathlib import Path
import biombo as bb
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
warnings.simplefilter("ignore")
for path in sorted(Path(sys.argv[1]).iterdir()):
    print(path.name, flush=True)
    try:
        bb.read(path)
    except bb.BiomboError as error:
        assert str(error)
print("done")
"""
EXAMPLES = 4 if os.environ.get("BIOMBO_EXAMPLES", "repeatable") == "repeatable" else 25
FILES = 25
SIZES = [0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    table = pl.DataFrame({"a": [str(number % 9) for number in range(200)], "b": range(200)})
    table = table.with_columns(pl.lit(0).cast(pl.Date).alias("c"), (pl.col("b") / 3).alias("d"))
    table.write_parquet(folder / "packed.parquet")
    table.write_parquet(folder / "plain.parquet", compression="uncompressed", row_group_size=50)
    book = openpyxl.Workbook()
    for row in (["a", "b"], *[[number, "x"] for number in range(50)]):
        book.active.append(row)
    book.save(folder / "x.xlsx")
    unpacked = dbf([("A", "C", 3), ("B", "N", 4)], [[b"x", str(number).encode()] for number in range(50)])
    (folder / "x.dbf").write_bytes(unpacked)
    (folder / "x.dbc").write_bytes(dbc(unpacked))
    (folder / "x.csv").write_text('a,b\n"x, y",2\n' * 50)
    for name in ("table.ods", "table.json", "table.xml", "table.sav", "table.dta", "csv.zip", "sav.zip"):
        FORMATS[name]({"a": [f"x{number}" for number in range(50)], "b": ["y", None] * 25}, folder / name)
    return folder


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Bytes flipped, sizes lied about, pieces left out or repeated, the end cut off."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed) or 1)
        match chance.choice(["flip", "size", "remove", "repeat"]):
            case "flip":
                changed[place : place + 1] = chance.randbytes(1)
            case "size":
                width = chance.choice([1, 2, 4])
                size = chance.choice(SIZES) & ((1 << 8 * width) - 1)
                changed[place : place + width] = size.to_bytes(width, "little")
            case "remove":
                del changed[place : place + chance.randint(1, 9)]
            case "repeat":
                changed[place:place] = changed[place : place + chance.randint(1, 99)]
    return bytes(changed[: chance.choice([len(changed), len(changed), chance.randint(1, len(content))])])


@settings(max_examples=EXAMPLES)
@given(st.integers(0, 1 << 32))
def test_damaged_files_are_read_or_refused_in_bounded_memory(tmp_path_factory, whole, seed) -> None:
    chance = random.Random(seed)
    folder = tmp_path_factory.mktemp("damaged")
    for number in range(FILES):
        source = chance.choice(sorted(whole.iterdir()))
        (folder / f"{number:03}-{source.name}").write_bytes(damaged(source.read_bytes(), chance))
    assert outcome(folder) == "done"


def outcome(folder: Path) -> str:
    """The last word of a program that may have no more than four gigabytes: where it stopped, or that it did not."""
    program = subprocess.run(
        [sys.executable, "-c", READ, str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return program.stdout.split()[-1] if program.returncode == 0 else program.stdout[-80:] + program.stderr[-2_000:]
