"""Results as files: whole or not at all."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from pyarrow import parquet
from refusal import refused

import biombo as bb

PLAN = bb.Plan(quasi=["zip"], sensitive=["note"])


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text('zip,note\n02138,a\n,"b\nc"\n02139,d\n')
    return path


@pytest.mark.parametrize("name", ["out.csv", "OUT.CSV", "out.parquet"])
def test_the_name_says_how_it_is_written(table, tmp_path, name) -> None:
    applied = bb.apply(table, PLAN, tmp_path / name, keep_order=True)
    read = pl.read_parquet if name.endswith("parquet") else lambda path: pl.read_csv(path, infer_schema=False)

    assert read(tmp_path / name).rows() == [("02138", "a"), (None, "b\nc"), ("02139", "d")]
    assert (applied.out, applied.data, applied.shuffled) == (tmp_path / name, None, False)


@pytest.mark.parametrize("name", ["out", "out.xlsx", "out.csv.gz"])
def test_other_kinds_are_refused_before_any_work(tmp_path, name) -> None:
    with refused("plan.output-kind", name, ".csv", ".parquet"):
        bb.apply(pl.DataFrame({"zip": ["02138"], "note": ["a"]}), PLAN, tmp_path / name)


def test_a_file_that_exists_is_kept_unless_forced(table, tmp_path) -> None:
    (tmp_path / "out.csv").write_text("old")
    with refused("output.exists", "out.csv"):
        bb.apply(table, PLAN, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "old"

    bb.apply(table, PLAN, tmp_path / "out.csv", force=True)
    assert (tmp_path / "out.csv").read_text().startswith("zip,note\n")


def test_the_table_that_is_read_is_never_written_to(table, tmp_path) -> None:
    (tmp_path / "link.csv").symlink_to(table)
    before = table.read_bytes()
    for out in (table, tmp_path / "link.csv", tmp_path / "." / "in.csv"):
        with refused("plan.onto-input", str(out)):
            bb.apply(table, PLAN, out, force=True)
    assert table.read_bytes() == before


def test_a_folder_that_does_not_exist_is_named(table, tmp_path) -> None:
    with refused("output.no-folder", "nowhere"):
        bb.apply(table, PLAN, tmp_path / "nowhere" / "out.csv")


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
@pytest.mark.parametrize("keep_order", [True, False])
def test_a_table_that_is_broken_near_its_end_leaves_nothing(tmp_path, name, keep_order) -> None:
    rows = "".join(f"{n},{n}\n" for n in range(1_000_000))
    (tmp_path / "in.csv").write_text("zip,note\n" + rows + "1,2,3\n")
    (tmp_path / name).write_text("old")

    with refused("input.fields", "in.csv"):
        bb.apply(tmp_path / "in.csv", PLAN, tmp_path / name, keep_order=keep_order, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", name]
    assert (tmp_path / name).read_text() == "old"


APPLY = """
import resource, sys
import biombo as bb
source, out, keep_order, most = sys.argv[1:]
if int(most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
print("ready", flush=True)
try:
    bb.apply(source, bb.Plan(sensitive=["x", "y"]), out, keep_order=keep_order == "True", force=True)
except bb.BiomboError as error:
    sys.exit(f"{error.key}: {error}")
"""


def applying(source: Path, out: Path, keep_order: bool, most: int = 0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", APPLY, str(source), str(out), str(keep_order), str(most)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    """Made-up rows that take a moment to write: about 60 MB."""
    path = tmp_path_factory.mktemp("large") / "large.parquet"
    rows = pl.int_range(3_000_000, eager=True)
    pl.DataFrame({"x": rows.cast(pl.String), "y": (rows * 7919 % 1_000_003).cast(pl.String)}).write_parquet(path)
    return path


@pytest.mark.parametrize("keep_order", [True, False])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_program_that_is_ended_while_it_writes_leaves_the_old_file(large, tmp_path, keep_order, end) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old")
    with applying(large, out, keep_order) as program:
        while program.poll() is None and not part_of(tmp_path):
            time.sleep(0.001)
        program.send_signal(end)
        program.wait(30)

    assert program.returncode != 0
    assert out.read_text() == "old"
    unfinished = part_of(tmp_path)
    assert len(unfinished) == (1 if end == signal.SIGKILL else 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*unfinished, "out.csv"])


def part_of(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.suffix == ".part"]


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
@pytest.mark.parametrize("keep_order", [True, False])
def test_a_disk_that_is_full_is_said_and_leaves_the_old_file(large, tmp_path, name, keep_order) -> None:
    out = tmp_path / name
    out.write_text("old")
    with applying(large, out, keep_order, most=1 << 20) as program:
        _, said = program.communicate(timeout=60)

    assert program.returncode == 1
    assert said.startswith(f"output.refused: {out} could not be written")
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_row_groups_do_not_tell_where_records_were_left_out(tmp_path) -> None:
    numbers = pl.int_range(1_300_000, eager=True).alias("x")
    table = pl.DataFrame({"x": numbers, "gone": numbers < 300_000})
    plan = bb.Plan([bb.SuppressRecords({"gone": ["true"]})], sensitive=["x", "gone"])
    bb.apply(table, plan, tmp_path / "out.parquet", keep_order=True)
    found = parquet.read_metadata(tmp_path / "out.parquet")

    assert [found.row_group(n).num_rows for n in range(found.num_row_groups)] == [1 << 19, 1_000_000 - (1 << 19)]


MEMORY = """
import re, sys
from pathlib import Path
import biombo as bb
plan = bb.Plan([bb.Generalise("x", bb.Hierarchy.by_prefix([2]), 1)], sensitive=["y", "z"])
bb.apply(sys.argv[1], plan, sys.argv[2], keep_order=True)
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the peak of memory")
def test_row_operations_take_no_more_memory_for_more_rows(tmp_path) -> None:
    """Nine million texts more would take 140 MB in memory, even if nothing else were kept of them. With one thread and
    one way to take memory the peak does not depend on what else the machine does.
    """
    peaks = []
    for rows in (1_000_000, 4_000_000):
        numbers = pl.int_range(rows, eager=True)
        columns = {"x": numbers * 7919 % 100_003, "y": numbers, "z": numbers % 7}
        pl.DataFrame(columns).cast(pl.String).write_parquet(tmp_path / "in.parquet")
        program = [sys.executable, "-c", MEMORY, tmp_path / "in.parquet", tmp_path / f"{rows}.csv"]
        plainly = {"POLARS_MAX_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
        peaks.append(
            int(subprocess.run(program, capture_output=True, text=True, check=True, env=os.environ | plainly).stdout)
        )

    assert peaks[1] - peaks[0] < 100_000  # in KiB
