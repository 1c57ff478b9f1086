"""The original records behind many trace ids at once: a new release of the same people begins with them."""

import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb

PLAN = bb.Plan([bb.SuppressRecords({"group": "X"})], sensitive=["group", "value"])


def log_of(release: bb.Release) -> list[dict]:
    return [json.loads(line) for line in (release.private / "traces.jsonl").read_text().splitlines()]


def test_all_are_the_records_that_were_released(people, release) -> None:
    found = bb.origin_records(release.out, source=people, reason="a request")

    assert found.found == people.height == found.mask.sum()
    assert found.checked
    assert found.unknown == ()
    assert found.frame().equals(people)
    assert found.links.sort("number")["trace_id"].to_list() == [
        each for each, _ in sorted(traced(release, people).items(), key=lambda each: each[1])
    ]


def traced(release: bb.Release, people: pl.DataFrame) -> dict[str, int]:
    found = bb.trace(release.out, release.data["trace_id"], source=people, reason="test")
    return {each: record.number for each, record in found.items()}


@settings(max_examples=15)
@given(
    groups=st.lists(st.sampled_from("ABX"), min_size=1, max_size=30).filter(lambda g: set(g) != {"X"}), data=st.data()
)
def test_some_of_several_files_against_the_look_up_one_by_one(groups, data, tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("files")
    cut = data.draw(st.integers(0, len(groups) - 1))
    table = pl.DataFrame({"group": groups, "value": [f"v{n}" for n in range(len(groups))]})
    for name, part in (("a.csv", table[:cut]), ("b.csv", table[cut:])):
        part.write_csv(folder / name)
    files = [folder / name for name in (("a.csv", "b.csv") if cut else ("b.csv",))]
    release = bb.publish(files, PLAN, folder / "release", unprotected="a test")
    ids = data.draw(st.lists(st.sampled_from(release.data["trace_id"].to_list()), max_size=8))
    asked = data.draw(st.permutations([*ids, "0" * 32, "no id"]))
    alone = bb.trace(release.out, asked, reason="test")
    found = bb.origin_records(release.out, asked, reason="test")

    assert set(found.unknown) == {"0" * 32, "no id"}
    assert {each: (source, number) for each, source, number in found.links.iter_rows()} == {
        each: (record.source, record.number) for each, record in alone.items() if record is not None
    }
    assert [part.source for part in found.parts] == [str(path) for path in files]
    wanted = release.data.filter(pl.col("trace_id").is_in(ids))["value"].to_list()
    assert table.filter(pl.Series(found.mask))["value"].to_list() == sorted(wanted, key=lambda value: int(value[1:]))
    assert found.mask.tolist() == np.concatenate([part.mask for part in found.parts]).tolist()


def test_one_line_of_the_log_says_how_many_and_why(people, release) -> None:
    first = release.data["trace_id"][0]
    bb.origin_records(release.out, source=people, reason="all of them", who="DPO")
    bb.origin_records(release.out, [first], source=people, reason="one", who="DPO")
    with pytest.raises(bb.InputError, match="has changed"):
        bb.origin_records(release.out, source=people.reverse(), reason="a refusal", who="DPO")

    assert [(line["reason"], line["asked"], line["found"], line["failure"]) for line in log_of(release)] == [
        ("all of them", "all", people.height, None),
        ("one", [first], 1, None),
        ("a refusal", "all", 0, "release.moved-record"),
    ]
    assert {(line["who"], line["release"]) for line in log_of(release)} == {("DPO", release.id)}


def test_a_source_that_has_only_grown_is_the_same_one(tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("group,value\nA,1\nA,2\n")
    release = bb.publish(path, PLAN, tmp_path / "release", unprotected="a test")
    path.write_text("group,value\nA,1\nA,2\nB,3\n")
    found = bb.origin_records(release.out, reason="test")

    assert found.mask.tolist() == [True, True, False]
    assert found.frame(["value"])["value"].to_list() == ["1", "2"]
    path.write_text("group,value\nA,1\nA,7\nB,3\n")
    with pytest.raises(bb.InputError, match="its record 2 is no longer the one behind"):
        bb.origin_records(release.out, reason="test")


def test_a_source_that_is_not_at_hand_gives_places_with_a_warning_and_no_records(people, release) -> None:
    with pytest.warns(bb.BiomboWarning, match="not at hand"):
        found = bb.origin_records(release.out, reason="test")

    assert not found.checked
    assert found.mask.all()
    with pytest.raises(bb.InputError, match="the Polars table is not at hand"):
        found.frame()


@pytest.mark.parametrize("kind", ["pandas", "arrow"])
def test_records_come_as_the_kind_of_frame_that_the_source_was(kind, people, release) -> None:
    source = getattr(people, f"to_{kind}")()
    found = bb.origin_records(release.out, release.data["trace_id"][:3], source=source, reason="test")

    assert isinstance(found.frame(["name"]), type(source))
    assert len(found.frame(["name"])) == 3


def test_it_needs_the_key_and_a_reason(people, release, tmp_path) -> None:
    bb.new_key(tmp_path / "other.key")
    with pytest.raises(bb.InputError, match="sealed with another key"):
        bb.origin_records(release.out, source=people, reason="test", key=tmp_path / "other.key")
    with pytest.raises(bb.UsageError, match="for a reason"):
        bb.origin_records(release.out, source=people, reason=" ")
    with pytest.raises(bb.UsageError, match="ids"):
        bb.origin_records(release.out, "0" * 32, source=people, reason="test")
    with pytest.raises(bb.ColumnError, match="nam"):
        bb.origin_records(release.out, source=people, reason="test").frame(["nam"])

    assert [line["failure"] for line in log_of(release)] == ["release.other-key", None]


def test_a_release_that_was_moved_is_still_the_same(people, release, tmp_path) -> None:
    moved = shutil.move(release.out, tmp_path / "elsewhere")
    kept = shutil.move(release.private, tmp_path / "safe")

    assert bb.origin_records(Path(moved), source=people, private=kept, reason="test").found == people.height
