import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._errors import UsageError
from biombo._files import PRIVATE, UNFINISHED, HeldLog, append_line, refuse_existing, write_whole


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

    with pytest.raises(UsageError, match="--force"):
        refuse_existing(tmp_path / "a")


class TestLogs:
    ENTRIES = st.lists(st.dictionaries(st.text(max_size=3), st.integers(), max_size=2), min_size=1, max_size=3)

    @given(ENTRIES, st.data())
    def test_a_line_that_was_cut_off_is_set_apart(self, tmp_path_factory, entries, data) -> None:
        path = tmp_path_factory.mktemp("log") / "log.jsonl"
        for entry in entries:
            append_line(path, entry)
        whole = path.read_bytes()
        last = whole.splitlines(keepends=True)[-1]
        path.write_bytes(whole[: len(whole) - data.draw(st.integers(0, len(last)))])
        left = path.read_bytes()[len(whole) - len(last) :]
        finished = entries if left.rstrip(b"\n") == last.rstrip(b"\n") else entries[:-1]

        with HeldLog.at(path) as log:
            assert log.entries() == finished
            log.append({"next": 1})
            assert log.entries() == [*finished, {"next": 1}]
        assert all(json.loads(line) is not None for line in path.read_bytes().splitlines())
        if finished != entries and left:
            set_apart = {UNFINISHED: left.decode(errors="backslashreplace")}
            assert set_apart in map(json.loads, path.read_bytes().splitlines())

    def test_a_line_that_is_broken_elsewhere_is_not_passed_over(self, tmp_path) -> None:
        (tmp_path / "log.jsonl").write_text('{"a": \n{"a": 1}\n')
        with HeldLog.at(tmp_path / "log.jsonl") as log, pytest.raises(ValueError, match=r"."):
            log.entries()
