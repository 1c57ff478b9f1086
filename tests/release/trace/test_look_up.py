"""From trace ids to original records, by whoever holds the private folder, on record."""

import json
import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb


def test_each_released_record_leads_to_its_original(people, release) -> None:
    found = bb.trace(release.out, release.data["trace_id"], source=people, reason="test")
    originals = people[[found[trace_id].number - 1 for trace_id in release.data["trace_id"]]]

    assert sorted(record.number for record in found.values()) == list(range(1, people.height + 1))
    assert all(record.checked for record in found.values())
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
    release = bb.publish(table, plan, tmp_path_factory.mktemp("links") / "release", unprotected="a test")
    found = bb.trace(release.out, release.data["trace_id"], source=table, reason="test")

    assert release.data.height == groups.count(kept)
    for record in release.data.iter_rows(named=True):
        assert table["value"][found[record["trace_id"]].number - 1] == record["value"]


def test_each_look_up_is_logged_before_it_is_told(people, release) -> None:
    first, second = release.data["trace_id"][:2]
    bb.trace(release.out, first, source=people, reason="a person asked", who="DPO")
    bb.trace(release.out, [second, "0" * 32], source=people, reason="a correction", who="DPO")
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


class TestVault:
    """Nobody reads it without its key, and nobody changes it without notice."""

    @pytest.fixture
    def path(self, release) -> Path:
        return release.private / "trace.vault"

    def test_it_is_of_no_use_with_another_key(self, people, tmp_path) -> None:
        right, other = tmp_path / "vault.key", tmp_path / "other.key"
        for place in (right, other):
            bb.new_key(place)
        plan = bb.Plan([], sensitive=["disease"])
        release = bb.publish(people, plan, tmp_path / "release", key=other, vault_key=right, unprotected="a test")
        wanted = release.data["trace_id"][0]

        assert not (release.private / "release.key").exists()
        with pytest.raises(bb.InputError, match="another key"):
            bb.trace(release.out, wanted, reason="test", key=other)
        assert bb.trace(release.out, wanted, source=people, reason="test", key=right)[wanted]

    def test_neither_trace_ids_nor_places_can_be_read_in_it(self, release, path) -> None:
        content = path.read_bytes()

        assert not any(bytes.fromhex(trace_id) in content for trace_id in release.data["trace_id"])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    @settings(max_examples=40)
    @given(data=st.data())
    def test_it_cannot_be_changed_or_cut(self, data, published, copied, tmp_path_factory) -> None:
        release = copied(published, tmp_path_factory.mktemp("vault"))
        path = release.private / "trace.vault"
        before = path.read_bytes()
        place = data.draw(st.integers(0, len(before)) | st.integers(0, 150))
        changed = before[:place] + data.draw(st.binary(max_size=2)) + before[place + data.draw(st.integers(0, 2)) :]
        changed = changed[:place] if data.draw(st.booleans()) else changed
        path.write_bytes(changed)

        if changed != before:
            with pytest.raises(bb.InputError):
                bb.trace(release.out, "0" * 32, reason="test")

    @pytest.mark.parametrize("header", [b"[" * 50_000, b"{}\n", b"\xff\n", b'{"biombo-vault": 2}\n', b""])
    def test_what_is_none_is_named(self, release, path, header) -> None:
        path.write_bytes(header)
        with pytest.raises(bb.InputError, match="no trace vault"):
            bb.trace(release.out, "0" * 32, reason="test")

    def test_one_of_another_version_is_named_as_such(self, release, path) -> None:
        path.write_bytes(path.read_bytes().replace(b'"biombo-vault": 2', b'"biombo-vault": 3', 1))
        with pytest.raises(bb.InputError, match="of version 3, which this Biombo does not know"):
            bb.trace(release.out, "0" * 32, reason="test")

    def test_that_of_another_release_does_not_open_under_this_ones_name(self, release, published_signed, path) -> None:
        """Sealed with the same key: it is bound to its release."""
        other = published_signed.private
        header, content = (other / "trace.vault").read_bytes().split(b"\n", 1)
        path.write_bytes(header.replace(published_signed.id.encode(), release.id.encode()) + b"\n" + content)
        with pytest.raises(bb.InputError, match="damaged"):
            bb.trace(release.out, "0" * 32, reason="test", key=other / "release.key")


