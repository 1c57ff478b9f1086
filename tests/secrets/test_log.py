import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._secrets import SET_APART, HeldLog, append_line

ENTRIES = st.lists(st.dictionaries(st.text(max_size=3), st.integers(), max_size=2), min_size=1, max_size=3)


@given(ENTRIES, st.data())
def test_a_line_that_was_cut_off_is_set_apart(tmp_path_factory, entries, data) -> None:
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
        set_apart = {SET_APART: left.decode(errors="backslashreplace")}
        assert set_apart in map(json.loads, path.read_bytes().splitlines())


def test_a_line_that_is_broken_elsewhere_is_not_passed_over(tmp_path) -> None:
    (tmp_path / "log.jsonl").write_text('{"a": \n{"a": 1}\n')
    with HeldLog.at(tmp_path / "log.jsonl") as log, pytest.raises(ValueError, match=r"."):
        log.entries()
