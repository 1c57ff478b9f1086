"""Whatever a file holds, reading it gives a table or one clear sentence, and leaves nothing behind."""

import os
import tempfile
from pathlib import Path

import openpyxl
import polars as pl
import pytest
from dbase import dbc, dbf
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused
from written_tables import FORMATS

from biombo._data import read
from biombo._errors import BiomboError, BiomboWarning

SUFFIXES = [".csv", ".tsv", ".parquet", ".dbf", ".dbc", ".xlsx", ".ods", ".json", ".jsonl", ".xml", ".sav", ".dta"]
SUFFIXES += [".zip", ".sav.gz"]
_NEW = {"table.ods": ".ods", "table.json": ".json", "table.jsonl": ".jsonl", "table.xml": ".xml", "table.sav": ".sav"}
_NEW |= {"table.dta": ".dta", "dbc.zip": ".zip", "table.sav.gz": ".sav.gz"}


def _workbook(folder: Path) -> bytes:
    book = openpyxl.Workbook()
    for row in (["a", "b"], *[[number, "x"] for number in range(50)]):
        book.active.append(row)
    book.save(folder / "whole.xlsx")
    return (folder / "whole.xlsx").read_bytes()


@pytest.fixture(scope="module")
def whole_files(tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    unpacked = dbf([("A", "C", 3), ("B", "N", 4)], [[b"x", str(number).encode()] for number in range(50)])
    pl.DataFrame({"a": [str(number % 9) for number in range(500)], "b": range(500)}).write_parquet(folder / "x.parquet")
    text = 'a,b\n"x, y",2\n' * 50
    table = {"a": [f"x{number}" for number in range(50)], "b": [None, "y"] * 25}
    for name in _NEW:
        FORMATS[name](table, folder / name)
    return {suffix: (folder / name).read_bytes() for name, suffix in _NEW.items()} | {
        ".csv": text.encode(),
        ".tsv": text.replace(",", "\t").encode("utf-8-sig"),
        ".parquet": (folder / "x.parquet").read_bytes(),
        ".dbf": unpacked,
        ".dbc": dbc(unpacked),
        ".xlsx": _workbook(folder),
    }


def read_or_refuse(path: Path) -> None:
    """Anything but a dataset, a warning or an error for people makes the test fail."""
    try:
        rows = read(path).rows
    except (BiomboError, BiomboWarning) as said:
        rows = len(str(said))
    assert rows > 0


@settings(max_examples=150)
@given(st.sampled_from(SUFFIXES), st.binary(max_size=300))
def test_random_bytes_never_crash(tmp_path_factory, suffix, content):
    path = tmp_path_factory.mktemp("random") / f"table{suffix}"
    path.write_bytes(content)
    read_or_refuse(path)


@settings(max_examples=150)
@given(st.sampled_from(SUFFIXES), st.data())
def test_damaged_files_never_crash(tmp_path_factory, whole_files, suffix, data):
    content = bytearray(whole_files[suffix])
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    path = tmp_path_factory.mktemp("damaged") / f"table{suffix}"
    path.write_bytes(content[: cut or None])
    read_or_refuse(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_file_is_refused_whatever_its_name(tmp_path, suffix):
    path = tmp_path / f"empty{suffix}"
    path.touch()
    with refused("input.empty-file", str(path)):
        read(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_left_behind_in_the_temporary_folder(tmp_path, whole_files, monkeypatch, suffix):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for name, content in {
        "whole": whole_files[suffix],
        "half": whole_files[suffix][: len(whole_files[suffix]) // 2],
    }.items():
        (tmp_path / f"{name}{suffix}").write_bytes(content)
        read_or_refuse(tmp_path / f"{name}{suffix}")
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_file_itself_is_not_changed(tmp_path, whole_files, suffix):
    path = tmp_path / f"table{suffix}"
    path.write_bytes(whole_files[suffix])
    path.chmod(0o400)
    read(path)
    assert path.read_bytes() == whole_files[suffix]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n")
    path.chmod(0)
    with refused("input.unreadable", str(path)):
        read(path)


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/stdin"])
def test_devices_are_refused(name):
    with refused("input.missing-file", name):
        read(name)


def test_a_path_with_strange_characters_is_read_and_named(tmp_path):
    path = tmp_path / "{path} 100% 'só'.csv"
    path.write_text("a,b\n1,2\n")
    assert read(path).rows == 1
    with refused("column.missing", str(path)):
        read(path, columns=["something else"])


def test_names_of_columns_are_shown_and_never_run(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('"{0.__class__}","%s"\n1,2\n')
    assert list(read(path).columns) == ["{0.__class__}", "%s"]
    with refused("column.missing", "{0.__class__}"):
        read(path, columns=["something else"])


def test_a_file_that_vanishes_while_it_is_read_is_refused(tmp_path):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_text("x,y\n1,2\n")
    with refused("input.unreadable", str(paths[1])):
        read(paths, progress=lambda *_: paths[1].unlink(missing_ok=True))
