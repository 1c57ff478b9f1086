"""From trace ids to original records, by whoever holds the private folder, on record."""

import json
import shutil
import stat

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb


def test_each_released_record_leads_to_its_original(people, release) -> None:
    rows = bb.trace(release.out, release.data["trace_id"], reason="test")
    originals = people[[rows[trace_id] - 1 for trace_id in release.data["trace_id"]]]

    assert sorted(rows.values()) == list(range(1, people.height + 1))
    assert originals["visits"].cast(pl.String).to_list() == release.data["visits"].to_list()
    assert originals["disease"].to_list() == release.data["disease"].to_list()


@settings(max_examples=15)
@given(groups=st.lists(st.sampled_from("ABC"), min_size=1, max_size=30), data=st.data())
def test_links_are_right_whatever_is_suppressed_drawn_or_left_out(groups, data, tmp_path_factory) -> None:
    """Against the definition: the value in the row that the number names."""
    kept = data.draw(st.sampled_from(groups))
    table = pl.DataFrame({"group": groups, "value": [f"v{n}" for n in range(len(groups))]})
    unwanted = [group for group in "ABC" if group != kept]
    plan = bb.Plan([bb.SuppressRecords({"group": unwanted})], sensitive=["group", "value"])
    release = bb.publish(table, plan, tmp_path_factory.mktemp("links") / "release")
    rows = bb.trace(release.out, release.data["trace_id"], reason="test")

    assert release.data.height == groups.count(kept)
    for record in release.data.iter_rows(named=True):
        assert table["value"][rows[record["trace_id"]] - 1] == record["value"]


def test_each_look_up_is_logged_before_it_is_told(release) -> None:
    first, second = release.data["trace_id"][:2]
    bb.trace(release.out, first, reason="a person asked", who="DPO")
    bb.trace(release.out, [second, "0" * 32], reason="a correction", who="DPO")
    log = release.private / "traces.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]

    assert [(line["who"], line["reason"], line["asked"], line["found"]) for line in lines] == [
        ("DPO", "a person asked", [first], 1),
        ("DPO", "a correction", [second, "0" * 32], 1),
    ]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


@pytest.mark.parametrize("unknown", ["0" * 32, "", "not hex", "ab", "0" * 64])
def test_what_is_no_trace_id_of_the_release_is_not_known(release, unknown) -> None:
    assert bb.trace(release.out, unknown, reason="test") == {unknown: None}


@pytest.mark.parametrize(("reason", "who"), [("", "DPO"), ("  ", "DPO"), ("why", " ")])
def test_nothing_is_traced_without_a_reason_or_by_nobody(release, reason, who) -> None:
    with pytest.raises(bb.UsageError, match="for a reason"):
        bb.trace(release.out, "0" * 32, reason=reason, who=who)

    assert not (release.private / "traces.jsonl").exists()


def test_the_private_folder_of_another_release_is_recognised(release, published_signed) -> None:
    with pytest.raises(bb.InputError, match="another release"):
        bb.trace(release.out, "0" * 32, private=published_signed.private, reason="test")


def test_the_vault_is_of_no_use_without_its_key(people, plan, tmp_path) -> None:
    right, other = tmp_path / "vault.key", tmp_path / "other.key"
    for place in (right, other):
        bb.new_key(place)
    release = bb.publish(people, plan, tmp_path / "release", key=other, vault_key=right)
    wanted = release.data["trace_id"][0]

    assert not (release.private / "release.key").exists()
    with pytest.raises(bb.InputError, match="another key"):
        bb.trace(release.out, wanted, reason="test", key=other)
    assert bb.trace(release.out, wanted, reason="test", key=right)[wanted]


def test_a_damaged_vault_is_told_as_such(release) -> None:
    path = release.private / "trace.vault"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(bb.InputError, match="damaged"):
        bb.trace(release.out, "0" * 32, reason="test")


def test_a_folder_without_a_vault_is_named(release, tmp_path) -> None:
    shutil.copytree(release.private, tmp_path / "copy")
    (tmp_path / "copy" / "trace.vault").write_text("no vault")
    with pytest.raises(bb.InputError, match="no trace vault"):
        bb.trace(release.out, "0" * 32, private=tmp_path / "copy", reason="test")
