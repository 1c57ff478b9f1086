import os
import signal
import stat
import subprocess
import sys

import pytest

from biombo._errors import UsageError
from biombo._files import PRIVATE, refuse_existing, replacing, write_whole


def test_text_is_written_as_utf_8_and_bytes_as_they_are(tmp_path):
    write_whole(tmp_path / "a", "não\n")
    write_whole(tmp_path / "b", b"\x00\xff")

    assert (tmp_path / "a").read_bytes() == "não\n".encode()
    assert (tmp_path / "b").read_bytes() == b"\x00\xff"


def test_a_file_that_exists_is_replaced(tmp_path):
    (tmp_path / "a").write_text("old and longer")
    write_whole(tmp_path / "a", "new")

    assert (tmp_path / "a").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_a_failure_halfway_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, failure):
    (tmp_path / "a").write_text("old")

    def fail(_descriptor):
        raise failure

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((KeyboardInterrupt, UsageError)):
        write_whole(tmp_path / "a", "new")

    assert (tmp_path / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_private_file_is_for_its_owner_alone_even_when_it_replaces_an_open_one(tmp_path):
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o644)
    write_whole(tmp_path / "a", "secret", mode=PRIVATE)

    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_a_link_is_replaced_and_what_it_points_to_is_kept(tmp_path):
    (tmp_path / "target").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_whole(tmp_path / "link", "new")

    assert (tmp_path / "target").read_text() == "kept"
    assert (tmp_path / "link").read_text() == "new"


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(UsageError, match="nowhere does not exist"):
        write_whole(tmp_path / "nowhere" / "a", "")


@pytest.mark.parametrize("name", ["", "/dev/null"])
def test_something_other_than_a_file_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match="something other than a file"):
        write_whole(tmp_path / name, "")


def test_an_existing_file_is_refused_where_it_must_not_be_replaced(tmp_path):
    refuse_existing(tmp_path / "a")
    (tmp_path / "a").touch()

    with pytest.raises(UsageError, match="force=True"):
        refuse_existing(tmp_path / "a")


WRITING = """
import sys, time
from biombo._files import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("begun", flush=True)
    time.sleep(600)
"""


def begun(path):
    """A process that is writing to a file."""
    process = subprocess.Popen([sys.executable, "-c", WRITING, path], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"begun\n"
    return process


def test_what_was_left_by_killed_processes_is_removed_and_what_others_write_stays(tmp_path):
    """The next one that writes there does it, whatever it writes."""
    with begun(tmp_path / "a") as killed, begun(tmp_path / "b") as living, replacing(tmp_path / "c") as file:
        left = set(tmp_path.iterdir())
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        (tmp_path / ".biombo-another-machine.part").touch()
        assert set(tmp_path.iterdir()) > left

        write_whole(tmp_path / "d", "")

        file.write(b"own")
        parts = [path for path in tmp_path.glob(".biombo-*.part") if path in left]
        assert sorted(path.read_bytes() for path in parts if path.stat().st_size) == [b"half"]
        assert len(parts) == 2
        living.kill()
    write_whole(tmp_path / "d", "")

    assert {path.name for path in tmp_path.iterdir()} == {"c", "d", ".biombo-another-machine.part"}
    assert (tmp_path / "c").read_bytes() == b"own"
