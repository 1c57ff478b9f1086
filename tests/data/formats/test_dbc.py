import struct
import tempfile
import warnings
from pathlib import Path

import datasus_dbc
import pytest
from dbase import dbc, dbf
from refusal import refused

from biombo._data import Schema, read
from biombo._data.formats import DbcFile
from biombo._errors import BiomboWarning, InputError

FIELDS = [("UF", "C", 2), ("AGE", "N", 3)]
UNPACKED = dbf(FIELDS, [[b"AC", str(age).encode()] for age in range(100)])


@pytest.fixture
def written(tmp_path):
    def write(content: bytes) -> Path:
        path = tmp_path / "PAAC2401.dbc"
        path.write_bytes(content)
        return path

    return write


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def independently_parsed(path: Path, wanted: list[str]) -> dict[str, list[str | None]]:
    """Some columns of the file record by record, in the plainest way."""
    content = datasus_dbc.decompress_bytes(path.read_bytes())
    count, length, width = struct.unpack("<IHH", content[4:12])
    descriptors = [content[start : start + 32] for start in range(32, length - 1, 32)]
    names = [descriptor[:11].split(b"\0")[0].decode() for descriptor in descriptors]
    columns: dict[str, list[str | None]] = {name: [] for name in wanted}
    for row in range(count):
        record = content[length + row * width : length + (row + 1) * width].decode("latin-1")
        start = 1
        for name, descriptor in zip(names, descriptors, strict=True):
            if name in columns:
                columns[name].append(record[start : start + descriptor[16]].strip() or None)
            start += descriptor[16]
    return columns


def test_the_file_of_acre_is_read_as_an_independent_parser_reads_it(siapa_file):
    data = read(siapa_file)
    assert data.rows == 105_836
    assert len(data.columns) == 60
    wanted = [*Schema.load("siapa").columns, "PA_VALAPR", "PA_CNSMED", "PA_ETNIA", "PA_NAT_JUR"]
    for name, values in independently_parsed(siapa_file, wanted).items():
        assert data[name].decoded().to_list() == values


def test_the_checksum_of_the_file_of_acre_agrees(siapa_file):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sum(batch.num_rows for batch in DbcFile(siapa_file).batches(["PA_SEXO"])) == 105_836


def test_names_and_rows_are_known_without_unpacking(written):
    file = DbcFile(written(dbc(UNPACKED)))
    assert (file.columns, file.rows) == (["UF", "AGE"], 100)


@pytest.mark.parametrize("in_memory", [0, 1 << 30])
def test_unpacking_in_memory_and_through_a_file_give_the_same(written, temporary, in_memory):
    batches = list(DbcFile(written(dbc(UNPACKED)), in_memory).batches(["AGE"]))
    assert [value for batch in batches for value in batch.column("AGE").to_pylist()] == [str(age) for age in range(100)]
    assert list(temporary.iterdir()) == []


def test_the_temporary_folder_is_private_and_gone_when_reading_stops_halfway(written, temporary):
    batches = DbcFile(written(dbc(UNPACKED)), in_memory=0).batches(["AGE"])
    next(batches)
    (folder,) = temporary.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    batches.close()
    assert list(temporary.iterdir()) == []


def test_the_temporary_folder_is_gone_after_ctrl_c(written, temporary):
    def interrupted() -> None:
        for _ in DbcFile(written(dbc(UNPACKED)), in_memory=0).batches(["AGE"]):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("in_memory", [0, 1 << 30])
def test_a_file_cut_off_anywhere_is_refused_and_leaves_nothing_behind(written, temporary, in_memory):
    whole = dbc(UNPACKED)
    for length in (10, 40, len(UNPACKED) - 100 * 6, len(whole) - 400, len(whole) // 2, len(whole) - 3):
        path = written(whole[:length])
        with pytest.raises(InputError) as caught:
            list(DbcFile(path, in_memory).batches(["AGE"]))
        assert caught.value.key in {"input.truncated", "input.dbc-short", "input.dbc-damaged"}
        assert str(path) in str(caught.value)
    assert list(temporary.iterdir()) == []


def test_the_real_file_cut_off_is_refused(siapa_file, written):
    whole = siapa_file.read_bytes()
    path = written(whole[: len(whole) // 2])
    with refused("input.dbc-damaged", str(path)):
        read(path)


def test_fewer_records_than_announced_are_refused(written):
    shorter = dbf(FIELDS, [[b"AC", b"1"]] * 50)
    header = bytearray(dbc(shorter))
    header[4] = 60
    with refused("input.truncated"):
        read(written(bytes(header)))


def test_what_makes_the_library_panic_is_refused(written, capfd):
    with refused("input.dbf-header"):
        read(written(b"\3" + bytes(5_000)))
    assert "panicked" not in capfd.readouterr().err


def test_a_checksum_that_does_not_agree_is_warned_of(written):
    path = written(dbc(UNPACKED, checksum=1234))
    with pytest.warns(BiomboWarning, match="checksum"):
        read(path)


def test_a_header_that_lost_its_terminator_still_agrees_with_its_checksum(written):
    lost = bytearray(dbc(UNPACKED))
    lost[32 + 32 * len(FIELDS)] = 0
    assert read(written(bytes(lost))).rows == 100


def test_a_full_disk_is_refused_before_unpacking(written, temporary, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10})())
    with refused("input.no-space", "TMPDIR"):
        list(DbcFile(written(dbc(UNPACKED)), in_memory=0).batches(["AGE"]))
