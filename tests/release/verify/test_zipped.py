"""A release that came as a zip file: checked as its folder is, refused in one sentence where it is anything else."""

import stat
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import biombo as bb


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def zipped(signed_release, tmp_path) -> Callable[..., Path]:
    def pack(*more: tuple[str | zipfile.ZipInfo, bytes], within: str = "release/", without: str = "") -> Path:
        path = tmp_path / "release.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(signed_release.out.iterdir()):
                if file.name != without:
                    archive.write(file, f"{within}{file.name}")
            for name, content in more:
                archive.writestr(name, content)
        return path

    return pack


@pytest.mark.parametrize("within", ["release/", ""])
def test_is_checked_as_its_folder_is_and_nothing_is_left_behind(
    zipped, signed_release, trusted, temporary, within
) -> None:
    found = bb.verify(zipped(within=within), key=trusted)

    assert found.origin_proved
    assert found.checks == bb.verify(signed_release.out, key=trusted).checks
    assert list(temporary.iterdir()) == []


def test_what_is_wrong_inside_is_told(zipped) -> None:
    added = bb.verify(zipped(("release/note.txt", b"trace id 1 is Ana")))
    missing = bb.verify(zipped(without="dictionary.csv"))

    assert [check.claim for check in added.failures] == ["file-added"]
    assert [check.claim for check in missing.failures] == ["file-missing"]


def linked(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../out.txt", "leads out"),
        ("release/../../out.txt", "leads out"),
        ("/etc/out.txt", "leads out"),
        ("C:\\out.txt", "leads out"),
        ("release/a\nb.txt", "leads out"),
        ("release/deeper/out.txt", "more than the files of one folder"),
        ("another/out.txt", "more than the files of one folder"),
        ("out.txt", "more than the files of one folder"),
        ("release/DATA.csv", "same name"),
        (linked("release/report.pdf"), "a link"),
    ],
)
def test_hostile_entries_are_refused_before_anything_is_written(zipped, temporary, name, reason) -> None:
    with pytest.raises(bb.InputError, match=f"not unpacked, because .*{reason}"):
        bb.verify(zipped((name, b"x")))
    assert list(temporary.iterdir()) == []


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name_are_refused(zipped) -> None:
    with pytest.raises(bb.InputError, match="two files have the same name"):
        bb.verify(zipped(("release/manifest.json", b"{}")))


def test_one_that_needs_a_password_is_refused(zipped) -> None:
    path = zipped()
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\1\2") + 8] |= 1  # the first bit of the flags in the directory of entries
    path.write_bytes(content)

    with pytest.raises(bb.InputError, match="a password is needed"):
        bb.verify(path)


def test_one_that_would_fill_the_disk_is_refused(zipped, temporary) -> None:
    path = zipped()
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("release/z.csv", "w") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))

    with pytest.raises(bb.InputError, match="beyond all proportion"):
        bb.verify(path)
    assert list(temporary.iterdir()) == []


def test_a_damaged_one_is_refused(zipped) -> None:
    path = zipped()
    content = bytearray(path.read_bytes())
    place = content.index(b"data.csv") + 200
    content[place : place + 40] = bytes(255 - each for each in content[place : place + 40])
    path.write_bytes(content)

    with pytest.raises(bb.InputError, match=r"release\.zip cannot be unpacked, because it is damaged"):
        bb.verify(path)


def test_a_zip_file_of_something_else_is_no_release(tmp_path) -> None:
    path = tmp_path / "other.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("table.csv", "a,b\n")

    with pytest.raises(bb.InputError, match=r"other\.zip holds no release"):
        bb.verify(path)


def test_what_needs_the_private_folder_says_that_it_must_be_unpacked(zipped) -> None:
    with pytest.raises(bb.InputError, match="is a packed release; unpack it"):
        bb.trace(zipped(), ["0" * 32], reason="a test", who="Ana")