class TestLog:
    @pytest.fixture
    def log(self, release) -> Path:
        return release.private / "traces.jsonl"

    def lines(self, log: Path) -> list[dict[str, object]]:
        return [json.loads(line) for line in log.read_text().splitlines()]

    def test_look_ups_that_fail_are_there_too(self, release, log, tmp_path) -> None:
        bb.new_key(tmp_path / "other.key")
        for key in (tmp_path / "other.key", tmp_path / "nowhere.key"):
            with pytest.raises(bb.InputError):
                bb.trace(release.out, "0" * 32, reason="curiosity", who="Eve", key=key)
        (release.private / "trace.vault").write_bytes((release.private / "trace.vault").read_bytes()[:-1])
        with pytest.raises(bb.InputError, match="damaged"):
            bb.trace(release.out, "1" * 32, reason="curiosity", who="Eve")

        assert [(line["who"], line["found"], line["failure"]) for line in self.lines(log)] == [
            ("Eve", 0, "release.other-key"),
            ("Eve", 0, "input.unreadable"),
            ("Eve", 0, "release.damaged-vault"),
        ]
        assert self.lines(log)[-1]["asked"] == ["1" * 32]

    def test_nothing_is_told_where_it_cannot_be_written(self, people, release, log) -> None:
        log.mkdir()
        with pytest.raises(bb.UsageError, match="could not be written"):
            bb.trace(release.out, release.data["trace_id"][0], source=people, reason="test")

    def test_it_only_grows_and_nobody_else_can_read_it(self, release, log) -> None:
        before = os.umask(0)
        try:
            bb.trace(release.out, "0" * 32, reason="first")
            first = log.read_bytes()
            bb.trace(release.out, "0" * 32, reason="second")
        finally:
            os.umask(before)

        assert log.read_bytes().startswith(first)
        assert stat.S_IMODE(log.stat().st_mode) == 0o600

    def test_a_line_that_was_cut_short_does_not_swallow_the_next(self, release, log) -> None:
        log.write_text('{"when": "20')
        bb.trace(release.out, "0" * 32, reason="test")

        assert json.loads(log.read_text().splitlines()[-1])["reason"] == "test"

    @pytest.mark.parametrize("reason", ["two\nlines", "a \udc80 of another encoding", "ação", '"'])
    def test_whatever_is_said_is_one_line(self, release, log, reason) -> None:
        bb.trace(release.out, "0" * 32, reason=reason)

        assert [line["reason"] for line in self.lines(log)] == [reason]

    def test_several_at_once_are_all_there(self, people, release, log) -> None:
        wanted = release.data["trace_id"][:60].to_list()
        with ThreadPoolExecutor(8) as threads:
            ask = partial(threads.submit, bb.trace, release.out, source=people)
            found = [each.result() for each in [ask(each, reason=f"for {each}") for each in wanted]]

        assert all(None not in each.values() for each in found)
        assert sorted(line["reason"] for line in self.lines(log)) == sorted(f"for {each}" for each in wanted)


def test_somebody_must_be_named_where_the_system_has_no_name(release, monkeypatch) -> None:
    def nobody() -> str:
        raise KeyError

    monkeypatch.setattr("getpass.getuser", nobody)
    with pytest.raises(bb.UsageError, match="who="):
        bb.trace(release.out, "0" * 32, reason="test")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory) -> list[tuple[bytes, int, int]]:
    """Of each record of a release: its trace id, its place there and in the original."""
    table = pl.DataFrame({"value": [f"{number:04}" for number in range(2000)]})
    plan = bb.Plan([], sensitive=["value"])
    released = bb.publish(table, plan, tmp_path_factory.mktemp("ids") / "release", unprotected="a test").data
    pairs = zip(released["trace_id"], released["value"], strict=True)
    return [(bytes.fromhex(each), place, int(value)) for place, (each, value) in enumerate(pairs)]


class TestIds:
    def test_all_128_bits_are_random(self, drawn) -> None:
        bits = np.unpackbits(np.frombuffer(b"".join(each for each, _, _ in drawn), np.uint8).reshape(-1, 16), axis=1)
        deviation = np.sqrt(len(drawn)) / 2

        assert bits.shape == (2000, 128)
        assert np.abs(bits.sum(axis=0) - len(drawn) / 2).max() < 6 * deviation

    def test_nothing_follows_from_the_order_of_anything_else(self, drawn) -> None:
        """The rank of the id, the place in the release and that in the original: no two of them go together."""
        by_id = sorted(drawn)
        ranks = np.array([(rank, place, original) for rank, (_, place, original) in enumerate(by_id)])
        correlations = np.corrcoef(ranks, rowvar=False)[np.triu_indices(3, 1)]

        assert np.abs(correlations).max() < 6 / np.sqrt(len(drawn))


def test_a_folder_without_a_vault_is_named(release, tmp_path) -> None:
    shutil.copytree(release.private, tmp_path / "copy")
    (tmp_path / "copy" / "trace.vault").write_text("no vault")
    with pytest.raises(bb.InputError, match="no trace vault"):
        bb.trace(release.out, "0" * 32, private=tmp_path / "copy", reason="test")


def test_many_are_looked_up_at_once_whatever_their_spelling(tmp_path) -> None:
    """More than one chunk of the vault has, among others that nobody gave out."""
    table = pl.DataFrame({"value": [f"{number:06}" for number in range(70_000)]})
    plan = bb.Plan([], sensitive=["value"])
    release = bb.publish(table, plan, tmp_path / "release", format="parquet", unprotected="a test")
    known, value = release.data["trace_id"], release.data["value"].cast(pl.Int64)
    unknown = [f"{number:032x}" for number in range(1000)]
    asked = [*unknown, *known.str.to_uppercase(), *known]
    found = bb.trace(release.out, asked, source=table, reason="test")

    assert list(found) == list(dict.fromkeys(asked))
    assert all(found[each] is None for each in unknown)
    assert [found[each].number - 1 for each in known] == value.to_list()
    assert [found[each.upper()].number - 1 for each in known] == value.to_list()
