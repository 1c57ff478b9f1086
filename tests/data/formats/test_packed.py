"""Tables in archives: which is read, and what is refused."""

import gzip
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest
from refusal import refused
from written_tables import FORMATS

from biombo import Watch
from biombo._data import SourceTable, read

TABLE = "age,sex\n30,F\n31,M\n"


@pytest.fixture
def packed(tmp_path):
    def pack(members: dict[str, str | bytes], name: str = "data.zip") -> Path:
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        return tmp_path / name

    return pack


def test_the_only_table_is_read_and_what_is_passed_over_is_said(packed):
    path = packed(
        {
            "LEIAME.txt": "hello",
            "docs/": "",
            "docs/dictionary.pdf": "%PDF",
            "__MACOSX/._people.csv": "x",
            "a/p.csv": TABLE,
        }
    )
    said: list[str] = []
    with Watch(remark=said.append):
        data = read(path)
    assert data["age"].decoded().to_list() == ["30", "31"]
    assert data.label == f"{path}/a/p.csv"
    assert said == [f"Of {path}, a/p.csv is read; these are passed over: LEIAME.txt, docs/dictionary.pdf."]


def test_of_several_tables_one_is_chosen_by_its_name(packed):
    path = packed({"a/people.csv": TABLE, "places.csv": "city\nRio\n"})
    with refused("input.zip-several", "a/people.csv, places.csv", "sheet="):
        read(path)
    assert list(read(path, sheet="places.csv").columns) == ["city"]
    assert list(read(path, sheet="people.csv").columns) == list(read(path, sheet="a/people.csv").columns)
    with refused("input.zip-no-such", "'people'", "places.csv"):
        read(path, sheet="people")


def test_a_sheet_of_the_only_workbook_is_chosen_as_if_it_was_not_packed(tmp_path, packed):
    FORMATS["table.xlsx"]({"age": ["30"]}, tmp_path / "book.xlsx")
    path = packed({"book.xlsx": (tmp_path / "book.xlsx").read_bytes()})
    assert list(read(path, sheet="Sheet").columns) == ["age"]
    with refused("input.no-such-sheet", "'People'", "Sheet"):
        read(path, sheet="People")


def test_archives_without_a_table_are_refused(packed):
    with refused("input.zip-nothing", "report.pdf"):
        read(packed({"report.pdf": "%PDF", "readme.txt": "x"}))
    with refused("input.zip-nothing", "inner.zip"):
        read(packed({"inner.zip": "x"}))


def test_archives_in_archives_are_refused(packed, tmp_path):
    inner = packed({"people.csv": TABLE}, "inner.zip").read_bytes()
    for name, content in {"people.csv": inner, "other.csv": gzip.compress(TABLE.encode())}.items():
        with refused("input.nested-archive", name):
            read(packed({name: content}))
    (tmp_path / "twice.csv.gz").write_bytes(gzip.compress(gzip.compress(TABLE.encode())))
    with refused("input.nested-archive", "twice.csv.gz"):
        read(tmp_path / "twice.csv.gz")


def test_names_that_lead_elsewhere_lead_nowhere(packed, tmp_path, monkeypatch):
    """Nothing is ever written under the name that an archive gives."""
    FORMATS["table.sav"]({"age": ["30"]}, tmp_path / "x.sav")
    inside = tmp_path / "deep" / "deeper"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    monkeypatch.setattr(tempfile, "tempdir", str(inside))
    path = packed({"../../../evil.sav": (tmp_path / "x.sav").read_bytes()})
    assert read(path)["age"].decoded().to_list() == ["30"]
    assert not list(tmp_path.rglob("evil*"))


def test_a_private_copy_is_for_the_user_alone_and_gone_in_the_end(tmp_path, monkeypatch):
    FORMATS["dbc.zip"]({"age": ["30"]}, tmp_path / "x.zip")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    table = SourceTable.open(tmp_path / "x.zip")
    assert table.columns == ["age"]
    (folder,) = temporary.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    del table
    assert not list(temporary.iterdir())


def flagged(path: Path, place: int, value: int) -> None:
    """Another number at a place of both headers of an archive with one file."""
    content = bytearray(path.read_bytes())
    for mark, shift in ((b"PK\3\4", 0), (b"PK\1\2", 2)):
        struct.pack_into("<H", content, content.index(mark) + place + shift, value)
    path.write_bytes(content)


def test_a_password_and_ways_of_packing_that_nobody_knows_are_refused(packed):
    path = packed({"people.csv": TABLE})
    flagged(path, 6, 1)
    with refused("input.zip-password", "'people.csv'"):
        read(path)
    path = packed({"people.csv": TABLE})
    flagged(path, 8, 9)
    with refused("input.zip-method", "'people.csv'"):
        read(path)


@pytest.mark.parametrize(
    ("name", "line"), [("people.csv", b"30,F\n"), ("people.json", b" " * 5), ("people.sav", b"x" * 5)]
)
def test_a_bomb_is_refused(tmp_path, name, line):
    path = tmp_path / f"{name}.gz"
    header = b"age,sex\n" if name.endswith(".csv") else b""
    path.write_bytes(gzip.compress(header) + gzip.compress(line * (1 << 20)) * 54)
    with refused("input.bomb", str(path)):
        read(path)


def test_a_bomb_in_an_archive_is_refused(packed):
    with refused("input.bomb", "data.zip"):
        read(packed({"people.csv": b"age,sex\n" + b"30,F\n" * (54 << 20)}))


def test_damaged_archives_are_refused(packed):
    path = packed({"people.csv": TABLE * 1000})
    whole = path.read_bytes()
    for broken in (whole[: len(whole) // 2], whole[:60] + b"\xff" * 20 + whole[80:]):
        path.write_bytes(broken)
        with refused("input.damaged", "data.zip"):
            read(path)


def test_two_files_of_one_name_are_refused(packed, tmp_path):
    path = packed({"people.csv": TABLE, "peoplf.csv": "age,sex\n1,M\n"})
    path.write_bytes(path.read_bytes().replace(b"peoplf.csv", b"people.csv"))
    with refused("input.zip-names", "data.zip"):
        read(path)


def test_an_empty_file_inside_is_refused(packed):
    with refused("input.empty-file", "people.csv"):
        read(packed({"people.csv": ""}))


def test_an_interrupted_program_leaves_no_copy_behind(tmp_path):
    FORMATS["table.sav.gz"]({"age": ["30"]}, tmp_path / "x.sav.gz")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program = "import sys, biombo._data as d; t = d.SourceTable.open(sys.argv[1]); t.columns; raise KeyboardInterrupt"
    subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "x.sav.gz")],
        env=os.environ | {"TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=False,
    )
    assert not list(temporary.iterdir())
